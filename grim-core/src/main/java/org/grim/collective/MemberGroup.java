// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.group.Group;
import org.grim.group.Reduction;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * This node's membership of a group.
 * <p>Thread: the host endpoint's owner.
 */
final class MemberGroup implements Group
{
    /** So many operations after another all members wait for each other: what comes early is bounded. */
    private static final int MEETING_INTERVAL = 64;
    private static final int EXPECTED_COUNT_MAX = 16;
    private static final int KIND_SHIFT = 24;
    private static final int HASH_MASK = (1 << KIND_SHIFT) - 1;
    private static final int PRIME = 1_000_003;

    /** What a signature begins with. */
    private enum Kind
    {
        BARRIER, BROADCAST, REDUCE, ALL_REDUCE, GATHER, ALL_GATHER, SCATTER, ALL_TO_ALL
    }

    private final String name;
    private final GroupTraffic traffic;
    private final GroupSettings settings;
    private final Consumer<MemberGroup> onLeave;
    private final EarlyMessages early = new EarlyMessages();
    private final List<CollectiveRequest> requests = new ArrayList<>(EXPECTED_COUNT_MAX);
    private final GroupSeat seat;
    private final Multicasts multicasts;
    private Roster latest;
    private Roster current;
    private int rank;
    private int sequence;
    private int ticketEpoch;
    private int nextTicket;
    private int expectedEpoch;
    private int expectedTicket;
    private boolean isBroken;
    private boolean isClosed;

    MemberGroup(
        final String name, final GroupTraffic traffic, final GroupSettings settings, final GroupSeat seat,
        final Consumer<MemberGroup> onLeave)
    {
        this.name = name;
        this.onLeave = onLeave;
        this.traffic = traffic;
        this.settings = settings;
        this.seat = seat;
        multicasts = new Multicasts(traffic, seat::isSpread);
        latest = seat.roster();
        adopt();
    }

    @Override
    public String name()
    {
        return name;
    }

    @Override
    public long epoch()
    {
        return current.epoch();
    }

    @Override
    public int size()
    {
        return current.size();
    }

    @Override
    public int rank()
    {
        return rank;
    }

    @Override
    public EndpointId member(final int ofRank)
    {
        return EndpointId.of(current.nodes()[checkedRank(ofRank)], 0, 0);
    }

    @Override
    public boolean isChanged()
    {
        return isBroken || latest.epoch() != current.epoch();
    }

    @Override
    public void renew(final Duration timeout)
    {
        traffic.requireOutsideHandler("renew");
        if (!traffic.pollUntil(() -> isClosed || !isChanged() || isSettled(), timeout))
        {
            throw new GrimException(TIMED_OUT, "group=" + name + " has no epoch after " + current.epoch() +
                " of living members within " + timeout.toMillis() + " ms: nodes=" + latest);
        }
        requireOpen();
        if (isChanged())
        {
            adopt();
        }
    }

    @Override
    public void awaitSize(final int count, final Duration timeout)
    {
        traffic.requireOutsideHandler("awaitSize");
        if (count < 1 || count > SIZE_MAX)
        {
            throw new IllegalArgumentException("group size=" + count + " is outside 1 to " + SIZE_MAX);
        }
        if (!traffic.pollUntil(() -> isClosed || latest.size() >= count && isSettled() && seat.isSpread(), timeout))
        {
            throw new GrimException(TIMED_OUT, "group=" + name + " has not got members=" + count + " within " +
                timeout.toMillis() + " ms: nodes=" + latest);
        }
        requireOpen();
        if (isChanged())
        {
            adopt();
        }
    }

    @Override
    public Request newRequest()
    {
        return new CollectiveRequest(this);
    }

    @Override
    public int multicastLengthMax()
    {
        return Multicasts.LENGTH_MAX;
    }

    @Override
    public SendStatus multicast(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        requireOpen();
        return multicasts.send(current, handler, a0, a1, a2, a3, source, offset, length);
    }

    @Override
    public SendStatus multicastInTotalOrder(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        requireOpen();
        return multicasts.sendToOwner(current, handler, a0, a1, a2, a3, source, offset, length);
    }

    @Override
    public void barrier(final Request request)
    {
        final CollectiveRequest next = next(request);
        next.memory(null, 0, 0, null, 0, 0);
        Algorithms.barrier(next.schedule(), rank, size());
        begin(next, Kind.BARRIER, 0, 0, null);
    }

    @Override
    public void broadcast(
        final int root, final MutableDirectBuffer buffer, final int offset, final int length, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        next.memory(null, 0, 0, buffer, offset, length);
        final Schedule schedule = scheduleOf(next);
        Algorithms.broadcast(schedule, rank, size(), root, length);
        begin(next, Kind.BROADCAST, root, length, null);
    }

    @Override
    public void reduce(
        final int root, final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target,
        final int targetOffset, final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        final int length = length(count, reduction);
        final boolean isLong = length > settings.ringLength() && size() > 1;
        // On a ring every member needs room for parts of the result.
        final boolean hasTarget = rank == root;
        next.memory(source, sourceOffset, length, hasTarget ? target : next.spare(isLong ? length : 0),
            hasTarget ? targetOffset : 0, hasTarget || isLong ? length : 0);
        final Schedule schedule = scheduleOf(next);
        if (isLong)
        {
            Algorithms.reduceOnRing(schedule, rank, size(), root,
                next.chunks().set(size(), count, reduction.elementLength()));
        }
        else
        {
            Algorithms.reduce(schedule, rank, size(), root, length);
        }
        begin(next, Kind.REDUCE, root, length, reduction);
    }

    @Override
    public void allReduce(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int length = length(count, reduction);
        next.memory(source, sourceOffset, length, target, targetOffset, length);
        final Schedule schedule = scheduleOf(next);
        if (length > settings.ringLength() && size() > 1)
        {
            Algorithms.allReduceOnRing(schedule, rank, size(),
                next.chunks().set(size(), count, reduction.elementLength()));
        }
        else
        {
            Algorithms.allReduce(schedule, rank, size(), length);
        }
        begin(next, Kind.ALL_REDUCE, 0, length, reduction);
    }

    @Override
    public void gather(
        final int root, final DirectBuffer source, final int sourceOffset, final int length,
        final MutableDirectBuffer target, final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, length, rank == root ? target : null, rank == root ? targetOffset : 0,
            rank == root ? all : 0);
        final Schedule schedule = scheduleOf(next);
        if (all > settings.ringLength())
        {
            Algorithms.gatherStraight(schedule, rank, size(), root, length);
        }
        else
        {
            Algorithms.gather(schedule, rank, size(), root, length);
        }
        begin(next, Kind.GATHER, root, length, null);
    }

    @Override
    public void allGather(
        final DirectBuffer source, final int sourceOffset, final int length, final MutableDirectBuffer target,
        final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, length, target, targetOffset, all);
        final Schedule schedule = scheduleOf(next);
        if (all > settings.ringLength())
        {
            Algorithms.allGatherOnRing(schedule, rank, size(), length);
        }
        else
        {
            Algorithms.allGather(schedule, rank, size(), length);
        }
        begin(next, Kind.ALL_GATHER, 0, length, null);
    }

    @Override
    public void scatter(
        final int root, final DirectBuffer source, final int sourceOffset, final int length,
        final MutableDirectBuffer target, final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        final int all = lengthOfAll(length);
        next.memory(rank == root ? source : null, rank == root ? sourceOffset : 0, rank == root ? all : 0, target,
            targetOffset, length);
        final Schedule schedule = scheduleOf(next);
        if (all > settings.ringLength())
        {
            Algorithms.scatterStraight(schedule, rank, size(), root, length);
        }
        else
        {
            Algorithms.scatter(schedule, rank, size(), root, length);
        }
        begin(next, Kind.SCATTER, root, length, null);
    }

    @Override
    public void allToAll(
        final DirectBuffer source, final int sourceOffset, final int length, final MutableDirectBuffer target,
        final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, all, target, targetOffset, all);
        final Schedule schedule = scheduleOf(next);
        Algorithms.allToAll(schedule, rank, size(), length);
        begin(next, Kind.ALL_TO_ALL, 0, length, null);
    }

    @Override
    public void close()
    {
        if (!isClosed)
        {
            traffic.requireOutsideHandler("close");
            end();
            onLeave.accept(this);
        }
    }

    /** Members of the latest epoch that is known. */
    Roster latest()
    {
        return latest;
    }

    Multicasts multicasts()
    {
        return multicasts;
    }

    boolean isClosed()
    {
        return isClosed;
    }

    /** Ends everything here; others are not asked. */
    void end()
    {
        isClosed = true;
        endRequests(Status.CLOSED);
        multicasts.drop();
    }

    /** Looks whether the owner has said who belongs to the group now. */
    void follow()
    {
        final Roster roster = seat.roster();
        if (roster != null && roster != latest)
        {
            latest = roster;
            endRequests(Status.GROUP_CHANGED);
        }
    }

    /** Looks whether all members are up, and sends what waits. */
    int step()
    {
        follow();
        int workCount = 0;
        if (!isBroken && !current.areAllUp(traffic.directory()))
        {
            isBroken = true;
            endRequests(Status.GROUP_CHANGED);
            workCount++;
        }
        for (int i = requests.size() - 1; i >= 0; i--)
        {
            requests.get(i).progress();
        }
        return workCount + multicasts.flush();
    }

    /** The owner gives a message its ticket; others pass it on to him. */
    void onOrder(final ActiveMessage message)
    {
        if (latest.nodes()[0] == traffic.self())
        {
            if (ticketEpoch != latest.epoch())
            {
                ticketEpoch = latest.epoch();
                nextTicket = 0;
            }
            multicasts.sendTicket(latest, nextTicket, message.buffer(), message.offset(), message.length());
            nextTicket++;
        }
    }

    /** Whether a message that has its ticket is the next one of this epoch. */
    boolean tryTakeTicket(final int epoch, final int ticket)
    {
        if (epoch != expectedEpoch)
        {
            expectedEpoch = epoch;
            expectedTicket = 0;
        }
        if (epoch < latest.epoch())
        {
            return false;                               // Its epoch is over: this member has what it has of it.
        }
        if (ticket != expectedTicket)
        {
            throw new GrimException(BAD_DATA, "ticket=" + ticket + " of group=" + name + " epoch=" + epoch +
                " is not the expected=" + expectedTicket);
        }
        expectedTicket++;
        return true;
    }

    /** A part of an operation, or the word that a member is ready for one. */
    void onPart(
        final int node, final int epoch, final int ofSequence, final int word, final DirectBuffer buffer,
        final int offset, final int length)
    {
        if (isClosed || epoch < current.epoch())
        {
            return;                                     // Of an operation that ended with its epoch.
        }
        final CollectiveRequest request = epoch == current.epoch() ? requestOf(ofSequence) : null;
        final int from = request == null ? -1 : current.rankOf(node);
        if (request == null || from < 0)
        {
            if (epoch > current.epoch() || ofSequence - sequence >= 0)
            {
                early.add(epoch, ofSequence, node, word, buffer, offset, length);
            }
            return;
        }
        if ((word & GroupTraffic.FLAGS) != 0)
        {
            onWord(request, from, word);
        }
        else if (word != request.signature())
        {
            mismatched(request);
        }
        else if (early.has(ofSequence, node) || !request.tryTake(from, buffer, offset, length))
        {
            early.add(epoch, ofSequence, node, word, buffer, offset, length);
        }
        request.progress();
    }

    /** The next part of an operation from a member that came early; null if there is none. */
    EarlyMessages.Early takeEarly(final CollectiveRequest request, final int from)
    {
        final EarlyMessages.Early found = early.take(request.sequence(), current.nodes()[from]);
        if (found != null && found.word() != request.signature())
        {
            early.release(found);
            mismatched(request);
            return null;
        }
        return found;
    }

    void release(final EarlyMessages.Early message)
    {
        early.release(message);
    }

    /** Says that this member is ready for a long part; false if there is no room now. */
    boolean sendReady(final int to, final CollectiveRequest request)
    {
        return traffic.sendPart(current, current.nodes()[to], request.sequence(),
            GroupTraffic.READY | request.signature(), null, 0, 0).isAccepted();
    }

    SendStatus sendPart(
        final int to, final CollectiveRequest request, final DirectBuffer source, final int offset, final int length)
    {
        return traffic.sendPart(
            current, current.nodes()[to], request.sequence(), request.signature(), source, offset, length);
    }

    int eagerLength()
    {
        return settings.eagerLength();
    }

    /** Most bytes of a message: whole elements. */
    int partLength(final int to, final Reduction reduction)
    {
        final int element = reduction == null ? 1 : reduction.elementLength();
        return traffic.partLengthMax(current.nodes()[to]) / element * element;
    }

    /** Members do different things: all are told. */
    void mismatched(final CollectiveRequest request)
    {
        for (int other = 0; other < size(); other++)
        {
            if (other != rank)
            {
                traffic.sendPart(
                    current, current.nodes()[other], request.sequence(), GroupTraffic.MISMATCH, null, 0, 0);
            }
        }
        request.finish(Status.MISMATCHED);
    }

    void finished(final CollectiveRequest request)
    {
        requests.remove(request);
    }

    void await(final CollectiveRequest request)
    {
        traffic.requireOutsideHandler("await");
        while (!request.isComplete())
        {
            if (!traffic.poll())
            {
                end();
            }
            request.progress();
        }
    }

    private void onWord(final CollectiveRequest request, final int from, final int word)
    {
        if (word == GroupTraffic.MISMATCH)
        {
            request.finish(Status.MISMATCHED);
        }
        else if (word == (GroupTraffic.READY | request.signature()))
        {
            request.onReady(from);
        }
        else
        {
            mismatched(request);
        }
    }

    /** Words that came before the operation was called: no receipt asks for them. */
    private void takeEarlyWords(final CollectiveRequest request)
    {
        for (EarlyMessages.Early found = early.takeFlagged(request.sequence(), GroupTraffic.FLAGS); found != null;
            found = early.takeFlagged(request.sequence(), GroupTraffic.FLAGS))
        {
            final int from = current.rankOf(found.node());
            if (from >= 0 && !request.isComplete())
            {
                onWord(request, from, found.word());
            }
            early.release(found);
        }
    }

    private CollectiveRequest requestOf(final int ofSequence)
    {
        for (int i = 0; i < requests.size(); i++)
        {
            if (requests.get(i).sequence() == ofSequence)
            {
                return requests.get(i);
            }
        }
        return null;
    }

    private CollectiveRequest next(final Request request)
    {
        traffic.requireOutsideHandler("collective operation");
        if (!(request instanceof final CollectiveRequest next) || next.group() != this)
        {
            throw new IllegalArgumentException("the request is not one of group=" + name);
        }
        if (!next.isComplete())
        {
            throw new IllegalStateException("the request is in progress: use another one, or await it");
        }
        return next;
    }

    private Schedule scheduleOf(final CollectiveRequest next)
    {
        final Schedule schedule = next.schedule();
        if (sequence % MEETING_INTERVAL == MEETING_INTERVAL - 1)
        {
            Algorithms.barrier(schedule, rank, size());
        }
        return schedule;
    }

    private void begin(
        final CollectiveRequest next, final Kind kind, final int root, final int length, final Reduction reduction)
    {
        final int signature = kind.ordinal() << KIND_SHIFT | ((root * PRIME + length) & HASH_MASK);
        requests.add(next);
        final int own = sequence++;
        if (isClosed || isChanged())
        {
            next.finish(isClosed ? Status.CLOSED : Status.GROUP_CHANGED);
            return;
        }
        next.begin(own, signature, reduction);
        if (!early.isEmpty())
        {
            takeEarlyWords(next);
        }
        next.progress();
    }

    private void endRequests(final Status status)
    {
        while (!requests.isEmpty())
        {
            requests.get(requests.size() - 1).finish(status);
        }
    }

    private boolean isSettled()
    {
        return latest.rankOf(traffic.self()) >= 0 && latest.areAllUp(traffic.directory());
    }

    private void adopt()
    {
        current = latest;
        rank = current.rankOf(traffic.self());
        sequence = 0;
        isBroken = false;
        early.dropBefore(current.epoch());
    }

    private int checkedRank(final int ofRank)
    {
        if (ofRank < 0 || ofRank >= size())
        {
            throw new IllegalArgumentException("rank=" + ofRank + " is outside 0 to " + (size() - 1));
        }
        return ofRank;
    }

    private static int length(final int count, final Reduction reduction)
    {
        final int element = reduction.elementLength();
        if (element < 1 || element > Reduction.ELEMENT_LENGTH_MAX)
        {
            throw new IllegalArgumentException("element length=" + element + " is outside 1 to " +
                Reduction.ELEMENT_LENGTH_MAX);
        }
        if (count < 0 || count > Integer.MAX_VALUE / element)
        {
            throw new IllegalArgumentException("count=" + count + " of elements of length=" + element +
                " is outside 0 to " + Integer.MAX_VALUE / element);
        }
        return count * element;
    }

    private int lengthOfAll(final int length)
    {
        if (length < 0 || length > Integer.MAX_VALUE / size())
        {
            throw new IllegalArgumentException("length=" + length + " for members=" + size() + " is outside 0 to " +
                Integer.MAX_VALUE / size());
        }
        return length * size();
    }

    private void requireOpen()
    {
        if (isClosed)
        {
            throw new IllegalStateException("this node has left group=" + name);
        }
    }
}
