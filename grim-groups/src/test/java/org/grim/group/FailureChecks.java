// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.agrona.MutableDirectBuffer;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.group.Group.Status;
import org.grim.group.Reduction.Operation;
import org.grim.transport.HopClaim;

import static org.grim.group.CollectiveChecks.await;
import static org.grim.group.CollectiveChecks.wrap;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Ends of impossible operations, and success of the next one. */
public final class FailureChecks
{
    private static final int MEMORY_LENGTH = 1 << 21;
    private static final Reduction INTS = Reduction.of(Reduction.Type.INT, Operation.SUM);
    private static final Reduction LONGS = Reduction.of(Reduction.Type.LONG, Operation.SUM);

    /** Two operations that differ in one thing; with the first of each, members would wait for each other. */
    private static final List<Pair> PAIRS = List.of(
        new Pair("long element", allReduce(new OwnSum(4), 60_000), allReduce(new OwnSum(8), 30_000)),
        new Pair("root", broadcast(1, 4), broadcast(0, 4)),
        new Pair("root and length", broadcast(1, 4), broadcast(0, 1_000_007)),
        new Pair("operation", allReduce(INTS, 2), (group, memory, request) ->
            group.allGather(memory, 0, 8, memory, MEMORY_LENGTH / 2, request)),
        new Pair("count", allReduce(INTS, 1), allReduce(INTS, 2)),
        new Pair("long count", allReduce(INTS, 50_000), allReduce(INTS, 50_001)),
        new Pair("type", allReduce(INTS, 2), allReduce(LONGS, 1)),
        new Pair("reduction", allReduce(INTS, 3), allReduce(Reduction.of(Reduction.Type.INT, Operation.MIN), 3)),
        new Pair("own reduction", allReduce(INTS, 3), allReduce(new OwnSum(4), 3)),
        new Pair("order", allReduce(new OwnSum(8), 3), allReduce(new AffineMaps(8), 3)),
        new Pair("element", allReduce(new OwnSum(4), 6), allReduce(new OwnSum(8), 3)),
        new Pair("part of a reduction", reduceScatter(2), reduceScatter(3)),
        new Pair("short part of a reduction", reduceScatter(2), reduceScatter(30_000)),
        new Pair("nothing", allReduce(new OwnSum(8), 0), (group, memory, request) -> group.barrier(request)));

    private FailureChecks()
    {
    }

    /** One member calls something else. None has done its part before that is noticed. */
    static void checkDifferences(final Members members)
    {
        for (final Pair pair : PAIRS)
        {
            final List<Status> ends = members.all(node ->
            {
                final Group group = members.group(node);
                final MutableDirectBuffer memory = wrap(new byte[MEMORY_LENGTH]);
                return await(group, request ->
                    (group.rank() == 1 ? pair.other : pair.usual).begin(group, memory, request));
            });
            assertEquals(all(members, Status.MISMATCHED), ends, pair::toString);
            checkNext(members);
        }
    }

    /** Of two members, one of which has no room for the word of the other. */
    static void checkDifferenceWithoutRoom(final Members members)
    {
        final CountDownLatch called = new CountDownLatch(1);
        final CountDownLatch noticed = new CountDownLatch(1);
        final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("sent", message ->
            called.countDown()));
        members.all(node ->
        {
            members.node(node).start();
            return null;
        });
        final List<Status> ends = members.all(node ->
        {
            final Grim grim = members.node(node);
            final Group group = members.group(node);
            final Group.Request request = group.newRequest();
            final Link link = grim.endpoint().link(group.member(1 - group.rank()));
            final MutableDirectBuffer memory = wrap(new byte[1000]);
            if (node == 0)
            {
                group.allReduce(memory, 0, memory, 0, 10, INTS, request);
                assertTrue(link.send(handlers.get(node), memory, 0, 0).isAccepted());
                while (called.getCount() > 0)
                {
                    grim.endpoint().poll();                                    // It may have been queued.
                }
                assertTrue(noticed.await(Members.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
                return request.await();
            }
            while (called.getCount() > 0)
            {
                grim.endpoint().poll();
            }
            while (link.send(handlers.get(node), memory, 0, 10).isAccepted())
            {
                Thread.onSpinWait();
            }
            group.barrier(request);
            noticed.countDown();
            return request.await();
        });
        assertEquals(all(members, Status.MISMATCHED), ends);
        checkNext(members);
    }

    /** One member's reduction throws. */
    static void checkThrowingReduction(final Members members, final List<Throwable> errors)
    {
        final RuntimeException thrown = new IllegalStateException("thrown by a test's reduction");
        for (final int count : new int[] {1, 100, 60_000})
        {
            final List<Status> ends = members.all(node ->
            {
                final Group group = members.group(node);
                final MutableDirectBuffer memory = wrap(new byte[MEMORY_LENGTH]);
                final Reduction sum = group.rank() == 1 ? new OwnSum(8, () ->
                {
                    throw thrown;
                }) : new OwnSum(8);
                return await(group, request ->
                    group.allReduce(memory, 0, memory, MEMORY_LENGTH / 2, count, sum, request));
            });
            final List<Integer> ranks = members.all(node -> members.group(node).rank());
            assertEquals(Status.FAILED, ends.get(ranks.indexOf(1)));
            final boolean mayBeDone = count < 60_000;               // On a ring each waits for each.
            ends.forEach(end ->
                assertTrue(end == Status.FAILED || (mayBeDone && end == Status.DONE), ends::toString));
            assertEquals(List.of(thrown), List.copyOf(errors));
            errors.clear();
            checkNext(members);
        }
    }

    /** A member that begins last learns of the exception from another one than the one that threw. */
    static void checkFailureHeardFromAnother(final Members members)
    {
        final CountDownLatch lastEnded = new CountDownLatch(1);
        final CountDownLatch firstEnded = new CountDownLatch(1);
        final List<HandlerId> handlers = members.all(node -> members.node(node).handlers().register("none", message ->
        {
        }));
        members.all(node ->
        {
            members.node(node).start();
            return null;
        });
        final List<Status> ends = members.all(node ->
        {
            final Group group = members.group(node);
            final MutableDirectBuffer memory = wrap(new byte[MEMORY_LENGTH]);
            final Group.Request request = group.newRequest();
            final HopClaim claim = new HopClaim();
            final Link link = members.node(node).endpoint().link(group.member(0));
            final boolean isThrower = group.rank() == 2;
            final Reduction sum = !isThrower ? new OwnSum(8) : new OwnSum(8, () ->
            {
                throw new IllegalStateException("thrown by a test's reduction");
            });
            while (isThrower && !link.tryClaim(handlers.get(node), 0, claim).isAccepted())      // No word to rank 0.
            {
                members.node(node).endpoint().poll();
            }
            pollUntil(members.node(node), lastEnded, group.rank() == 0);
            group.allReduce(memory, 0, memory, MEMORY_LENGTH / 2, 60_000, sum, request);
            pollUntil(members.node(node), firstEnded, isThrower);
            if (isThrower)
            {
                claim.abort();
            }
            final Status end = request.await();
            (group.rank() == 0 ? firstEnded : group.rank() == group.size() - 1 ? lastEnded : new CountDownLatch(1))
                .countDown();
            return end;
        });
        assertEquals(all(members, Status.FAILED), ends);
        checkNext(members);
    }

    /** Elements that do not fit into one message everywhere; short, and on a ring. */
    public static void checkLongElements(final Members members)
    {
        final Reduction sum = new OwnSum(Reduction.ELEMENT_LENGTH_MAX);
        for (final int count : new int[] {1, 2, 7, 40})
        {
            final int length = count * sum.elementLength();
            final List<Integer> wrong = members.all(node ->
            {
                final Group group = members.group(node);
                final MutableDirectBuffer source = wrap(new byte[length]);
                final MutableDirectBuffer target = wrap(new byte[length]);
                final MutableDirectBuffer atRoot = wrap(new byte[length]);
                for (int i = 0; i < length; i += Integer.BYTES)
                {
                    source.putInt(i, i * (group.rank() + 1));
                }
                assertEquals(Status.DONE, await(group, request ->
                    group.allReduce(source, 0, target, 0, count, sum, request)));
                assertEquals(Status.DONE, await(group, request ->
                    group.reduce(0, source, 0, atRoot, 0, count, sum, request)));
                int differences = 0;
                for (int i = 0; i < length; i += Integer.BYTES)
                {
                    final int expected = i * group.size() * (group.size() + 1) / 2;
                    differences += target.getInt(i) == expected ? 0 : 1;
                    differences += atRoot.getInt(i) == (group.rank() == 0 ? expected : 0) ? 0 : 1;
                }
                return differences;
            });
            assertEquals(Collections.nCopies(members.size(), 0), wrong, "count=" + count);
        }
    }

    private static void pollUntil(final Grim grim, final CountDownLatch latch, final boolean isWaiting)
    {
        while (isWaiting && latch.getCount() > 0)
        {
            grim.endpoint().poll();
        }
    }

    private static void checkNext(final Members members)
    {
        assertEquals(all(members, Status.DONE), members.all(node ->
        {
            final Group group = members.group(node);
            final MutableDirectBuffer memory = wrap(new byte[16]);
            memory.putLong(0, 1);
            final Status status = await(group, request -> group.allReduce(memory, 0, memory, 8, 1, LONGS, request));
            assertEquals(group.size(), memory.getLong(8));
            return status;
        }));
    }

    private static List<Status> all(final Members members, final Status status)
    {
        return Collections.nCopies(members.size(), status);
    }

    private static Call broadcast(final int root, final int length)
    {
        return (group, memory, request) -> group.broadcast(root, memory, 0, length, request);
    }

    private static Call allReduce(final Reduction reduction, final int count)
    {
        return (group, memory, request) ->
            group.allReduce(memory, 0, memory, MEMORY_LENGTH / 2, count, reduction, request);
    }

    private static Call reduceScatter(final int count)
    {
        return (group, memory, request) ->
            group.reduceScatter(memory, 0, memory, MEMORY_LENGTH / 2, count, INTS, request);
    }

    /** An operation. */
    @FunctionalInterface
    private interface Call
    {
        void begin(Group group, MutableDirectBuffer memory, Group.Request request);
    }

    /** Calls of all members but one, and the action of that one. */
    private record Pair(String name, Call usual, Call other)
    {
        @Override
        public String toString()
        {
            return name;
        }
    }
}
