// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.memory.NodeMemory;
import org.grim.transport.RemoteLink;

/**
 * Registered memory of this node, and one-sided access to that of others.
 * <p>Thread: {@link #register} any; everything else the endpoint's owner.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class RemoteMemory
{
    private final NodeMemory memory;

    RemoteMemory(final NodeMemory memory)
    {
        this.memory = memory;
    }

    /**
     * Registers memory that peers may read and write; zeroed.
     *
     * @param bytes of it, 1 or more; it takes whole pages.
     * @return the region.
     * @throws GrimException            if there is no room, with bytes asked, free and configured.
     * @throws IllegalArgumentException if bytes is less than 1.
     */
    public MemoryRegion register(final long bytes)
    {
        return register(bytes, MemoryRights.READ_WRITE);
    }

    /**
     * Registers memory; zeroed.
     *
     * @param bytes  of it, 1 or more; it takes whole pages.
     * @param rights of peers.
     * @return the region.
     */
    public MemoryRegion register(final long bytes, final MemoryRights rights)
    {
        return memory.register(bytes, rights);
    }

    /**
     * The way to an endpoint's memory, as {@link Endpoint#link(EndpointId)}.
     *
     * @param destination endpoint and channel.
     * @return the link, cached.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    public RemoteLink link(final EndpointId destination)
    {
        throw new UnsupportedOperationException("H2 writes this");
    }

    /**
     * The way to an endpoint's memory, as {@link Endpoint#link(int, EndpointId)}.
     *
     * @param sourceChannel that the operations are ordered on.
     * @param destination   endpoint and channel.
     * @return the link, cached.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    public RemoteLink link(final int sourceChannel, final EndpointId destination)
    {
        throw new UnsupportedOperationException("H2 writes this");
    }

    /**
     * Writes by virtual address; see {@link RemoteLink#write}.
     *
     * @return what became of it.
     */
    @SuppressWarnings("javadoc")
    public SendStatus write(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        return link(destination).write(remoteAddress, source, offset, length, notificationAddress, notificationValue);
    }

    /** As {@link #write}, and polls while there is no room. Not for handlers. */
    public SendStatus writeBlocking(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final IdleStrategy idleStrategy)
    {
        throw new UnsupportedOperationException("H2 writes this");
    }

    /**
     * Makes a handle for reads.
     *
     * @return a new one, not in use.
     */
    public RemoteRead newRead()
    {
        throw new UnsupportedOperationException("H2 writes this");
    }

    /**
     * Says who learns of refused operations; replaces an earlier listener.
     *
     * @param listener run on the owner's thread.
     */
    public void onRefused(final RemoteRefusalListener listener)
    {
        throw new UnsupportedOperationException("H2 writes this");
    }
}
