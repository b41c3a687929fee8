// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.cluster.ClusterDirectory;
import org.grim.collective.Algorithms.Kind;
import org.grim.group.Group;
import org.grim.group.Reduction;

import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * A group with what all of them have: members by epochs, collective operations, and groups that are made from it.
 * <p>Thread: the host endpoint's owner.
 */
abstract class CollectiveGroup implements Group
{
    /** Operations after which all members wait for each other, which bounds what comes early. */
    private static final int MEETING_INTERVAL = 64;         // A power of two.
    private static final int MEETING_MASK = MEETING_INTERVAL - 1;

    private final String name;
    private final GroupTraffic traffic;
    private final GroupSettings settings;
    private final Children children;
    private final OpenOperations operations;
    private Roster latest;
    private boolean isBroken;
    private boolean isClosed;

    CollectiveGroup(
        final String name, final GroupTraffic traffic, final GroupSettings settings, final Children children,
        final Roster members)
    {
        this.name = name;
        this.traffic = traffic;
        this.settings = settings;
        this.children = children;
        operations = new OpenOperations(traffic, settings);
        latest = members;
        adopt();
    }

    /** The group with a name from which this was made, if it is not that itself. */
    abstract MemberGroup root();

    /** Whether the latest members are up, and no other ones are about to come. */
    abstract boolean isSettled();

    /** Whether all members know the latest ones, or are about to. */
    abstract boolean isSpread();

    @Override
    public final String name()
    {
        return name;
    }

    @Override
    public final long epoch()
    {
        return operations.roster().epoch();
    }

    @Override
    public final int size()
    {
        return operations.roster().size();
    }

    @Override
    public final int rank()
    {
        return operations.rank();
    }

    @Override
    public final EndpointId member(final int ofRank)
    {
        return EndpointId.of(operations.roster().nodes()[checkedRank(ofRank)], 0, 0);
    }

    @Override
    public boolean isChanged()
    {
        return isBroken || latest.epoch() != operations.roster().epoch();
    }

    @Override
    public void renew(final Duration timeout)
    {
        traffic.requireOutsideHandler("renew");
        awaitMembers(() -> !isChanged() || isSettled(), "an epoch after " + epoch() + " of living members", timeout);
    }

    @Override
    public final void awaitSize(final int count, final Duration timeout)
    {
        traffic.requireOutsideHandler("awaitSize");
        if (count < 1 || count > SIZE_MAX)
        {
            throw new IllegalArgumentException("group size=" + count + " is outside 1 to " + SIZE_MAX);
        }
        awaitMembers(() -> latest.size() >= count && isSettled() && isSpread(), "members=" + count, timeout);
    }

    @Override
    public final Group split(final int color, final int key)
    {
        traffic.requireOutsideHandler("split");
        return children.split(this, color, key);
    }

    @Override
    public final Group subgroup(final int... ranks)
    {
        int first = size();
        int place = -1;
        for (int i = 0; i < ranks.length; i++)
        {
            first = Math.min(first, checkedRank(ranks[i]));
            place = ranks[i] == rank() ? i : place;
        }
        final Group group = split(place < 0 ? -1 : first, place);
        boolean isAgreed = group == null || group.size() == ranks.length;
        for (int i = 0; isAgreed && group != null && i < ranks.length; i++)
        {
            isAgreed = group.member(i).equals(member(ranks[i]));
        }
        if (!isAgreed)
        {
            group.close();
            throw new IllegalStateException("members of group=" + name + " have not given the same ranks, once each");
        }
        return group;
    }

    @Override
    public final Group agreedSubgroup(final int number, final int... ranks)
    {
        traffic.requireOutsideHandler("agreedSubgroup");
        if (IntStream.of(ranks).map(this::checkedRank).filter(each -> each == rank()).count() != 1)
        {
            throw new IllegalArgumentException("rank=" + rank() + " of this member is not once among ranks=" +
                Arrays.toString(ranks));
        }
        return children.agreed(this, number, ranks);
    }

    @Override
    public final Request newRequest()
    {
        return new CollectiveRequest(operations);
    }

    @Override
    public final void barrier(final Request request)
    {
        final CollectiveRequest next = next(request);
        next.memory(null, 0, 0, null, 0, 0);
        begin(next, Kind.BARRIER, 0, 0, false, null);
    }

    @Override
    public final void broadcast(
        final int root, final MutableDirectBuffer buffer, final int offset, final int length, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        next.memory(null, 0, 0, buffer, offset, length);
        begin(next, Kind.BROADCAST, root, length, false, null);
    }

    @Override
    public final void reduce(
        final int root, final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target,
        final int targetOffset, final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        final int length = length(count, reduction);
        final boolean isLong = isOnRing(length, reduction);
        // On a ring every member needs room for parts of the result.
        final boolean hasTarget = rank() == root;
        next.memory(source, sourceOffset, length, hasTarget ? target : next.spare(isLong ? length : 0),
            hasTarget ? targetOffset : 0, hasTarget || isLong ? length : 0);
        begin(next, Kind.REDUCE, root, length, isLong, reduction);
    }

    @Override
    public final void allReduce(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int length = length(count, reduction);
        next.memory(source, sourceOffset, length, target, targetOffset, length);
        begin(next, Kind.ALL_REDUCE, 0, length, isOnRing(length, reduction), reduction);
    }

    @Override
    public final void gather(
        final int root, final DirectBuffer source, final int sourceOffset, final int length,
        final MutableDirectBuffer target, final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, length, rank() == root ? target : null, rank() == root ? targetOffset : 0,
            rank() == root ? all : 0);
        begin(next, Kind.GATHER, root, length, all > settings.ringLength(), null);
    }

    @Override
    public final void allGather(
        final DirectBuffer source, final int sourceOffset, final int length, final MutableDirectBuffer target,
        final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, length, target, targetOffset, all);
        begin(next, Kind.ALL_GATHER, 0, length, all > settings.ringLength(), null);
    }

    @Override
    public final void scatter(
        final int root, final DirectBuffer source, final int sourceOffset, final int length,
        final MutableDirectBuffer target, final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        final int all = lengthOfAll(length);
        next.memory(rank() == root ? source : null, rank() == root ? sourceOffset : 0, rank() == root ? all : 0, target,
            targetOffset, length);
        begin(next, Kind.SCATTER, root, length, all > settings.ringLength(), null);
    }

    @Override
    public final void allToAll(
        final DirectBuffer source, final int sourceOffset, final int length, final MutableDirectBuffer target,
        final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, all, target, targetOffset, all);
        begin(next, Kind.ALL_TO_ALL, 0, length, false, null);
    }

    @Override
    public final void scan(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int length = length(count, reduction);
        next.memory(source, sourceOffset, length, target, targetOffset, length);
        begin(next, Kind.SCAN, 0, length, isLong(length), reduction);
    }

    @Override
    public final void exclusiveScan(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int length = length(count, reduction);
        final boolean hasTarget = rank() > 0;
        next.memory(source, sourceOffset, length, hasTarget ? target : null, hasTarget ? targetOffset : 0,
            hasTarget ? length : 0);
        begin(next, Kind.EXCLUSIVE_SCAN, 0, length, isLong(length), reduction);
    }

    @Override
    public final void reduceScatter(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int length = length(count, reduction);
        final int all = lengthOfAll(length);
        next.schedule().sourceParts().even(length, length);
        next.memory(source, sourceOffset, all, target, targetOffset, length);
        begin(next, Kind.REDUCE_SCATTER, 0, all, isOnRing(all, reduction), reduction);
    }

    @Override
    public final void reduceScatterV(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int[] counts, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final Parts parts = next.schedule().sourceParts();
        parts.row(size(), counts, elementLength(reduction));
        final int all = parts.end();
        next.memory(source, sourceOffset, all, target, targetOffset, parts.length(rank()));
        begin(next, Kind.REDUCE_SCATTER, 0, all, isOnRing(all, reduction), reduction);
    }

    @Override
    public final void gatherV(
        final int root, final DirectBuffer source, final int sourceOffset, final int length,
        final MutableDirectBuffer target, final int targetOffset, final int[] lengths, final int[] displacements,
        final Request request)
    {
        final CollectiveRequest next = next(request);
        final boolean isRoot = checkedRank(root) == rank();
        final int all = isRoot ? end(next.schedule().targetParts(), lengths, displacements, length) : 0;
        next.memory(source, sourceOffset, length, isRoot ? target : null, isRoot ? targetOffset : 0, all);
        begin(next, Kind.GATHER_V, root, length, true, null);
    }

    @Override
    public final void scatterV(
        final int root, final DirectBuffer source, final int sourceOffset, final int[] lengths,
        final int[] displacements, final MutableDirectBuffer target, final int targetOffset, final int length,
        final Request request)
    {
        final CollectiveRequest next = next(request);
        final boolean isRoot = checkedRank(root) == rank();
        final int all = isRoot ? end(next.schedule().sourceParts(), lengths, displacements, length) : 0;
        next.memory(isRoot ? source : null, isRoot ? sourceOffset : 0, all, target, targetOffset, length);
        begin(next, Kind.SCATTER_V, root, length, true, null);
    }

    @Override
    public final void allGatherV(
        final DirectBuffer source, final int sourceOffset, final int length, final MutableDirectBuffer target,
        final int targetOffset, final int[] lengths, final int[] displacements, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int all = end(next.schedule().targetParts(), lengths, displacements, length);
        next.schedule().sourceParts().even(length, 0);
        next.memory(source, sourceOffset, length, target, targetOffset, all);
        begin(next, Kind.ALL_GATHER_V, 0, length, true, null);
    }

    @Override
    public final void allToAllV(
        final DirectBuffer source, final int sourceOffset, final int[] sourceLengths, final int[] sourceDisplacements,
        final MutableDirectBuffer target, final int targetOffset, final int[] targetLengths,
        final int[] targetDisplacements, final Request request)
    {
        final CollectiveRequest next = next(request);
        final Parts out = next.schedule().sourceParts();
        out.any(size(), sourceLengths, sourceDisplacements);
        final int all = end(next.schedule().targetParts(), targetLengths, targetDisplacements, out.length(rank()));
        next.memory(source, sourceOffset, out.end(), target, targetOffset, all);
        begin(next, Kind.ALL_TO_ALL_V, 0, 0, true, null);
    }

    /** Members of the latest epoch that is known. */
    final Roster latest()
    {
        return latest;
    }

    /** Operations of the epoch that this member goes on with. */
    final OpenOperations operations()
    {
        return operations;
    }

    final GroupTraffic traffic()
    {
        return traffic;
    }

    final boolean isClosed()
    {
        return isClosed;
    }

    /** Other members are known: the operations of the epoch end. */
    final void change(final Roster members)
    {
        latest = members;
        operations.end(Status.GROUP_CHANGED);
    }

    /** Ends operations for good. */
    void end()
    {
        isClosed = true;
        operations.close();
    }

    /** Looks whether all members are up, and goes on with operations. */
    final int stepOperations(final long nowNs)
    {
        int workCount = 0;
        if (!isBroken && !operations.roster().areAllUp(traffic.directory()))
        {
            isBroken = true;
            operations.end(Status.GROUP_CHANGED);
            workCount++;
        }
        operations.step(nowNs);
        return workCount;
    }

    /** A part of an operation, or a word about one. */
    void onPart(
        final int node, final int epoch, final int sequence, final int word, final DirectBuffer buffer,
        final int offset, final int length)
    {
        if (!isClosed)
        {
            operations.onPart(node, epoch, sequence, word, buffer, offset, length);
        }
    }

    private CollectiveRequest next(final Request request)
    {
        if (!traffic.isClosed())                        // Afterwards the operation says so.
        {
            traffic.requireOutsideHandler("collective operation");
        }
        if (!(request instanceof final CollectiveRequest next) || next.operations() != operations)
        {
            throw new IllegalArgumentException("the request is not one of group=" + name);
        }
        if (!next.isComplete())
        {
            throw new IllegalStateException("the request is in progress: use another one, or await it");
        }
        return next;
    }

    /** Begins an operation, with a new schedule if the request's last operation was another one. */
    private void begin(
        final CollectiveRequest next, final Kind kind, final int root, final int length, final boolean isLong,
        final Reduction reduction)
    {
        final boolean isOver = isClosed || traffic.isClosed();
        if (isOver || isChanged())
        {
            next.finish(isOver ? Status.CLOSED : Status.GROUP_CHANGED);
            return;
        }
        final Schedule schedule = next.schedule();
        final int elementLength = reduction == null ? 1 : reduction.elementLength();
        final boolean isOrdered = reduction != null && !reduction.isCommutative();
        final boolean isMeeting = kind != Kind.BARRIER && (operations.sequence() & MEETING_MASK) == MEETING_MASK;
        if (isMeeting || !schedule.isOf(operations.roster(), kind, root, length, elementLength, isOrdered))
        {
            schedule.clear(operations.roster(), rank(), kind, root, length, elementLength, isOrdered, isMeeting);
            if (isMeeting)
            {
                Kind.BARRIER.write(schedule, false);
            }
            kind.write(schedule, isLong);
            schedule.end();
        }
        final int number = next.use(reduction, elementLength);
        if (kind.hasParts && isLong)
        {
            operations.begin(next, PartWords.describedSignature(kind.code),
                PartWords.descriptionOfParts(kind.code, root, number));
        }
        else
        {
            operations.begin(next, PartWords.signature(kind.code, kind.hasRoot, root, number, length, elementLength),
                PartWords.description(kind.code, root, number, length));
        }
    }

    /** Goes on with the latest membership as soon as something is so. */
    private void awaitMembers(final BooleanSupplier isSo, final String awaited, final Duration timeout)
    {
        final ClusterDirectory directory = traffic.directory();
        final boolean isInTime =
            traffic.pollUntil(() -> isClosed || isSo.getAsBoolean() || directory.isFenced(), timeout);
        directory.requireNotFenced();
        if (!isInTime)
        {
            throw new GrimException(TIMED_OUT, "group=" + name + " has not got " + awaited + " within " +
                timeout.toMillis() + " ms: nodes=" +
                Arrays.stream(latest.nodes()).mapToObj(directory::label).toList());
        }
        requireOpen();
        if (isChanged())
        {
            adopt();
        }
    }

    private void adopt()
    {
        operations.adopt(latest);
        isBroken = false;
    }

    private int checkedRank(final int ofRank)
    {
        if (ofRank < 0 || ofRank >= size())
        {
            throw new IllegalArgumentException("rank=" + ofRank + " is outside 0 to " + (size() - 1));
        }
        return ofRank;
    }

    private boolean isLong(final int length)
    {
        return length > settings.ringLength() && size() > 1;
    }

    /** A ring, and pairs, combine elements in an order of their own. */
    private boolean isOnRing(final int length, final Reduction reduction)
    {
        return isLong(length) && reduction.isCommutative();
    }

    /** Sets parts, and returns the end of the last one. This member's own part stays here. */
    private int end(final Parts parts, final int[] lengths, final int[] displacements, final int own)
    {
        parts.any(size(), lengths, displacements);
        if (parts.length(rank()) != own)
        {
            throw new IllegalArgumentException("part of this member, rank=" + rank() + ", of length=" + own +
                " is of length=" + parts.length(rank()) + " among all parts");
        }
        return parts.end();
    }

    private static int elementLength(final Reduction reduction)
    {
        final int element = reduction.elementLength();
        if (element < 1 || element > Reduction.ELEMENT_LENGTH_MAX)
        {
            throw new IllegalArgumentException("element length=" + element + " is outside 1 to " +
                Reduction.ELEMENT_LENGTH_MAX);
        }
        return element;
    }

    private static int length(final int count, final Reduction reduction)
    {
        final int element = elementLength(reduction);
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
