// SPDX-License-Identifier: Apache-2.0
package org.grim.multicast;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.counters.ChannelCounters;
import org.grim.transport.Membership;
import org.grim.wire.BigEndian;

/**
 * One sender's multicasts to the members of its host: each is written once, and read in place by every reader. Room
 * comes back when all have read; a reader that has died or let go of it holds nothing up. The cost of a message for its
 * sender does not depend on how many read it.
 * <p>A broadcast buffer as Agrona's one-to-many transmitter, but one that never overtakes its readers.
 * <p>Thread: the sender's. Owns: the file.
 */
public final class MulticastOutbox implements AutoCloseable
{
    /** No reader. */
    public static final int NO_READER = -1;

    private static final int NOBODY = -1;
    private static final byte WAITING = 0;
    private static final byte READING = 1;
    private static final byte LOST = 2;
    private static final int COPY_LENGTH_MAX = 128;
    private static final long NO_POSITION = -1;

    private final int number;
    private final MappedFile file;
    private final AtomicBuffer buffer;
    private final long address;             // Of the records.
    private final long callAddress;
    private final int capacity;
    private final MulticastOutboxes outboxes;
    private final Membership membership;
    private final MulticastOutboxes.Bells bells;
    private final ChannelCounters counters;
    private final int[] nodes = new int[OutboxLayout.READER_COUNT_MAX];
    private final int[] incarnations = new int[OutboxLayout.READER_COUNT_MAX];
    private final int[] offers = new int[OutboxLayout.READER_COUNT_MAX];
    private final byte[] states = new byte[OutboxLayout.READER_COUNT_MAX];
    private int readerCount;                // Slots that were ever used.
    private long tail;
    private long limit;                     // Up to here there is room, as far as is known.
    private long stuckPosition = NO_POSITION;           // At the last check.
    private int strangeReader = NO_READER;              // At the last check.
    private boolean hasLostReader;

    MulticastOutbox(
        final int number, final MappedFile file, final MulticastOutboxes outboxes, final Membership membership,
        final MulticastOutboxes.Bells bells, final ChannelCounters counters)
    {
        this.outboxes = outboxes;
        this.counters = counters;
        this.number = number;
        this.file = file;
        this.membership = membership;
        this.bells = bells;
        buffer = file.buffer();
        address = buffer.addressOffset() + OutboxLayout.RECORDS_OFFSET;
        callAddress = buffer.addressOffset() + OutboxLayout.CALL_OFFSET;
        capacity = OutboxLayout.capacity(buffer.capacity());
        limit = capacity;
        Arrays.fill(nodes, NOBODY);
        for (int reader = 0; reader < OutboxLayout.READER_COUNT_MAX; reader++)
        {
            buffer.putLong(OutboxLayout.headIndex(reader), OutboxLayout.DETACHED);
        }
    }

    /**
     * Marks the sender of a message that is not of this outbox's owner.
     *
     * @param origin     node whose message it is.
     * @param isPassedOn whether the owner has it already: it does not read it here.
     * @param isOutside  whether the node sent it as no member.
     * @return the sender.
     */
    public static int sender(final int origin, final boolean isPassedOn, final boolean isOutside)
    {
        return origin | (isPassedOn ? OutboxLayout.PASSED_ON : 0) | (isOutside ? OutboxLayout.OUTSIDE : 0);
    }

    /** {@return number of this outbox: no other one of the node has or had it} */
    public int number()
    {
        return number;
    }

    /**
     * Finds a place for a reader, which reads nothing yet. Returns the number of the reader, from 0; {@link #NO_READER}
     * if there are too many.
     */
    public int tryAdd(final int node, final int incarnation)
    {
        for (int reader = 0; reader < nodes.length; reader++)
        {
            if (nodes[reader] == NOBODY)
            {
                nodes[reader] = node;
                incarnations[reader] = incarnation;
                offers[reader] = outboxes.nextOffer();
                buffer.putLongRelease(OutboxLayout.headIndex(reader), OutboxLayout.offered(offers[reader]));
                readerCount = Math.max(readerCount, reader + 1);
                return reader;
            }
        }
        return NO_READER;
    }

    /** The reader of an incarnation of a node. Returns the number of the reader; {@link #NO_READER} if it is none. */
    public int reader(final int node, final int incarnation)
    {
        for (int reader = 0; reader < readerCount; reader++)
        {
            if (nodes[reader] == node && incarnations[reader] == incarnation)
            {
                return reader;
            }
        }
        return NO_READER;
    }

    /**
     * Asks a reader to answer an offer. Returns the number of the offer: this node has made no other one of it.
     */
    public int offer(final int reader)
    {
        return offers[reader];
    }

    /**
     * From now on the reader gets what is published.
     *
     * @param reader that was added, and does not read yet.
     * @return false if nobody has mapped the outbox as this reader, or has let go of it.
     */
    public boolean tryLetIn(final int reader)
    {
        hideNext(tail);                     // A process may have scribbled there.
        if (!buffer.compareAndSetLong(OutboxLayout.headIndex(reader), OutboxLayout.mapped(offers[reader]), tail))
        {
            return false;
        }
        states[reader] = READING;
        return true;
    }

    /**
     * Takes back {@link #tryLetIn}, of which the reader has not heard.
     *
     * @param reader that was let in last, before anything was published.
     */
    public void holdBack(final int reader)
    {
        states[reader] = WAITING;
        buffer.compareAndSetLong(OutboxLayout.headIndex(reader), tail, OutboxLayout.mapped(offers[reader]));
    }

    /** Returns whether a reader was let in, and has not let go since. True if it reads. */
    public boolean isReading(final int reader)
    {
        return states[reader] == READING && head(reader) != OutboxLayout.detached(offers[reader]);
    }

    /** Forgets the readers that let go, or died. */
    public void forgetLost()
    {
        hasLostReader = false;
        for (int reader = 0; reader < readerCount; reader++)
        {
            if (nodes[reader] != NOBODY &&
                (isGone(reader) || states[reader] == LOST || head(reader) == OutboxLayout.detached(offers[reader])))
            {
                forget(reader);
            }
        }
    }

    /** {@return whether a reader was found to have let go or died: {@link #forgetLost()} is due} */
    public boolean hasLostReader()
    {
        return hasLostReader;
    }

    /**
     * Writes a message for all readers, and wakes who sleeps. It counts as one that was sent.
     *
     * @param epoch       of the group that it is for.
     * @param sender      node whose message it is; {@link #sender} adds marks.
     * @param handler     number of it.
     * @param arguments01 argument 0 in the upper half, argument 1 in the lower.
     * @param arguments23 argument 2 in the upper half, argument 3 in the lower.
     * @param source      of the payload.
     * @param offset      first byte of it.
     * @param length      bytes of it.
     * @return false if there is no room until readers have made some.
     */
    public boolean tryPut(
        final int epoch, final int sender, final int handler, final long arguments01, final long arguments23,
        final DirectBuffer source, final int offset, final int length)
    {
        final int messageLength = OutboxLayout.PAYLOAD_OFFSET + length;
        final int room = OutboxLayout.room(messageLength);
        final int rest = capacity - offset(tail);
        final long start = room > rest ? tail + rest : tail;
        if (start + room > limit && !hasRoom(start + room))
        {
            return false;
        }
        if (length > 0)
        {
            source.boundsCheck(offset, length);
            putPayload(offset(start), source, offset, length);
        }
        final long record = address + offset(start);
        Buffers.putInt(record + OutboxLayout.LENGTH_OFFSET, messageLength);
        Buffers.putInt(record + OutboxLayout.EPOCH_OFFSET, epoch);
        Buffers.putInt(record + OutboxLayout.SOURCE_OFFSET, OutboxLayout.source(sender, handler));
        Buffers.putLong(record + OutboxLayout.ARGUMENTS_OFFSET, BigEndian.order(arguments01));
        Buffers.putLong(record + OutboxLayout.ARGUMENTS_TWO_OFFSET, BigEndian.order(arguments23));
        hideNext(start + room);
        publish(start);
        if (start != tail)
        {
            Buffers.putInt(address + offset(tail) + OutboxLayout.LENGTH_OFFSET, OutboxLayout.PADDING);
            publish(tail);                                              // Last: readers are there.
        }
        tail = start + room;
        assert tail <= limit && limit - tail <= capacity : tail + " of " + limit;
        if (Buffers.intVolatile(callAddress) != 0)
        {
            wakeAll();
        }
        counters.sent(length);
        return true;
    }

    /**
     * Looks at readers, now and then. If the slowest has not gone on since the last time, and cannot, as a process has
     * scribbled on the records, makes it see that. If a head is still none that its reader can have, says whose.
     * Returns the number of a reader that has to let go: it is at no position of this outbox; {@link #NO_READER} for
     * none.
     */
    public int check()
    {
        int strange = NO_READER;
        long least = tail;
        for (int reader = 0; reader < readerCount; reader++)
        {
            if (states[reader] == READING)
            {
                final long head = head(reader);
                if (!loseIfOver(reader, head) && !isPosition(head))
                {
                    strange = reader;
                }
                else if (states[reader] == READING)
                {
                    least = Math.min(least, head);
                }
            }
        }
        if (least == stuckPosition && least < tail)
        {
            final long end = readableEnd(least);
            if (end != tail)
            {
                // Shorter than any: a reader that comes there finds that this outbox is corrupt, and lets go.
                Buffers.putInt(address + offset(end) + OutboxLayout.LENGTH_OFFSET, 0);
                publish(end);
            }
        }
        stuckPosition = least;
        final boolean isStillStrange = strange != NO_READER && strange == strangeReader;
        strangeReader = strange;
        return isStillStrange ? strange : NO_READER;
    }

    /** A reader has said that it has let go. */
    public void letGo(final int reader)
    {
        states[reader] = LOST;
        hasLostReader = true;
    }

    /** Says who a reader is. Returns the number of its node. */
    public int node(final int reader)
    {
        return nodes[reader];
    }

    /** Removes the file. Readers read what they have not read yet. */
    @Override
    public void close()
    {
        file.closeAndDelete();
    }

    private void putPayload(final int recordOffset, final DirectBuffer source, final int offset, final int length)
    {
        final int index = recordOffset + OutboxLayout.PAYLOAD_OFFSET;
        if (length <= COPY_LENGTH_MAX)
        {
            Buffers.copyWords(address + index, source, offset, length);
        }
        else
        {
            buffer.putBytes(OutboxLayout.RECORDS_OFFSET + index, source, offset, length);
        }
    }

    /** The word where the next record will be must not look like its stamp: an old payload can have any value. */
    private void hideNext(final long position)
    {
        final long next = address + offset(position);
        final int stamp = OutboxLayout.stamp(position);
        if (Buffers.intPlain(next) == stamp)
        {
            Buffers.putInt(next, ~stamp);
        }
    }

    private void publish(final long position)
    {
        // Partner: the acquire in drain() of arrivals.
        Buffers.putIntRelease(address + offset(position), OutboxLayout.stamp(position));
    }

    /** A reader that falls asleep meanwhile calls again. */
    private void wakeAll()
    {
        buffer.putIntVolatile(OutboxLayout.CALL_OFFSET, 0);
        for (int reader = 0; reader < readerCount; reader++)
        {
            final int index = OutboxLayout.asleepIndex(reader);
            final int bellWord = buffer.getIntVolatile(index);
            if (bellWord != 0 && buffer.compareAndSetInt(index, bellWord, 0) && nodes[reader] != NOBODY)
            {
                bells.ring(nodes[reader], incarnations[reader], bellWord - 1);
            }
        }
    }

    private boolean hasRoom(final long end)
    {
        limit = tail + capacity;
        for (int reader = 0; reader < readerCount; reader++)
        {
            if (states[reader] == READING)
            {
                final long head = head(reader);
                final boolean isThere = isPosition(head);       // Otherwise it was scribbled on, and is written again.
                if ((isThere && head + capacity >= end) || !loseIfOver(reader, head))
                {
                    limit = Math.min(limit, isThere ? head + capacity : tail);
                }
            }
        }
        return end <= limit;
    }

    /** Whether a reader can be there. */
    private boolean isPosition(final long head)
    {
        return head >= 0 && OutboxLayout.isDistance(tail - head, capacity);
    }

    /** A reader is lost when it has let go or died, and by nothing else: it may read on. */
    private boolean loseIfOver(final int reader, final long head)
    {
        final boolean isOver = head == OutboxLayout.detached(offers[reader]) || isGone(reader);
        if (isOver)
        {
            states[reader] = LOST;
            hasLostReader = true;
        }
        return isOver;
    }

    /** Position of the first record, from one on, that cannot be read as it stands there; the tail if there is none. */
    private long readableEnd(final long from)
    {
        long position = from;
        while (position < tail)
        {
            final int offset = offset(position);
            final int length = Buffers.intPlain(address + offset + OutboxLayout.LENGTH_OFFSET);
            final boolean isPadding = length == OutboxLayout.PADDING && offset != 0;
            if (Buffers.intPlain(address + offset) != OutboxLayout.stamp(position) ||
                (!isPadding && (length < OutboxLayout.PAYLOAD_OFFSET || length > capacity - offset)))
            {
                break;
            }
            final int room = isPadding ? capacity - offset : OutboxLayout.room(length);
            if (room > tail - position)
            {
                break;
            }
            position += room;
        }
        return position;
    }

    private long head(final int reader)
    {
        return buffer.getLongAcquire(OutboxLayout.headIndex(reader));   // partner: release() of arrivals
    }

    private boolean isGone(final int reader)
    {
        return membership.status(nodes[reader]) != membership.upStatus(incarnations[reader]);
    }

    private void forget(final int reader)
    {
        nodes[reader] = NOBODY;
        states[reader] = WAITING;
        buffer.putLong(OutboxLayout.headIndex(reader), OutboxLayout.DETACHED);
    }

    private int offset(final long position)
    {
        return (int)position & (capacity - 1);
    }
}
