// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.Objects;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MemoryOperation;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.align;
import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * Messages and remote-memory operations of one link that were accepted while the next hop was full, in order, in this
 * process's own memory. An operation is a record whose header says so ({@link MemoryOperation}). The queue
 * doubles its memory as it fills, up to the endpoint's ceiling, and keeps it: a steady state allocates nothing.
 * <pre>
 *  +---------------------+ 0, record
 *  | payload length (s32)|   -1: the rest up to the end of the memory is filler
 *  +---------------------+ HEADER_OFFSET
 *  | message header      |
 *  +---------------------+ PAYLOAD_OFFSET
 *  | payload             |   padded to 8 bytes
 *  +---------------------+
 * </pre>
 * <p>Thread: the endpoint's owner.
 */
public final class OverflowQueue implements HopClaim.Publisher
{
    private static final int HEADER_OFFSET = SIZE_OF_LONG;
    private static final int PAYLOAD_OFFSET = HEADER_OFFSET + MessageHeader.LENGTH;
    /** Most bytes that a record takes besides its payload. */
    public static final int RECORD_OVERHEAD_MAX = PAYLOAD_OFFSET + SIZE_OF_LONG - 1;

    private static final int FILLER = -1;
    private static final int CAPACITY_FIRST = 4096;
    private static final int CAPACITY_MAX = 1 << 30;
    private static final int LARGE_LENGTH_MAX = CAPACITY_MAX / 4;

    private final Ceiling ceiling;
    private final DepthListener depthListener;
    private final MessageHeader header = new MessageHeader();
    private AtomicBuffer memory = Buffers.allocate(0);
    private Operations operations;
    private long head;
    private long tail;
    private long claimedTail;
    private int depth;

    /** Learns what enters and leaves the queue. Thread: the endpoint's owner. */
    @FunctionalInterface
    public interface DepthListener
    {
        /** Records entered the queue, or left it if the number is negative. */
        void onDepthChanged(int change);
    }

    /** Takes the operations that leave the queue. Thread: the endpoint's owner. */
    public interface Operations
    {
        /**
         * Tries to have an operation executed. Returns {@link SendStatus#SENT} if it may leave the queue; otherwise why
         * not.
         */
        SendStatus tryExecute(MutableDirectBuffer buffer, int headerOffset, int payloadOffset, int payloadLength);

        /** An operation was given up. */
        void onDiscarded(MutableDirectBuffer buffer, int headerOffset, int payloadOffset);
    }

    /** Bytes that all overflow queues of one endpoint may hold together. Thread: the endpoint's owner. */
    public static final class Ceiling
    {
        private final long lengthMax;
        private long length;

        /** Sets the ceiling. */
        public Ceiling(final long lengthMax)
        {
            this.lengthMax = lengthMax;
        }

        /** {@return bytes that the queues hold; at most {@link #lengthMax()}} */
        public long length()
        {
            return length;
        }

        /** {@return bytes that they may hold} */
        public long lengthMax()
        {
            return lengthMax;
        }

        private boolean canTake(final int recordLength)
        {
            return length + recordLength <= lengthMax;
        }

        private void require(final int recordLength)
        {
            if (!canTake(recordLength))
            {
                throw new GrimException(NO_ROOM,
                    "overflow queue is full: held=" + length + " bytes needed=" + recordLength +
                    " bytes max=" + lengthMax + " bytes (grim.overflow.ceiling); the message was not sent");
            }
        }

        private void giveBack(final long recordLength)
        {
            length -= recordLength;
            assert length >= 0;
        }
    }

    /** Makes an empty queue, without memory yet. */
    public OverflowQueue(final Ceiling ceiling, final DepthListener depthListener)
    {
        this.ceiling = ceiling;
        this.depthListener = depthListener;
    }

    /**
     * Puts a message behind all that is queued.
     *
     * @param wordOne     of the header, as the words that follow.
     * @param extentWords words 2 and 3.
     * @param arguments01 words 4 and 5.
     * @param arguments23 words 6 and 7.
     * @param source      holding the payload.
     * @param offset      first byte of the payload.
     * @param length      bytes of the payload.
     * @throws GrimException if the endpoint's ceiling is reached; nothing has happened then.
     */
    public void put(
        final int wordOne, final long extentWords, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        if (length > 0)
        {
            Objects.requireNonNull(source, "source").boundsCheck(offset, length);
        }
        final int record = claimRecord(length);
        MessageHeader.write(memory, record + HEADER_OFFSET, wordOne, extentWords, arguments01, arguments23);
        if (length > 0)
        {
            memory.putBytes(record + PAYLOAD_OFFSET, source, offset, length);
        }
        publishRecord();
    }

    /**
     * Claims room behind all that is queued.
     *
     * @param payloadLength bytes.
     * @param claim         that describes the room.
     * @return {@link SendStatus#QUEUED}.
     * @throws GrimException if the endpoint's ceiling is reached; nothing has happened then.
     */
    public SendStatus claim(final int payloadLength, final HopClaim claim)
    {
        final int offset = claimRecord(payloadLength);
        claim.claimed(this, memory, offset + HEADER_OFFSET, offset + PAYLOAD_OFFSET, payloadLength, tail);
        return SendStatus.QUEUED;
    }

    private int claimRecord(final int payloadLength)
    {
        final int length = recordLength(payloadLength);
        ceiling.require(length);
        final int offset = reserve(length);
        ceiling.length += length;
        assert ceiling.length <= ceiling.lengthMax;
        memory.putInt(offset, payloadLength);
        return offset;
    }

    /** {@return whether there is room for a payload of that length now} */
    public boolean canTake(final int payloadLength)
    {
        return ceiling.canTake(recordLength(payloadLength)) && memory.capacity() < CAPACITY_MAX;
    }

    /**
     * Returns whether there is room now for a message that is longer than the next hop takes, or the place of a stream.
     *
     * @param payloadLength bytes.
     * @return false if there is none now.
     * @throws GrimException if there can never be; nothing has happened then.
     */
    public boolean canTakeLarge(final int payloadLength)
    {
        if (payloadLength > LARGE_LENGTH_MAX || recordLength(payloadLength) > ceiling.lengthMax())
        {
            throw new GrimException(NO_ROOM,
                "message length=" + payloadLength + " bytes is more than an overflow queue can " +
                "ever hold: max=" + Math.min(ceiling.lengthMax(), LARGE_LENGTH_MAX) +
                " bytes (grim.overflow.ceiling); use sendBlocking or a stream; the message was not sent");
        }
        return ceiling.canTake(recordLength(payloadLength));
    }

    /**
     * Returns whether the oldest message is not one to move as it is: because it is too long, or the place of a stream.
     *
     * @param payloadLengthMax of the next hop.
     * @return true if its link has to see to it.
     */
    public boolean isFirstLarge(final int payloadLengthMax)
    {
        final int offset = firstRecord();
        header.wrap(memory, offset + HEADER_OFFSET);
        return header.type() == MessageType.ACTIVE_MESSAGE &&
            (memory.getInt(offset) > payloadLengthMax || LargeMessageIds.isPart(header.handler()));
    }

    /** The oldest message: its header. Returns a view that is valid until anything else is done here. */
    public MessageHeader firstHeader()
    {
        return header.wrap(memory, firstRecord() + HEADER_OFFSET);
    }

    /** The oldest message: its payload bytes. */
    public int firstLength()
    {
        return memory.getInt(firstRecord());
    }

    /**
     * Sends a part of the oldest message's payload as a message of its own.
     *
     * @param hop         that has room, or not.
     * @param wordOne     of the part's header, as the words that follow.
     * @param extentWords words 2 and 3.
     * @param arguments01 words 4 and 5.
     * @param position    words 6 and 7: first byte of the part in the payload.
     * @param length      bytes of the part.
     * @return what the hop said.
     */
    public SendStatus trySendPart(
        final Hop hop, final int wordOne, final long extentWords, final long arguments01, final int position,
        final int length)
    {
        return hop.trySend(wordOne, extentWords, arguments01, position, memory,
            firstRecord() + PAYLOAD_OFFSET + position, length);
    }

    /** Removes the oldest message: it has gone, or is no more. */
    public void removeFirst()
    {
        removeFirst(recordLength(firstLength()));
    }

    @Override
    public void publish(final HopClaim claim)
    {
        publishRecord();
    }

    @Override
    public void abort(final HopClaim claim)
    {
        claimedTail = tail;
        ceiling.giveBack(recordLength(claim.length()));
    }

    /** Says who takes operations; before the first of them is queued. */
    public void operations(final Operations newOperations)
    {
        operations = newOperations;
    }

    /** {@return bytes that the endpoint's overflow queues share} */
    public Ceiling ceiling()
    {
        return ceiling;
    }

    /** {@return messages and operations that wait} */
    public int depth()
    {
        return depth;
    }

    /**
     * Moves the oldest message to the next hop, or has the oldest operation executed.
     *
     * @param hop that has room, or not.
     * @return what the hop said; only {@link SendStatus#SENT} means that the message moved.
     */
    public SendStatus tryMove(final Hop hop)
    {
        final int offset = firstRecord();
        final int payloadLength = memory.getInt(offset);
        if (MemoryOperation.isAt(memory, offset + HEADER_OFFSET))
        {
            return tryExecute(offset, payloadLength);
        }
        final int words = offset + HEADER_OFFSET;
        final SendStatus status = hop.trySend(memory.getInt(words + MessageHeader.TYPE_OFFSET, BIG_ENDIAN),
            memory.getLong(words + MessageHeader.EXTENT_OFFSET, BIG_ENDIAN), MessageHeader.arguments01(memory, words),
            MessageHeader.arguments23(memory, words), memory, offset + PAYLOAD_OFFSET, payloadLength);
        if (status == SendStatus.SENT)
        {
            removeFirst(recordLength(payloadLength));
        }
        return status;
    }

    /**
     * Gives up everything that waits. Returns the number of messages that were given up; operations and the places of
     * streams are none.
     */
    public int discard()
    {
        int count = 0;
        while (depth > 0)
        {
            final int offset = firstRecord();
            if (MemoryOperation.isAt(memory, offset + HEADER_OFFSET))
            {
                operations.onDiscarded(memory, offset + HEADER_OFFSET, offset + PAYLOAD_OFFSET);
            }
            else
            {
                count += LargeMessageIds.isPart(firstHeader().handler()) ? 0 : 1;
            }
            removeFirst();
        }
        return count;
    }

    private SendStatus tryExecute(final int offset, final int payloadLength)
    {
        final SendStatus status =
            operations.tryExecute(memory, offset + HEADER_OFFSET, offset + PAYLOAD_OFFSET, payloadLength);
        if (status == SendStatus.SENT)
        {
            removeFirst(recordLength(payloadLength));
        }
        return status;
    }

    private static int recordLength(final int payloadLength)
    {
        return align(PAYLOAD_OFFSET + payloadLength, SIZE_OF_LONG);
    }

    private int reserve(final int length)
    {
        head = depth == 0 ? 0 : head;           // Empty: begins at the beginning, so that long records need no more.
        tail = depth == 0 ? 0 : tail;
        while (true)
        {
            final int capacity = memory.capacity();
            final int offset = capacity == 0 ? 0 : (int)(tail & capacity - 1);
            final int filler = offset + length <= capacity ? 0 : capacity - offset;
            if (capacity != 0 && tail + filler + length - head <= capacity)
            {
                if (filler >= SIZE_OF_INT)
                {
                    memory.putInt(offset, FILLER);
                }
                claimedTail = tail + filler + length;
                return filler == 0 ? offset : 0;
            }
            grow();
        }
    }

    /** Twice the memory, with all records moved to its beginning. */
    private void grow()
    {
        if (memory.capacity() >= CAPACITY_MAX)
        {
            throw new GrimException(NO_ROOM, "one link's overflow queue is full: capacity=" + memory.capacity() +
                " bytes; the message was not sent");
        }
        final AtomicBuffer larger = Buffers.allocate(Math.max(CAPACITY_FIRST, memory.capacity() * 2));
        int length = 0;
        for (int i = 0; i < depth; i++)
        {
            final int offset = firstRecord();
            final int record = recordLength(memory.getInt(offset));
            larger.putBytes(length, memory, offset, record);
            length += record;
            head += record;
        }
        assert head == tail && length <= larger.capacity();
        memory = larger;
        head = 0;
        tail = length;
    }

    private int firstRecord()
    {
        final int offset = (int)(head & memory.capacity() - 1);
        if (memory.getInt(offset) == FILLER)
        {
            head += memory.capacity() - offset;
            return 0;
        }
        return offset;
    }

    private void publishRecord()
    {
        assert claimedTail > tail && claimedTail - head <= memory.capacity();
        tail = claimedTail;
        depth++;
        depthListener.onDepthChanged(1);
    }

    private void removeFirst(final int length)
    {
        assert depth > 0 && tail - head >= length;
        head += length;
        depth--;
        ceiling.giveBack(length);
        depthListener.onDepthChanged(-1);
    }
}
