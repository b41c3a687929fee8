// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.Objects;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.grim.DeviceEndpoint;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.HandlerRegistry;
import org.grim.NodeInfo;

/**
 * A device of this node: an endpoint with an entry in the directory, handlers and memory of its own.
 * <p>Thread: the owner, but for {@link #handlers()} and {@link #info()}: any.
 */
final class NodeDevice extends NodeEndpoint implements DeviceEndpoint
{
    private final NodeParts node;
    private final NodeInfo.Device kind;
    private final HandlerRegistry handlers;

    /**
     * Opens a device that nobody finds yet.
     *
     * @param id       of it on its first channel; its number is free.
     * @param kind     of device.
     * @param channels of the node, in a row.
     * @param node     that it belongs to.
     * @param onClose  has the node call {@link #dismantle()}, unless it leaves.
     */
    NodeDevice(
        final EndpointId id, final NodeInfo.Device kind, final int[] channels, final NodeParts node,
        final Consumer<NodeEndpoint> onClose)
    {
        super(id, channels, node, onClose);
        this.node = node;
        this.kind = kind;
        handlers = node.handlers().ofDevice(id.device());
    }

    @Override
    public DeviceInfo info()
    {
        return new DeviceInfo(id(), kind, node.directory().deviceState(id().device()), channels().length);
    }

    @Override
    public HandlerRegistry handlers()
    {
        return handlers;
    }

    @Override
    public void state(final DeviceInfo.State newState)
    {
        state().checkOwner();
        state().requireOpen();
        if (Objects.requireNonNull(newState, "state") == DeviceInfo.State.GONE)
        {
            throw new IllegalArgumentException("a device is gone when it is closed");
        }
        node.directory().deviceState(id().device(), newState);
    }

    @Override
    public void pause(final int channel)
    {
        checkChannel(channel);
        pause(channel, true);
        if (state().isInHandler())
        {
            state().endPoll();              // The queue hands over no further message.
        }
    }

    @Override
    public void resume(final int channel)
    {
        checkChannel(channel);
        pause(channel, false);
    }

    @Override
    void dismantle()
    {
        node.directory().deviceState(id().device(), DeviceInfo.State.GONE);
        IntStream.of(channels()).forEach(channel -> node.counters().channel(channel).paused(false));
        super.dismantle();
        node.memory().freeOf(id());
        node.handlers().forget(id().device());
    }

    private void pause(final int channel, final boolean isPaused)
    {
        node.channels().poll(channel, table(), !isPaused);
        node.counters().channel(channel).paused(isPaused);
    }

    private void checkChannel(final int channel)
    {
        state().checkOwner();
        state().requireOpen();
        if (IntStream.of(channels()).noneMatch(own -> own == channel))
        {
            throw new IllegalArgumentException("channel=" + channel + " does not belong to " + id());
        }
    }
}
