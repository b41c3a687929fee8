// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.grim.buffer.PrimitiveArray;
import org.grim.mpi.Operation.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Messages between processes of a job, all of which are nodes of this JVM. */
@Timeout(180)
final class EngineTest
{
    private static final int ANY = Entry.ANY;
    private static final int EAGER_LENGTH = 16_384;
    private static final Layout INTS = Layout.of(PrimitiveArray.INTS);
    private static final Layout BYTES = Layout.of(PrimitiveArray.BYTES);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 7, 512, EAGER_LENGTH / 4, EAGER_LENGTH / 4 + 1, 100_000, 1_000_000})
    void shouldPassElementsOfAnyCount(final int count)
    {
        try (Jobs jobs = new Jobs(directory, 2))
        {
            jobs.all(rank ->
            {
                final Engine engine = jobs.engine(rank);
                for (int round = 0; round < 3; round++)
                {
                    final int[] mine = values(rank, round, count);
                    final int[] theirs = new int[count + 1];
                    final Receive receive = new Receive();
                    receive.elements(theirs, 1, count, INTS);
                    if (round == 0)
                    {
                        engine.begin(receive, jobs.world(rank), 1 - rank, round);       // Before it is sent, perhaps.
                    }
                    final Send send = new Send();
                    send.elements(mine, 0, count, INTS);
                    engine.begin(send, jobs.world(rank), 1 - rank, round, Send.Mode.STANDARD);
                    if (round > 0)
                    {
                        engine.begin(receive, jobs.world(rank), ANY, ANY);
                    }
                    engine.await(receive);
                    engine.await(send);
                    assertEquals(Outcome.DONE, receive.outcome());
                    assertEquals(1 - rank, receive.source());
                    assertEquals(round, receive.tag());
                    assertEquals((long)count * Integer.BYTES, receive.length());
                    assertArrayEquals(values(1 - rank, round, count), Arrays.copyOfRange(theirs, 1, count + 1));
                    assertEquals(0, theirs[0]);
                }
                return null;
            });
        }
    }

    @Test
    void shouldTakeNoMessageOfAStreamBeforeItsReceive()
    {
        try (Jobs jobs = new Jobs(directory, 2, "grim.mpi.progress", "none"))
        {
            final int count = 20;
            for (int i = 0; i < count; i++)
            {
                send(jobs, 0, 1, 0, values(0, i, 3), Send.Mode.STANDARD);
            }
            for (int i = 0; i < count; i++)
            {
                final int[] found = new int[3];
                receive(jobs, 1, 0, 0, found);
                assertArrayEquals(values(0, i, 3), found);
                assertEquals(0, jobs.engine(1).unexpectedCount());
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 50_000})
    void shouldEndASynchronousSendWhenAReceiveHasTakenIt(final int count)
    {
        try (Jobs jobs = new Jobs(directory, 2))
        {
            final Send send = new Send();
            send.elements(new int[count], 0, count, INTS);
            jobs.engine(0).begin(send, jobs.world(0), 1, 5, Send.Mode.SYNCHRONOUS);
            final Probe probe = new Probe();
            jobs.engine(1).begin(probe, jobs.world(1), 0, ANY);
            jobs.engine(1).await(probe);
            assertEquals(5, probe.tag());
            assertEquals(count * 4L, probe.length());
            assertFalse(jobs.engine(0).test(send));

            receive(jobs, 1, 0, 5, new int[count]);
            jobs.engine(0).await(send);
            assertEquals(Outcome.DONE, send.outcome());
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {10, 50_000})
    void shouldSayThatAMessageWasTooLong(final int count)
    {
        try (Jobs jobs = new Jobs(directory, 2))
        {
            final Future<Object> sender = jobs.begin(() ->
            {
                send(jobs, 0, 1, 0, values(0, 0, count), Send.Mode.STANDARD);
                send(jobs, 0, 1, 0, values(0, 1, count), Send.Mode.STANDARD);
                return null;
            });
            final int[] small = new int[count - 3];
            final Receive receive = receive(jobs, 1, 0, 0, small);
            assertEquals(Outcome.TRUNCATED, receive.outcome());
            assertEquals(small.length * 4L, receive.length());
            assertArrayEquals(Arrays.copyOf(values(0, 0, count), count - 3), small);
            assertEquals(Outcome.TRUNCATED, receive(jobs, 1, 0, 0, new int[0]).outcome());
            Jobs.get(sender);
        }
    }

    @Test
    void shouldGiveATakenMessageToNobodyElse()
    {
        try (Jobs jobs = new Jobs(directory, 1))
        {
            send(jobs, 0, 0, 1, new int[] {11}, Send.Mode.STANDARD);
            send(jobs, 0, 0, 1, new int[] {12}, Send.Mode.STANDARD);
            final Probe probe = new Probe();
            jobs.engine(0).begin(probe, jobs.world(0), ANY, 1);
            jobs.engine(0).await(probe);
            final Arrival first = jobs.engine(0).take(jobs.world(0), ANY, 1);
            assertEquals(4, first.length());
            final int[] second = new int[1];
            receive(jobs, 0, 0, 1, second);
            final byte[] bytes = receiveTaken(jobs, first);
            assertEquals(12, second[0]);
            assertEquals(4, bytes.length);
            assertEquals(11, bytes[0]);
        }
    }

    @Test
    void shouldTakeBackWhatHasNotBegun()
    {
        try (Jobs jobs = new Jobs(directory, 2))
        {
            final Receive receive = new Receive();
            receive.elements(new int[1], 0, 1, INTS);
            jobs.engine(1).begin(receive, jobs.world(1), 0, 3);
            assertTrue(jobs.engine(1).tryCancel(receive));
            assertEquals(Outcome.CANCELLED, receive.outcome());
            assertFalse(jobs.engine(1).tryCancel(receive));

            send(jobs, 0, 1, 3, new int[] {4}, Send.Mode.STANDARD);
            final int[] value = new int[1];
            receive(jobs, 1, 0, 3, value);
            assertEquals(4, value[0]);
        }
    }

    @Test
    void shouldReceiveInPlaceAfterAReceiveOfAnyLength()
    {
        try (Jobs jobs = new Jobs(directory, 2))
        {
            final Receive receive = new Receive();
            receive.anyLength();
            jobs.engine(1).begin(receive, jobs.world(1), 0, 3);
            assertTrue(jobs.engine(1).tryCancel(receive));

            final int[] value = new int[1];
            receive.elements(value, 0, 1, INTS);
            jobs.engine(1).begin(receive, jobs.world(1), 0, 3);
            send(jobs, 0, 1, 3, new int[] {4}, Send.Mode.STANDARD);
            jobs.engine(1).await(receive);

            assertEquals(Outcome.DONE, receive.outcome());
            assertEquals(4, value[0]);
        }
    }

    @Test
    void shouldHoldWhatNobodyReceives()
    {
        try (Jobs jobs = new Jobs(directory, 2, "grim.mpi.unexpected-length", "64KiB"))
        {
            final int messageCount = 5_000;
            final int length = 8_000;
            final Future<Object> sender = jobs.begin(() ->
            {
                for (int i = 0; i < messageCount; i++)
                {
                    send(jobs, 0, 1, i % 3, values(0, i, length / Integer.BYTES), Send.Mode.STANDARD);
                }
                return null;
            });
            final Probe probe = new Probe();
            jobs.engine(1).begin(probe, jobs.world(1), 0, 0);
            jobs.engine(1).await(probe);
            for (int i = 0; i < messageCount; i++)
            {
                final int[] values = new int[length / Integer.BYTES];
                final Receive receive = receive(jobs, 1, 0, ANY, values);
                assertEquals(i % 3, receive.tag());
                assertArrayEquals(values(0, i, values.length), values);
            }
            Jobs.get(sender);
        }
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3})
    void shouldKeepTheOrderOfEachSenderAndTag(final long seed)
    {
        final int size = 3;
        final int count = 1_500;
        final int tagCount = 3;
        try (Jobs jobs = new Jobs(directory, size))
        {
            jobs.all(rank ->
            {
                final SplittableRandom random = new SplittableRandom(seed * size + rank);
                final List<Send> sends = new ArrayList<>();
                for (int i = 0; i < count; i++)
                {
                    for (int target = 0; target < size; target++)
                    {
                        final int tag = i % tagCount;
                        final int length = 3 + (random.nextInt(20) == 0 ? random.nextInt(9_000) : random.nextInt(40));
                        final int[] values = new int[length];
                        values[0] = rank;
                        values[1] = i;
                        values[length - 1] = i;
                        final Send send = new Send();
                        send.elements(values, 0, length, INTS);
                        jobs.engine(rank).begin(send, jobs.world(rank), target, tag,
                            random.nextInt(9) == 0 ? Send.Mode.SYNCHRONOUS : Send.Mode.STANDARD);
                        sends.add(send);
                    }
                }
                final int[][] next = new int[size][tagCount];
                for (final int[] each : next)
                {
                    Arrays.setAll(each, tag -> tag);
                }
                final int[] values = new int[9_100];
                for (int i = 0; i < count * size; i++)
                {
                    final Receive receive = receive(jobs, rank, ANY, random.nextInt(2) == 0 ? ANY :
                        openTag(next, count), values);
                    assertEquals(Outcome.DONE, receive.outcome());
                    assertEquals(receive.source(), values[0]);
                    assertEquals(next[receive.source()][receive.tag()], values[1]);
                    assertEquals(values[1], values[(int)receive.length() / Integer.BYTES - 1]);
                    next[receive.source()][receive.tag()] += tagCount;
                }
                sends.forEach(jobs.engine(rank)::await);
                assertEquals(0, jobs.engine(rank).unexpectedCount());
                return null;
            });
        }
    }

    @Test
    void shouldLetManyThreadsWaitAtATime()
    {
        final int threadCount = 6;
        final int roundCount = 200;
        try (Jobs jobs = new Jobs(directory, 2))
        {
            final List<Future<Object>> threads = new ArrayList<>();
            for (int i = 0; i < 2 * threadCount; i++)
            {
                final int rank = i % 2;
                final int tag = i / 2;
                threads.add(jobs.begin(() ->
                {
                    for (int round = 0; round < roundCount; round++)
                    {
                        final int[] values = new int[30 * round];
                        if (rank == round % 2)
                        {
                            send(jobs, rank, 1 - rank, tag, values(tag, round, values.length), Send.Mode.STANDARD);
                        }
                        else
                        {
                            receive(jobs, rank, 1 - rank, tag, values);
                            assertArrayEquals(values(tag, round, values.length), values);
                        }
                    }
                    return null;
                }));
            }
            threads.forEach(Jobs::get);
        }
    }

    @Test
    void shouldEndWhatWaitsForAProcessThatHasGone()
    {
        try (Jobs jobs = new Jobs(directory, 3))
        {
            final Receive fromOne = new Receive();
            fromOne.elements(new int[1], 0, 1, INTS);
            jobs.engine(0).begin(fromOne, jobs.world(0), 1, 0);
            final Receive fromTwo = new Receive();
            fromTwo.elements(new int[1], 0, 1, INTS);
            jobs.engine(0).begin(fromTwo, jobs.world(0), 2, 0);
            final Receive fromAny = new Receive();
            fromAny.elements(new int[1], 0, 1, INTS);
            jobs.engine(0).begin(fromAny, jobs.world(0), ANY, 7);
            final Send requested = new Send();
            requested.elements(new int[100_000], 0, 100_000, INTS);
            jobs.engine(0).begin(requested, jobs.world(0), 1, 0, Send.Mode.STANDARD);
            final Probe probe = new Probe();
            jobs.engine(0).begin(probe, jobs.world(0), 1, ANY);

            jobs.engine(1).close();
            for (final Operation operation : List.of(fromOne, fromAny, requested, probe))
            {
                jobs.engine(0).await(operation);
                assertEquals(Outcome.PEER_FAILED, operation.outcome());
            }
            assertFalse(jobs.engine(0).test(fromTwo));
            assertEquals(Outcome.PEER_FAILED, receive(jobs, 0, 1, 0, new int[1]).outcome());
            assertEquals(Outcome.PEER_FAILED, send(jobs, 0, 1, 0, new int[1], Send.Mode.STANDARD).outcome());
            send(jobs, 2, 0, 0, new int[] {9}, Send.Mode.STANDARD);
            jobs.engine(0).await(fromTwo);
            assertEquals(Outcome.DONE, fromTwo.outcome());
        }
    }

    @Test
    void shouldEndWhatIsInProgressWhenItLeaves()
    {
        try (Jobs jobs = new Jobs(directory, 2))
        {
            final Receive receive = new Receive();
            receive.elements(new int[1], 0, 1, INTS);
            jobs.engine(0).begin(receive, jobs.world(0), 1, 0);
            final Future<Object> waiter = jobs.begin(() ->
            {
                jobs.engine(0).await(receive);
                return null;
            });

            jobs.engine(0).close();

            Jobs.get(waiter);
            assertEquals(Outcome.CLOSED, receive.outcome());
            jobs.engine(0).close();
        }
    }

    private static int[] values(final int seed, final int round, final int count)
    {
        return IntStream.range(0, count).map(i -> seed * 31 + round * 7 + i).toArray();
    }

    private static int openTag(final int[][] next, final int count)
    {
        for (int tag = 0; tag < next[0].length; tag++)
        {
            for (final int[] each : next)
            {
                if (each[tag] < count)
                {
                    return tag;
                }
            }
        }
        throw new IllegalStateException("all have come");
    }

    private static Send send(
        final Jobs jobs, final int rank, final int target, final int tag, final int[] values, final Send.Mode mode)
    {
        final Send send = new Send();
        send.elements(values, 0, values.length, INTS);
        jobs.engine(rank).begin(send, jobs.world(rank), target, tag, mode);
        jobs.engine(rank).await(send);
        return send;
    }

    private static Receive receive(
        final Jobs jobs, final int rank, final int source, final int tag, final int[] values)
    {
        final Receive receive = new Receive();
        receive.elements(values, 0, values.length, INTS);
        jobs.engine(rank).begin(receive, jobs.world(rank), source, tag);
        jobs.engine(rank).await(receive);
        return receive;
    }

    private static byte[] receiveTaken(final Jobs jobs, final Arrival message)
    {
        final Receive receive = new Receive();
        receive.anyLength();
        jobs.engine(0).begin(receive, message);
        jobs.engine(0).await(receive);
        assertEquals(BYTES.packedLength() * 4, receive.length());
        return receive.bytes();
    }
}
