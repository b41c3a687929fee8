// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.file.Path;
import java.util.Objects;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Registered memory of this node, and one-sided access to that of others, in one order with the messages of one
 * endpoint. A {@link #link} writes and reads.
 * <p>Thread: {@link #register} any; everything else the endpoint's owner. Handlers may use all of it.
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
     * @throws IllegalStateException    if the endpoint was closed, or its node.
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
     * @throws IllegalStateException    if the endpoint was closed, or its node.
     */
    MemoryRegion register(long bytes, MemoryRegion.Rights rights);

    /**
     * Registers a part of a file that the library did not make, as it is: peers on this host map the same part. The
     * part must stay: a process that touches a part of a file that was made shorter gets an {@link InternalError}. Each
     * such region counts in {@code grim.memory.length-max}, and as an arena, until the node leaves.
     *
     * @param file   that this user owns, and other users cannot open (mode 0600).
     * @param offset first byte of the part, on a page of 4,096 bytes.
     * @param length bytes of the part, whole pages.
     * @param rights of peers.
     * @return the region.
     * @throws GrimException            if the file cannot be mapped, or there is no room;
     *                                  {@link GrimException.Reason#UNAVAILABLE} if a transport of this node reaches
     *                                  only memory of its own.
     * @throws IllegalArgumentException if offset or length are no whole pages.
     * @throws IllegalStateException    if the endpoint was closed, or its node.
     */
    MemoryRegion register(Path file, long offset, int length, MemoryRegion.Rights rights);

    /**
     * Registers memory of this process that the library did not allocate, as it is. It must stay until the node has
     * left. Operations reach it that this process executes: those of its own endpoints, and over transports between
     * hosts those of peers; other processes of this host are refused ({@link RemoteRefusal#NO_MEMORY}).
     *
     * @param memory outside the heap, whole pages of 4,096 bytes, on a boundary of 8 bytes.
     * @param rights of peers.
     * @return the region.
     * @throws GrimException            as for a file.
     * @throws IllegalArgumentException if the memory is not as said.
     * @throws IllegalStateException    if the endpoint was closed, or its node.
     */
    MemoryRegion register(AtomicBuffer memory, MemoryRegion.Rights rights);

    /**
     * Returns the link to an endpoint's memory, as {@link Endpoint#link(EndpointId)}.
     *
     * @param destination endpoint and channel.
     * @return the link, cached.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    RemoteLink link(EndpointId destination);

    /**
     * Returns the link to an endpoint's memory, as {@link Endpoint#link(int, EndpointId)}.
     *
     * @param sourceChannel that the operations are ordered on.
     * @param destination   endpoint and channel.
     * @return the link, cached.
     * @throws GrimException            if the destination is unknown, gone, or cannot be reached.
     * @throws IllegalArgumentException if the channel is not this endpoint's.
     */
    RemoteLink link(int sourceChannel, EndpointId destination);

    /**
     * Returns the link to a region's node, as {@link #link(EndpointId)}.
     *
     * @param region of another node, or of this one.
     * @return the link, cached.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    default RemoteLink link(final RemoteRegion region)
    {
        return link(Objects.requireNonNull(region, "region").endpoint());
    }

    /**
     * Makes the receiving end of a frame window. The peer that is to send has its {@link FrameReceiver#remote() name}
     * by a message, an answer to its request for example.
     *
     * @param slotCount   most frames that are under way or not released, 1 or more.
     * @param frameLength most bytes of a frame, 1 or more.
     * @return a new one; the caller closes it.
     * @throws GrimException            if there is no room, with bytes asked, free and configured.
     * @throws IllegalArgumentException if a number is out of range.
     */
    FrameReceiver receiveFrames(int slotCount, int frameLength);

    /**
     * Makes the sending end of a frame window.
     *
     * @param window      by its name, from the peer.
     * @param frameLength as the window was made with; the receiver checks it, and the first {@code send} throws.
     * @return a new one; the caller closes it.
     * @throws GrimException            if the peer is gone or cannot be reached, or there is no room for the credits.
     * @throws IllegalArgumentException if the region is no window of such frames.
     */
    FrameSender sendFrames(RemoteRegion window, int frameLength);

    /**
     * Makes a handle for reads. Its word lies in registered memory that the library keeps; handles live as long as the
     * node: make few, and use them again.
     *
     * @return a new one, not in use.
     * @throws GrimException if there is no room for more handles.
     */
    RemoteMemory.Read newRead();

    /**
     * Makes a handle for atomic operations, as {@link #newRead()} does for reads.
     *
     * @return a new one, not in use.
     * @throws GrimException if there is no room for more handles.
     */
    RemoteMemory.Atomic newAtomic();

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
         * Reports a refused operation; nothing of it was written. Each refused operation of a transfer that was cut
         * into several is reported; of more than 65,536 between two polls only the first are, and the counters have
         * all.
         *
         * @param destination   whose memory it was for.
         * @param remoteAddress first byte there.
         * @param length        bytes of the operation.
         * @param reason        why.
         */
        void onRefused(EndpointId destination, long remoteAddress, long length, RemoteRefusal reason);
    }

    /**
     * Handle that shows when a remote read is complete. Made once by {@link RemoteMemory#newRead()}, used for any
     * number of reads of its endpoint, one at a time. Poll the endpoint meanwhile: refusals and deaths are noticed
     * there, and reads that are longer than the transport moves at once end there.
     * <p>Thread: the endpoint's owner. Allocates nothing.
     */
    interface Read
    {
        /**
         * Looks whether the read has ended. Costs a load.
         *
         * @return true if all bytes are there, or never will be: see {@link #refusal()}; also if there is no read yet.
         */
        boolean isComplete();

        /** {@return why the read that has ended was not executed: the reason; null if all bytes are there} */
        RemoteRefusal refusal();
    }

    /**
     * Handle that shows when an atomic operation is complete, and the previous value of its word. Made once by
     * {@link RemoteMemory#newAtomic()}, used for any number of operations of its endpoint, one at a time; as a read in
     * everything else.
     */
    interface Atomic extends Read
    {
        /**
         * Returns the word's value before the operation. {@link RemoteLink.AtomicOperation#COMPARE_AND_SET} has set the
         * word if this is the expected value.
         *
         * @return the value; with its sign, if the word has 32 bits.
         * @throws IllegalStateException if no operation is complete, or it was refused.
         */
        long previous();
    }
}
