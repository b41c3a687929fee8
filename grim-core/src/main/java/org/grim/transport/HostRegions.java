// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;

/**
 * Registered memory of the nodes on this host, for transports whose nodes share memory: this node's own, and that of
 * peers in files that this process maps.
 * <p>Thread: any.
 */
public interface HostRegions
{
    /**
     * Makes the remote-memory half of a path to a node on this host, whose initiator executes every operation at once.
     *
     * @param sourceChannel that the operations come from.
     * @param node          whose memory is reached.
     * @param hop           the path of the messages, which says whether the peer is gone.
     * @return the remote-memory hop, which must be closed before the path.
     * @throws org.grim.GrimException if the memory cannot be reached; the text says why.
     */
    MemoryHop connect(int sourceChannel, int node, Hop hop);

    /**
     * Begins to execute operations on this node's own memory, for a transport that carries them as messages.
     *
     * @param channel whose loop executes them.
     * @return the memory, usable until the node leaves.
     * @throws org.grim.GrimException if all initiators of this node's memory are in use.
     */
    OwnRegions own(int channel);

    /**
     * This node's own registered memory. Every operation is checked: what is wrong with it is returned, and nothing
     * was written then. Lengths are 0, which is refused, or more.
     * <p>Thread: the loop's that it was made for. Allocates nothing.
     */
    interface OwnRegions
    {
        /**
         * Executes a peer's write (RM-V, RM-P).
         *
         * @param isPhysical          whether addresses are physical ones.
         * @param address             of the first byte.
         * @param source              of the data.
         * @param offset              first byte of the data, which lies in the source.
         * @param length              bytes.
         * @param notificationAddress of a word that is written last, or {@link MemoryHop#NO_NOTIFICATION}.
         * @param notificationValue   to store there, in the machine's byte order, with release.
         * @return null, or why nothing was written.
         */
        RemoteRefusal write(
            boolean isPhysical, long address, DirectBuffer source, int offset, int length, long notificationAddress,
            int notificationValue);

        /**
         * Executes a peer's write with a signal.
         *
         * @param address       virtual address of the first byte.
         * @param source        of the data.
         * @param offset        first byte of the data, which lies in the source.
         * @param length        bytes.
         * @param operation     on the signal, with its length.
         * @param signalAddress of a word that is changed at last, or {@link MemoryHop#NO_NOTIFICATION}.
         * @param value         to add or to store there.
         * @return null, or why nothing was written.
         */
        RemoteRefusal writeWithSignal(
            long address, DirectBuffer source, int offset, int length, SignalOperation operation, long signalAddress,
            long value);

        /**
         * Executes a peer's atomic operation.
         *
         * @param operation to execute.
         * @param address   virtual address of the word.
         * @param length    bytes of the word: 4 or 8.
         * @param operand   of the operation.
         * @param comparand of the operation.
         * @param target    of the word before, little endian.
         * @param index     of its first byte in the target, which has room for all.
         * @return null, or why nothing was done.
         */
        RemoteRefusal atomic(
            AtomicOperation operation, long address, int length, long operand, long comparand,
            MutableDirectBuffer target, int index);

        /**
         * Executes a peer's read (RM-RV).
         *
         * @param address virtual address of the first byte.
         * @param target  of the bytes.
         * @param index   of the first byte in the target, which has room for all.
         * @param length  bytes.
         * @return null, or why nothing was read.
         */
        RemoteRefusal read(long address, MutableDirectBuffer target, int index, int length);

        /**
         * Stores what this node's own read brought: regions need to grant nothing for that.
         *
         * @param address             virtual address of the first byte.
         * @param source              of the data.
         * @param offset              first byte of the data, which lies in the source.
         * @param length              bytes.
         * @param notificationAddress of a word that is written last, or {@link MemoryHop#NO_NOTIFICATION}.
         * @param notificationValue   to store there, in the machine's byte order, with release.
         * @return null, or why nothing was written.
         */
        RemoteRefusal fill(
            long address, DirectBuffer source, int offset, int length, long notificationAddress,
            int notificationValue);
    }
}
