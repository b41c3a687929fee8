// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.group;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionService;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorCompletionService;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.bench.compare.OpenMpi;
import org.grim.buffer.Uninterrupted;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Reduction;
import org.grim.tools.process.ForeignProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static java.time.Duration.ofSeconds;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Every collective operation, type and reduction has Open MPI's results on the same inputs, byte by byte. */
@Tag("process")
@Tag("long")
@Timeout(240)
final class OpenMpiGroupTest
{
    private static final List<Integer> COUNTS = List.of(0, 1, 7, 1_023, 40_001);
    private static final long TIMEOUT_MS = 120_000;
    private static final long POLL_NS = 50_000;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 8, 16})
    void shouldHaveTheResultsOfOpenMpi(final int size) throws Exception
    {
        final String searchPath = System.getenv("PATH");
        final String absence = OpenMpi.absence(searchPath);
        assumeTrue(absence == null, absence);

        runOpenMpi(searchPath, size);
        final List<byte[]> results = runGroup(size);

        for (int rank = 0; rank < size; rank++)
        {
            final byte[] expected = Files.readAllBytes(directory.resolve("mpi-" + rank));
            assertTrue(expected.length > 0);
            assertSame(expected, results.get(rank), "rank=" + rank + " size=" + size);
        }
    }

    private static void assertSame(final byte[] expected, final byte[] actual, final String where)
    {
        assertEquals(expected.length, actual.length, where);
        for (int i = 0; i < actual.length; i++)
        {
            if (expected[i] != actual[i])
            {
                final int offset = i;
                assertEquals(expected[i], actual[i], () -> where + " offset=" + offset);
            }
        }
    }

    private void runOpenMpi(final String searchPath, final int size)
    {
        final Path program = OpenMpi.compile(searchPath, OpenMpiGroupTest.class, "results.c", directory);
        final List<String> command = new ArrayList<>(List.of(OpenMpi.launcher(searchPath).toString(), "--oversubscribe",
            "--bind-to", "none", "-n", Integer.toString(size), program.toString(), directory.toString()));
        COUNTS.forEach(count -> command.add(count.toString()));
        ForeignProcess.run(command, OpenMpi.ENVIRONMENT, TIMEOUT_MS);
    }

    /** The results of each rank. */
    private List<byte[]> runGroup(final int size) throws Exception
    {
        final CountDownLatch joining = new CountDownLatch(size);
        final CountDownLatch working = new CountDownLatch(size);
        final ExecutorService threads = Executors.newFixedThreadPool(size);
        try
        {
            final CompletionService<Results> members = new ExecutorCompletionService<>(threads);
            IntStream.range(0, size).forEach(i -> members.submit(() ->
                new Member(directory.resolve("cluster"), i, size, joining, working).results()));
            final byte[][] results = new byte[size][];
            for (int i = 0; i < size; i++)
            {
                final Future<Results> first = members.poll(TIMEOUT_MS, TimeUnit.MILLISECONDS);
                assertNotNull(first, "a member does not end");
                results[first.get().rank()] = first.get().bytes().toByteArray();
            }
            return List.of(results);
        }
        finally
        {
            threads.shutdownNow();
        }
    }

    /** The results of one rank. */
    private record Results(int rank, ByteArrayOutputStream bytes)
    {
    }

    /** A node with a thread of its own, which does what {@code results.c} does. */
    private static final class Member
    {
        private final ByteArrayOutputStream results = new ByteArrayOutputStream();
        private final GrimConfig config;
        private final int size;
        private final CountDownLatch joining;
        private final CountDownLatch working;
        private Group group;

        Member(
            final Path directory, final int index, final int size, final CountDownLatch joining,
            final CountDownLatch working)
        {
            this.joining = joining;
            this.size = size;
            this.working = working;
            config = GrimConfig.builder().nodeName("member-" + index).transports("shmem").directory(directory).build();
        }

        Results results() throws IOException
        {
            try (Grim grim = Grim.enable(config))
            {
                grim.start();
                grim.awaitNodes(size, ofSeconds(60));
                group = Groups.of(grim).join("workers", ofSeconds(60));
                group.awaitSize(size, ofSeconds(60));
                meet(grim, joining);
                final int rank = group.rank();
                for (final int count : COUNTS)
                {
                    passBytes(count, rank, size - 1);
                    reduce(count, rank, size - 1);
                }
                meet(grim, working);                            // A member that leaves changes the group.
                return new Results(rank, results);
            }
        }

        private static void meet(final Grim grim, final CountDownLatch latch)
        {
            latch.countDown();
            while (latch.getCount() > 0)
            {
                grim.endpoint().poll();
                Uninterrupted.park(POLL_NS);
            }
        }

        private void passBytes(final int length, final int rank, final int root) throws IOException
        {
            final int all = length * size;
            final byte[] broadcast = bytes(length, rank);
            await(request -> group.broadcast(root, new UnsafeBuffer(broadcast), 0, length, request));
            results.write(broadcast);

            final UnsafeBuffer own = new UnsafeBuffer(bytes(length, rank));
            final byte[] gathered = new byte[all];
            await(request -> group.gather(root, own, 0, length, new UnsafeBuffer(gathered), 0, request));
            results.write(gathered, 0, rank == root ? all : 0);
            final byte[] allGathered = new byte[all];
            await(request -> group.allGather(own, 0, length, new UnsafeBuffer(allGathered), 0, request));
            results.write(allGathered);

            final UnsafeBuffer parts = new UnsafeBuffer(bytes(all, rank));
            final byte[] scattered = new byte[length];
            await(request -> group.scatter(root, parts, 0, length, new UnsafeBuffer(scattered), 0, request));
            results.write(scattered);
            final byte[] exchanged = new byte[all];
            await(request -> group.allToAll(parts, 0, length, new UnsafeBuffer(exchanged), 0, request));
            results.write(exchanged);
        }

        private void reduce(final int count, final int rank, final int root) throws IOException
        {
            for (final Reduction.Type type : Reduction.Type.values())
            {
                final int length = count * type.length();
                final UnsafeBuffer source = elements(count, type, rank);
                for (final Reduction.Operation operation : Reduction.Operation.values())
                {
                    if (operation.isFor(type) &&
                        (operation != Reduction.Operation.PRODUCT || type.isWhole()))   // Rounding has an order.
                    {
                        final Reduction reduction = Reduction.of(type, operation);
                        final byte[] forAll = new byte[length];
                        await(request -> group.allReduce(
                            source, 0, new UnsafeBuffer(forAll), 0, count, reduction, request));
                        results.write(forAll);
                        final byte[] forRoot = new byte[length];
                        await(request -> group.reduce(
                            root, source, 0, new UnsafeBuffer(forRoot), 0, count, reduction, request));
                        results.write(forRoot, 0, rank == root ? length : 0);
                    }
                }
            }
        }

        private void await(final Consumer<Group.Request> begin)
        {
            final Group.Request request = group.newRequest();
            begin.accept(request);
            assertEquals(Group.Status.DONE, request.await());
        }

        private static byte[] bytes(final int length, final int member)
        {
            final byte[] bytes = new byte[length];
            for (int i = 0; i < length; i++)
            {
                bytes[i] = (byte)(i * 7 + member * 31 + i / 256);
            }
            return bytes;
        }

        private static UnsafeBuffer elements(final int count, final Reduction.Type type, final int member)
        {
            final UnsafeBuffer buffer = new UnsafeBuffer(new byte[count * type.length()]);
            for (int i = 0; i < count; i++)
            {
                put(buffer, i * type.length(), type, (i * 37 + member * 1009) % 20_011 - 10_005);
            }
            return buffer;
        }

        private static void put(
            final MutableDirectBuffer buffer, final int offset, final Reduction.Type type, final int number)
        {
            switch (type)
            {
                case BYTE, BOOLEAN -> buffer.putByte(offset, (byte)(number & 1));
                case SHORT, CHAR -> buffer.putShort(offset, (short)(number & 1), LITTLE_ENDIAN);
                case INT -> buffer.putInt(offset, number, LITTLE_ENDIAN);
                case LONG -> buffer.putLong(offset, number * 65_537L, LITTLE_ENDIAN);
                case FLOAT -> buffer.putFloat(offset, number, LITTLE_ENDIAN);
                case DOUBLE -> buffer.putDouble(offset, number, LITTLE_ENDIAN);
            }
        }
    }
}
