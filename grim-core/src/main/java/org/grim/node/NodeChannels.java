// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.BitSet;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;

import org.grim.DeviceSpec;
import org.grim.GrimException;
import org.grim.loop.ChannelQueues;
import org.grim.loop.NotificationTable;
import org.grim.transport.Transport;

import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * The channels of a node: which of them belong to endpoints, and the arrival queues of those that do not any more.
 * <p>Thread: any.
 */
final class NodeChannels
{
    private final ChannelQueues[] queues;           // null where no endpoint was ever opened, but for the host's
    private final BitSet inUse = new BitSet();

    /** Free ones, from 0 on. */
    NodeChannels(final int count)
    {
        queues = new ChannelQueues[count];
    }

    /**
     * Gives channels to an endpoint.
     *
     * @throws IllegalArgumentException if one does not exist, is another endpoint's, or is named twice.
     */
    synchronized void take(final int... channels)
    {
        if (Objects.requireNonNull(channels, "channels").length == 0)
        {
            throw new IllegalArgumentException("an endpoint needs at least one channel");
        }
        for (final int channel : channels)
        {
            requireFree(channel);
            if (IntStream.of(channels).filter(other -> other == channel).count() > 1)
            {
                throw new IllegalArgumentException("channel=" + channel + " is named twice");
            }
        }
        IntStream.of(channels).forEach(inUse::set);
    }

    /**
     * Gives channels in a row to a device.
     *
     * @param first of them, or {@link DeviceSpec#ANY_CHANNEL} for the first free run.
     * @return the channels.
     * @throws IllegalArgumentException if one does not exist or is in use.
     * @throws GrimException            if there is no free run.
     */
    synchronized int[] takeRun(final int first, final int count)
    {
        int begin = Math.max(0, first);
        while (first == DeviceSpec.ANY_CHANNEL && begin + count <= queues.length && !isFree(begin, count))
        {
            begin++;
        }
        if (first == DeviceSpec.ANY_CHANNEL && begin + count > queues.length)
        {
            throw new GrimException(NO_ROOM, "no free channels in a row: needed=" + count + ", free=" +
                free().boxed().toList() + " of grim.channels.count=" + queues.length);
        }
        final int[] channels = IntStream.range(begin, begin + count).toArray();
        take(channels);
        return channels;
    }

    /** Stops polling a channel, or polls it again: what comes for it meanwhile waits. Thread: the endpoint's owner. */
    synchronized void poll(final int channel, final NotificationTable table, final boolean isPolled)
    {
        if (isPolled)
        {
            queues[channel].resume(table);
        }
        else
        {
            queues[channel].close();
        }
    }

    /** Has an endpoint's loop poll a channel; transports attach once. */
    synchronized void attach(final int channel, final NotificationTable table, final List<Transport> transports)
    {
        if (queues[channel] != null)
        {
            queues[channel].open(table);
            return;
        }
        final ChannelQueues attached = new ChannelQueues();
        attached.open(table);
        for (final Transport transport : transports)
        {
            transport.attach(channel, attached);
        }
        queues[channel] = attached;
    }

    /** An endpoint is closed: others may have its channels, and what has come for it. */
    synchronized void giveBack(final int... channels)
    {
        for (final int channel : channels)
        {
            if (queues[channel] != null)        // Else opening the endpoint failed.
            {
                queues[channel].close();
            }
            inUse.clear(channel);
        }
    }

    /** Returns channels that belong to no endpoint now. */
    synchronized IntStream free()
    {
        return IntStream.range(0, queues.length).filter(channel -> !inUse.get(channel));
    }

    private boolean isFree(final int begin, final int count)
    {
        final int next = inUse.nextSetBit(begin);
        return next < 0 || next >= begin + count;
    }

    private void requireFree(final int channel)
    {
        if (channel < 0 || channel >= queues.length)
        {
            throw new IllegalArgumentException("channel=" + channel + " is outside 0 to " + (queues.length - 1));
        }
        if (inUse.get(channel))
        {
            throw new IllegalArgumentException("channel=" + channel + " belongs to another endpoint");
        }
    }
}
