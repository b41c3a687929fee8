// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.Arrays;
import java.util.stream.Stream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Object2IntHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.collective.Schedule.Step;
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
 * An operation in progress: goes through its schedule as messages come and room is found. A payload longer than the
 * eager length waits until the receiver says that it is ready; then nothing long comes before its place is known.
 * <p>Of a part in registered memory that the receiver can map, the sender offers a piece at a time instead. The
 * receiver reads it in place, says so, and counts it when the sender confirms it: only then had the sender's operation
 * not ended while it was read, and nobody changed the memory.
 * <p>Thread: the host endpoint's owner.
 */
final class CollectiveRequest implements Group.Request
{
    /** Bytes of one offer: its reader does nothing else meanwhile. */
    private static final int PIECE_LENGTH_MAX = 1 << 20;
    private static final DirectBuffer NOTHING = Buffers.wrap(new byte[0]);
    /** Reductions by the numbers that messages have for them. */
    private static final Object2IntHashMap<Reduction> NUMBERS = numbers();
    private static final byte ASKED = 1;
    private static final byte OVER = 2;

    private enum State
    {
        /** There is no operation, or it has ended. */
        OVER,
        RUNNING,
        /** It fails here, and ends when all members know. */
        FAILING
    }

    private final OpenOperations operations;
    private final Schedule schedule = new Schedule();
    private final AtomicBuffer[] places = {
        Buffers.wrap(new byte[0]), Buffers.wrap(new byte[0]), Buffers.wrap(new byte[0])};
    private int[] readyCounts = new int[1];
    private MutableDirectBuffer partial = places[SCRATCH];      // An element of which not all bytes have come.
    private MutableDirectBuffer first = places[SCRATCH];        // Elements that come, and are combined with others.
    private boolean[] isInformed = {};                  // By rank: whether the member knows that the operation failed.
    private byte[] asked = {};                      // By rank: whether the member was asked, and has ended it.
    private State state = State.OVER;
    private boolean hasReadyCounts;
    private boolean hasAsked;
    private Group.Status outcome = Group.Status.DONE;
    private Reduction reduction;
    private int reductionLength;
    private int reductionNumber;
    private int elementLength = 1;                  // Of the operation in progress.
    private int partialLength;
    private Step partialStep;                       // The receipt.
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
        if (state != State.OVER && operations.isOver())
        {
            finish(Group.Status.CLOSED);
        }
        return state == State.OVER ? outcome : Group.Status.IN_PROGRESS;
    }

    @Override
    public int awaitedRank()
    {
        for (int i = roundBegin; i < roundEnd && state == State.RUNNING; i++)
        {
            if (isAwaited(schedule.step(i)))
            {
                return schedule.step(i).peer;
            }
        }
        return -1;
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

    /** The kind of the operation. */
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
     * The reduction of the next operation; null if it has none. The one before is kept: usually it is used again.
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
            final int number = NUMBERS.getValue(newReduction);
            reductionNumber = number >= 0 ? number :
                PartWords.ownReduction(newElementLength, newReduction.isCommutative());
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
        assert state == State.OVER : state;
        state = State.RUNNING;
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

    /** The description for messages of a step. */
    private long description(final Step step)
    {
        return PartWords.isOfParts(description) ?
            PartWords.ofPart(description, step.length, step.isReceipt()) : description;
    }

    /** Whether a member has called the same, and its part, if it names one, has the length that this member expects. */
    boolean isSame(final int rank, final long theirs)
    {
        if (!PartWords.isOfParts(description) || PartWords.withoutPart(theirs) != description)
        {
            return theirs == description;
        }
        final boolean isSend = PartWords.isOfReceipt(theirs);
        for (int i = 0; i < schedule.count(); i++)
        {
            final Step step = schedule.step(i);
            if ((isSend ? step.isSend() : step.isReceipt()) && step.peer == rank &&
                step.length == PartWords.partLength(theirs))
            {
                return true;
            }
        }
        return false;
    }

    void finish(final Group.Status newStatus)
    {
        if (outcome != newStatus)
        {
            outcome = newStatus;
        }
        state = State.OVER;
        operations.finished(this, newStatus);
    }

    /** Ends this here and at all other members, as soon as each has room for the word. */
    void fail(final Group.Status newStatus)
    {
        if (state == State.RUNNING)
        {
            state = State.FAILING;
            outcome = newStatus;
            isInformed = new boolean[operations.roster().size()];
            isInformed[operations.rank()] = true;
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
        else if (state != State.FAILING)
        {
            note(rank, OVER);                           // All that it has sent is here.
            progress();
            failIfVain(rank);
        }
    }

    /** Asks those for whom this waits whether they do the same, once; and looks whether they have done it. */
    void askAwaited()
    {
        for (int i = roundBegin; i < roundEnd && state == State.RUNNING; i++)
        {
            final Step step = schedule.step(i);
            final int peer = step.peer;
            if (!isAwaited(step))
            {
                continue;
            }
            final boolean wasAsked = PartWords.isOfParts(description) ? step.isAsked :
                asked.length > peer && asked[peer] != 0;
            if (asked.length > peer && asked[peer] == OVER)
            {
                failIfVain(peer);
            }
            else if (!wasAsked && operations.sendAnswer(peer, this, PartWords.ASK, description(step)))
            {
                step.isAsked = true;
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
        if (state == State.FAILING || kind == PartWords.ASK)
        {
            return true;                                // It is the same, and will come, or the news of its failure.
        }
        if (kind != PartWords.TAKEN && kind != PartWords.REFUSED && kind != PartWords.CONFIRMED)
        {
            return false;
        }
        final boolean isOfSend = kind != PartWords.CONFIRMED;
        for (int i = roundBegin; i < roundEnd; i++)
        {
            final Step step = schedule.step(i);
            if (step.pieceLength > 0 && step.answer == 0 && step.peer == rank && step.isSend() == isOfSend)
            {
                if (kind == PartWords.TAKEN)
                {
                    step.answer = PartWords.CONFIRMED;
                }
                else
                {
                    step.mustCopy = isOfSend;           // If it was refused.
                    pieceDone(step, isOfSend ? 0 : step.pieceLength);
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
            final Step step = schedule.step(i);
            if (step.isReceipt() && !step.isDone && step.peer == rank)
            {
                if (mustWaitForSends(step) || step.pieceLength > 0)
                {
                    return false;                       // The bytes there still have to be sent, or confirmed.
                }
                take(step, isOffer, buffer, offset, length);
                return true;
            }
        }
        return false;
    }

    /** Goes on as far as it can. */
    void progress()
    {
        if (state == State.FAILING)
        {
            tellAll();
        }
        while (state != State.OVER)
        {
            for (int i = roundBegin; i < roundEnd && state == State.RUNNING; i++)
            {
                step(i);
            }
            if (state != State.RUNNING || sendCount > 0 || receiptCount > 0)
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

    private static Object2IntHashMap<Reduction> numbers()
    {
        final Object2IntHashMap<Reduction> numbers = new Object2IntHashMap<>(-1);
        for (final Reduction.Type type : Reduction.Type.values())
        {
            Stream.of(Reduction.Operation.values()).filter(operation -> operation.isFor(type)).forEach(operation ->
                numbers.put(Reduction.of(type, operation), numbers.size()));
            if (type != Reduction.Type.BOOLEAN)
            {
                Stream.of(type, Reduction.Type.INT).distinct().forEach(index ->
                {
                    numbers.put(Reduction.minimumLocation(type, index), numbers.size());
                    numbers.put(Reduction.maximumLocation(type, index), numbers.size());
                });
            }
        }
        assert numbers.size() <= PartWords.NUMBER_REDUCTIONS_MAX : numbers.size();
        return numbers;
    }

    /** Checked also where Agrona's bounds checks are off. */
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
        for (int rank = 0; rank < isInformed.length; rank++)
        {
            if (!isInformed[rank])
            {
                isInformed[rank] = operations.sendEnded(rank, sequence, OpenOperations.endOf(outcome));
                isMissing |= !isInformed[rank];
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

    /** A member has done its part: a member that still waits for it has called something else. */
    private void failIfVain(final int rank)
    {
        for (int i = roundBegin; i < roundEnd && state == State.RUNNING; i++)
        {
            final Step step = schedule.step(i);
            if (step.peer == rank && isAwaited(step) && !operations.hasEarly(this, rank))
            {
                fail(Group.Status.MISMATCHED);
            }
        }
    }

    /** Whether something has to come from the peer. */
    private boolean isAwaited(final Step step)
    {
        return !step.isDone && (step.isReceipt() ? !mustWaitForSends(step) : step.isSend() &&
            (step.pieceLength > 0 || (!step.isReady && step.length > operations.eagerLength() &&
            readyCounts[step.peer] == 0)));
    }

    private void nextRound()
    {
        roundBegin = roundEnd + 1;
        sendCount = 0;
        receiptCount = 0;
        int i = roundBegin;
        for (; i < schedule.count() && schedule.step(i).kind != ROUND; i++)
        {
            final Step step = schedule.step(i);
            step.begin();
            if (step.kind == COPY)
            {
                places[step.place].putBytes(step.offset, places[step.peer], step.other, step.length);
            }
            else if (step.isSend())
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
        final Step step = schedule.step(i);
        if (step.answer != 0 && !trySendAnswer(step))
        {
            return;
        }
        if (step.isDone)
        {
            return;                                     // Perhaps by the answer.
        }
        switch (step.kind)
        {
            case SEND -> send(step, step.length);
            case FORWARD ->
            {
                if (!mustWaitForSendBefore(i))
                {
                    send(step, wholeLength(schedule.step(step.other)));
                }
            }
            case COPY ->
            {
                // Done when the round began.
            }
            default -> receive(step);
        }
    }

    /** Messages to one peer stay in order. */
    private boolean mustWaitForSendBefore(final int i)
    {
        int before = i - 1;
        while (before >= roundBegin && !schedule.step(before).isSend())
        {
            before--;
        }
        return before >= roundBegin && !schedule.step(before).isDone &&
            schedule.step(before).peer == schedule.step(i).peer;
    }

    private boolean mustWaitForSends(final Step step)
    {
        return sendCount > 0 && step.other == Schedule.AFTER_SENDS;
    }

    private void receive(final Step step)
    {
        if (!step.isReady && step.length > operations.eagerLength())
        {
            step.isReady = operations.sendAnswer(step.peer, this, PartWords.READY, description(step));
        }
        boolean mayBeMore = true;
        while (mayBeMore && !step.isDone && state == State.RUNNING && !mustWaitForSends(step) && step.pieceLength == 0)
        {
            mayBeMore = operations.tryTakeEarly(this, step.peer);
        }
    }

    private void send(final Step step, final int available)
    {
        final int length = step.length;
        if (!step.isReady && length > operations.eagerLength())
        {
            if (readyCounts[step.peer] == 0)
            {
                return;
            }
            readyCounts[step.peer]--;
            step.isReady = true;
        }
        if (!step.mustCopy && length > operations.inPlaceLength() && isInPlace(step, available))
        {
            return;
        }
        final EndpointLink link = operations.linkTo(step.peer);
        final boolean isDescribed = !step.isReady && !PartWords.isShort(signature);
        boolean isAccepted = link != null;
        while (isAccepted && !step.isDone && (step.doneLength < available || length == 0))
        {
            final int most = GroupTraffic.partLengthMax(link) - (isDescribed ? PartWords.DESCRIPTION_LENGTH : 0);
            final int part = partLength(step, most, available);
            final DirectBuffer place = places[step.place];
            final int at = step.offset + step.doneLength;
            final SendStatus sent =
                isDescribed ? operations.sendDescribedPart(link, this, description(step), place, at, part) :
                operations.sendPart(link, this, place, at, part);
            if (sent.isAccepted())
            {
                partDone(step, part);
            }
            else if (sent == SendStatus.CLOSED)
            {
                finish(Group.Status.CLOSED);
            }
            isAccepted = sent == SendStatus.SENT;       // A queued message took a copy: it must be the last.
        }
    }

    /** Offers the next piece of a send, if its receiver can read it; false if bytes must be sent instead. */
    private boolean isInPlace(final Step step, final int available)
    {
        final int peer = step.peer;
        final int length = partLength(step, PIECE_LENGTH_MAX, available);
        if (step.pieceLength > 0 || length == 0)
        {
            return true;                                // The piece is being read, or nothing has come to pass on.
        }
        final long address = operations.addressFor(
            peer, places[step.place], step.offset + step.doneLength, length);
        step.mustCopy = address == 0;
        final boolean isWorthIt = length > operations.inPlaceLength() || available == step.length;
        if (address != 0 && isWorthIt && operations.sendOffer(peer, this, description(step), address, length))
        {
            step.pieceLength = length;
        }
        return address != 0;
    }

    /** The message in place of a part names memory that holds the part. */
    private void readInPlace(final Step step, final DirectBuffer offer, final int offset, final int offerLength)
    {
        final int length = offerLength == GroupTraffic.OFFER_LENGTH ? offer.getInt(offset + Long.BYTES) : 0;
        if (length < 1 || length > PIECE_LENGTH_MAX)
        {
            fail(Group.Status.MISMATCHED);
            return;
        }
        final MemoryPeers.Reader reader = operations.reader(step.peer);
        step.answer = PartWords.REFUSED;
        if (reader != null && reader.tryBegin(offer.getLong(offset), length))
        {
            try
            {
                if (tryPut(step, reader.buffer(), reader.index(), length))
                {
                    step.pieceLength = length;
                    step.answer = PartWords.TAKEN;
                }
            }
            finally
            {
                reader.end();
            }
        }
    }

    /** Sends the answer to a piece; false if there is no room now. */
    private boolean trySendAnswer(final Step step)
    {
        if (!operations.sendAnswer(step.peer, this, step.answer, description(step)))
        {
            return false;
        }
        if (step.answer == PartWords.CONFIRMED)
        {
            pieceDone(step, step.pieceLength);
        }
        step.answer = 0;
        return true;
    }

    private void pieceDone(final Step step, final int length)
    {
        step.pieceLength = 0;
        partDone(step, length);
    }

    private void partDone(final Step step, final int length)
    {
        step.doneLength += length;
        if (step.doneLength == step.length)
        {
            step.isDone = true;
            sendCount -= step.isSend() ? 1 : 0;
            receiptCount -= step.isReceipt() ? 1 : 0;
        }
    }

    private void take(
        final Step step, final boolean isOffer, final DirectBuffer buffer, final int offset, final int length)
    {
        if (isOffer)
        {
            readInPlace(step, buffer, offset, length);
        }
        else if (tryPut(step, buffer, offset, length))
        {
            partDone(step, length);
        }
    }

    /** Puts bytes to their place, or combines them with what stands there; false if the operation fails by them. */
    private boolean tryPut(final Step step, final DirectBuffer buffer, final int offset, final int length)
    {
        final boolean isEmpty = length == 0 && step.length > 0;
        if (state == State.FAILING || length > step.length - step.doneLength || isEmpty)
        {
            fail(Group.Status.MISMATCHED);
            return false;
        }
        final byte kind = step.kind;
        if (kind == REDUCE || kind == REDUCE_SOURCE)
        {
            return tryReduce(step, buffer, offset, length);
        }
        if (length > 0)
        {
            places[step.place].putBytes(step.offset + step.doneLength, buffer, offset, length);
        }
        return true;
    }

    /** False if the reduction throws. */
    private boolean tryReduce(final Step step, final DirectBuffer buffer, final int offset, final int length)
    {
        final int at = step.offset + step.doneLength;
        final int count = length / elementLength;
        try
        {
            if (partialLength == 0 && count * elementLength == length)
            {
                reduce(step, at, buffer, offset, count);
            }
            else
            {
                reduceByFragments(step, at, buffer, offset, length);
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
        final Step step, final int at, final DirectBuffer buffer, final int offset, final int length)
    {
        assert partialLength == 0 || partialStep == step : "in the middle of a receipt of rank=" + partialStep.peer;
        if (partial.capacity() < elementLength)
        {
            partial = Buffers.wrap(new byte[elementLength]);
        }
        partialStep = step;
        int taken = 0;
        while (taken < length)
        {
            final int left = length - taken;
            if (partialLength == 0 && left >= elementLength)
            {
                final int count = left / elementLength;
                reduce(step, at + taken, buffer, offset + taken, count);
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
                    reduce(step, at + taken - elementLength, partial, 0, 1);
                    partialLength = 0;
                }
            }
        }
    }

    private void reduce(final Step step, final int at, final DirectBuffer buffer, final int offset, final int count)
    {
        final MutableDirectBuffer place = places[step.place];
        if (step.isFirst)
        {
            final int length = count * elementLength;
            if (first.capacity() < length)
            {
                first = Buffers.wrap(new byte[length]);
            }
            first.putBytes(0, buffer, offset, length);
            reduction.reduce(first, 0, step.kind == REDUCE_SOURCE ? places[SOURCE] : place, at, count);
            place.putBytes(at, first, 0, length);
        }
        else if (step.kind == REDUCE_SOURCE)
        {
            reduction.reduce(place, at, places[SOURCE], at, buffer, offset, count);
        }
        else
        {
            reduction.reduce(place, at, buffer, offset, count);
        }
    }

    /** Bytes that a receipt has brought: of whole elements. */
    private int wholeLength(final Step receipt)
    {
        return receipt.doneLength - (partialLength > 0 && partialStep == receipt ? partialLength : 0);
    }

    /** Bytes of the next message of a send: up to the end of an element, unless none fits in. */
    private int partLength(final Step step, final int most, final int available)
    {
        final int done = step.doneLength;
        if (available - done <= most)
        {
            return available - done;
        }
        final int end = done + most;
        final int whole = end - end % elementLength;
        return whole > done ? whole - done : most;
    }
}
