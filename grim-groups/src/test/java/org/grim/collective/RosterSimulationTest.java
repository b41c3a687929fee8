// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.HashSet;
import java.util.Random;
import java.util.Set;

import org.grim.collective.RosterMessage.Kind;
import org.grim.faults.PlantedBug;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Nodes that join, give up, leave, stop, die and come back, while links are full and messages wait. An epoch's number
 * names one roster and has one owner; where all see the same nodes there is one owner at a time; a member's epoch
 * rises. When that ends, all nodes that want to are members of one group, and nobody else is named.
 * <p>{@code -Droster.seeds=10000} takes as many seeds.
 */
@Timeout(180)
final class RosterSimulationTest
{
    private static final int SEED_COUNT = Integer.getInteger("roster.seeds", 1_000);
    private static final int DISTURBANCE_COUNT = 300;
    private static final int TRIAL_COUNT = 15;
    private static final int TRIAL_SEED_COUNT_MAX = 2_000;
    private static final RosterWorld.Parts REAL = new RosterWorld.Parts()
    {
    };

    @Test
    void shouldAgreeOnOneGroup()
    {
        for (long seed = 0; seed < SEED_COUNT; seed++)
        {
            run(seed, REAL);
        }
    }

    @Test
    void shouldRepeatARunBySeed()
    {
        for (long seed = 0; seed < SEED_COUNT; seed += SEED_COUNT / 20)
        {
            assertEquals(run(seed, REAL), run(seed, REAL), "seed=" + seed);
        }
    }

    @Test
    void shouldFindThatNodesThatGaveUpDoNotSaySo()
    {
        find("no LEAVE", swallowing(Kind.LEAVE));
    }

    @Test
    void shouldFindThatASuccessorDoesNotSpreadTheRosterAgain()
    {
        find("no epoch of a successor", new RosterWorld.Parts()
        {
            @Override
            public EpochNumbers epochs(final int self, final int nodeCount)
            {
                final EpochNumbers real = new MakerEpochNumbers(self, nodeCount);
                return new EpochNumbers()
                {
                    @Override
                    public int next(final int latest)
                    {
                        return real.next(latest);
                    }

                    @Override
                    public int maker(final int epoch)
                    {
                        return real.maker(epoch);
                    }

                    @Override
                    public boolean isOf(final int epoch, final int node)
                    {
                        return true;
                    }
                };
            }
        });
    }

    @Test
    void shouldFindThatAnEpochIsUsedTwice()
    {
        find("numbers without their maker", new RosterWorld.Parts()
        {
            @Override
            public EpochNumbers epochs(final int self, final int nodeCount)
            {
                return new PlainNumbers(self, nodeCount);
            }
        });
    }

    @Test
    void shouldFindThatOwnersDoNotSeekEachOther()
    {
        find("no OWNER from owners", swallowing(Kind.OWNER));
    }

    private static RosterWorld.Parts swallowing(final Kind kind)
    {
        return new RosterWorld.Parts()
        {
            @Override
            public RosterSink sink(final RosterSink sink)
            {
                return (to, message) -> message.kind() == kind || sink.trySend(to, message);
            }
        };
    }

    private static int run(final long seed, final RosterWorld.Parts parts)
    {
        final Random random = new Random(seed);
        final RosterWorld world = new RosterWorld(random, parts);
        try
        {
            if (random.nextBoolean())
            {
                world.gather();
            }
            for (int i = 0; i < DISTURBANCE_COUNT; i++)
            {
                world.disturb(i > DISTURBANCE_COUNT / 6);
            }
            world.settle();
        }
        catch (final AssertionError | RuntimeException ex)
        {
            throw new AssertionError("seed=" + seed + ": " + ex.getMessage(), ex);
        }
        return world.traceHash();
    }

    private static void find(final String bug, final RosterWorld.Parts parts)
    {
        PlantedBug.find(bug, TRIAL_COUNT, TRIAL_SEED_COUNT_MAX, seed -> run(seed, parts));
    }

    /** Numbers that only count: a node knows which ones it has made itself. */
    private static final class PlainNumbers implements EpochNumbers
    {
        private final Set<Integer> made = new HashSet<>();
        private final int self;
        private final int nodeCount;

        PlainNumbers(final int self, final int nodeCount)
        {
            this.self = self;
            this.nodeCount = nodeCount;
        }

        @Override
        public int maker(final int epoch)
        {
            return epoch % nodeCount;
        }

        @Override
        public int next(final int latest)
        {
            made.add(latest + 1);
            return latest + 1;
        }

        @Override
        public boolean isOf(final int epoch, final int node)
        {
            return made.contains(epoch) == (node == self);
        }
    }
}
