// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.group.Group.Status;
import org.grim.group.Reduction.Operation;

import static org.grim.group.CollectiveChecks.await;
import static org.grim.group.CollectiveChecks.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Groups made from a group. */
final class SplitChecks
{
    private static final Reduction SUM = Reduction.of(Reduction.Type.LONG, Operation.SUM);
    private static final int SPLIT_COUNT = 40;

    private SplitChecks()
    {
    }

    /** By even and odd ranks, in the opposite order, and the first of these by itself; operations of all go on. */
    static Object checkColors(final Group group)
    {
        final int rank = group.rank();
        final int count = (group.size() + 1 - rank % 2) / 2;
        final Group half = group.split(rank % 2, -rank);
        assertEquals(count, half.size());
        assertEquals(count - 1 - rank / 2, half.rank());
        assertEquals(1, half.epoch());
        assertFalse(half.isChanged());
        assertTrue(half.name().startsWith(group.name() + "/"));
        for (int i = 0; i < count; i++)
        {
            assertEquals(group.member((count - 1 - i) * 2 + rank % 2), half.member(i));
        }
        final long ofHalf = IntStream.range(0, group.size()).filter(each -> each % 2 == rank % 2).sum();
        final long ofAll = (long)group.size() * (group.size() - 1) / 2;
        final Group.Request request = group.newRequest();
        final MutableDirectBuffer memory = wrap(new byte[16]);
        memory.putLong(0, rank);
        group.allReduce(memory, 0, memory, 8, 1, SUM, request);
        assertEquals(ofHalf, sum(half, rank));
        assertEquals(Status.DONE, request.await());
        assertEquals(ofAll, memory.getLong(8));
        assertThrows(IllegalArgumentException.class, () -> half.barrier(request));
        checkNoMulticasts(half);

        final Group first = half.split(half.rank() == 0 ? 3 : -1, 0);
        assertEquals(half.rank() != 0, first == null);
        if (first != null)
        {
            assertEquals(1, first.size());
            assertEquals(rank, sum(first, rank));
            first.renew(Duration.ZERO);
            first.close();
            first.close();
            assertEquals(Status.CLOSED, await(first, first::barrier));
        }
        CollectiveChecks.checkReductions(half, Reduction.Type.LONG, Operation.SUM, 9_001);
        CollectiveChecks.checkGathers(half, 20_001);
        PartChecks.checkParts(half, 1);
        assertEquals(Status.DONE, await(group, group::barrier));
        half.close();
        return null;
    }

    private static void checkNoMulticasts(final Group group)
    {
        final MutableDirectBuffer memory = wrap(new byte[8]);
        assertEquals(0, group.multicastLengthMax());
        assertThrows(UnsupportedOperationException.class, () ->
            group.multicast(HandlerId.of(99), 0, 0, 0, 0, memory, 0, 8));
        assertThrows(UnsupportedOperationException.class, () ->
            group.multicastInTotalOrder(HandlerId.of(99), 0, 0, 0, 0, memory, 0, 8));
    }

    /** Messages of members that are ahead come before a member has its group. */
    static Object checkManySplits(final Group group)
    {
        final List<Group> made = new ArrayList<>();
        for (int i = 0; i < SPLIT_COUNT; i++)
        {
            final Group part = group.split(0, (group.rank() + i) % group.size());
            assertEquals((group.rank() + i) % group.size(), part.rank());
            assertEquals((long)group.size() * (group.size() - 1) / 2, sum(part, group.rank()));
            made.add(part);
        }
        for (final Group part : made)
        {
            assertEquals((long)group.size() * (group.size() - 1) / 2, sum(part, group.rank()));
        }
        assertEquals(SPLIT_COUNT, made.stream().map(Group::name).distinct().count());
        assertEquals(Status.DONE, await(group, group::barrier));
        made.forEach(Group::close);
        return null;
    }

    /** The last one first; and all others but that one. */
    static Object checkSubgroups(final Group group)
    {
        final int last = group.size() - 1;
        final int[] turned = IntStream.rangeClosed(0, last).map(i -> last - i).toArray();
        final Group all = group.subgroup(turned);
        assertEquals(last - group.rank(), all.rank());
        assertEquals((long)group.size() * last / 2, sum(all, group.rank()));
        final Group others = group.rank() == last && last > 0 ? group.subgroup(last) :
            group.subgroup(IntStream.range(0, Math.max(1, last)).toArray());
        assertEquals(group.rank() == last && last > 0 ? 1 : Math.max(1, last), others.size());
        final Group none = group.subgroup(last);
        if (group.rank() == last)
        {
            assertEquals(group.rank(), sum(none, group.rank()));
        }
        else
        {
            assertNull(none);
        }
        assertThrows(IllegalArgumentException.class, () -> group.subgroup(0, group.size()));
        final IllegalStateException twice =
            assertThrows(IllegalStateException.class, () -> group.subgroup(group.rank(), group.rank()));
        assertTrue(twice.getMessage().contains("the same ranks"), twice.getMessage());
        assertEquals(Status.DONE, await(group, group::barrier));
        return null;
    }

    /** All, the last one first, and pairs of them, by numbers of their own; splits go on behind those. */
    static Object checkAgreedSubgroups(final Group group)
    {
        final int last = group.size() - 1;
        final int rank = group.rank();
        final Group all = group.agreedSubgroup(1_000, IntStream.rangeClosed(0, last).map(i -> last - i).toArray());
        assertEquals(last - rank, all.rank());
        final int first = rank / 2 * 2;
        final Group pair = first == last ? group.agreedSubgroup(1_001, first) :
            group.agreedSubgroup(1_001, first, first + 1);
        assertEquals(Status.DONE, await(group, group::barrier));
        assertEquals((long)group.size() * last / 2, sum(all, rank));
        assertEquals(first == last ? first : 2 * first + 1, sum(pair, rank));
        assertThrows(IllegalArgumentException.class, () -> group.agreedSubgroup(1_001, rank));
        assertThrows(IllegalArgumentException.class, () -> group.agreedSubgroup(-1, rank));
        assertThrows(IllegalArgumentException.class, () -> group.agreedSubgroup(1_002, rank, last + 1));
        assertThrows(IllegalArgumentException.class, () -> group.agreedSubgroup(1_002));
        final Group part = group.split(0, 0);
        assertTrue(part.name().endsWith("/1002"), part.name());
        assertEquals((long)group.size() * last / 2, sum(part, rank));
        return null;
    }

    /** One calls another operation; the next split is made. */
    static void checkOtherOperation(final Members members)
    {
        members.all(node ->
        {
            final Group group = members.group(node);
            if (group.rank() == 1)
            {
                assertEquals(Status.MISMATCHED, await(group, group::barrier));
            }
            else
            {
                assertThrows(IllegalStateException.class, () -> group.split(0, 0));
            }
            return null;
        });
        assertEquals(List.of(members.size()),
            members.all(node -> members.group(node).split(0, 0).size()).stream().distinct().toList());
    }

    /** Groups of all members, and of pairs, when the last one leaves the named group or its cluster. */
    static void checkGoneMember(final Members members, final boolean isOfNode)
    {
        final int goneRank = members.size() - 1;
        final int gone = members.all(node -> members.group(node).rank()).indexOf(goneRank);
        final List<Group> wholes = members.all(node -> members.group(node).split(0, -members.group(node).rank()));
        final List<Group> others = members.all(node -> members.group(node).split(node == gone ? 1 : 0, 0));
        final List<Future<Status>> waiting = new ArrayList<>();
        for (int i = 0; i < members.size(); i++)
        {
            final Group whole = wholes.get(i);
            waiting.add(members.begin(i, i == gone ? () -> Status.GROUP_CHANGED : () -> await(whole, whole::barrier)));
        }
        Members.get(members.begin(gone, () ->
        {
            if (isOfNode)
            {
                members.node(gone).close();
            }
            else
            {
                members.group(gone).close();
                assertEquals(Status.CLOSED, await(wholes.get(gone), wholes.get(gone)::barrier));
            }
            return null;
        }));
        waiting.forEach(each -> assertEquals(Status.GROUP_CHANGED, Members.get(each)));
        final List<Future<Long>> sums = new ArrayList<>();
        for (int i = 0; i < members.size(); i++)
        {
            final Group whole = wholes.get(i);
            final Group other = others.get(i);
            sums.add(members.begin(i, i == gone ? () -> 0L : () ->
            {
                assertTrue(whole.isChanged());
                final int rank = whole.rank();
                assertEquals(Status.GROUP_CHANGED, await(whole, whole::barrier));
                whole.renew(Members.TIMEOUT);
                assertNotEquals(1, whole.epoch());
                assertEquals(rank - 1, whole.rank());           // The one that is gone was the first.
                assertFalse(other.isChanged());
                assertEquals(members.size() - 1, sum(other, 1));
                final Group again = whole.split(0, whole.size() - whole.rank());
                assertEquals(members.size() - 1, sum(again, 1));
                return sum(whole, 1);
            }));
        }
        for (int i = 0; i < members.size(); i++)
        {
            assertEquals(i == gone ? 0L : members.size() - 1, Members.get(sums.get(i)));
        }
    }

    /** One closes the new group alone. Others wait for it, or for one that does. */
    static void checkClosedByOne(final Members members)
    {
        final List<Group> groups = members.all(node -> members.group(node).split(0, members.group(node).rank()));
        final List<Integer> ranks = members.all(node -> members.group(node).rank());
        final int leaver = ranks.indexOf(members.size() - 1);
        Members.get(members.begin(leaver, () ->
        {
            groups.get(leaver).close();
            return null;
        }));
        members.all(node ->
        {
            final Group group = groups.get(node);
            assertEquals(node == leaver ? Status.CLOSED : Status.GROUP_CHANGED, await(group, request ->
                group.broadcast(members.size() - 1, wrap(new byte[8]), 0, 8, request)));
            if (node != leaver)
            {
                assertTrue(group.isChanged());
                assertEquals(GrimException.Reason.UNREACHABLE,
                    assertThrows(GrimException.class, () -> group.renew(Members.TIMEOUT)).reason());
                assertEquals(Status.GROUP_CHANGED, await(group, group::barrier));
            }
            return null;
        });
        assertEquals(List.of((long)members.size()), members.all(node ->
            sum(members.group(node).split(0, 0), 1)).stream().distinct().toList());
    }

    /** One joins the named group: the new group goes on. */
    static void checkJoining(final Members members)
    {
        final int last = members.size() - 1;
        final List<Future<Group>> joined = new ArrayList<>();
        for (int i = 0; i < last; i++)
        {
            final int node = i;
            joined.add(members.begin(i, () ->
            {
                members.node(node).awaitNodes(members.size(), Members.TIMEOUT);
                final Group group = Groups.of(members.node(node)).join("late", Members.TIMEOUT);
                group.awaitSize(last, Members.TIMEOUT);
                return group;
            }));
        }
        final List<Group> named = joined.stream().map(Members::get).toList();
        final List<Future<Group>> splits = new ArrayList<>();
        for (int i = 0; i < last; i++)
        {
            final Group group = named.get(i);
            splits.add(members.begin(i, () -> group.split(0, 0)));
        }
        final List<Group> parts = splits.stream().map(Members::get).toList();
        Members.get(members.begin(last, () ->
        {
            members.node(last).awaitNodes(members.size(), Members.TIMEOUT);
            return Groups.of(members.node(last)).join("late", Members.TIMEOUT);
        }));
        final List<Future<Long>> sums = new ArrayList<>();
        for (int i = 0; i < last; i++)
        {
            final int node = i;
            sums.add(members.begin(i, () ->
            {
                while (!named.get(node).isChanged())
                {
                    members.node(node).endpoint().poll();
                }
                final GrimException changed =
                    assertThrows(GrimException.class, () -> named.get(node).split(0, 0));
                assertEquals(GrimException.Reason.UNREACHABLE, changed.reason());
                assertFalse(parts.get(node).isChanged());
                return sum(parts.get(node), 1);
            }));
        }
        sums.forEach(each -> assertEquals(last, Members.get(each)));
    }

    private static long sum(final Group group, final long own)
    {
        final MutableDirectBuffer memory = wrap(new byte[16]);
        memory.putLong(0, own);
        assertEquals(Status.DONE, await(group, request -> group.allReduce(memory, 0, memory, 8, 1, SUM, request)));
        return memory.getLong(8);
    }
}
