// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.grim.board.ChannelRegisters;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.LinkTiming;
import org.grim.ni.fabric.Topology;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Round trips of multicasts in virtual time: from the root's host down the tree to one of the deepest NIs, whose host
 * answers by an active message. Groups of equal depth take equal time, as the GRIM dissertation has it.
 */
class MulticastTimingTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MulticastTimingTest.class);
    private static final int TREE = 1;
    private static final int PAYLOAD_LENGTH = 32;
    private static final int NI_COUNT_MAX = 15;
    private static final int LANAI_9 = 9;
    private static final long LINK_LATENCY_NS = 500;
    private static final long TIME_OUT_NS = 1_000_000_000;

    @ParameterizedTest
    @ValueSource(ints = {4, 9})
    void shouldTakeEqualTimeInGroupsOfEqualDepth(final int model)
    {
        final long[] least = new long[4];
        final long[] most = new long[4];
        for (int niCount = 2; niCount <= NI_COUNT_MAX; niCount++)
        {
            final int depth = 31 - Integer.numberOfLeadingZeros(niCount);
            final long roundTripNs = roundTripNs(model, niCount, (1 << depth) - 1);
            LOGGER.info("LANai {}, {} NIs, depth {}: {} us", model, niCount, depth, roundTripNs / 1000.0);
            least[depth] = least[depth] == 0 ? roundTripNs : Math.min(least[depth], roundTripNs);
            most[depth] = Math.max(most[depth], roundTripNs);
        }

        for (int depth = 1; depth < least.length; depth++)
        {
            assertTrue(most[depth] - least[depth] <= least[depth] / 10, "depth " + depth + ": " + least[depth] +
                " to " + most[depth] + " ns");
            assertTrue(depth == 1 || least[depth] > most[depth - 1], "depth " + depth + " is no slower");
        }
    }

    private static long roundTripNs(final int model, final int niCount, final int answeringNi)
    {
        final LanaiTiming timing = model == LANAI_9 ? LanaiTiming.lanai9() : LanaiTiming.lanai4();
        final VirtualClock clock = new VirtualClock();
        final Fabric fabric = new Fabric(clock, Topology.crossbar(niCount),
            new LinkTiming(LINK_LATENCY_NS, timing.linkBytesPerSecond(), 4));
        final TimedBoard[] boards = new TimedBoard[niCount];
        for (int ni = 0; ni < niCount; ni++)
        {
            boards[ni] = new TimedBoard(
                ni, niCount, model, ChannelRegisters.ARRIVAL_TAIL_FLAG, timing, clock, fabric);
        }
        boards[0].open(TREE, niCount);
        awaitAll(clock, boards);
        roundTripNs(clock, boards, answeringNi);                // The boards meet.
        clock.runUntil(clock.nowNs() + TIME_OUT_NS / 10);
        return roundTripNs(clock, boards, answeringNi);
    }

    private static long roundTripNs(final VirtualClock clock, final TimedBoard[] boards, final int answeringNi)
    {
        final long startNs = clock.nowNs();
        boards[0].multicast(TREE, PAYLOAD_LENGTH);
        await(clock, boards[answeringNi]);
        boards[answeringNi].send(0, PAYLOAD_LENGTH);
        await(clock, boards[0]);                                // Its own copy of the multicast.
        await(clock, boards[0]);
        final long roundTripNs = clock.nowNs() - startNs;
        for (int ni = 1; ni < boards.length; ni++)
        {
            if (ni != answeringNi)
            {
                await(clock, boards[ni]);
            }
        }
        return roundTripNs;
    }

    private static void awaitAll(final VirtualClock clock, final TimedBoard[] boards)
    {
        for (final TimedBoard board : boards)
        {
            await(clock, board);
        }
    }

    private static void await(final VirtualClock clock, final TimedBoard board)
    {
        final long startNs = clock.nowNs();
        while (!board.reader.hasMessage())
        {
            assertTrue(clock.runNext() && clock.nowNs() - startNs < TIME_OUT_NS, "nothing arrives");
        }
        board.reader.release();
    }
}
