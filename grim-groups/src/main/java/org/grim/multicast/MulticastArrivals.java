// SPDX-License-Identifier: Apache-2.0
package org.grim.multicast;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;

/**
 * One reader's end of a {@link MulticastOutbox}: the messages appear as if each had come straight from the sender.
 * <p>Thread: the loop that polls it. Owns: its view of the file.
 */
public final class MulticastArrivals extends ArrivalQueue
{
    private static final int BATCHES_PER_OUTBOX = 8;

    private final MulticastOutboxes outboxes;
    private final MappedFile file;
    private final AtomicBuffer buffer;
    private final long address;             // Of the records.
    private final int capacity;
    private final int headIndex;
    private final int asleepIndex;
    private final int offer;
    private final int incarnation;
    private final int firstEpoch;
    private final boolean isOwn;
    private final Taker taker;
    private final long route;
    private long position;
    private long published;
    private boolean isReading;
    private boolean isHeld;                 // The taker refused the next message.
    private boolean isClosed;

    /** Takes messages in place of the loop's handlers. */
    @FunctionalInterface
    public interface Taker
    {
        /**
         * Takes a message, or refuses it for now: {@link MulticastArrivals#resume()} offers it again.
         *
         * @param origin    node whose message it is.
         * @param isOutside whether the node sent it as no member.
         * @param handler   number of it.
         * @param buffer    holding the message.
         * @param index     where its arguments lie as in a header that begins here.
         * @param offset    first byte of the payload.
         * @param length    bytes of the payload.
         * @return false if it cannot be taken now.
         */
        boolean tryTake(
            int origin, boolean isOutside, int handler, DirectBuffer buffer, int index, int offset, int length);
    }

    MulticastArrivals(
        final MulticastOutboxes outboxes, final MappedFile file, final int reader, final int offer,
        final int node, final int incarnation, final int self, final int firstEpoch, final Taker taker)
    {
        super(0, node);
        this.taker = taker;
        this.outboxes = outboxes;
        this.file = file;
        this.offer = offer;
        this.incarnation = incarnation;
        buffer = file.buffer();
        address = buffer.addressOffset() + OutboxLayout.RECORDS_OFFSET;
        capacity = OutboxLayout.capacity(buffer.capacity());
        headIndex = OutboxLayout.headIndex(reader);
        asleepIndex = OutboxLayout.asleepIndex(reader);
        this.firstEpoch = firstEpoch;
        isOwn = node == self;
        route = MessageHeader.extentWords(EndpointId.of(self, 0, 0).address(), MessageHeader.routeWord(0, 0), 0);
    }

    /** Says that this is the reader; false if the offer is an old one. */
    boolean tryAttach()
    {
        buffer.putInt(asleepIndex, 0);
        return buffer.compareAndSetLong(headIndex, OutboxLayout.offered(offer), OutboxLayout.mapped(offer));
    }

    /**
     * Begins to read: the sender has let this reader in. Returns false if the sender has not, or what it wrote cannot
     * be; nothing is read then.
     */
    public boolean tryBegin()
    {
        if (isReading || isClosed)
        {
            return isReading;
        }
        position = buffer.getLongAcquire(headIndex);                    // partner: tryLetIn() of the outbox
        published = position;
        isReading = position >= 0 && OutboxLayout.isAtLine(position);
        if (isReading)
        {
            rearm();
            outboxes.add(this);
        }
        return isReading;
    }

    /** {@return number of the sender's offer that this has answered} */
    public int offer()
    {
        return offer;
    }

    /** {@return incarnation of the sender's node} */
    public int incarnation()
    {
        return incarnation;
    }

    /** {@return whether the sender has let this reader in} */
    public boolean isReading()
    {
        return isReading;
    }

    /** {@return whether this has let go: by {@link #close()}, or as what it found cannot be} */
    public boolean isClosed()
    {
        return isClosed;
    }

    /** {@return whether all that was published has been read, also if this was let in and has not begun yet} */
    public boolean isDrained()
    {
        final long next = isReading ? position : buffer.getLongAcquire(headIndex);  // partner: the outbox's tryLetIn()
        return isClosed || next < 0 || !OutboxLayout.isAtLine(next) ||
            Buffers.intVolatile(address + offset(next)) != OutboxLayout.stamp(next);
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        int count = 0;
        int offset = offset();
        boolean isOver = false;
        // Partner: publish() of the outbox.
        while (!isOver && count < limit && !isClosed &&
            Buffers.intAcquire(address + offset) == OutboxLayout.stamp(position))
        {
            final int length = Buffers.intPlain(address + offset + OutboxLayout.LENGTH_OFFSET);
            final boolean isPadding = length == OutboxLayout.PADDING;
            final long room = isPadding ? capacity - offset : OutboxLayout.room(length);
            if (isPadding ? offset == 0 : length < OutboxLayout.PAYLOAD_OFFSET || length > capacity - offset)
            {
                sink.onReject(RejectReason.CORRUPT_STATE, this);        // Nobody knows where the next one begins.
                close();
                count++;
                break;
            }
            final boolean isMessage = !isPadding && isForThis(offset);
            if (isMessage && taker != null && !tryHandOver(sink, offset, length - OutboxLayout.PAYLOAD_OFFSET))
            {
                isHeld = true;
                break;
            }
            position += room;                                           // First: it counts as read in any case.
            if (isMessage)
            {
                if (taker == null)
                {
                    deliver(sink, offset, length - OutboxLayout.PAYLOAD_OFFSET);
                }
                count++;
                isOver = sink.isLastOfPoll();
            }
            if (position - published >= capacity / BATCHES_PER_OUTBOX)
            {
                release();
            }
            offset = offset();
        }
        rearm();
        return count;
    }

    /** Offers the message that the taker refused another time. Not while the loop drains queues. */
    public void resume()
    {
        if (isHeld && !isClosed)
        {
            isHeld = false;
            rearm();
            outboxes.remove(this);              // The loop looks at a queue's word again when it is new.
            outboxes.add(this);
        }
    }

    /** The head is nobody else's while this reads: another word that stands there is not of the sender, and goes. */
    @Override
    public void release()
    {
        if (!isClosed && isReading && (published != position || buffer.getLong(headIndex) != position))
        {
            assert position - published >= 0 : position + " after " + published;
            buffer.putLongRelease(headIndex, position);                 // partner: the acquire in head() of the outbox
            published = position;
        }
    }

    /** Lets go: the sender waits for this reader no more. */
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            detach();
            if (isReading)
            {
                outboxes.remove(this);
            }
            file.close();
        }
    }

    /** If the sender is about to let this reader in, one of the two sees what the other does. */
    private void detach()
    {
        if (isReading ||
            !buffer.compareAndSetLong(headIndex, OutboxLayout.mapped(offer), OutboxLayout.detached(offer)))
        {
            buffer.putLongVolatile(headIndex, OutboxLayout.detached(offer));
        }
    }

    void asleep(final int bellWord)
    {
        buffer.putIntVolatile(asleepIndex, bellWord);
        if (bellWord != 0)
        {
            buffer.putIntVolatile(OutboxLayout.CALL_OFFSET, 1);
        }
    }

    /** Returns false for what was sent before this node joined the group, and for what it has passed on for others. */
    private boolean isForThis(final int offset)
    {
        return Buffers.intPlain(address + offset + OutboxLayout.EPOCH_OFFSET) - firstEpoch >= 0 &&
            (!isOwn || !OutboxLayout.isMarked(source(offset), OutboxLayout.PASSED_ON));
    }

    /** Returns false if the taker has no room. A message of a node that cannot be is refused, and counts as taken. */
    private boolean tryHandOver(final MessageSink sink, final int offset, final int length)
    {
        final int source = source(offset);
        final int origin = OutboxLayout.origin(source);
        if (origin > EndpointId.NODE_MAX)
        {
            sink.onReject(RejectReason.WRONG_SOURCE, this);
            return true;
        }
        final int index = OutboxLayout.RECORDS_OFFSET + offset;
        return taker.tryTake(origin, OutboxLayout.isMarked(source, OutboxLayout.OUTSIDE), OutboxLayout.handler(source),
            buffer, index, index + OutboxLayout.PAYLOAD_OFFSET, length);
    }

    private void deliver(final MessageSink sink, final int offset, final int length)
    {
        final int source = source(offset);
        final int origin = OutboxLayout.origin(source);
        if (origin > EndpointId.NODE_MAX)
        {
            sink.onReject(RejectReason.WRONG_SOURCE, this);
        }
        else
        {
            final int index = OutboxLayout.RECORDS_OFFSET + offset;
            sink.onMessage(MessageHeader.usual(origin), route | OutboxLayout.handler(source), buffer, index,
                index + OutboxLayout.PAYLOAD_OFFSET, length);
        }
    }

    private int source(final int offset)
    {
        return Buffers.intPlain(address + offset + OutboxLayout.SOURCE_OFFSET);
    }

    /** Any word but the next record's stamp means that the record has not come. */
    private void rearm()
    {
        final long next = address + offset();
        final int there = Buffers.intVolatile(next);
        // A message that is held is none that has come: the loop may sleep until it is offered again.
        expect(next, there == OutboxLayout.stamp(position) && !isHeld ? ~there : there);
    }

    private int offset()
    {
        return offset(position);
    }

    private int offset(final long ofPosition)
    {
        return (int)ofPosition & (capacity - 1);
    }
}
