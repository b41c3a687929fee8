// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.IdleStrategy;
import org.grim.buffer.Buffers;
import org.grim.memory.NodeMemory;
import org.grim.transport.RemoteLink;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Registered memory of this node, and one-sided access to that of others, in one order with the messages of one
 * endpoint. Who writes or reads often keeps the {@link #link}; the methods that name a destination find it each time.
 * <p>Thread: {@link #register} any; everything else the endpoint's owner. Handlers may use all but the blocking writes.
 */
public final class RemoteMemory
{
    private static final int WORDS_LENGTH = 4096;

    private final Endpoint endpoint;
    private final LinkTable links;
    private final NodeMemory regions;
    private final RemoteRefusals refusals;
    private final List<RemoteRead> reads = new ArrayList<>();
    private final MemoryTransfer blocking = new MemoryTransfer();
    private MemoryRegion words;
    private AtomicBuffer wordsView;

    RemoteMemory(
        final Endpoint endpoint, final LinkTable links, final NodeMemory regions, final RemoteRefusals refusals)
    {
        this.endpoint = endpoint;
        this.links = links;
        this.regions = regions;
        this.refusals = refusals;
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
     * @throws GrimException            if there is no room, with bytes asked, free and configured.
     * @throws IllegalArgumentException if bytes is less than 1.
     */
    public MemoryRegion register(final long bytes, final MemoryRights rights)
    {
        return regions.register(bytes, rights);
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
        return remote(links.sourceChannelTo(destination), destination);
    }

    /**
     * The way to an endpoint's memory, as {@link Endpoint#link(int, EndpointId)}.
     *
     * @param sourceChannel that the operations are ordered on.
     * @param destination   endpoint and channel.
     * @return the link, cached.
     * @throws GrimException            if the destination is unknown, gone, or cannot be reached.
     * @throws IllegalArgumentException if the channel is not this endpoint's.
     */
    public RemoteLink link(final int sourceChannel, final EndpointId destination)
    {
        return remote(sourceChannel, destination);
    }

    /**
     * Writes by virtual address; see {@link RemoteLink#write}.
     *
     * @param destination         whose memory it is.
     * @param remoteAddress       virtual address of the first byte there.
     * @param source              of the data; free for reuse on return.
     * @param offset              first byte of the data.
     * @param length              bytes.
     * @param notificationAddress virtual address of a word there, or {@link RemoteLink#NO_NOTIFICATION}.
     * @param notificationValue   to store there when all bytes are there.
     * @return what became of it.
     * @throws GrimException if the destination is unknown, gone before a link was made, or cannot be reached.
     */
    public SendStatus write(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        return link(destination).write(remoteAddress, source, offset, length, notificationAddress, notificationValue);
    }

    /**
     * Writes by physical address; see {@link RemoteLink#writePhysical}.
     *
     * @param destination         whose memory it is.
     * @param remoteAddress       physical address of the first byte there.
     * @param source              of the data; free for reuse on return.
     * @param offset              first byte of the data.
     * @param length              bytes.
     * @param notificationAddress physical address of a word there, or {@link RemoteLink#NO_NOTIFICATION}.
     * @param notificationValue   to store there when all bytes are there.
     * @return what became of it.
     * @throws GrimException if the destination is unknown, gone before a link was made, or cannot be reached.
     */
    public SendStatus writePhysical(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        return link(destination)
            .writePhysical(remoteAddress, source, offset, length, notificationAddress, notificationValue);
    }

    /**
     * Reads by virtual address; see {@link RemoteLink#read(long, MemoryRegion, long, int, long, int)}.
     *
     * @param destination         whose memory it is.
     * @param remoteAddress       virtual address of the first byte there.
     * @param target              registered memory of this node; must stay registered until the read is complete.
     * @param targetOffset        first byte in it.
     * @param length              bytes.
     * @param notificationAddress virtual address of a word of this node, or {@link RemoteLink#NO_NOTIFICATION}.
     * @param notificationValue   to store there when all bytes are there.
     * @return what became of it.
     * @throws GrimException if the destination is unknown, gone before a link was made, or cannot be reached.
     */
    public SendStatus read(
        final EndpointId destination, final long remoteAddress, final MemoryRegion target, final long targetOffset,
        final int length, final long notificationAddress, final int notificationValue)
    {
        return link(destination)
            .read(remoteAddress, target, targetOffset, length, notificationAddress, notificationValue);
    }

    /**
     * Reads by virtual address; see {@link RemoteLink#read(long, MemoryRegion, long, int, RemoteRead)}.
     *
     * @param destination   whose memory it is.
     * @param remoteAddress virtual address of the first byte there.
     * @param target        registered memory of this node; must stay registered until the read is complete.
     * @param targetOffset  first byte in it.
     * @param length        bytes.
     * @param completion    not in use; made by {@link #newRead()}.
     * @return what became of it.
     * @throws GrimException if the destination is unknown, gone before a link was made, or cannot be reached.
     */
    public SendStatus read(
        final EndpointId destination, final long remoteAddress, final MemoryRegion target, final long targetOffset,
        final int length, final RemoteRead completion)
    {
        return link(destination).read(remoteAddress, target, targetOffset, length, completion);
    }

    /**
     * Writes by virtual address, and polls while there is no room; needs no copy, however long the write is. Operations
     * of handlers that run meanwhile may come between its pieces. Not for handlers.
     *
     * @param destination         whose memory it is.
     * @param remoteAddress       virtual address of the first byte there.
     * @param source              of the data; free for reuse on return.
     * @param offset              first byte of the data.
     * @param length              bytes.
     * @param notificationAddress virtual address of a word there, or {@link RemoteLink#NO_NOTIFICATION}.
     * @param notificationValue   to store there when all bytes are there.
     * @param idleStrategy        between polls that found nothing.
     * @return {@link SendStatus#SENT}; or {@link SendStatus#PEER_GONE} or {@link SendStatus#CLOSED}: then a part may
     *     have been written, and the notification was not.
     * @throws GrimException if the destination is unknown, gone before a link was made, or cannot be reached.
     */
    public SendStatus writeBlocking(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final IdleStrategy idleStrategy)
    {
        endpoint.requireOutsideHandler("writeBlocking");
        final EndpointRemoteLink link = remote(links.sourceChannelTo(destination), destination);
        link.beginBlocking(blocking, false, remoteAddress, source, offset, length);
        blocking.notification(notificationAddress, notificationValue);
        return finish(link, idleStrategy);
    }

    /**
     * Writes by physical address, as {@link #writeBlocking} does by virtual address.
     *
     * @param destination         whose memory it is.
     * @param remoteAddress       physical address of the first byte there.
     * @param source              of the data; free for reuse on return.
     * @param offset              first byte of the data.
     * @param length              bytes.
     * @param notificationAddress physical address of a word there, or {@link RemoteLink#NO_NOTIFICATION}.
     * @param notificationValue   to store there when all bytes are there.
     * @param idleStrategy        between polls that found nothing.
     * @return as {@link #writeBlocking}.
     * @throws GrimException if the destination is unknown, gone before a link was made, or cannot be reached.
     */
    public SendStatus writePhysicalBlocking(
        final EndpointId destination, final long remoteAddress, final DirectBuffer source, final int offset,
        final int length, final long notificationAddress, final int notificationValue, final IdleStrategy idleStrategy)
    {
        endpoint.requireOutsideHandler("writePhysicalBlocking");
        final EndpointRemoteLink link = remote(links.sourceChannelTo(destination), destination);
        link.beginBlocking(blocking, true, remoteAddress, source, offset, length);
        blocking.notification(notificationAddress, notificationValue);
        return finish(link, idleStrategy);
    }

    /**
     * Makes a handle for reads. Its word lies in registered memory that the library keeps; handles live as long as the
     * node: make few, and use them again.
     *
     * @return a new one, not in use.
     * @throws GrimException if there is no room for more handles.
     */
    public RemoteRead newRead()
    {
        endpoint.checkOwner();
        if (reads.size() >= RemoteRead.COUNT_MAX)
        {
            throw new GrimException("handles of reads=" + reads.size() + " reach max=" + RemoteRead.COUNT_MAX +
                ": use those again that are complete");
        }
        final int wordIndex = reads.size() * SIZE_OF_INT % WORDS_LENGTH;
        if (wordIndex == 0)
        {
            words = regions.register(WORDS_LENGTH, MemoryRights.READ);
            // A view of its own: that of the region is emptied when the node leaves, and somebody may be looking.
            wordsView = Buffers.wrap(words.buffer(), 0, WORDS_LENGTH);
        }
        final RemoteRead read = new RemoteRead(this, reads.size() + 1, wordsView, wordIndex,
            words.virtualAddress() + wordIndex);
        reads.add(read);
        return read;
    }

    /**
     * Says who learns of refused operations; replaces an earlier listener.
     *
     * @param listener run on the owner's thread.
     */
    public void onRefused(final RemoteRefusalListener listener)
    {
        refusals.listener(listener);
    }

    RemoteRefusals refusals()
    {
        return refusals;
    }

    boolean isClosed()
    {
        return endpoint.isClosed();
    }

    /** Checks where a read's bytes are to go. */
    void requireTarget(final MemoryRegion target, final long targetOffset, final int length)
    {
        RemoteChecks.target(target, targetOffset, length);
        if (!regions.owns(target))
        {
            throw new IllegalArgumentException("target region generation=" + target.generation() +
                " was not registered by this node");
        }
    }

    /** An operation of this endpoint was refused: whoever waits for it is told. */
    void onRefused(final int ticket, final RemoteRefusal reason)
    {
        final int number = RemoteRead.numberOf(ticket);
        if (number > 0 && number <= reads.size())
        {
            reads.get(number - 1).onRefused(ticket, reason);
        }
    }

    private EndpointRemoteLink remote(final int sourceChannel, final EndpointId destination)
    {
        endpoint.checkOwner();
        return links.remote(sourceChannel, destination.key(), this);
    }

    private SendStatus finish(final EndpointRemoteLink link, final IdleStrategy idleStrategy)
    {
        try
        {
            SendStatus status = link.tryAdvance(blocking);
            while (status == SendStatus.BACK_PRESSURED)
            {
                idleStrategy.idle(endpoint.poll());
                status = link.tryAdvance(blocking);
            }
            return status;
        }
        finally
        {
            blocking.end();
        }
    }
}
