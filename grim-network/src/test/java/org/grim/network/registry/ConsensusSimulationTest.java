// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.grim.faults.PlantedBug;
import org.grim.network.registry.ConsensusMessage.Verb;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * At most one decision follows another, with messages lost, late or repeated, hosts cut off or killed, and stores that
 * refuse; and when that ends, all hosts agree again. {@code -Dregistry.seeds=100000} takes as many seeds.
 */
@Timeout(180)
final class ConsensusSimulationTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ConsensusSimulationTest.class);
    private static final int SEED_COUNT = Integer.getInteger("registry.seeds", 1_000);
    private static final int DISTURBANCE_COUNT = 600;
    private static final int TRIAL_COUNT = 7;
    private static final int TRIAL_SEED_COUNT_MAX = 5_000;
    private static final ConsensusWorld.Parts REAL = new ConsensusWorld.Parts()
    {
    };

    @Test
    void shouldDecideEachStepOnce()
    {
        final long[] sums = new long[3];
        for (long seed = 0; seed < SEED_COUNT; seed++)
        {
            final long[] counts = run(seed, REAL).counts();
            Arrays.setAll(sums, i -> sums[i] + counts[i]);
        }

        LOGGER.info("seeds={} decisions={} crashes={} failed stores={}", SEED_COUNT, sums[0], sums[1], sums[2]);
        assertTrue(sums[0] > 5L * SEED_COUNT && sums[1] > SEED_COUNT && sums[2] > SEED_COUNT);
    }

    @Test
    void shouldRepeatARunBySeed()
    {
        for (long seed = 0; seed < SEED_COUNT; seed += SEED_COUNT / 20)
        {
            assertEquals(run(seed, REAL).traceHash(), run(seed, REAL).traceHash(), "seed=" + seed);
        }
    }

    @Test
    void shouldFindThatABallotIsNotStoredBeforeItIsSent()
    {
        find("own ballot is not stored", new ConsensusWorld.Parts()
        {
            @Override
            public Pledge stored(final String host, final Pledge before, final Pledge next)
            {
                final boolean isOwn = next.promised().host().equals(host) && !next.promised().equals(next.ballot());
                return isOwn ? new Pledge(before.promised(), next.ballot(), next.decision()) : next;
            }
        });
    }

    @Test
    void shouldFindThatAPromiseIsNotStored()
    {
        find("promise is not stored", new ConsensusWorld.Parts()
        {
            @Override
            public Pledge stored(final String host, final Pledge before, final Pledge next)
            {
                return new Pledge(next.ballot(), next.ballot(), next.decision());
            }
        });
    }

    @Test
    void shouldFindThatAnAgreementIsNotStored()
    {
        find("agreement is not stored", new ConsensusWorld.Parts()
        {
            @Override
            public Pledge stored(final String host, final Pledge before, final Pledge next)
            {
                return new Pledge(next.promised(), Ballot.NONE, null);
            }
        });
    }

    @Test
    void shouldFindThatAFailedStoreCountsAsStored()
    {
        find("failed store counts as stored", new ConsensusWorld.Parts()
        {
            @Override
            public boolean isFailureSaid()
            {
                return false;
            }
        });
    }

    @Test
    void shouldFindThatAPromiseDoesNotSayWhatWasAgreedTo()
    {
        find("promise without the agreement", new ConsensusWorld.Parts()
        {
            @Override
            public ConsensusMessage sent(final ConsensusMessage message, final Ballot latestOfReceiver)
            {
                return message.verb() != Verb.PROMISE ? message :
                    ConsensusMessage.of(Verb.PROMISE, message.cluster(), message.epoch(), message.ballot());
            }
        });
    }

    @Test
    void shouldFindThatAnswersToAnEarlierAttemptCount()
    {
        find("answers to earlier attempts count", new ConsensusWorld.Parts()
        {
            @Override
            public ConsensusMessage sent(final ConsensusMessage message, final Ballot latestOfReceiver)
            {
                return message.verb() != Verb.ACCEPTED && message.verb() != Verb.PROMISE ? message :
                    new ConsensusMessage(message.verb(), message.cluster(), message.epoch(), latestOfReceiver,
                        message.accepted(), message.decision());
            }
        });
    }

    @Test
    void shouldFindThatARepeatedAnswerCountsTwice()
    {
        find("repeated answers count as those of others", new ConsensusWorld.Parts()
        {
            private int answerCount;

            @Override
            public String voter(final String from, final List<String> members)
            {
                answerCount++;
                return members.isEmpty() ? from : members.get(answerCount % members.size());
            }
        });
    }

    private static ConsensusWorld run(final long seed, final ConsensusWorld.Parts parts)
    {
        try
        {
            final ConsensusWorld world = new ConsensusWorld(new Random(seed), parts);
            for (int i = 0; i < DISTURBANCE_COUNT; i++)
            {
                world.disturb();
            }
            world.settle();
            return world;
        }
        catch (final AssertionError | RuntimeException ex)
        {
            throw new AssertionError("seed=" + seed + ": " + ex.getMessage(), ex);
        }
    }

    private static void find(final String bug, final ConsensusWorld.Parts parts)
    {
        PlantedBug.find(bug, TRIAL_COUNT, TRIAL_SEED_COUNT_MAX, seed -> run(seed, parts));
    }
}
