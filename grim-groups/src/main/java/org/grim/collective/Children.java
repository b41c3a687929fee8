// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.collections.IntHashSet;
import org.agrona.collections.LongArrayList;
import org.grim.ActiveMessage;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.buffer.Cleanup;
import org.grim.group.Group;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * Groups of this node that were made from others. Their ids are negative, those of names are not; the number in one is
 * agreed when it is made: above all that its members have had, so none comes twice.
 * <p>A member that has not made a group yet gets messages of others that have. It keeps them while it takes part in a
 * split. At other times it answers that it does not belong to the group: it cannot make it any more. So it does when
 * another member that waits for it asks, and names another split as the origin of its group.
 * <p>Thread: the host endpoint's owner.
 */
final class Children
{
    private static final int FIRST_EPOCH = 1;
    private static final int ID_FLAG = Integer.MIN_VALUE;
    private static final int STRAY_COUNT_MAX = 10_000;

    private static final int KEY_OFFSET = Integer.BYTES;                // Behind the color.
    private static final int NUMBER_OFFSET = KEY_OFFSET + Integer.BYTES;
    private static final int ENTRY_LENGTH = NUMBER_OFFSET + Integer.BYTES;

    private final GroupTraffic traffic;
    private final GroupSettings settings;
    private final List<ChildGroup> groups = new ArrayList<>();
    private final List<Stray> strays = new ArrayList<>();
    private final LongArrayList unanswered = new LongArrayList();       // Nodes, and ids of groups that they ask of.
    private final IntHashSet ended = new IntHashSet();      // Ids of groups that ended because the named one was left.
    private int nextNumber;
    private SplitOrigin origin;         // Of the split in progress; null if there is none.

    Children(final GroupTraffic traffic, final GroupSettings settings)
    {
        this.traffic = traffic;
        this.settings = settings;
    }

    static boolean isChild(final int id)
    {
        return id < 0;
    }

    /** Null if this node does not belong to it. */
    ChildGroup group(final int id)
    {
        for (final ChildGroup group : groups)
        {
            if (group.latest().id() == id)
            {
                return group;
            }
        }
        return null;
    }

    /** Makes the group of the members that say the same color, in the order of keys; null for a negative one. */
    Group split(final CollectiveGroup parent, final int color, final int key)
    {
        final MutableDirectBuffer own = Buffers.wrap(new byte[ENTRY_LENGTH]);
        final MutableDirectBuffer all = Buffers.wrap(new byte[ENTRY_LENGTH * parent.size()]);
        own.putInt(0, color, LITTLE_ENDIAN);
        own.putInt(KEY_OFFSET, key, LITTLE_ENDIAN);
        own.putInt(NUMBER_OFFSET, nextNumber, LITTLE_ENDIAN);
        final Group.Request request = parent.newRequest();
        final Roster roster = parent.operations().roster();
        origin = new SplitOrigin(roster.id(), roster.epoch(), parent.operations().sequence());
        try
        {
            parent.allGather(own, 0, ENTRY_LENGTH, all, 0, request);
            switch (request.await())
            {
                case DONE ->
                {
                    return make(parent, color, all);
                }
                case GROUP_CHANGED -> throw new GrimException(UNREACHABLE, "members of group=" + parent.name() +
                    " have joined, left or died: it was not split");
                case CLOSED -> throw new IllegalStateException("this node has left group=" + parent.name());
                default -> throw new IllegalStateException("members of group=" + parent.name() +
                    " have called different operations: it was not split");
            }
        }
        finally
        {
            origin = null;
            takeStrays();
        }
    }

    /** Makes a group of which all members know number and ranks. */
    Group agreed(final CollectiveGroup parent, final int number, final int[] ranks)
    {
        if (number < 0 || number == Integer.MAX_VALUE || group(number | ID_FLAG) != null)
        {
            throw new IllegalArgumentException("number=" + number + " of a group made from group=" + parent.name() +
                " is that of another one, or outside 0 to " + (Integer.MAX_VALUE - 1));
        }
        nextNumber = Math.max(nextNumber, number + 1);
        return make(parent, number, ranks, null);
    }

    int step(final long nowNs)
    {
        int workCount = 0;
        for (int i = groups.size() - 1; i >= 0; i--)
        {
            workCount += groups.get(i).step(nowNs);
        }
        for (int i = unanswered.size() - 1; i >= 0; i--)
        {
            final long asked = unanswered.fastUnorderedRemove(i);
            answer((int)(asked >> Integer.SIZE), (int)asked);
        }
        return workCount;
    }

    /** A part of an operation of a group to which this node does not belong. */
    void onStray(final ActiveMessage message)
    {
        final int node = message.source().node();
        final int id = message.argument(0);
        final int kind = PartWords.kind(message.argument(3));
        if (kind == PartWords.LEFT || ended.contains(id))
        {
            return;                                     // Others learn from the named group who has left it.
        }
        if (origin != null && (id & ~ID_FLAG) >= nextNumber && strays.size() < STRAY_COUNT_MAX &&
            (kind != PartWords.ASK || origin.isAtEnd(message)))
        {
            final byte[] bytes = new byte[message.length()];
            message.buffer().getBytes(message.offset(), bytes);
            strays.add(new Stray(node, id, message.argument(1), message.argument(2), message.argument(3),
                Buffers.wrap(bytes)));
        }
        else
        {
            answer(node, id);
        }
    }

    void remove(final ChildGroup group)
    {
        groups.remove(group);
    }

    /** Closes those that were made from a group, which this node leaves. */
    void closeOf(final MemberGroup root)
    {
        groups.stream().filter(group -> group.root() == root).forEach(group -> ended.add(group.latest().id()));
        Cleanup.all(groups.stream().filter(group -> group.root() == root).toList(), ChildGroup::close);
    }

    private ChildGroup make(final CollectiveGroup parent, final int color, final DirectBuffer all)
    {
        final int size = parent.size();
        int number = 0;
        for (int rank = 0; rank < size; rank++)
        {
            number = Math.max(number, all.getInt(rank * ENTRY_LENGTH + NUMBER_OFFSET, LITTLE_ENDIAN));
        }
        if (number == Integer.MAX_VALUE)
        {
            throw new GrimException(NO_ROOM, "group=" + parent.name() + " cannot be split: no number is left");
        }
        nextNumber = number + 1;
        if (color < 0)
        {
            return null;
        }
        final int[] ranks = IntStream.range(0, size)
            .filter(rank -> all.getInt(rank * ENTRY_LENGTH, LITTLE_ENDIAN) == color).boxed()
            .sorted(Comparator.comparingInt(rank -> all.getInt(rank * ENTRY_LENGTH + KEY_OFFSET, LITTLE_ENDIAN)))
            .mapToInt(Integer::intValue).toArray();
        return make(parent, number, ranks, origin);
    }

    private ChildGroup make(
        final CollectiveGroup parent, final int number, final int[] ranks, final SplitOrigin ofSplit)
    {
        final ChildGroup group = new ChildGroup(parent.name() + "/" + number, traffic, settings, this, parent.root(),
            parent.operations().roster().part(number | ID_FLAG, FIRST_EPOCH, ranks), ofSplit);
        groups.add(group);
        return group;
    }

    /** The split is over: what came is of the new group, or of one that is not made here. */
    private void takeStrays()
    {
        for (final Stray stray : strays)
        {
            final ChildGroup group = group(stray.id);
            if (group == null)
            {
                answer(stray.node, stray.id);
            }
            else
            {
                group.onPart(
                    stray.node, stray.epoch, stray.sequence, stray.word, stray.bytes, 0, stray.bytes.capacity());
            }
        }
        strays.clear();
    }

    /** Says that this node does not belong to a group; when there is no room now, later. */
    void answer(final int node, final int id)
    {
        final long asked = MessageHeader.pair(node, id);
        if (traffic.send(node, GroupTraffic.PART, MessageHeader.pair(id, 0), MessageHeader.pair(0, PartWords.LEFT),
            null, 0, 0) == SendStatus.BACK_PRESSURED && !unanswered.containsLong(asked))
        {
            unanswered.addLong(asked);
        }
    }

    /** A message for a group that this node may be about to make. */
    private record Stray(int node, int id, int epoch, int sequence, int word, DirectBuffer bytes)
    {
    }
}
