// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Allocation;
import org.grim.ContractSupport;
import org.grim.Grim;
import org.grim.MemoryRegion;
import org.grim.MemoryRegion.Rights;
import org.grim.group.Group;
import org.grim.group.Group.Status;
import org.grim.group.Members;
import org.grim.group.Reduction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Collective operations on registered memory, of which members read long parts in place. */
@Timeout(180)
final class InPlacePartsTest
{
    private static final Reduction SUM = Reduction.of(Reduction.Type.INT, Reduction.Operation.SUM);
    /** More than one piece, and no multiple of anything. */
    private static final int LENGTH = 2_500_004;
    private static final int PIECE_LENGTH = 1_000_000;
    /** Of offers and words; and half of a reduction's elements, which stand in memory of the request. */
    private static final int SENT_LENGTH_MAX = LENGTH / 2 + 10_000;

    @TempDir
    private Path directory;
    private Members members;

    /** Elements whose length does not divide a piece; sums of each of their numbers. */
    private static final class ThreeInts implements Reduction
    {
        @Override
        public int elementLength()
        {
            return 12;
        }

        @Override
        public void reduce(
            final MutableDirectBuffer target, final int targetOffset, final DirectBuffer source,
            final int sourceOffset, final int count)
        {
            SUM.reduce(target, targetOffset, source, sourceOffset, count * 3);
        }
    }

    @AfterEach
    void close()
    {
        members.close();
    }

    @Test
    void shouldDoEveryOperationWithRegisteredMemoryAndOther()
    {
        open(5);
        for (int registered = 0; registered < 3; registered++)
        {
            final int which = registered;
            members.all(node -> checkAll(node, which == 0 || node % 2 == which - 1));
        }
    }

    @Test
    void shouldSendOffersInsteadOfBytes()
    {
        open(2);
        members.all(node -> checkAll(node, true));

        for (final long sent : allSent())
        {
            assertTrue(sent > 0 && sent < SENT_LENGTH_MAX, "bytes sent=" + sent);
        }
    }

    /** Peers may not read it; or cannot, as nobody else has room in the directory of the owner's memory. */
    @Test
    void shouldSendBytesOfMemoryThatCannotBeRead()
    {
        members = new Members(ShmemGroupTest.configs(directory, 3).stream()
            .map(config -> config.toBuilder().set("grim.memory.initiators-max", 1).build()).toList());
        members.join("workers");
        members.all(node -> checkAll(node, true));
        final List<Long> before = allSent();
        assertTrue(Collections.max(before) > LENGTH, before::toString);

        members.all(node ->
        {
            final MemoryRegion region = members.node(node).endpoint().memory().register(LENGTH, Rights.WRITE);
            checkBroadcast(members.group(node), region.buffer());
            region.close();
            return null;
        });
        final long more = allSent().stream().mapToLong(Long::longValue).sum() -
            before.stream().mapToLong(Long::longValue).sum();
        assertTrue(more > 2 * LENGTH, "bytes sent=" + more);
    }

    /** A member that does not poll hears of the change last: it must not take what the root wrote after its end. */
    @Test
    void shouldNotTakeWhatItsSenderChangedAfterItsEnd() throws Exception
    {
        open(3);
        final int[] nodes = new int[3];                 // By rank.
        IntStream.range(0, 3).forEach(node -> nodes[members.group(node).rank()] = node);
        final List<MemoryRegion> regions = IntStream.range(0, 3).mapToObj(rank ->
            members.node(nodes[rank]).endpoint().memory().register(PIECE_LENGTH)).toList();
        regions.get(0).buffer().setMemory(0, PIECE_LENGTH, (byte)1);
        final CountDownLatch isReady = new CountDownLatch(1);
        final CountDownLatch isOffered = new CountDownLatch(1);
        final CountDownLatch mayGoOn = new CountDownLatch(1);
        final Future<Status> late = members.begin(nodes[1], () ->
        {
            final Group group = members.group(nodes[1]);
            final Group.Request request = group.newRequest();
            group.broadcast(0, regions.get(1).buffer(), 0, PIECE_LENGTH, request);
            isReady.countDown();
            mayGoOn.await();
            return request.await();
        });
        isReady.await();
        final Future<Status> root = members.begin(nodes[0], () ->
        {
            final Group group = members.group(nodes[0]);
            final Group.Request request = group.newRequest();
            final long sent = bytesSent(nodes[0]);
            group.broadcast(0, regions.get(0).buffer(), 0, PIECE_LENGTH, request);
            final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
            while (bytesSent(nodes[0]) == sent)
            {
                assertTrue(System.nanoTime() - deadlineNs < 0, "nothing was offered");
                members.node(nodes[0]).endpoint().poll();
            }
            isOffered.countDown();
            final Status status = request.await();
            regions.get(0).buffer().setMemory(0, PIECE_LENGTH, (byte)2);
            return status;
        });
        isOffered.await();
        final Future<?> leaver = members.begin(nodes[2], () ->
        {
            members.group(nodes[2]).close();
            return null;
        });

        assertEquals(Status.GROUP_CHANGED, Members.get(root));
        mayGoOn.countDown();

        assertEquals(Status.GROUP_CHANGED, Members.get(late));
        Members.get(leaver);
    }

    @Test
    void shouldAllocateNothingWhenWarm()
    {
        members = new Members(ShmemGroupTest.configs(directory, 2).stream()
            .map(config -> config.toBuilder().set("grim.liveness.interval", "1m").build()).toList());
        members.join("workers");
        final int length = 200_000;
        final List<Long> taken = members.all(node ->
        {
            final Group group = members.group(node);
            final Group.Request request = group.newRequest();
            final MutableDirectBuffer source = members.node(node).endpoint().memory().register(length).buffer();
            final MutableDirectBuffer target = members.node(node).endpoint().memory().register(length).buffer();
            long least = Long.MAX_VALUE;
            for (int run = 0; run < 40; run++)
            {
                final long before = Allocation.ofThisThread();
                for (int i = 0; i < 50; i++)
                {
                    group.allReduce(source, 0, target, 0, length / 4, SUM, request);
                    request.await();
                    group.broadcast(0, target, 0, length, request);
                    request.await();
                }
                least = Math.min(least, Allocation.ofThisThread() - before);
            }
            return least;
        });
        assertEquals(List.of(0L, 0L), taken);
    }

    private Object checkAll(final int node, final boolean isRegistered)
    {
        final Group group = members.group(node);
        final Grim grim = members.node(node);
        final int size = group.size();
        final int part = LENGTH / size / 4 * 4;
        final List<MemoryRegion> regions = new ArrayList<>();
        final MutableDirectBuffer[] memory = new MutableDirectBuffer[2];
        for (int i = 0; i < memory.length; i++)
        {
            memory[i] = new UnsafeBuffer(new byte[LENGTH]);
            if (isRegistered)
            {
                regions.add(grim.endpoint().memory().register(LENGTH));
                memory[i] = regions.get(i).buffer();
            }
        }
        final MutableDirectBuffer first = memory[0];
        final MutableDirectBuffer second = memory[1];
        checkBroadcast(group, second);

        final byte[] sum = bytes(LENGTH, 0);
        for (int rank = 1; rank < size; rank++)
        {
            SUM.reduce(new UnsafeBuffer(sum), 0, new UnsafeBuffer(bytes(LENGTH, rank)), 0, LENGTH / 4);
        }
        first.putBytes(0, bytes(LENGTH, group.rank()));
        await(group, request -> group.allReduce(first, 0, second, 0, LENGTH / 4, SUM, request));
        assertArrayEquals(sum, bytes(second, 0, LENGTH));
        final int whole = LENGTH / 12 * 12;
        await(group, request -> group.allReduce(first, 0, second, 0, whole / 12, new ThreeInts(), request));
        assertArrayEquals(Arrays.copyOf(sum, whole), bytes(second, 0, whole));
        await(group, request -> group.reduce(1, first, 0, second, 0, LENGTH / 4, SUM, request));
        assertArrayEquals(sum, bytes(second, 0, LENGTH));
        await(group, request -> group.allReduce(first, 0, first, 0, LENGTH / 4, SUM, request));
        assertArrayEquals(sum, bytes(first, 0, LENGTH));

        first.putBytes(0, bytes(part, group.rank() + 100));
        await(group, request -> group.allGather(first, 0, part, second, 0, request));
        for (int rank = 0; rank < size; rank++)
        {
            assertArrayEquals(bytes(part, rank + 100), bytes(second, rank * part, part));
        }
        await(group, request -> group.scatter(1, second, 0, part, first, 0, request));
        assertArrayEquals(bytes(part, group.rank() + 100), bytes(first, 0, part));
        second.setMemory(0, LENGTH, (byte)0);
        await(group, request -> group.gather(0, first, 0, part, second, 0, request));
        if (group.rank() == 0)
        {
            assertArrayEquals(bytes(part, size - 1 + 100), bytes(second, (size - 1) * part, part));
        }
        for (int rank = 0; rank < size; rank++)
        {
            first.putBytes(rank * part, bytes(part, group.rank() * size + rank));
        }
        await(group, request -> group.allToAll(first, 0, part, second, 0, request));
        for (int rank = 0; rank < size; rank++)
        {
            assertArrayEquals(bytes(part, rank * size + group.rank()), bytes(second, rank * part, part));
        }
        regions.forEach(MemoryRegion::close);
        return null;
    }

    private static void checkBroadcast(final Group group, final MutableDirectBuffer buffer)
    {
        for (int root = 0; root < group.size(); root++)
        {
            final int rootRank = root;
            buffer.putBytes(0, bytes(LENGTH, group.rank() == root ? root + 50 : 49));
            await(group, request -> group.broadcast(rootRank, buffer, 0, LENGTH, request));
            assertArrayEquals(bytes(LENGTH, root + 50), bytes(buffer, 0, LENGTH));
        }
    }

    private static void await(final Group group, final Consumer<Group.Request> begin)
    {
        final Group.Request request = group.newRequest();
        begin.accept(request);
        assertEquals(Status.DONE, request.await());
    }

    private static byte[] bytes(final int length, final int seed)
    {
        final byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static byte[] bytes(final DirectBuffer buffer, final int offset, final int length)
    {
        final byte[] bytes = new byte[length];
        buffer.getBytes(offset, bytes);
        return bytes;
    }

    private List<Long> allSent()
    {
        return members.all(this::bytesSent);
    }

    private long bytesSent(final int node)
    {
        return ContractSupport.counter(members.node(node), "bytes-sent channel=0");
    }

    private void open(final int count)
    {
        members = new Members(ShmemGroupTest.configs(directory, count));
        members.join("workers");
    }
}
