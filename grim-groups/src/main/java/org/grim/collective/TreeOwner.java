// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2IntHashMap;
import org.grim.EndpointId;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.TreePlace;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Changes the tree of a group with its members, while this node owns the group: waits until all members know the epoch
 * and have no message under way, ends the old tree, waits until all have read its last message, begins the next one,
 * and says so. Where a member died it waits for the others for a time only; the forwarders of those that did
 * not confirm jump.
 * <p>Thread: the host endpoint's owner.
 */
final class TreeOwner
{
    private static final long CONFIRM_NS = TimeUnit.MILLISECONDS.toNanos(500);
    private static final int MISSING = -1;

    /** Steps of the change of an epoch. */
    private enum State
    {
        /** Members end what they have begun. */
        GATHERING,
        /** The end of the old tree finds no room yet. */
        CLOSING,
        /** Members read it. */
        CONFIRMING,
        /** The beginning of the new tree finds no room yet. */
        OPENING,
        /** It is under way to the root. */
        ESTABLISHING,
        /** Members learn of it. */
        ANNOUNCED
    }

    private final GroupTraffic traffic;
    private final GroupRole role;
    private final TreeMember member;
    private final int groupId;
    private final Int2IntHashMap readyEpochs = new Int2IntHashMap(MISSING);
    private final Int2IntHashMap closedEpochs = new Int2IntHashMap(MISSING);
    private final Set<Integer> uninformed = new HashSet<>();
    private final MutableDirectBuffer bytes = Buffers.wrap(new byte[GroupTree.LENGTH]);
    private State state = State.ANNOUNCED;
    private Roster roster;
    private GroupTree old = GroupTree.NONE;
    private Roster oldRoster;
    private GroupTree next = GroupTree.NONE;
    private TreeTraffic update;
    private int number;
    private boolean isFailed;
    private long deadlineNs;

    TreeOwner(final GroupTraffic traffic, final GroupRole role, final TreeMember member, final int groupId)
    {
        this.traffic = traffic;
        this.role = role;
        this.member = member;
        this.groupId = groupId;
    }

    /** A member has nothing under way, and has read the end of an epoch. */
    void onReady(final int node, final int epoch, final int closedEpoch, final GroupTree known)
    {
        readyEpochs.put(node, epoch);
        closedEpochs.put(node, closedEpoch);
        if (known.isTree() && known.rosterEpoch() > old.rosterEpoch())
        {
            old = known;
            oldRoster = null;
        }
    }

    int step(final Roster latest)
    {
        if (!role.isOwner())
        {
            return 0;
        }
        if (roster != latest && state != State.ESTABLISHING)
        {
            begin(latest);
        }
        final State before = state;
        if ((state == State.GATHERING || state == State.OPENING) && !roster.areAllUp(traffic.directory()))
        {
            return 0;                           // Another epoch comes, and says who can take part.
        }
        switch (state)
        {
            case GATHERING -> gather();
            case CLOSING -> close();
            case CONFIRMING -> confirm();
            case OPENING -> open();
            case ESTABLISHING -> establish();
            case ANNOUNCED -> inform();
        }
        return state == before ? 0 : 1;
    }

    void end()
    {
        if (number > 0)
        {
            traffic.numbers().giveBack(number);
            number = 0;
        }
    }

    private void begin(final Roster latest)
    {
        roster = latest;
        if (member.tree().isTree() && member.tree().rosterEpoch() > old.rosterEpoch())
        {
            old = member.tree();
            oldRoster = member.treeRoster();
        }
        // A member that cannot take part in a tree sends straight from the start, and says nothing.
        state = traffic.trees() == null ? announce(GroupTree.straight(latest.epoch())) : State.GATHERING;
    }

    private void gather()
    {
        if (member.isDecidedStraight() || isFailed || (!old.isTree() && !areAllForwarded()))
        {
            state = announce(GroupTree.straight(roster.epoch()));
        }
        else if (IntStream.of(roster.nodes()).allMatch(node ->
            readyEpochs.get(node) == roster.epoch() || !place(node).exists()))
        {
            state = old.isTree() && !isOldClosed() ? State.CLOSING : State.OPENING;
        }
    }

    private void close()
    {
        update = traffic.tryConnect(
            old, MulticastFormat.CLOSE, MessageType.MULTICAST_TREE_UPDATE, groupId, Multicasts.TREE_CLOSE);
        if (update == null || update.trySend(TreeTraffic.newFrame(0), 0, 0, 0))
        {
            deadlineNs = System.nanoTime() + CONFIRM_NS;
            state = State.CONFIRMING;
        }
    }

    private void confirm()
    {
        final boolean isLossy = update == null || oldRoster == null || update.isRootGone() ||
            !oldRoster.areAllUp(traffic.directory());
        if (isOldClosed() || (isLossy && System.nanoTime() - deadlineNs > 0))
        {
            state = State.OPENING;
        }
    }

    private void open()
    {
        if (!areAllForwarded() || (number == 0 && !takeNumber()))
        {
            state = announce(GroupTree.straight(roster.epoch()));
            return;
        }
        final long[] subscribers = subscribers();
        next = new GroupTree(roster.epoch(), number, traffic.numbers().nextEpoch(number),
            MulticastFormat.subscriberForwarder(subscribers[0]));
        update = traffic.tryConnect(
            next, MulticastFormat.OPEN, MessageType.MULTICAST_TREE_UPDATE, groupId, Multicasts.TREE_OPEN);
        final int length = subscribers.length * MulticastFormat.SUBSCRIBER_LENGTH;
        final MutableDirectBuffer frame = TreeTraffic.newFrame(length);
        for (int i = 0; i < subscribers.length; i++)
        {
            frame.putLong(TreeTraffic.WORDS_LENGTH + i * MulticastFormat.SUBSCRIBER_LENGTH, subscribers[i],
                BIG_ENDIAN);
        }
        if (update != null && update.trySend(frame, length, length, 0))
        {
            state = State.ESTABLISHING;
        }
        else if (update == null)
        {
            state = State.GATHERING;            // The root has died: another epoch comes.
        }
        else
        {
            traffic.numbers().takeBackEpoch(number);
        }
    }

    private void establish()
    {
        final long openCount = update.openCount();
        if (update.isRootGone())
        {
            traffic.numbers().nextEpoch(number);    // Left out: who has this one does not wait for its end.
            state = State.GATHERING;                // Another epoch of the group comes.
        }
        else if (update.refusedCount() > 0)
        {
            isFailed = true;
            state = announce(GroupTree.straight(next.rosterEpoch()));
        }
        else if (openCount == 0)
        {
            state = announce(next);
            old = next;
            oldRoster = roster;
        }
    }

    private State announce(final GroupTree tree)
    {
        next = tree;
        IntStream.of(roster.nodes()).filter(node -> place(node).exists()).forEach(uninformed::add);
        if (oldRoster != null)
        {
            IntStream.of(oldRoster.nodes()).forEach(uninformed::add);      // Also who has left, and waits for it.
        }
        inform();
        return State.ANNOUNCED;
    }

    private void inform()
    {
        if (!uninformed.isEmpty())
        {
            next.writeTo(bytes, 0);
            uninformed.removeIf(node -> isDown(node) || traffic.send(node, GroupTraffic.MULTICAST,
                MessageHeader.pair(groupId, next.rosterEpoch()), MessageHeader.pair(Multicasts.TREE, 0), bytes, 0,
                GroupTree.LENGTH) != SendStatus.BACK_PRESSURED);
        }
    }

    private boolean takeNumber()
    {
        number = traffic.numbers().take();
        return number > 0;
    }

    /** Whether everybody who was there has read the end of the old tree. */
    private boolean isOldClosed()
    {
        return IntStream.of(roster.nodes()).allMatch(this::hasConfirmed);
    }

    private boolean hasConfirmed(final int node)
    {
        return isDown(node) || closedEpochs.get(node) == old.rosterEpoch() ||
            (oldRoster != null && oldRoster.rankOf(node) < 0);
    }

    private boolean isDown(final int node)
    {
        return !traffic.directory().isUp(node);
    }

    /**
     * Whether links to all members lead through forwarders, of members, that the words of an update can name. Members
     * with receivers take multicasts by windows, which trees do not have.
     */
    private boolean areAllForwarded()
    {
        return !roster.hasReceivers() &&
            TreeMember.dataLengthMax(traffic, roster) >= roster.size() * MulticastFormat.SUBSCRIBER_LENGTH &&
            IntStream.of(roster.nodes()).allMatch(node ->
                roster.rankOf(place(node).forwarder()) >= 0 && traffic.isForwarded(node));
    }

    private long[] subscribers()
    {
        return IntStream.of(roster.nodes()).mapToLong(node ->
        {
            final TreePlace place = place(node);
            final boolean isJump = old.isTree() && !hasConfirmed(node);
            return MulticastFormat.subscriberWord(place.forwarder(), isJump ? MulticastFormat.JUMP : 0,
                place.channel(), EndpointId.of(node, 0, 0).address());
        }).boxed().sorted((one, other) -> Long.compare(order(one), order(other))).mapToLong(each -> each).toArray();
    }

    private TreePlace place(final int node)
    {
        return TreePlace.of(traffic.directory(), node);
    }

    private static long order(final long subscriber)
    {
        return (long)MulticastFormat.subscriberForwarder(subscriber) << Byte.SIZE |
            MulticastFormat.subscriberChannel(subscriber);
    }
}
