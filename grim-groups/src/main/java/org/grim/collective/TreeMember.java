// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.Int2ObjectHashMap;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.TreePlace;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * This node's part in the trees of one group. When an epoch of the group is over it begins no message more, waits until
 * the root has taken what was sent, and says to the group's owner that it is ready; then it waits for the next tree.
 * <p>Thread: the host endpoint's owner.
 * <p>Bounds: {@link TreeSends}, and a message of the maximum length for each member that sends long ones.
 */
final class TreeMember
{
    private final long sender;
    private final GroupTraffic traffic;
    private final int groupId;
    private final TreeSends sends;
    private final MutableDirectBuffer bytes = Buffers.wrap(new byte[GroupTree.LENGTH]);
    private final Int2ObjectHashMap<Reassembly> parts = new Int2ObjectHashMap<>();
    private Roster roster;
    private Roster treeRoster;
    private GroupTree tree = GroupTree.NONE;
    private boolean isStraight;
    private int openedEpoch;                // Of the group: messages of it are read now.
    private int closedEpoch;                // Of the group: all messages of it were read.
    private int readyEpoch;
    private int readyClosedEpoch;

    TreeMember(final GroupTraffic traffic, final Roster roster, final boolean isEnabled)
    {
        sender = Multicasts.sender(traffic, roster);
        this.traffic = traffic;
        this.roster = roster;
        groupId = roster.id();
        isStraight = !isEnabled || traffic.trees() == null;
        sends = isStraight ? null : new TreeSends();
    }

    /** Whether multicasts go straight to members, and none waits here that was sent before. */
    boolean isStraight()
    {
        return isStraight && (sends == null || sends.isEmpty());
    }

    /** Whether the owner has said so for good. */
    boolean isDecidedStraight()
    {
        return isStraight;
    }

    /** The latest tree that this node knows. */
    GroupTree tree()
    {
        return tree;
    }

    /** The members of the group when it began; null if not known. */
    Roster treeRoster()
    {
        return treeRoster;
    }

    boolean isEmpty()
    {
        return sends == null || sends.isEmpty();
    }

    /** Messages that are left to be sent, or without an outcome. */
    int messageCount()
    {
        return sends == null ? 0 : sends.count();
    }

    /** Whether other members may wait for what this node's forwarder passes on. */
    boolean isOthersToo()
    {
        return tree.isTree() && (treeRoster == null || treeRoster.size() > 1);
    }

    void follow(final Roster latest)
    {
        roster = latest;
    }

    SendStatus send(
        final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean isOrdered)
    {
        final int index = tryClaim(length, isOrdered);
        if (index == TreeSends.NO_ROOM)
        {
            return SendStatus.BACK_PRESSURED;
        }
        Multicasts.fill(sends.copies(), index, sender, handler, arguments01, arguments23, source,
            offset, length);
        sends.publish(length);
        sends.step(isOpen());
        return SendStatus.QUEUED;
    }

    /** Sends a message of another node that stands behind its prefix; false if there is no room. */
    boolean trySendFrame(final DirectBuffer bytes, final int offset, final int length, final boolean isOrdered)
    {
        final int index = tryClaim(length - Multicasts.PREFIX_LENGTH, isOrdered);
        if (index != TreeSends.NO_ROOM)
        {
            sends.copies().putBytes(index, bytes, offset, length);
            sends.publish(length - Multicasts.PREFIX_LENGTH);
            sends.step(isOpen());
        }
        return index != TreeSends.NO_ROOM;
    }

    private int tryClaim(final int length, final boolean isOrdered)
    {
        final int index = sends.tryClaim(length, isOrdered);
        if (index != TreeSends.NO_ROOM)
        {
            return index;
        }
        sends.step(isOpen());
        return sends.tryClaim(length, isOrdered);
    }

    int step(final Multicasts multicasts)
    {
        if (sends == null)
        {
            return 0;
        }
        if (isStraight)
        {
            return sends.trySettle() ? sends.drainTo(multicasts, roster) : 0;
        }
        if (isOpen())
        {
            return sends.step(true);
        }
        if (!sends.trySettle())
        {
            return 1;
        }
        return (readyEpoch != roster.epoch() || readyClosedEpoch != closedEpoch) && trySayReady() ? 1 : 0;
    }

    /** The owner says by which tree messages of an epoch go. */
    void onTree(final GroupTree next)
    {
        if (next.rosterEpoch() <= tree.rosterEpoch() || isStraight)
        {
            return;
        }
        tree = next;
        treeRoster = next.rosterEpoch() == roster.epoch() ? roster : null;
        isStraight = next.isStraight();
        if (isOpen() && !isStraight)
        {
            final TreeTraffic toRoot = traffic.tryConnect(
                next, MulticastFormat.DATA, MessageType.MULTICAST_DATA, groupId, Multicasts.TREE_DATA);
            if (toRoot != null)
            {
                sends.open(toRoot, Math.min(toRoot.dataLengthMax(), dataLengthMax(traffic, roster)));
            }
        }
    }

    /** Most bytes of data that the forwarders and queues of all members take; 0 or less if they cannot. */
    static int dataLengthMax(final GroupTraffic traffic, final Roster roster)
    {
        int least = Integer.MAX_VALUE;
        for (final int node : roster.nodes())
        {
            least = Math.min(least, TreePlace.of(traffic.directory(), node).payloadLengthMax() -
                MulticastFormat.EXTENSION_LENGTH);
        }
        return least & -Integer.BYTES;
    }

    /** The first message of an epoch. */
    void onOpen(final int epoch)
    {
        if (epoch - openedEpoch > 0)
        {
            openedEpoch = epoch;
            parts.values().forEach(Reassembly::clear);
        }
    }

    /** The last one. */
    void onClose(final int epoch)
    {
        closedEpoch = epoch == openedEpoch ? epoch : closedEpoch;
    }

    /**
     * A message, or a fragment of one.
     *
     * @return where the whole message stands; null if it is not whole, or of another epoch.
     */
    DirectBuffer onData(
        final int origin, final int epoch, final DirectBuffer buffer, final int offset, final int length)
    {
        if (epoch != openedEpoch || epoch == closedEpoch || length < TreeTraffic.WORDS_LENGTH)
        {
            return null;
        }
        final int total = TreeTraffic.totalLength(buffer, offset);
        final int dataLength = length - TreeTraffic.WORDS_LENGTH;
        if (total < Multicasts.PREFIX_LENGTH || total > Multicasts.PREFIX_LENGTH + Multicasts.LENGTH_MAX)
        {
            throw new GrimException(BAD_DATA, "multicast of length=" + total + " of node=" + origin);
        }
        Reassembly part = parts.get(origin);
        if (part == null)
        {
            part = new Reassembly();
            parts.put(origin, part);
        }
        return part.add(buffer, offset + TreeTraffic.WORDS_LENGTH, dataLength, total,
            TreeTraffic.fragmentOffset(buffer, offset)) ? part.whole : null;
    }

    private boolean isOpen()
    {
        return tree.rosterEpoch() == roster.epoch();
    }

    private boolean trySayReady()
    {
        final int owner = roster.owner(traffic.directory());
        tree.writeTo(bytes, 0);
        if (owner < 0 || traffic.send(owner, GroupTraffic.MULTICAST, MessageHeader.pair(groupId, roster.epoch()),
            MessageHeader.pair(Multicasts.READY, closedEpoch), bytes, 0, GroupTree.LENGTH) ==
            SendStatus.BACK_PRESSURED)
        {
            return false;
        }
        readyEpoch = roster.epoch();
        readyClosedEpoch = closedEpoch;
        return true;
    }

    /** A message of one member, of which not all fragments have come. */
    private static final class Reassembly
    {
        private final MutableDirectBuffer bytes =
            Buffers.wrap(new byte[Multicasts.PREFIX_LENGTH + Multicasts.LENGTH_MAX]);
        private final MutableDirectBuffer whole = Buffers.wrap(new byte[0]);
        private int length;

        void clear()
        {
            length = 0;
        }

        boolean add(
            final DirectBuffer buffer, final int offset, final int fragmentLength, final int total,
            final int fragmentOffset)
        {
            if (fragmentOffset != length || fragmentLength < 0 || fragmentLength > total - length)
            {
                throw new GrimException(BAD_DATA, "fragment of length=" + fragmentLength + " at offset=" +
                    fragmentOffset + " of a multicast of length=" + total + " is not the expected, at " + length);
            }
            bytes.putBytes(length, buffer, offset, fragmentLength);
            length += fragmentLength;
            if (length < total)
            {
                return false;
            }
            whole.wrap(bytes, 0, total);
            length = 0;
            return true;
        }
    }
}
