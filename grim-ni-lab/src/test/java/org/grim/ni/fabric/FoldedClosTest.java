// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.Arrays;

import org.grim.ni.clock.VirtualClock;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class FoldedClosTest
{
    private static final int NOBODY = -1;
    private static final int MANY = -2;

    @ParameterizedTest(name = "{0} NIs, {1} ports")
    @CsvSource({"2, 16, 2", "16, 16, 2", "17, 16, 4", "128, 16, 4", "129, 16, 6", "1024, 16, 6", "4096, 16, 8",
        "64, 64, 2", "2048, 64, 4", "4096, 64, 6"})
    void shouldHaveAsFewLevelsAsCanBe(final int niCount, final int portCount, final int hopCount)
    {
        final Topology topology = Topology.foldedClos(niCount, portCount);

        assertEquals(hopCount, topology.hopCountMax());
        assertEquals(hopCount, topology.route(0, niCount - 1, new int[Topology.HOP_COUNT_MAX]));
    }

    /** Checks the full bisection: no link down is shared by two targets, none up by two groups of sources. */
    @ParameterizedTest(name = "{0} NIs, {1} ports")
    @CsvSource({"20, 16", "300, 16", "1024, 16", "70, 64"})
    void shouldLeadEachTargetsPacketsDownItsOwnWay(final int niCount, final int portCount)
    {
        final Topology topology = Topology.foldedClos(niCount, portCount);
        final int[] targetOf = filled(topology.linkCount());
        final int[] levelOf = filled(topology.linkCount());
        final int[] route = new int[Topology.HOP_COUNT_MAX];

        for (int source = 0; source < niCount; source++)
        {
            for (int target = 0; target < niCount; target++)
            {
                final int hopCount = topology.route(source, target, route);
                assertEquals(topology.outgoingLink(source), route[0]);
                assertEquals(topology.incomingLink(target), route[hopCount - 1]);
                for (int hop = 0; hop < hopCount; hop++)
                {
                    final boolean isUp = hop < hopCount / 2;
                    // As far from the source as from the target: the level is the same whichever NI uses the link.
                    final int level = isUp ? hop : -(hopCount - hop);
                    final int link = route[hop];
                    assertTrue(levelOf[link] == NOBODY || levelOf[link] == level + 100, "link " + link);
                    levelOf[link] = level + 100;
                    if (!isUp)
                    {
                        targetOf[link] = targetOf[link] == NOBODY || targetOf[link] == target ? target : MANY;
                    }
                }
            }
        }

        assertTrue(Arrays.stream(targetOf).noneMatch(target -> target == MANY));
    }

    /** A permutation by distance, all at once, has a link of its own for each packet where the network is full. */
    @Test
    void shouldCarryShiftsWithoutASharedLink()
    {
        final Topology topology = Topology.foldedClos(512, 16);
        final int[] route = new int[Topology.HOP_COUNT_MAX];

        for (int shift = 1; shift < 512; shift++)
        {
            final boolean[] isUsed = new boolean[topology.linkCount()];
            for (int source = 0; source < 512; source++)
            {
                final int hopCount = topology.route(source, (source + shift) % 512, route);
                for (int hop = 0; hop < hopCount; hop++)
                {
                    assertTrue(!isUsed[route[hop]], "shift " + shift + ", link " + route[hop]);
                    isUsed[route[hop]] = true;
                }
            }
        }
    }

    @Test
    void shouldKeepOrderAndLoseNothingThroughThreeLevels()
    {
        final VirtualClock clock = new VirtualClock();
        final Fabric fabric =
            new Fabric(clock, Topology.foldedClos(140, 16), new LinkTiming(100, 1_000_000_000L, 1));
        final Traffic traffic = new Traffic(clock, fabric, new RandomStream(5), 40, 300);

        traffic.run();

        assertTrue(traffic.isComplete());
        assertEquals(0, traffic.disorderCount());
    }

    @Test
    void shouldRefuseOddSwitches()
    {
        assertThrows(IllegalArgumentException.class, () -> Topology.foldedClos(64, 17));
        assertThrows(IllegalArgumentException.class, () -> Topology.foldedClos(64, 14));
        assertThrows(IllegalArgumentException.class, () -> Topology.foldedClos(4097, 16));
    }

    private static int[] filled(final int count)
    {
        final int[] values = new int[count];
        Arrays.fill(values, NOBODY);
        return values;
    }
}
