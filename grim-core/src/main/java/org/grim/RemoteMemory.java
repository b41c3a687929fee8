// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * Registered memory of this node, and one-sided access to that of others, in one order with the messages of one
 * endpoint. Who writes or reads often keeps the {@link #link}; the methods that name a destination find it each time.
 * <p>Thread: {@link #register} any; everything else the endpoint's owner. Handlers may use all but the blocking writes.
 */
public interface RemoteMemory
{
    /**
     * Registers memory that peers may read and write; zeroed.
     *
     * @param bytes of it, 1 or more; it takes whole pages.
     * @return the region.
     * @throws GrimException            if there is no room, with bytes asked, free and configured.
     * @throws IllegalArgumentException if bytes is less than 1.
     */
    MemoryRegion register(long bytes);

    /**
     * Registers memory; zeroed.
     *
     * @param bytes  of it, 1 or more; it takes whole pages.
     * @param rights of peers.
     * @return the region.
     * @throws GrimException            if there is no room, with bytes asked, free and configured.
     * @throws IllegalArgumentException if bytes is less than 1.
     */
    MemoryRegion register(long bytes, MemoryRegion.Rights rights);

    /**
     * The way to an endpoint's memory, as {@link Endpoint#link(EndpointId)}.
     *
     * @param destination endpoint and channel.
     * @return the link, cached.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    RemoteLink link(EndpointId destination);

    /**
     * The way to an endpoint's memory, as {@link Endpoint#link(int, EndpointId)}.
     *
     * @param sourceChannel that the operations are ordered on.
     * @param destination   endpoint and channel.
     * @return the link, cached.
     * @throws GrimException            if the destination is unknown, gone, or cannot be reached.
     * @throws IllegalArgumentException if the channel is not this endpoint's.
     */
    RemoteLink link(int sourceChannel, EndpointId destination);

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
    SendStatus write(
        EndpointId destination, long remoteAddress, DirectBuffer source, int offset,
        int length, long notificationAddress, int notificationValue);

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
    SendStatus writePhysical(
        EndpointId destination, long remoteAddress, DirectBuffer source, int offset,
        int length, long notificationAddress, int notificationValue);

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
    SendStatus read(
        EndpointId destination, long remoteAddress, MemoryRegion target, long targetOffset,
        int length, long notificationAddress, int notificationValue);

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
    SendStatus read(
        EndpointId destination, long remoteAddress, MemoryRegion target, long targetOffset,
        int length, RemoteRead completion);

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
    SendStatus writeBlocking(
        EndpointId destination, long remoteAddress, DirectBuffer source, int offset,
        int length, long notificationAddress, int notificationValue, IdleStrategy idleStrategy);

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
    SendStatus writePhysicalBlocking(
        EndpointId destination, long remoteAddress, DirectBuffer source, int offset,
        int length, long notificationAddress, int notificationValue, IdleStrategy idleStrategy);

    /**
     * Makes a handle for reads. Its word lies in registered memory that the library keeps; handles live as long as the
     * node: make few, and use them again.
     *
     * @return a new one, not in use.
     * @throws GrimException if there is no room for more handles.
     */
    RemoteRead newRead();

    /**
     * Says who learns of refused operations; replaces an earlier listener.
     *
     * @param listener run on the owner's thread.
     */
    void onRefused(RemoteMemory.RefusalListener listener);

    /**
     * Learns of remote-memory operations that were accepted and then refused: one-sided operations have nobody else to
     * tell. Thread: the endpoint's owner, while it polls. May do what a handler may: send, not poll or block.
     */
    @FunctionalInterface
    interface RefusalListener
    {
        /**
         * An operation was refused; nothing of it was written. Of a transfer that was cut into several operations each
         * one refused is told; of more than 65,536 between two polls the first are, and the counters have all.
         *
         * @param destination   whose memory it was for.
         * @param remoteAddress first byte there.
         * @param length        bytes of the operation.
         * @param reason        why.
         */
        void onRefused(EndpointId destination, long remoteAddress, long length, RemoteRefusal reason);
    }
}
