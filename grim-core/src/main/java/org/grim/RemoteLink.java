// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.IdleStrategy;

/**
 * A link to one endpoint's registered memory on one logical channel, in one order with the messages of the
 * {@link Link} between the same two channels: operations take effect in the order in which they were accepted, a
 * message sent after an operation arrives after it, and a notification word says that everything sent before it on the
 * channel has been published and every operation before it is complete. An operation may overtake messages sent before
 * it, but none that waits in the overflow queue.
 * <p>Regions: of the destination's node. An access outside its region, or without the right, is an
 * {@link IllegalArgumentException}, and nothing has happened. A write to a region by physical address (RM-P) is looked
 * up by nobody at the target; its notification word is by physical address, too, and there are no reads and rows.
 * <p>Notification words: the first four bytes of a region, at a multiple of 4, stored when all bytes are there.
 * <p>Length: any. More than the transport moves at once is cut; only the last piece has the notification. If the next
 * hop takes only a part at once, the rest is copied to the overflow queue, as far as its ceiling goes
 * ({@link SendStatus#QUEUED}); else nothing is begun ({@link SendStatus#BACK_PRESSURED}).
 * <p>Statuses say whether an operation was accepted. Whether its region still is there, only the target knows: what it
 * refuses is counted and reported to the {@link org.grim.RemoteMemory.RefusalListener}.
 * <p>Thread: the endpoint's owner; handlers may use it. Never blocks, but for {@link #writeBlocking}; allocates nothing
 * after the first operations.
 */
public interface RemoteLink
{
    /** {@return whose memory it is: the name of the endpoint} */
    EndpointId destination();

    /**
     * Writes without a notification; see {@link #write(RemoteRegion, long, DirectBuffer, int, int, RemoteRegion, int)}.
     *
     * @param region       of the target.
     * @param regionOffset first byte in it.
     * @param source       of the data; free for reuse on return.
     * @param offset       first byte of the data.
     * @param length       bytes.
     * @return what became of it.
     */
    default SendStatus write(
        final RemoteRegion region, final long regionOffset, final DirectBuffer source, final int offset,
        final int length)
    {
        return write(region, regionOffset, source, offset, length, null, 0);
    }

    /**
     * Writes (RM-V, or RM-P if the region is by physical address).
     *
     * @param region       of the target.
     * @param regionOffset first byte in it.
     * @param source       of the data; free for reuse on return.
     * @param offset       first byte of the data.
     * @param length       bytes.
     * @param word         of the target, to be notified; null for none.
     * @param value        to store there when all bytes are there.
     * @return what became of it.
     */
    SendStatus write(
        RemoteRegion region, long regionOffset, DirectBuffer source, int offset, int length, RemoteRegion word,
        int value);

    /**
     * Writes, and polls while there is no room; needs no copy, however long the write is. Operations of handlers that
     * run meanwhile may come between its pieces. Not for handlers.
     *
     * @param region       of the target.
     * @param regionOffset first byte in it.
     * @param source       of the data; free for reuse on return.
     * @param offset       first byte of the data.
     * @param length       bytes.
     * @param word         of the target, to be notified; null for none.
     * @param value        to store there when all bytes are there.
     * @param idleStrategy between polls that found nothing.
     * @return {@link SendStatus#SENT}; or {@link SendStatus#PEER_GONE} or {@link SendStatus#CLOSED}: then a part may
     *     have been written, and the notification was not.
     */
    SendStatus writeBlocking(
        RemoteRegion region, long regionOffset, DirectBuffer source, int offset, int length, RemoteRegion word,
        int value, IdleStrategy idleStrategy);

    /**
     * Writes a block of rows, such as a part of an image into a frame buffer (RM-V).
     *
     * @param region       of the target.
     * @param regionOffset first byte of the first row in it.
     * @param source       of the rows; free for reuse on return.
     * @param offset       first byte of the first row.
     * @param rows         how they lie on both sides.
     * @param word         of the target, to be notified after the last row; null for none.
     * @param value        to store there.
     * @return what became of it: of all rows, or of none.
     */
    SendStatus writeRows(
        RemoteRegion region, long regionOffset, DirectBuffer source, int offset, RemoteLink.Rows rows,
        RemoteRegion word, int value);

    /**
     * Reads (RM-RV).
     *
     * @param region       of the target.
     * @param regionOffset first byte in it.
     * @param target       registered memory of this node; must stay registered until the read is complete.
     * @param targetOffset first byte in it.
     * @param length       bytes.
     * @param word         of this node, to be notified; null for none.
     * @param value        to store there when all bytes are there.
     * @return what became of it.
     */
    SendStatus read(
        RemoteRegion region, long regionOffset, MemoryRegion target, long targetOffset, int length, RemoteRegion word,
        int value);

    /**
     * Reads (RM-RV); a handle says when it is complete.
     *
     * @param region       of the target.
     * @param regionOffset first byte in it.
     * @param target       registered memory of this node; must stay registered until the read is complete.
     * @param targetOffset first byte in it.
     * @param length       bytes.
     * @param completion   not in use; made by {@link org.grim.RemoteMemory#newRead()}.
     * @return what became of it.
     */
    SendStatus read(
        RemoteRegion region, long regionOffset, MemoryRegion target, long targetOffset, int length,
        RemoteMemory.Read completion);

    /**
     * Writes (RM-V), and then adds to a signal of 32 bits; see
     * {@link #writeWithSignal(RemoteRegion, long, DirectBuffer, int, int, SignalOperation, RemoteRegion, long)}.
     *
     * @param region       of the target, by virtual address.
     * @param regionOffset first byte in it.
     * @param source       of the data; free for reuse on return.
     * @param offset       first byte of the data.
     * @param length       bytes.
     * @param signal       of the target: the first four bytes of it, at a multiple of 4.
     * @param addend       to add there when all bytes are there.
     * @return what became of it.
     */
    default SendStatus writeWithSignal(
        final RemoteRegion region, final long regionOffset, final DirectBuffer source, final int offset,
        final int length, final RemoteRegion signal, final int addend)
    {
        return writeWithSignal(region, regionOffset, source, offset, length, SignalOperation.ADD_INT, signal, addend);
    }

    /**
     * Writes (RM-V), and then changes a signal: a notification word of 32 or 64 bits. One that is added to is not
     * overwritten, so that several writers can use it, and its reader counts what has come. Atomic as {@link #atomic}
     * is.
     *
     * @param region       of the target, by virtual address.
     * @param regionOffset first byte in it.
     * @param source       of the data; free for reuse on return.
     * @param offset       first byte of the data.
     * @param length       bytes.
     * @param operation    on the signal, which says also how long it is.
     * @param signal       of the target: the first bytes of it, at a multiple of {@link SignalOperation#length()}.
     * @param value        to add or to set there when all bytes are there; its lower 32 bits, if the signal has four
     *                     bytes.
     * @return what became of it.
     */
    SendStatus writeWithSignal(
        RemoteRegion region, long regionOffset, DirectBuffer source, int offset, int length,
        SignalOperation operation, RemoteRegion signal, long value);

    /**
     * Executes an atomic operation on a word of 32 or 64 bits, which is of the byte order of the target's machine. The
     * region has to grant reading and writing, and to be by virtual address.
     * <p>Atomic with all atomic operations and signals of all nodes on that word, those included that the target makes
     * by a link to itself, on any of its transports; not with writes and reads, which are copies. Where a thread
     * of a process executes the operation, by the processor's own instructions, it is atomic with the target's own
     * accesses to {@link MemoryRegion#buffer()}, too. Hardware of a transport does not promise that.
     *
     * @param operation    to execute.
     * @param region       of the target.
     * @param regionOffset of the word; its address is a multiple of the length, as that of every region is.
     * @param length       bytes of the word, 4 or 8.
     * @param operand      to add, to set or to combine; its lower 32 bits, if the word has four bytes.
     * @param comparand    what {@link AtomicOperation#COMPARE_AND_SET} expects there; else not looked at.
     * @param completion   not in use; made by {@link org.grim.RemoteMemory#newAtomic()}.
     * @return what became of it.
     */
    SendStatus atomic(
        AtomicOperation operation, RemoteRegion region, long regionOffset, int length, long operand, long comparand,
        RemoteMemory.Atomic completion);

    /**
     * Adds to a word of 32 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param addend       to add; the sum may wrap around.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchAddInt(
        final RemoteRegion region, final long regionOffset, final int addend, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_ADD, region, regionOffset, Integer.BYTES, addend, 0, completion);
    }

    /**
     * Adds to a word of 64 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param addend       to add; the sum may wrap around.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchAddLong(
        final RemoteRegion region, final long regionOffset, final long addend, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_ADD, region, regionOffset, Long.BYTES, addend, 0, completion);
    }

    /**
     * Sets a word of 32 bits if it holds what is expected; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param expected     value.
     * @param value        to set.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus compareAndSetInt(
        final RemoteRegion region, final long regionOffset, final int expected, final int value,
        final RemoteMemory.Atomic completion)
    {
        return atomic(
            AtomicOperation.COMPARE_AND_SET, region, regionOffset, Integer.BYTES, value, expected, completion);
    }

    /**
     * Sets a word of 64 bits if it holds what is expected; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param expected     value.
     * @param value        to set.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus compareAndSetLong(
        final RemoteRegion region, final long regionOffset, final long expected, final long value,
        final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.COMPARE_AND_SET, region, regionOffset, Long.BYTES, value, expected, completion);
    }

    /**
     * Sets a word of 32 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param value        to set.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus getAndSetInt(
        final RemoteRegion region, final long regionOffset, final int value, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.GET_AND_SET, region, regionOffset, Integer.BYTES, value, 0, completion);
    }

    /**
     * Sets a word of 64 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param value        to set.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus getAndSetLong(
        final RemoteRegion region, final long regionOffset, final long value, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.GET_AND_SET, region, regionOffset, Long.BYTES, value, 0, completion);
    }

    /**
     * Clears bits of a word of 32 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param mask         with the bits to keep.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchAndInt(
        final RemoteRegion region, final long regionOffset, final int mask, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_AND, region, regionOffset, Integer.BYTES, mask, 0, completion);
    }

    /**
     * Clears bits of a word of 64 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param mask         with the bits to keep.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchAndLong(
        final RemoteRegion region, final long regionOffset, final long mask, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_AND, region, regionOffset, Long.BYTES, mask, 0, completion);
    }

    /**
     * Sets bits of a word of 32 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param mask         with the bits to set.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchOrInt(
        final RemoteRegion region, final long regionOffset, final int mask, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_OR, region, regionOffset, Integer.BYTES, mask, 0, completion);
    }

    /**
     * Sets bits of a word of 64 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param mask         with the bits to set.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchOrLong(
        final RemoteRegion region, final long regionOffset, final long mask, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_OR, region, regionOffset, Long.BYTES, mask, 0, completion);
    }

    /**
     * Inverts bits of a word of 32 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param mask         with the bits to invert.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchXorInt(
        final RemoteRegion region, final long regionOffset, final int mask, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_XOR, region, regionOffset, Integer.BYTES, mask, 0, completion);
    }

    /**
     * Inverts bits of a word of 64 bits; see {@link #atomic}.
     *
     * @param region       of the target.
     * @param regionOffset of the word.
     * @param mask         with the bits to invert.
     * @param completion   not in use.
     * @return what became of it.
     */
    default SendStatus fetchXorLong(
        final RemoteRegion region, final long regionOffset, final long mask, final RemoteMemory.Atomic completion)
    {
        return atomic(AtomicOperation.FETCH_XOR, region, regionOffset, Long.BYTES, mask, 0, completion);
    }

    /** The operation on an atomic word; its completion has the word's value before. */
    enum AtomicOperation
    {
        /** Adds the operand. */
        FETCH_ADD,
        /** Stores the operand if the word holds the comparand. */
        COMPARE_AND_SET,
        /** Stores the operand. */
        GET_AND_SET,
        /** Clears the bits that the operand does not have. */
        FETCH_AND,
        /** Sets the bits that the operand has. */
        FETCH_OR,
        /** Inverts the bits that the operand has. */
        FETCH_XOR
    }

    /** The operation on the signal of a write, and the signal's width. */
    enum SignalOperation
    {
        /** Adds to a word of 32 bits. */
        ADD_INT(AtomicOperation.FETCH_ADD, Integer.BYTES),
        /** Stores a word of 32 bits, as a notification does. */
        SET_INT(AtomicOperation.GET_AND_SET, Integer.BYTES),
        /** Adds to a word of 64 bits. */
        ADD_LONG(AtomicOperation.FETCH_ADD, Long.BYTES),
        /** Stores a word of 64 bits. */
        SET_LONG(AtomicOperation.GET_AND_SET, Long.BYTES);

        private final AtomicOperation atomic;
        private final int length;

        SignalOperation(final AtomicOperation atomic, final int length)
        {
            this.atomic = atomic;
            this.length = length;
        }

        /** {@return the same operation on an atomic word} */
        public AtomicOperation atomic()
        {
            return atomic;
        }

        /** {@return bytes of the signal; 4 or 8} */
        public int length()
        {
            return length;
        }
    }

    /**
     * The layout of a block's rows. Immutable.
     *
     * @param length       bytes of a row, 0 or more.
     * @param count        rows, 1 or more.
     * @param remoteStride bytes from one row's first byte to the next one's at the target; may be negative.
     * @param sourceStride bytes from one row's first byte to the next one's in the source; may be negative.
     */
    record Rows(int length, int count, long remoteStride, int sourceStride)
    {
        /**
         * A block of rows.
         *
         * @param length       bytes of a row.
         * @param count        rows.
         * @param remoteStride at the target.
         * @param sourceStride in the source.
         * @throws IllegalArgumentException if there is no row, or its length is negative.
         */
        public Rows
        {
            if (length < 0)
            {
                throw new IllegalArgumentException("row length=" + length + " is less than min=0");
            }
            if (count < 1)
            {
                throw new IllegalArgumentException("row count=" + count + " is less than min=1");
            }
        }
    }
}
