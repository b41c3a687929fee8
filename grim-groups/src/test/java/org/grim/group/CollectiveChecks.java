// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.WeakHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.group.Group.Status;
import org.grim.group.Reduction.Operation;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Operations of members in turn, with their expected results. */
final class CollectiveChecks
{
    private static final int COUNT_BEHIND = 5;
    private static final Map<Group, Group.Request> REQUESTS = Collections.synchronizedMap(new WeakHashMap<>());

    private CollectiveChecks()
    {
    }

    static Object checkReductions(
        final Group group, final Reduction.Type type, final Operation operation, final int count)
    {
        final Reduction reduction = Reduction.of(type, operation);
        final int length = count * type.length();
        final int limit = operation == Operation.PRODUCT ? 8 : 1 << 15;
        final MutableDirectBuffer expected = elements(0, type, count, limit);
        for (int rank = 1; rank < group.size(); rank++)
        {
            reduction.reduce(expected, 0, elements(rank, type, count, limit), 0, count);
        }
        final MutableDirectBuffer source = elements(group.rank(), type, count, limit);
        final MutableDirectBuffer target = wrap(new byte[length + 5]);
        assertEquals(Status.DONE, await(group, request ->
            group.allReduce(source, 0, target, 5, count, reduction, request)));
        assertEquals(expected, wrap(target, 5, length));
        for (int root = 0; root < Math.min(group.size(), 2); root++)
        {
            final int rootRank = root;
            final MutableDirectBuffer result = wrap(new byte[length]);
            assertEquals(Status.DONE, await(group, request ->
                group.reduce(rootRank, source, 0, result, 0, count, reduction, request)));
            assertEquals(group.rank() == root ? expected : wrap(new byte[length]), result);
        }
        assertEquals(elements(group.rank(), type, count, limit), source);
        assertEquals(Status.DONE, await(group, request ->
            group.allReduce(source, 0, source, 0, count, reduction, request)));
        assertEquals(expected, source);
        return null;
    }

    /** Of elements whose order is that of ranks. */
    static Object checkOrder(final Group group, final AffineMaps maps, final int count)
    {
        final int size = group.size();
        final MutableDirectBuffer source = maps.elements(group.rank(), count);
        final MutableDirectBuffer expected = maps.combined(0, size, count);
        final MutableDirectBuffer target = wrap(new byte[source.capacity()]);
        assertEquals(Status.DONE, await(group, request ->
            group.allReduce(source, 0, target, 0, count, maps, request)));
        assertEquals(expected, target);
        for (int root = 0; root < size; root++)
        {
            final int rootRank = root;
            final MutableDirectBuffer result = wrap(new byte[source.capacity()]);
            assertEquals(Status.DONE, await(group, request ->
                group.reduce(rootRank, source, 0, result, 0, count, maps, request)));
            assertEquals(group.rank() == root ? expected : wrap(new byte[source.capacity()]), result);
        }
        assertEquals(Status.DONE, await(group, request ->
            group.allReduce(source, 0, source, 0, count, maps, request)));
        assertEquals(expected, source);
        return null;
    }

    /** Values with indices: of equal values the first index counts. */
    static Object checkLocations(final Group group, final Reduction.Type value, final Reduction.Type index)
    {
        final int at = Math.max(value.length(), index.length());
        final int length = Reduction.minimumLocation(value, index).elementLength();
        final MutableDirectBuffer source = wrap(new byte[3 * length]);
        final MutableDirectBuffer target = wrap(new byte[3 * length]);
        for (int i = 0; i < 3; i++)
        {
            put(source, i * length, value, i == 0 ? group.rank() : i == 1 ? -group.rank() : 7);
            put(source, i * length + at, index, 10 + group.rank());
        }
        final int last = group.size() - 1;
        final boolean hasSign = value != Reduction.Type.CHAR;
        for (final boolean isMaximum : new boolean[] {false, true})
        {
            final Reduction reduction = isMaximum ? Reduction.maximumLocation(value, index) :
                Reduction.minimumLocation(value, index);
            assertEquals(Status.DONE, await(group, request ->
                group.allReduce(source, 0, target, 0, 3, reduction, request)));
            final MutableDirectBuffer expected = wrap(new byte[3 * length]);
            final int[] ranks = {isMaximum ? last : 0,
                hasSign ? isMaximum ? 0 : last : last == 0 ? 0 : isMaximum ? 1 : 0, 0};
            for (int i = 0; i < 3; i++)
            {
                put(expected, i * length, value, i == 0 ? ranks[0] : i == 1 ? -ranks[1] : 7);
                put(expected, i * length + at, index, 10 + ranks[i]);
            }
            assertEquals(expected, target);
        }
        return null;
    }

    /** Messages behind the one that ends an operation are for the next poll. Of two members. */
    static void checkEndOfPoll(final Members members)
    {
        final CountDownLatch begun = new CountDownLatch(1);
        final CountDownLatch sent = new CountDownLatch(1);
        final List<Integer> taken = new ArrayList<>();
        final List<HandlerId> handlers = members.all(node ->
            members.node(node).handlers().register("behind", message -> taken.add(message.argument(0))));
        members.all(node ->
        {
            members.node(node).start();              // One that has no id for its handler refuses what comes.
            return null;
        });
        assertEquals(List.of(Status.DONE, Status.DONE), members.all(node ->
        {
            final Grim grim = members.node(node);
            final Group group = members.group(node);
            final Group.Request request = group.newRequest();
            if (node == 1)
            {
                // The other one polls in its task alone from now on.
                assertTrue(begun.await(Members.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
                group.barrier(request);
                final Link link = grim.endpoint().link(group.member(1 - group.rank()));
                for (int i = 0; i < COUNT_BEHIND; i++)
                {
                    assertEquals(SendStatus.SENT, link.send(handlers.get(node), i, 0, 0, 0));
                }
                sent.countDown();
                return request.await();
            }
            group.barrier(request);
            begun.countDown();
            assertTrue(sent.await(Members.TIMEOUT.toSeconds(), TimeUnit.SECONDS));
            while (!request.isComplete())
            {
                grim.endpoint().poll();
            }
            assertEquals(List.of(), taken);
            while (taken.size() < COUNT_BEHIND)
            {
                grim.endpoint().poll();
            }
            return request.status();
        }));
    }

    static Object checkGathers(final Group group, final int length)
    {
        final int size = group.size();
        final byte[] all = new byte[length * size];
        for (int rank = 0; rank < size; rank++)
        {
            System.arraycopy(bytes(length, rank), 0, all, rank * length, length);
        }
        final byte[] own = bytes(length, group.rank());
        for (int root = 0; root < Math.min(size, 3); root++)
        {
            final int rootRank = root;
            final byte[] gathered = new byte[all.length];
            assertEquals(Status.DONE, await(group, request ->
                group.gather(rootRank, wrap(own), 0, length, wrap(gathered), 0, request)));
            assertArrayEquals(group.rank() == root ? all : new byte[all.length], gathered);
            final byte[] part = new byte[length];
            assertEquals(Status.DONE, await(group, request ->
                group.scatter(rootRank, wrap(all), 0, length, wrap(part), 0, request)));
            assertArrayEquals(own, part);
        }
        final byte[] allGathered = new byte[all.length];
        assertEquals(Status.DONE, await(group, request ->
            group.allGather(wrap(own), 0, length, wrap(allGathered), 0, request)));
        assertArrayEquals(all, allGathered);

        final byte[] parts = new byte[all.length];
        final byte[] expected = new byte[all.length];
        for (int rank = 0; rank < size; rank++)
        {
            System.arraycopy(bytes(length, group.rank() * 100 + rank), 0, parts, rank * length, length);
            System.arraycopy(bytes(length, rank * 100 + group.rank()), 0, expected, rank * length, length);
        }
        final byte[] exchanged = new byte[all.length];
        assertEquals(Status.DONE, await(group, request ->
            group.allToAll(wrap(parts), 0, length, wrap(exchanged), 0, request)));
        assertArrayEquals(expected, exchanged);
        return null;
    }

    /** By one request for all operations of a group: what it keeps of one is not to harm the next. */
    static Status await(final Group group, final Begin begin)
    {
        final Group.Request request = REQUESTS.computeIfAbsent(group, Group::newRequest);
        begin.with(request);
        return request.await();
    }

    static byte[] bytes(final int length, final int seed)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    /** Whole numbers, also as floating ones: their sums have no rounding. */
    static MutableDirectBuffer elements(
        final int rank, final Reduction.Type type, final int count, final int limit)
    {
        final MutableDirectBuffer buffer = wrap(new byte[count * type.length()]);
        final Random random = new Random(rank);
        for (int i = 0; i < count; i++)
        {
            put(buffer, i * type.length(), type, random.nextInt(limit * 2) - limit);
        }
        return buffer;
    }

    private static void put(
        final MutableDirectBuffer buffer, final int offset, final Reduction.Type type, final int number)
    {
        switch (type)
        {
            case BYTE -> buffer.putByte(offset, (byte)number);
            case BOOLEAN -> buffer.putByte(offset, (byte)(number & 1));
            case SHORT, CHAR -> buffer.putShort(offset, (short)number, ByteOrder.LITTLE_ENDIAN);
            case INT -> buffer.putInt(offset, number, ByteOrder.LITTLE_ENDIAN);
            case LONG -> buffer.putLong(offset, (long)number << 20, ByteOrder.LITTLE_ENDIAN);
            case FLOAT -> buffer.putFloat(offset, number, ByteOrder.LITTLE_ENDIAN);
            case DOUBLE -> buffer.putDouble(offset, number, ByteOrder.LITTLE_ENDIAN);
        }
    }

    static MutableDirectBuffer wrap(final byte[] bytes)
    {
        return new UnsafeBuffer(bytes);
    }

    static MutableDirectBuffer wrap(final MutableDirectBuffer buffer, final int offset, final int length)
    {
        return new UnsafeBuffer(buffer, offset, length);
    }

    /** Begins an operation. */
    @FunctionalInterface
    interface Begin
    {
        void with(Group.Request request);
    }
}
