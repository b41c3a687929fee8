// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

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
    /** Reductions by the numbers that messages have for them. */
    private static final List<Reduction> NUMBERS = Stream.of(Reduction.Type.values()).flatMap(type ->
        Stream.of(Reduction.Operation.values()).filter(operation ->
        type.isWhole() || operation.compareTo(Reduction.Operation.AND) < 0)
        .map(operation -> Reduction.of(type, operation))).toList();
    private static final byte ASKED = 1;
    private static final byte OVER = 2;

    private final OpenOperations operations;
    private final Schedule schedule = new Schedule();
    private final AtomicBuffer[] places = {
        Buffers.wrap(new byte[0]), Buffers.wrap(new byte[0]), Buffers.wrap(new byte[0])};
    private int[] doneLengths = new int[1];
    private boolean[] isDone = new boolean[1];
    private boolean[] isReady = new boolean[1];
    private boolean[] mustCopy = new boolean[1];
    private int[] pieceLengths = new int[1];        // Offered, or read and not confirmed; 0 for nothing.
    private int[] answers = new int[1];             // Flags of a word that is still to be sent; 0 for none.
    private int[] readyCounts = new int[1];
    private MutableDirectBuffer partial = places[SCRATCH];      // An element of which not all bytes have come.
    private boolean[] isTold = {};                  // By rank: whether the member knows that the operation failed.
    private byte[] asked = {};                      // By rank: whether the member was asked, and has ended it.
    private boolean isInProgress;
    private boolean isFailing;                      // In progress only until all members know.
    private boolean hasReadyCounts;
    private boolean hasAsked;
    private Group.Status outcome = Group.Status.DONE;
    private Reduction reduction;
    private int reductionLength;
    private int reductionNumber;
    private int elementLength = 1;                  // Of the operation in progress.
    private int partialLength;
    private int partialIndex;                       // Of the receipt.
    private int sequence;
    private int signature;
    private long description;
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

    /** The caller's memory, which this refers to until the next operation. */
    void memory(
        final DirectBuffer source, final int sourceOffset, final int sourceLength, final DirectBuffer target,
        final int targetOffset, final int targetLength)
    {
        wrap(places[SOURCE], source, sourceOffset, sourceLength);
        wrap(places[TARGET], target, targetOffset, targetLength);
    }

    /**
     * How the next operation combines elements; null if it does not. The one before is kept: mostly it is used again.
     * Returns the number of the reduction.
     */
    int use(final Reduction newReduction, final int newElementLength)
    {
        if (newReduction == null)
        {
            elementLength = 1;
            return PartWords.NO_REDUCTION;
        }
        if (reduction != newReduction || reductionLength != newElementLength)
        {
            reduction = newReduction;
            reductionLength = newElementLength;
            final int number = NUMBERS.indexOf(newReduction);
            reductionNumber = number < 0 ? PartWords.ownReduction(newElementLength) : number;
        }
        elementLength = newElementLength;
        return reductionNumber;
    }

    /** Begins. */
    void begin(final int newSequence, final int newSignature, final long newDescription)
    {
        sequence = newSequence;
        signature = newSignature;
        description = newDescription;
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
        if (hasAsked)
        {
            Arrays.fill(asked, (byte)0);
            hasAsked = false;
        }
        partialLength = 0;
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

    /** What all members have to agree on, whole. */
    long description()
    {
        return description;
    }

    void finish(final Group.Status newStatus)
    {
        if (outcome != newStatus)
        {
            outcome = newStatus;
        }
        isInProgress = false;
        isFailing = false;
        operations.finished(this, newStatus);
    }

    /** Ends this here and at all other members, as soon as each has room for the word. */
    void fail(final Group.Status newStatus)
    {
        if (isInProgress && !isFailing)
        {
            isFailing = true;
            outcome = newStatus;
            isTold = new boolean[operations.roster().size()];
            isTold[operations.rank()] = true;
            tellAll();
        }
    }

    /** A member says how the operation has ended there. */
    void onEnded(final int rank, final int kind)
    {
        if (kind != PartWords.ENDED)
        {
            finish(kind == PartWords.FAILED ? Group.Status.FAILED : Group.Status.MISMATCHED);
        }
        else if (!isFailing)
        {
            note(rank, OVER);                           // All that it has sent is here.
            progress();
            failIfVain(rank);
        }
    }

    /** Asks those for whom this waits whether they do the same, once; and looks whether they have done it. */
    void askAwaited()
    {
        for (int i = roundBegin; i < roundEnd && isInProgress && !isFailing; i++)
        {
            final int peer = schedule.peer(i);
            if (!isAwaited(i))
            {
                continue;
            }
            if (asked.length > peer && asked[peer] == OVER)
            {
                failIfVain(peer);
            }
            else if ((asked.length <= peer || asked[peer] == 0) && operations.sendAnswer(peer, this, PartWords.ASK))
            {
                note(peer, ASKED);
            }
        }
    }

    /** Takes what a member says of a part; false if that makes no sense. */
    boolean tryTakeAnswer(final int rank, final int kind)
    {
        if (kind == PartWords.READY)
        {
            readyCounts[rank]++;                        // For a long part.
            hasReadyCounts = true;
            return true;
        }
        if (isFailing || kind == PartWords.ASK)
        {
            return true;                                // It is the same: what it waits for will come, or it is told.
        }
        if (kind != PartWords.TAKEN && kind != PartWords.REFUSED && kind != PartWords.CONFIRMED)
        {
            return false;
        }
        final boolean isOfSend = kind != PartWords.CONFIRMED;
        for (int i = roundBegin; i < roundEnd; i++)
        {
            if (pieceLengths[i] > 0 && answers[i] == 0 && schedule.peer(i) == rank && schedule.isSend(i) == isOfSend)
            {
                if (kind == PartWords.TAKEN)
                {
                    answers[i] = PartWords.CONFIRMED;
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

    /** Takes a message, unless it is for a later round. Returns true if it was taken. */
    boolean tryTake(
        final int rank, final boolean isOffer, final DirectBuffer buffer, final int offset, final int length)
    {
        for (int i = roundBegin; i < roundEnd; i++)
        {
            if (schedule.isReceipt(i) && !isDone[i] && schedule.peer(i) == rank)
            {
                if (mustWaitForSends(i) || pieceLengths[i] > 0)
                {
                    return false;                       // What stands there is still to be sent, or confirmed.
                }
                take(i, isOffer, buffer, offset, length);
                return true;
            }
        }
        return false;
    }

    /** Goes on as far as it can. */
    void progress()
    {
        if (isFailing)
        {
            tellAll();
        }
        while (isInProgress)
        {
            for (int i = roundBegin; i < roundEnd && isInProgress && !isFailing; i++)
            {
                step(i);
            }
            if (!isInProgress || isFailing || sendCount > 0 || receiptCount > 0)
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

    private void tellAll()
    {
        boolean isMissing = false;
        for (int rank = 0; rank < isTold.length; rank++)
        {
            if (!isTold[rank])
            {
                isTold[rank] = operations.sendEnded(rank, sequence, OpenOperations.endOf(outcome));
                isMissing |= !isTold[rank];
            }
        }
        if (!isMissing)
        {
            finish(outcome);
        }
    }

    private void note(final int rank, final byte what)
    {
        if (asked.length <= rank)
        {
            asked = Arrays.copyOf(asked, operations.roster().size());
        }
        asked[rank] = what;
        hasAsked = true;
    }

    /** A member has done its part: whoever still waits for it has called something else. */
    private void failIfVain(final int rank)
    {
        for (int i = roundBegin; i < roundEnd && isInProgress && !isFailing; i++)
        {
            if (schedule.peer(i) == rank && isAwaited(i) && !operations.hasEarly(this, rank))
            {
                fail(Group.Status.MISMATCHED);
            }
        }
    }

    /** Whether something has to come from the peer. */
    private boolean isAwaited(final int i)
    {
        return !isDone[i] && (schedule.isReceipt(i) ? !mustWaitForSends(i) : schedule.isSend(i) &&
            (pieceLengths[i] > 0 || (!isReady[i] && schedule.length(i) > operations.eagerLength() &&
            readyCounts[schedule.peer(i)] == 0)));
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
                    send(i, wholeLength(schedule.other(i)));
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
        boolean mayBeMore = true;
        while (mayBeMore && !isDone[i] && isInProgress && !isFailing && !mustWaitForSends(i) && pieceLengths[i] == 0)
        {
            mayBeMore = operations.tryTakeEarly(this, schedule.peer(i));
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
        final boolean isDescribed = !isReady[i] && !PartWords.isShort(signature);
        boolean isAccepted = link != null;
        while (isAccepted && !isDone[i] && (doneLengths[i] < available || length == 0))
        {
            final int most = GroupTraffic.partLengthMax(link) - (isDescribed ? PartWords.DESCRIPTION_LENGTH : 0);
            final int part = partLength(i, most, available);
            final DirectBuffer place = places[schedule.place(i)];
            final int at = schedule.offset(i) + doneLengths[i];
            final SendStatus sent = isDescribed ? operations.sendDescribedPart(link, this, place, at, part) :
                operations.sendPart(link, this, place, at, part);
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
        final int length = partLength(i, PIECE_LENGTH_MAX, available);
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
            fail(Group.Status.MISMATCHED);
            return;
        }
        final MemoryPeers.Reader reader = operations.reader(schedule.peer(i));
        answers[i] = PartWords.REFUSED;
        if (reader != null && reader.tryBegin(offer.getLong(offset), length))
        {
            try
            {
                if (tryPut(i, reader.buffer(), reader.index(), length))
                {
                    pieceLengths[i] = length;
                    answers[i] = PartWords.TAKEN;
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
        if (answers[i] == PartWords.CONFIRMED)
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

    private void take(
        final int i, final boolean isOffer, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isOffer)
        {
            readInPlace(i, buffer, offset, length);
        }
        else if (tryPut(i, buffer, offset, length))
        {
            partDone(i, length);
        }
    }

    /** Puts bytes to their place, or combines them with what stands there; false if the operation fails by them. */
    private boolean tryPut(final int i, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isFailing || length > schedule.length(i) - doneLengths[i])
        {
            fail(Group.Status.MISMATCHED);
            return false;
        }
        final byte kind = schedule.kind(i);
        if (kind == REDUCE || kind == REDUCE_SOURCE)
        {
            return tryReduce(i, buffer, offset, length);
        }
        if (length > 0)
        {
            places[schedule.place(i)].putBytes(schedule.offset(i) + doneLengths[i], buffer, offset, length);
        }
        return true;
    }

    /** False if the reduction throws. */
    private boolean tryReduce(final int i, final DirectBuffer buffer, final int offset, final int length)
    {
        final int at = schedule.offset(i) + doneLengths[i];
        final int count = length / elementLength;
        try
        {
            if (partialLength == 0 && count * elementLength == length)
            {
                reduce(i, at, buffer, offset, count);
            }
            else
            {
                reduceByFragments(i, at, buffer, offset, length);
            }
            return true;
        }
        catch (final Throwable ex)                      // As of a handler.
        {
            fail(Group.Status.FAILED);
            operations.onReductionError(ex);
            return false;
        }
    }

    /** Elements may come in several messages, if those are short. */
    private void reduceByFragments(
        final int i, final int at, final DirectBuffer buffer, final int offset, final int length)
    {
        assert partialLength == 0 || partialIndex == i : "receipt=" + i + " in the middle of receipt=" + partialIndex;
        if (partial.capacity() < elementLength)
        {
            partial = Buffers.wrap(new byte[elementLength]);
        }
        partialIndex = i;
        int taken = 0;
        while (taken < length)
        {
            final int left = length - taken;
            if (partialLength == 0 && left >= elementLength)
            {
                final int count = left / elementLength;
                reduce(i, at + taken, buffer, offset + taken, count);
                taken += count * elementLength;
            }
            else
            {
                final int part = Math.min(left, elementLength - partialLength);
                partial.putBytes(partialLength, buffer, offset + taken, part);
                taken += part;
                partialLength += part;
                if (partialLength == elementLength)
                {
                    reduce(i, at + taken - elementLength, partial, 0, 1);
                    partialLength = 0;
                }
            }
        }
    }

    private void reduce(final int i, final int at, final DirectBuffer buffer, final int offset, final int count)
    {
        final MutableDirectBuffer place = places[schedule.place(i)];
        if (schedule.kind(i) == REDUCE_SOURCE)
        {
            reduction.reduce(place, at, places[SOURCE], at, buffer, offset, count);
        }
        else
        {
            reduction.reduce(place, at, buffer, offset, count);
        }
    }

    /** Bytes that a receipt has brought: of whole elements. */
    private int wholeLength(final int receipt)
    {
        return doneLengths[receipt] - (partialLength > 0 && partialIndex == receipt ? partialLength : 0);
    }

    /** Bytes of the next message of a send: up to the end of an element, unless none fits in. */
    private int partLength(final int i, final int most, final int available)
    {
        final int done = doneLengths[i];
        if (available - done <= most)
        {
            return available - done;
        }
        final int end = done + most;
        final int whole = end - end % elementLength;
        return whole > done ? whole - done : most;
    }
}
