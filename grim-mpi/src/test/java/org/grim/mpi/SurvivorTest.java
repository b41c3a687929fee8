// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Future;
import java.util.stream.IntStream;

import org.grim.buffer.PrimitiveArray;
import org.grim.group.Reduction;
import org.grim.mpi.Operation.Outcome;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Communicators with members that die, and revoked ones. */
@Timeout(120)
final class SurvivorTest
{
    private static final int SIZE = 4;
    private static final int LARGE = 50_000;            // Above the length of messages that are sent at once.
    private static final Layout INTS = Layout.of(PrimitiveArray.INTS);
    private static final Reduction SUM = Reduction.of(Reduction.Type.INT, Reduction.Operation.SUM);

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {0, 2})
    void shouldGoOnWithoutADeadMember(final int dead)
    {
        try (Jobs jobs = new Jobs(directory, SIZE))
        {
            final List<Communicator> pairs =
                jobs.all(rank -> jobs.engine(rank).world().split(rank == dead ? 1 : 0, 0));
            final List<Future<Outcome>> waiting = new ArrayList<>();
            for (int i = 0; i < SIZE; i++)
            {
                final Communicator world = jobs.engine(i).world();
                waiting.add(i == dead ? null : jobs.begin(() -> sum(world, 1, new int[1])));
            }
            jobs.engine(dead).close();
            final List<Future<Object>> survivors = new ArrayList<>();
            for (int i = 0; i < SIZE; i++)
            {
                final int rank = i;
                survivors.add(i == dead ? null : jobs.begin(() ->
                {
                    assertEquals(Outcome.PEER_FAILED, Jobs.get(waiting.get(rank)));
                    final Communicator world = jobs.engine(rank).world();
                    assertEquals(Outcome.PEER_FAILED, sum(world, 1, new int[1]));
                    final Receive receive = new Receive();
                    receive.elements(new int[1], 0, 1, INTS);
                    jobs.engine(rank).begin(receive, world.targets(), dead, 0);
                    jobs.engine(rank).await(receive);
                    assertEquals(Outcome.PEER_FAILED, receive.outcome());
                    assertArrayEquals(new int[] {dead}, world.failedRanks());
                    assertEquals(Outcome.PEER_FAILED,
                        assertThrows(OperationException.class, world::duplicate).outcome());
                    assertEquals(8, world.agree(1 << rank | 8 | 32 << rank) & 15);
                    final Communicator shrunk = world.shrink();
                    assertEquals(SIZE - 1, shrunk.size());
                    assertEquals(rank - (rank > dead ? 1 : 0), shrunk.rank());
                    checkSum(shrunk);
                    checkSum(pairs.get(rank));
                    checkSum(shrunk.duplicate());
                    return null;
                }));
            }
            survivors.stream().filter(each -> each != null).forEach(Jobs::get);
        }
    }

    /** Members leave when they know a decision, which the others may not. */
    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2})
    void shouldDecideTheSameAlthoughMembersLeave(final long seed)
    {
        try (Jobs jobs = new Jobs(directory, SIZE))
        {
            final List<List<Integer>> decisions = jobs.all(rank ->
            {
                final List<Integer> own = new ArrayList<>();
                final Communicator world = jobs.engine(rank).world();
                for (int round = 0; round < 20; round++)
                {
                    if (rank == (round + seed) % SIZE)
                    {
                        Thread.sleep(round % 3);
                    }
                    own.add(world.agree(~(1 << (round % 7 + rank))));
                    if (rank < 2 && round == 10 + 3 * rank)
                    {
                        jobs.engine(rank).close();
                        break;
                    }
                }
                return own;
            });
            assertEquals(20, decisions.get(2).size());
            assertEquals(decisions.get(2), decisions.get(3));
            for (int rank = 0; rank < 2; rank++)
            {
                final int known = decisions.get(rank).size();
                assertEquals(decisions.get(2).subList(0, known), decisions.get(rank));
            }
            for (int round = 0; round < 20; round++)
            {
                final int all = 15 << round % 7;
                assertEquals(0, decisions.get(2).get(round) & 12 << round % 7);
                assertEquals(-1, decisions.get(2).get(round) | all);
            }
        }
    }

    @Test
    void shouldEndOperationsOfARevokedCommunicator()
    {
        try (Jobs jobs = new Jobs(directory, 3))
        {
            final List<Communicator> twins = jobs.all(rank -> jobs.engine(rank).world().duplicate());
            final Receive receive = new Receive();
            receive.elements(new int[1], 0, 1, INTS);
            jobs.engine(1).begin(receive, twins.get(1).targets(), 2, 0);
            final Future<Outcome> waiting = jobs.begin(() -> sum(twins.get(2), 1, new int[1]));
            final Receive ofWorld = new Receive();
            ofWorld.elements(new int[1], 0, 1, INTS);
            jobs.engine(1).begin(ofWorld, jobs.engine(1).world().targets(), 2, 0);

            twins.get(0).revoke();
            jobs.engine(1).await(receive);
            assertEquals(Outcome.REVOKED, receive.outcome());
            assertEquals(Outcome.REVOKED, Jobs.get(waiting));
            assertFalse(jobs.engine(1).test(ofWorld));
            jobs.all(rank ->
            {
                final Communicator twin = twins.get(rank);
                assertTrue(twin.isRevoked());
                assertEquals(Outcome.REVOKED, sum(twin, 1, new int[1]));
                assertEquals(Outcome.REVOKED, assertThrows(OperationException.class, twin::duplicate).outcome());
                final Send send = new Send();
                send.elements(new int[1], 0, 1, INTS);
                jobs.engine(rank).begin(send, twin.targets(), 0, 0, Send.Mode.STANDARD);
                assertEquals(Outcome.REVOKED, send.outcome());
                assertEquals(4, twin.agree(4 | 1 << (rank + 4)));
                checkSum(twin.shrink());
                twin.close();
                checkSum(jobs.engine(rank).world());
                return null;
            });
        }
    }

    @Test
    void shouldEndTheReceiveOfATakenMessageWithItsOwnCommunicatorOnly()
    {
        try (Jobs jobs = new Jobs(directory, 2, "grim.mpi.progress", "none"))
        {
            final List<Communicator> revoked = jobs.all(rank -> jobs.engine(rank).world().duplicate());
            final List<Communicator> twins = jobs.all(rank -> jobs.engine(rank).world().duplicate());
            final Send first = send(revoked.get(0), new int[LARGE]);
            final Send second = send(twins.get(0), new int[LARGE]);
            final Arrival ofRevoked = take(revoked.get(1));
            final Arrival ofTwin = take(twins.get(1));
            final Receive receive = new Receive();
            receive.elements(new int[LARGE], 0, LARGE, INTS);
            jobs.engine(1).begin(receive, ofTwin);

            jobs.engine(1).world().revoke();
            revoked.get(1).revoke();

            assertFalse(receive.isDone());
            final Receive late = new Receive();
            late.elements(new int[LARGE], 0, LARGE, INTS);
            jobs.engine(1).begin(late, ofRevoked);
            assertTrue(late.isDone());
            assertEquals(Outcome.REVOKED, late.outcome());
            final Future<Object> sender = jobs.begin(() ->
            {
                jobs.engine(0).await(first);
                jobs.engine(0).await(second);
                return null;
            });
            jobs.engine(1).await(receive);
            Jobs.get(sender);
            assertEquals(Outcome.DONE, receive.outcome());
            assertEquals(Outcome.REVOKED, first.outcome());
            assertEquals(Outcome.DONE, second.outcome());
        }
    }

    @Test
    void shouldDropMessagesThatComeAfterARevocation()
    {
        try (Jobs jobs = new Jobs(directory, 2, "grim.mpi.progress", "none"))
        {
            final List<Communicator> twins = jobs.all(rank -> jobs.engine(rank).world().duplicate());

            twins.get(1).revoke();
            send(twins.get(0), new int[1]);                   // Does not know yet.
            final Send request = send(twins.get(0), new int[LARGE]);
            assertFalse(twins.get(0).isRevoked());
            send(jobs.engine(0).world(), new int[1]);
            receive(jobs.engine(1).world());

            assertEquals(0, jobs.engine(1).unexpectedCount());
            jobs.engine(0).await(request);
            assertEquals(Outcome.REVOKED, request.outcome());
        }
    }

    @Test
    void shouldDropMessagesOfAClosedCommunicatorAndLetTheirSendersGoOn()
    {
        try (Jobs jobs = new Jobs(directory, 2))
        {
            final List<Communicator> twins = jobs.all(rank -> jobs.engine(rank).world().duplicate());
            send(twins.get(0), new int[1]);
            final Send synchronous = new Send();
            synchronous.elements(new int[1], 0, 1, INTS);
            jobs.engine(0).begin(synchronous, twins.get(0).targets(), 1, 0, Send.Mode.SYNCHRONOUS);
            final Send request = send(twins.get(0), new int[LARGE]);
            send(jobs.engine(0).world(), new int[1]);
            receive(jobs.engine(1).world());
            assertEquals(3, jobs.engine(1).unexpectedCount());

            jobs.all(rank ->
            {
                twins.get(rank).close();
                return null;
            });

            assertEquals(0, jobs.engine(1).unexpectedCount());
            jobs.engine(0).await(synchronous);
            jobs.engine(0).await(request);
            assertEquals(Outcome.DONE, synchronous.outcome());
            assertEquals(Outcome.DONE, request.outcome());
        }
    }

    @Test
    void shouldRevokeWhatWasMadeInside()
    {
        try (Jobs jobs = new Jobs(directory, 3))
        {
            final List<Communicator> wholes = jobs.all(rank -> jobs.engine(rank).world().duplicate());
            final List<Communicator> parts = jobs.all(rank -> wholes.get(rank).part());
            final List<Communicator> inner = jobs.all(rank -> parts.get(rank).part());
            final List<Communicator> twins = jobs.all(rank -> wholes.get(rank).duplicate());
            jobs.all(rank ->
            {
                final Communicator made = parts.get(rank).part();
                made.revoke();                          // A part's revocation is its own.
                final Receive waiting = new Receive();
                waiting.elements(new int[1], 0, 1, INTS);
                jobs.engine(rank).begin(waiting, inner.get(rank).targets(), (rank + 1) % 3, 0);
                checkSum(parts.get(rank));
                checkSum(jobs.engine(rank).world());    // All have left the part's sum.
                if (rank == 0)
                {
                    wholes.get(rank).revoke();
                }
                jobs.engine(rank).await(waiting);
                assertEquals(Outcome.REVOKED, waiting.outcome());
                assertTrue(parts.get(rank).isRevoked());
                assertTrue(wholes.get(rank).isRevoked());
                assertEquals(Outcome.REVOKED, sum(parts.get(rank), 1, new int[1]));
                checkSum(twins.get(rank));
                return null;
            });
        }
    }

    /** Of two parts that cannot reach each other one goes on, and one alone, however they are cut. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 4, 5, 6})
    void shouldLetOnePartGoOn(final int size)
    {
        for (int bits = 0; bits < 1 << size; bits++)
        {
            final int[] one = ranks(bits, size);
            final int[] other = ranks(~bits, size);
            assertTrue(Agreement.isLargerPart(one, other) != Agreement.isLargerPart(other, one));
            assertTrue(one.length >= other.length || !Agreement.isLargerPart(one, other));
        }
        assertTrue(Agreement.isLargerPart(new int[] {0, 3}, new int[] {1, 2}));
        assertTrue(Agreement.isLargerPart(new int[] {1, 2, 3}, new int[] {0, 4}));
    }

    private static int[] ranks(final int bits, final int size)
    {
        return IntStream.range(0, size).filter(rank -> (bits & 1 << rank) != 0).toArray();
    }

    /** Begins to send from rank 0 to rank 1. */
    private static Send send(final Communicator communicator, final int... values)
    {
        final Send send = new Send();
        send.elements(values, 0, values.length, INTS);
        communicator.engine().begin(send, communicator.targets(), 1, 0, Send.Mode.STANDARD);
        return send;
    }

    /** Takes the message of rank 0 when it has come. */
    private static Arrival take(final Communicator communicator)
    {
        final Probe probe = new Probe();
        communicator.engine().begin(probe, communicator.targets(), 0, 0);
        communicator.engine().await(probe);
        return communicator.engine().take(communicator.targets(), 0, 0);
    }

    private static void receive(final Communicator communicator)
    {
        final Receive receive = new Receive();
        receive.elements(new int[1], 0, 1, INTS);
        communicator.engine().begin(receive, communicator.targets(), 0, 0);
        communicator.engine().await(receive);
    }

    private static void checkSum(final Communicator communicator)
    {
        final int[] sum = new int[1];
        assertEquals(Outcome.DONE, sum(communicator, communicator.rank(), sum));
        assertEquals(IntStream.range(0, communicator.size()).sum(), sum[0]);
    }

    private static Outcome sum(final Communicator communicator, final int value, final int[] sum)
    {
        final Collective c = new Collective();
        communicator.allReduce(c, new Elements().set(new int[] {value}, 0, 1, INTS),
            new Elements().set(sum, 0, 1, INTS), SUM);
        communicator.engine().await(c);
        return c.outcome();
    }
}
