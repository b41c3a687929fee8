// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.DirectBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;

/**
 * A transport's part for remote memory on one path to one endpoint, beside its {@link Hop}, whose order it shares: an
 * operation takes effect after those that were accepted before it, and a message that is published after an operation
 * arrives after it. A notification word that an operation writes follows its last byte, every operation accepted before
 * it, and the publication of every message published before it. A peer's loop that sleeps is woken by a notification
 * word, a signal or an atomic operation in its memory, as by a message to the same channel.
 * <p>Reads: a refusal is known, and {@link #drainRefusals} hands it over, before a notification word of a later
 * operation of the same hop is written. When {@link Hop#isPeerGone()} has said true, no read writes any more.
 * <p>Thread: the link's owner only. Never blocks, never allocates.
 */
public interface MemoryHop
{
    /** Address that means: no notification word. */
    long NO_NOTIFICATION = 0;

    /**
     * Most bytes of one write. Longer ones are cut by the caller; only the last has the notification.
     *
     * @return bytes, 1 or more.
     */
    int writeLengthMax();

    /** {@return most bytes of one read; bytes, 1 or more} */
    int readLengthMax();

    /**
     * Returns whether this process executes the operations itself, before they return: then they need no room, but for
     * refusals that were not drained; these alone cause {@link SendStatus#BACK_PRESSURED} for a write.
     *
     * @return true for a hop without a {@link #writeLengthMax()}.
     */
    default boolean isImmediate()
    {
        return writeLengthMax() == Integer.MAX_VALUE;
    }

    /**
     * Writes into the peer's registered memory (RM-V, RM-P). Wrong addresses or rights do not show in the status: the
     * operation is accepted, and refused later, see {@link #drainRefusals}.
     *
     * @param isPhysical          true for RM-P: {@code remoteAddress} and {@code notificationAddress} are physical.
     * @param remoteAddress       of the first byte.
     * @param source              of the data; free for reuse on return.
     * @param offset              first byte of the data.
     * @param length              bytes, 0 to {@link #writeLengthMax()}; 0 is refused as every bad operation is.
     * @param notificationAddress of a word in the peer's registered memory, or {@link #NO_NOTIFICATION}.
     * @param notificationValue   to store there, in the machine's byte order, with release.
     * @param ticket              handed back if the operation is refused.
     * @return {@link SendStatus#SENT}; or why not, and then nothing has happened.
     */
    SendStatus tryWrite(
        boolean isPhysical, long remoteAddress, DirectBuffer source, int offset, int length, long notificationAddress,
        int notificationValue, int ticket);

    /**
     * Reads the peer's registered memory into this node's own (RM-RV).
     *
     * @param remoteAddress       virtual address of the first byte.
     * @param targetAddress       virtual address of the first byte in this node's registered memory.
     * @param length              bytes, 0 to {@link #readLengthMax()}.
     * @param notificationAddress virtual address of a word in this node's registered memory, which is written when all
     *                            bytes are there; or {@link #NO_NOTIFICATION}.
     * @param notificationValue   to store there, in the machine's byte order, with release.
     * @param ticket              handed back if the operation is refused.
     * @return {@link SendStatus#SENT}; or why not, and then nothing has happened.
     */
    SendStatus tryRead(
        long remoteAddress, long targetAddress, int length, long notificationAddress, int notificationValue,
        int ticket);

    /**
     * Writes into the peer's registered memory (RM-V), as {@link #tryWrite} does, and then changes a signal, atomically
     * with {@link #tryAtomic}.
     *
     * @param remoteAddress virtual address of the first byte.
     * @param source        of the data; free for reuse on return.
     * @param offset        first byte of the data.
     * @param length        bytes, 0 to {@link #writeLengthMax()}.
     * @param operation     on the signal, with its length.
     * @param signalAddress virtual address of a word in the peer's registered memory, or {@link #NO_NOTIFICATION}.
     * @param value         to add or to store there, in the machine's byte order, with release.
     * @param ticket        handed back if the operation is refused.
     * @return {@link SendStatus#SENT}; or why not, and then nothing has happened.
     */
    SendStatus tryWriteWithSignal(
        long remoteAddress, DirectBuffer source, int offset, int length, SignalOperation operation, long signalAddress,
        long value, int ticket);

    /**
     * Executes an atomic operation on a word of the peer's registered memory, once, atomically with all others on that
     * word; its region has to grant reading and writing. The word as it was before goes into this node's own memory,
     * little endian.
     *
     * @param operation           to execute.
     * @param remoteAddress       virtual address of the word.
     * @param length              bytes of the word: 4 or 8.
     * @param operand             of the operation.
     * @param comparand           of the operation.
     * @param targetAddress       virtual address of as many bytes in this node's registered memory.
     * @param notificationAddress virtual address of a word in this node's registered memory, which is written when the
     *                            bytes are there; or {@link #NO_NOTIFICATION}.
     * @param notificationValue   to store there, in the machine's byte order, with release.
     * @param ticket              handed back if the operation is refused.
     * @return {@link SendStatus#SENT}; or why not, and then nothing has happened.
     */
    SendStatus tryAtomic(
        AtomicOperation operation, long remoteAddress, int length, long operand, long comparand, long targetAddress,
        long notificationAddress, int notificationValue, int ticket);

    /**
     * Hands over refusals that are known by now, in the order of their operations. Costs a load if there is none.
     *
     * @param sink that takes them; it does not call this hop.
     * @return how many.
     */
    int drainRefusals(RefusalSink sink);

    /** Gives up this path. Accepted operations are still executed. */
    void closeMemory();

    /** Where refusals go. Thread: the link's owner. */
    @FunctionalInterface
    interface RefusalSink
    {
        /**
         * An operation was refused, and nothing of it was written.
         *
         * @param ticket        given with it.
         * @param remoteAddress of its first byte.
         * @param length        bytes of it.
         * @param reason        why.
         */
        void onRefused(int ticket, long remoteAddress, int length, RemoteRefusal reason);
    }
}
