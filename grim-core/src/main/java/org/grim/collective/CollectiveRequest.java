// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointLink;
import org.grim.group.Group;
import org.grim.group.Reduction;
import org.grim.memory.MemoryPeers;

import static org.grim.collective.Schedule.COPY;
import static org.grim.collective.Schedule.FORWARD;
import static org.grim.collective.Schedule.REDUCE;
import static org.grim.collective.Schedule.REDUCE_SOURCE;
import static org.grim.collective.Schedule.ROUND;
import static org.grim.collective.Schedule.SCRATCH;
import static org.grim.collective.Schedule.SEND;
import static org.grim.collective.Schedule.SOURCE;
import static org.grim.collective.Schedule.TARGET;

/**
 * An operation in progress: goes through its schedule as messages come and room is found. What is longer than the eager
 * length waits until the receiver says that it is ready; then nothing long comes before its place is known.
 * <p>Of a part in registered memory that the receiver can map, the sender offers a piece at a time instead. The
 * receiver reads it in place, says so, and counts it when the sender confirms it: only then had the sender's operation
 * not ended while it was read, and nobody changed the memory.
 * <p>Thread: the host endpoint's owner.
 */
final class CollectiveRequest implements Group.Request
{
    /** Bytes of one offer: whoever reads them does nothing else meanwhile. */
    private static final int PIECE_LENGTH_MAX = 1 << 20;
    private static final DirectBuffer NOTHING = Buffers.wrap(new byte[0]);

    private final OpenOperations operations;
    private final Schedule schedule = new Schedule();
    private final Algorithms.Chunks chunks = new Algorithms.Chunks();
    private final AtomicBuffer[] places = {
        Buffers.wrap(new byte[0]), Buffers.wrap(new byte[0]), Buffers.wrap(new byte[0])};
    private int[] doneLengths = new int[1];
    private boolean[] isDone = new boolean[1];
    private boolean[] isReady = new boolean[1];
    private boolean[] mustCopy = new boolean[1];
    private int[] pieceLengths = new int[1];        // Offered, or read and not confirmed; 0 for nothing.
    private int[] answers = new int[1];             // Flags of a word that is still to be sent; 0 for none.
    private int[] readyCounts = new int[1];
    private boolean isInProgress;
    private boolean hasReadyCounts;
    private Group.Status outcome = Group.Status.DONE;
    private Reduction reduction;
    private int sequence;
    private int signature;
    private int roundBegin;
    private int roundEnd;
    private int sendCount;
    private int receiptCount;

    CollectiveRequest(final OpenOperations operations)
    {
        this.operations = operations;
    }

    @Override
    public Group.Status status()
    {
        if (isInProgress && operations.isOver())
        {
            finish(Group.Status.CLOSED);
        }
        return isInProgress ? Group.Status.IN_PROGRESS : outcome;
    }

    @Override
    public Group.Status await()
    {
        operations.await(this);
        return status();
    }

    OpenOperations operations()
    {
        return operations;
    }

    /** What is done in the operation. */
    Schedule schedule()
    {
        return schedule;
    }

    Algorithms.Chunks chunks()
    {
        return chunks;
    }

    /** The caller's memory, which this refers to until the next operation. */
    void memory(
        final DirectBuffer source, final int sourceOffset, final int sourceLength, final DirectBuffer target,
        final int targetOffset, final int targetLength)
    {
        wrap(places[SOURCE], source, sourceOffset, sourceLength);
        wrap(places[TARGET], target, targetOffset, targetLength);
    }

    /** Begins. */
    void begin(final int newSequence, final int newSignature, final Reduction newReduction)
    {
        sequence = newSequence;
        signature = newSignature;
        if (reduction != newReduction)
        {
            reduction = newReduction;
        }
        isInProgress = true;
        final int count = schedule.count();
        if (doneLengths.length < count)
        {
            doneLengths = new int[count * 2];
            isDone = new boolean[count * 2];
            isReady = new boolean[count * 2];
            mustCopy = new boolean[count * 2];
            pieceLengths = new int[count * 2];
            answers = new int[count * 2];
        }
        if (readyCounts.length < operations.roster().size())
        {
            readyCounts = new int[operations.roster().size()];
        }
        else if (hasReadyCounts)
        {
            Arrays.fill(readyCounts, 0);
        }
        hasReadyCounts = false;
        spare(schedule.scratchLength());
        roundEnd = -1;
        nextRound();
    }

    /** Memory of this request, in place of the caller's. */
    MutableDirectBuffer spare(final int length)
    {
        if (places[SCRATCH].capacity() < length)
        {
            places[SCRATCH] = Buffers.wrap(new byte[length]);
        }
        return places[SCRATCH];
    }

    int sequence()
    {
        return sequence;
    }

    int signature()
    {
        return signature;
    }

    void finish(final Group.Status newStatus)
    {
        if (outcome != newStatus)
        {
            outcome = newStatus;
        }
        isInProgress = false;
        operations.finished(this);
    }

    /** Takes what a member says of a part; false if that makes no sense. */
    boolean tryTakeAnswer(final int rank, final int flags)
    {
        if (flags == GroupTraffic.READY)
        {
            readyCounts[rank]++;                        // For a long part.
            hasReadyCounts = true;
            return true;
        }
        if ((flags & ~GroupTraffic.CONFIRMED) != 0)
        {
            return false;
        }
        final boolean isOfSend = flags != GroupTraffic.CONFIRMED;
        for (int i = roundBegin; i < roundEnd; i++)
        {
            if (pieceLengths[i] > 0 && answers[i] == 0 && schedule.peer(i) == rank && schedule.isSend(i) == isOfSend)
            {
                if (flags == GroupTraffic.TAKEN)
                {
                    answers[i] = GroupTraffic.CONFIRMED;
                }
                else
                {
                    mustCopy[i] = isOfSend;             // If it was refused.
                    pieceDone(i, isOfSend ? 0 : pieceLengths[i]);
                }
                return true;
            }
        }
        return false;
    }

    /**
     * Takes a message, unless it is for a later round.
     *
     * @return true if it was taken.
     */
    boolean tryTake(final int rank, final int word, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int i = roundBegin; i < roundEnd; i++)
        {
            if (schedule.isReceipt(i) && !isDone[i] && schedule.peer(i) == rank)
            {
                if (mustWaitForSends(i) || pieceLengths[i] > 0)
                {
                    return false;                       // What stands there is still to be sent, or confirmed.
                }
                take(i, word, buffer, offset, length);
                return true;
            }
        }
        return false;
    }

    /** Goes on as far as it can. */
    void progress()
    {
        while (isInProgress)
        {
            for (int i = roundBegin; i < roundEnd && isInProgress; i++)
            {
                step(i);
            }
            if (!isInProgress || sendCount > 0 || receiptCount > 0)
            {
                return;
            }
            if (roundEnd >= schedule.count())
            {
                finish(Group.Status.DONE);
                return;
            }
            nextRound();
        }
    }

    /** Checked whatever Agrona was told about bounds. */
    @SuppressWarnings("ReferenceEquality")              // The view keeps that byte buffer alive which is given now.
    private static void wrap(final AtomicBuffer place, final DirectBuffer memory, final int offset, final int length)
    {
        final DirectBuffer actual = memory == null ? NOTHING : memory;
        actual.boundsCheck(offset, length);
        // Mostly it is what it was. Storing a reference costs a collector's barrier.
        if (place.addressOffset() != actual.addressOffset() + offset || place.capacity() != length ||
            place.byteArray() != actual.byteArray() || place.byteBuffer() != actual.byteBuffer())
        {
            place.wrap(actual, offset, length);
        }
    }

    private void nextRound()
    {
        roundBegin = roundEnd + 1;
        sendCount = 0;
        receiptCount = 0;
        int i = roundBegin;
        for (; i < schedule.count() && schedule.kind(i) != ROUND; i++)
        {
            doneLengths[i] = 0;
            isDone[i] = false;
            isReady[i] = false;
            mustCopy[i] = schedule.mustCopy(i);
            pieceLengths[i] = 0;
            answers[i] = 0;
            final byte kind = schedule.kind(i);
            if (kind == COPY)
            {
                places[schedule.place(i)].putBytes(schedule.offset(i), places[schedule.peer(i)], schedule.other(i),
                    schedule.length(i));
            }
            else if (schedule.isSend(i))
            {
                sendCount++;
            }
            else
            {
                receiptCount++;
            }
        }
        roundEnd = i;
    }

    private void step(final int i)
    {
        if (answers[i] != 0 && !trySendAnswer(i))
        {
            return;
        }
        if (isDone[i])
        {
            return;                                     // Perhaps by the answer.
        }
        switch (schedule.kind(i))
        {
            case SEND -> send(i, schedule.length(i));
            case FORWARD ->
            {
                if (!mustWaitForSendBefore(i))
                {
                    send(i, doneLengths[schedule.other(i)]);
                }
            }
            case COPY ->
            {
                // Done when the round began.
            }
            default -> receive(i);
        }
    }

    /** What goes to one peer stays in order. */
    private boolean mustWaitForSendBefore(final int i)
    {
        int before = i - 1;
        while (before >= roundBegin && !schedule.isSend(before))
        {
            before--;
        }
        return before >= roundBegin && !isDone[before] && schedule.peer(before) == schedule.peer(i);
    }

    private boolean mustWaitForSends(final int i)
    {
        return sendCount > 0 && schedule.other(i) == Schedule.AFTER_SENDS;
    }

    private void receive(final int i)
    {
        if (!isReady[i] && schedule.length(i) > operations.eagerLength())
        {
            isReady[i] = operations.sendReady(schedule.peer(i), this);
        }
        while (!isDone[i] && isInProgress && !mustWaitForSends(i) && pieceLengths[i] == 0)
        {
            final EarlyMessages.Early early = operations.takeEarly(this, schedule.peer(i));
            if (early == null)
            {
                return;
            }
            take(i, early.word(), early.bytes(), 0, early.length());
            operations.release(early);
        }
    }

    private void send(final int i, final int available)
    {
        final int length = schedule.length(i);
        if (!isReady[i] && length > operations.eagerLength())
        {
            if (readyCounts[schedule.peer(i)] == 0)
            {
                return;
            }
            readyCounts[schedule.peer(i)]--;
            isReady[i] = true;
        }
        if (!mustCopy[i] && length > operations.inPlaceLength() && isInPlace(i, available))
        {
            return;
        }
        final EndpointLink link = operations.linkTo(schedule.peer(i));
        boolean isAccepted = link != null;
        while (isAccepted && !isDone[i] && (doneLengths[i] < available || length == 0))
        {
            final int part = OpenOperations.partLength(link, reduction, available - doneLengths[i]);
            final SendStatus sent = operations.sendPart(
                link, this, places[schedule.place(i)], schedule.offset(i) + doneLengths[i], part);
            if (sent.isAccepted())
            {
                partDone(i, part);
            }
            else if (sent == SendStatus.CLOSED)
            {
                finish(Group.Status.CLOSED);
            }
            isAccepted = sent == SendStatus.SENT;       // What is queued took a copy: that is to be the last one.
        }
    }

    /** Offers the next piece of a send, if its receiver can read it; false if bytes are to be sent instead. */
    private boolean isInPlace(final int i, final int available)
    {
        final int peer = schedule.peer(i);
        final int length = OpenOperations.wholeLength(PIECE_LENGTH_MAX, reduction, available - doneLengths[i]);
        if (pieceLengths[i] > 0 || length == 0)
        {
            return true;                                // The piece is being read, or nothing has come to pass on.
        }
        final long address = operations.addressFor(
            peer, places[schedule.place(i)], schedule.offset(i) + doneLengths[i], length);
        mustCopy[i] = address == 0;
        final boolean isWorthIt = length > operations.inPlaceLength() || available == schedule.length(i);
        if (address != 0 && isWorthIt && operations.sendOffer(peer, this, address, length))
        {
            pieceLengths[i] = length;
        }
        return address != 0;
    }

    /** What is in place of a part names memory that holds it. */
    private void readInPlace(final int i, final DirectBuffer offer, final int offset, final int offerLength)
    {
        final int length = offerLength == GroupTraffic.OFFER_LENGTH ? offer.getInt(offset + Long.BYTES) : 0;
        if (length < 1 || length > PIECE_LENGTH_MAX)
        {
            operations.mismatched(this);
            return;
        }
        final MemoryPeers.Reader reader = operations.reader(schedule.peer(i));
        answers[i] = GroupTraffic.REFUSED;
        if (reader != null && reader.tryBegin(offer.getLong(offset), length))
        {
            try
            {
                if (tryPut(i, reader.buffer(), reader.index(), length))
                {
                    pieceLengths[i] = length;
                    answers[i] = GroupTraffic.TAKEN;
                }
            }
            finally
            {
                reader.end();
            }
        }
    }

    /** Sends what is to be said of a piece; false if there is no room now. */
    private boolean trySendAnswer(final int i)
    {
        if (!operations.sendAnswer(schedule.peer(i), this, answers[i]))
        {
            return false;
        }
        if (answers[i] == GroupTraffic.CONFIRMED)
        {
            pieceDone(i, pieceLengths[i]);
        }
        answers[i] = 0;
        return true;
    }

    private void pieceDone(final int i, final int length)
    {
        pieceLengths[i] = 0;
        partDone(i, length);
    }

    private void partDone(final int i, final int length)
    {
        doneLengths[i] += length;
        if (doneLengths[i] == schedule.length(i))
        {
            isDone[i] = true;
            sendCount -= schedule.isSend(i) ? 1 : 0;
            receiptCount -= schedule.isReceipt(i) ? 1 : 0;
        }
    }

    private void take(final int i, final int word, final DirectBuffer buffer, final int offset, final int length)
    {
        if ((word & GroupTraffic.OFFER) != 0)
        {
            readInPlace(i, buffer, offset, length);
        }
        else if (tryPut(i, buffer, offset, length))
        {
            partDone(i, length);
        }
    }

    /** Puts bytes to their place, or combines them with what stands there; false if they do not fit. */
    private boolean tryPut(final int i, final DirectBuffer buffer, final int offset, final int length)
    {
        final byte kind = schedule.kind(i);
        final int at = schedule.offset(i) + doneLengths[i];
        final boolean isReduction = kind == REDUCE || kind == REDUCE_SOURCE;
        final int elementLength = isReduction ? reduction.elementLength() : 1;
        final int count = isReduction ? length / elementLength : length;
        if (length > schedule.length(i) - doneLengths[i] || count * elementLength != length)
        {
            operations.mismatched(this);
            return false;
        }
        final MutableDirectBuffer place = places[schedule.place(i)];
        if (kind == REDUCE_SOURCE)
        {
            reduction.reduce(place, at, places[SOURCE], at, buffer, offset, count);
        }
        else if (kind == REDUCE)
        {
            reduction.reduce(place, at, buffer, offset, count);
        }
        else if (length > 0)
        {
            place.putBytes(at, buffer, offset, length);
        }
        return true;
    }
}
