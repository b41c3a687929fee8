// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.SendStatus;
import org.grim.cluster.ClusterDirectory;
import org.grim.collective.Algorithms.Kind;
import org.grim.group.Group;
import org.grim.group.Reduction;
import org.grim.wire.MessageHeader;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * This node's membership of a group.
 * <p>Thread: the host endpoint's owner.
 */
final class MemberGroup implements Group
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MemberGroup.class);

    /** After this many operations all members wait for each other, which bounds what comes early. */
    private static final int MEETING_INTERVAL = 64;         // A power of two.
    private static final int MEETING_MASK = MEETING_INTERVAL - 1;

    private final String name;
    private final GroupTraffic traffic;
    private final GroupSettings settings;
    private final OpenOperations operations;
    private final Consumer<MemberGroup> onLeave;
    private final GroupRole role;
    private final HostMulticasts host;
    private final TotalOrder order;
    private final Fragments fragments;
    private final Multicasts multicasts;
    private final LongMulticast longMulticast;
    private final TreeMember treeMember;
    private final TreeOwner treeOwner;
    private final int firstEpoch;
    private Roster latest;
    private boolean isBroken;
    private boolean isClosed;

    MemberGroup(
        final String name, final GroupTraffic traffic, final GroupSettings settings, final GroupRole role,
        final Consumer<MemberGroup> onLeave)
    {
        this.name = name;
        this.onLeave = onLeave;
        this.traffic = traffic;
        this.settings = settings;
        operations = new OpenOperations(traffic, settings);
        this.role = role;
        latest = role.roster();
        firstEpoch = latest.epoch();
        host = new HostMulticasts(traffic, latest);
        fragments = new Fragments(traffic, latest, settings.multicastLengthMax());
        order = new TotalOrder(traffic, fragments, latest, role::isSpread);
        multicasts = new Multicasts(traffic, host, order, fragments, latest);
        longMulticast = new LongMulticast(fragments, this::multicastShort);
        treeMember = new TreeMember(traffic, latest, settings.isByTrees());
        treeOwner = settings.isByTrees() ? new TreeOwner(traffic, role, treeMember, latest.id()) : null;
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
        return operations.roster().epoch();
    }

    @Override
    public int size()
    {
        return operations.roster().size();
    }

    @Override
    public int rank()
    {
        return operations.rank();
    }

    @Override
    public EndpointId member(final int ofRank)
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
    public void awaitSize(final int count, final Duration timeout)
    {
        traffic.requireOutsideHandler("awaitSize");
        if (count < 1 || count > SIZE_MAX)
        {
            throw new IllegalArgumentException("group size=" + count + " is outside 1 to " + SIZE_MAX);
        }
        awaitMembers(() -> latest.size() >= count && isSettled() && role.isSpread(), "members=" + count, timeout);
    }

    @Override
    public Request newRequest()
    {
        return new CollectiveRequest(operations);
    }

    @Override
    public int multicastLengthMax()
    {
        return fragments.lengthMax();
    }

    @Override
    public SendStatus multicast(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return multicast(
            handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length, false);
    }

    @Override
    public SendStatus multicastInTotalOrder(
        final HandlerId handler, final int a0, final int a1, final int a2, final int a3, final DirectBuffer source,
        final int offset, final int length)
    {
        return multicast(
            handler, MessageHeader.pair(a0, a1), MessageHeader.pair(a2, a3), source, offset, length, true);
    }

    @Override
    public void barrier(final Request request)
    {
        final CollectiveRequest next = next(request);
        next.memory(null, 0, 0, null, 0, 0);
        begin(next, Kind.BARRIER, 0, 0, false, null);
    }

    @Override
    public void broadcast(
        final int root, final MutableDirectBuffer buffer, final int offset, final int length, final Request request)
    {
        final CollectiveRequest next = next(request);
        checkedRank(root);
        next.memory(null, 0, 0, buffer, offset, length);
        begin(next, Kind.BROADCAST, root, length, false, null);
    }

    @Override
    public void reduce(
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
    public void allReduce(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int length = length(count, reduction);
        next.memory(source, sourceOffset, length, target, targetOffset, length);
        begin(next, Kind.ALL_REDUCE, 0, length, isOnRing(length, reduction), reduction);
    }

    @Override
    public void gather(
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
    public void allGather(
        final DirectBuffer source, final int sourceOffset, final int length, final MutableDirectBuffer target,
        final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, length, target, targetOffset, all);
        begin(next, Kind.ALL_GATHER, 0, length, all > settings.ringLength(), null);
    }

    @Override
    public void scatter(
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
    public void allToAll(
        final DirectBuffer source, final int sourceOffset, final int length, final MutableDirectBuffer target,
        final int targetOffset, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int all = lengthOfAll(length);
        next.memory(source, sourceOffset, all, target, targetOffset, all);
        begin(next, Kind.ALL_TO_ALL, 0, length, false, null);
    }

    @Override
    public void scan(
        final DirectBuffer source, final int sourceOffset, final MutableDirectBuffer target, final int targetOffset,
        final int count, final Reduction reduction, final Request request)
    {
        final CollectiveRequest next = next(request);
        final int length = length(count, reduction);
        next.memory(source, sourceOffset, length, target, targetOffset, length);
        begin(next, Kind.SCAN, 0, length, isLong(length), reduction);
    }

    @Override
    public void exclusiveScan(
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
    public void reduceScatter(
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
    public void reduceScatterV(
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
    public void gatherV(
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
    public void scatterV(
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
    public void allGatherV(
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
    public void allToAllV(
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

    @Override
    public void close()
    {
        if (!isClosed && traffic.isClosed())
        {
            end();
            dropBacklog();
        }
        else if (!isClosed)
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

    /** Whether this node belonged to the group in an epoch: what was sent before is for others. */
    boolean isSince(final int epoch)
    {
        return epoch - firstEpoch >= 0;
    }

    /** A member of this host has mapped the outbox. */
    void onMapped(final int node, final int offer)
    {
        host.onMapped(node, offer);
        multicasts.step(operations.roster());
    }

    TotalOrder order()
    {
        return order;
    }

    Fragments fragments()
    {
        return fragments;
    }

    HostMulticasts host()
    {
        return host;
    }

    TreeMember treeMember()
    {
        return treeMember;
    }

    /** A member has nothing under way; only its owner is asked. */
    void onReady(final int node, final int epoch, final int closedEpoch, final GroupTree known)
    {
        if (treeOwner != null)
        {
            treeOwner.onReady(node, epoch, closedEpoch, known);
        }
    }

    boolean isClosed()
    {
        return isClosed;
    }

    /** Nothing of the trees is left to be done. */
    void endTrees()
    {
        if (treeOwner != null)
        {
            treeOwner.end();
        }
    }

    /** Does what is due to the trees. */
    int stepTrees()
    {
        return treeMember.step(multicasts) + (treeOwner == null || isClosed ? 0 : treeOwner.step(latest));
    }

    /** Ends operations and reading; others are not asked. */
    private void end()
    {
        isClosed = true;
        operations.close();
        host.endReading();
    }

    /** Sends what waits here, as far as there is room; true if nothing is left. */
    boolean isFlushed()
    {
        follow();
        longMulticast.step(operations.roster());
        stepTrees();
        order.step(latest);
        multicasts.step(operations.roster());
        return longMulticast.isEmpty() && treeMember.isEmpty() && order.isEmpty() && multicasts.isEmpty();
    }

    /** Gives up what still waits here, and counts it. */
    void dropBacklog()
    {
        final int count = longMulticast.drop() + treeMember.messageCount() + order.drop() + multicasts.drop();
        if (count > 0)
        {
            LOGGER.warn("left group={} with multicasts={} that some member lacks: counted as multicasts-lost", name,
                count);
            traffic.lostMulticasts(count);
        }
    }

    /** Looks whether the owner has said who belongs to the group now. */
    void follow()
    {
        final Roster roster = role.roster();
        if (roster != null && roster.epoch() != latest.epoch())
        {
            latest = roster;
            treeMember.follow(roster);
            multicasts.follow(roster);
            final boolean isOtherOwner = order.follow(roster);
            fragments.follow(roster, isOtherOwner);
            if (isOtherOwner)
            {
                longMulticast.onNewOwner();
            }
            operations.end(Status.GROUP_CHANGED);
        }
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

    /** Looks whether all members are up, and sends what waits. */
    int step(final long nowNs)
    {
        follow();
        int workCount = stepTrees();
        if (!isBroken && !operations.roster().areAllUp(traffic.directory()))
        {
            isBroken = true;
            operations.end(Status.GROUP_CHANGED);
            workCount++;
        }
        operations.step(nowNs);
        host.follow(latest);
        return workCount + longMulticast.step(operations.roster()) + order.step(latest) +
            multicasts.step(operations.roster());
    }

    /** A message is to get its ticket. One that leaves gives none. */
    void onOrder(final DirectBuffer buffer, final int offset, final int length)
    {
        if (!isClosed)
        {
            order.onOrder(latest, buffer, offset, length);
        }
    }

    private SendStatus multicast(
        final HandlerId handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        final int number = handler.number();
        if (!isOrdered && !isClosed && traffic.isOpenToCaller() && longMulticast.isEmpty() && treeMember.isStraight() &&
            multicasts.tryPut(operations.roster(), number, arguments01, arguments23, source, offset, length))
        {
            return SendStatus.SENT;
        }
        if (isClosed || traffic.isClosed())
        {
            return SendStatus.CLOSED;
        }
        traffic.requireOwner();
        if (length < 0 || length > multicastLengthMax())
        {
            throw new IllegalArgumentException("length=" + length + " of a multicast is outside 0 to " +
                multicastLengthMax() + " (grim.message.length-max)");
        }
        if (!longMulticast.isEmpty())
        {
            return SendStatus.BACK_PRESSURED;
        }
        return length <= Multicasts.LENGTH_MAX ?
            multicastShort(number, arguments01, arguments23, source, offset, length, isOrdered) :
            multicastLong(number, arguments01, arguments23, source, offset, length, isOrdered);
    }

    private SendStatus multicastShort(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        return treeMember.isStraight() ? multicasts.send(operations.roster(), handler, arguments01, arguments23, source,
            offset, length, isOrdered) :
            treeMember.send(handler, arguments01, arguments23, source, offset, length, isOrdered);
    }

    private SendStatus multicastLong(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        if (isOrdered && treeMember.isStraight() && !order.isOwnerKnown(operations.roster()))
        {
            return SendStatus.PEER_GONE;
        }
        longMulticast.begin(handler, arguments01, arguments23, source, offset, length, isOrdered);
        if (!traffic.isInHandler())
        {
            longMulticast.step(operations.roster());
        }
        return SendStatus.QUEUED;
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
                timeout.toMillis() + " ms: nodes=" + latest);
        }
        requireOpen();
        if (isChanged())
        {
            adopt();
        }
    }

    private boolean isSettled()
    {
        return role.isConfirmed() && latest.rankOf(traffic.self()) >= 0 && latest.areAllUp(traffic.directory());
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
