// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.board.ChannelRegisters;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.LinkTiming;
import org.grim.ni.fabric.Topology;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.UNDELIVERED;
import static org.grim.board.ChannelRegisters.UNKNOWN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A host that does not receive stops only the channel that sends to it, and only when that channel's quota is used up.
 */
final class HeadOfLineTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HeadOfLineTest.class);
    private static final int QUEUE_LENGTH = 16 * 1024;
    private static final int CHANNEL_COUNT = 3;
    private static final long BYTES_PER_SECOND = 160_000_000;
    private static final long RUN_NS = 20_000_000;

    private final VirtualClock clock = new VirtualClock();
    private final long[] nowNs = new long[1];
    private BoardRig[] rigs;
    private int number;

    /**
     * Room is the quota: 8 messages from the oldest unsettled one on, settled or not. The stopped destination holds 4;
     * its fifth is the oldest, and with it three more for that one and four for the other are taken.
     */
    @Test
    void shouldPassAStoppedDestinationUntilTheQuotaIsUsedUp()
    {
        final Bench bench = new Bench(Guards.ALL, Bench.CONFIG.with(values -> values.channelQuota = 8), 3, 1);
        bench.isReceiving[1] = false;
        for (int i = 0; i < 40; i++)
        {
            bench.send(0, 1 + i % 2);
        }
        bench.run(20_000);

        assertEquals(8, bench.rigs[2].received.size());
        assertEquals(8, bench.rigs[0].program.delivery().sender().unsettledCount(0));

        bench.isReceiving[1] = true;
        bench.settle();
        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 40));
    }

    @ParameterizedTest
    @CsvSource({"8", "1000", "3000"})
    void shouldKeepTheRateOfOtherChannelsBesideAStoppedOne(final int payloadLength)
    {
        final long[] alone = deliveredByOthers(payloadLength, false);
        final long[] beside = deliveredByOthers(payloadLength, true);

        for (int channel = 1; channel < CHANNEL_COUNT; channel++)
        {
            final double ratio = (double)beside[channel] / alone[channel];
            LOGGER.info("payload {} bytes, channel {}: {} messages in {} ms alone, {} beside a stopped one: ratio {}",
                payloadLength, channel, alone[channel], RUN_NS / 1_000_000, beside[channel], ratio);
            assertTrue(alone[channel] > 100 && ratio >= 0.9, "ratio " + ratio + " of " + alone[channel]);
        }
    }

    /** Links that hold one packet, both directions full, for longer than any time-out. */
    @ParameterizedTest
    @CsvSource({"0, 0", "8, 8", "3000, 3000", "8, 3000"})
    void shouldNeverDeadlockWhenBothSidesFlood(final int payloadLength, final int otherLength)
    {
        start(Topology.backToBack(), 1, 2);

        long delivered = 0;
        for (int piece = 1; piece <= 40; piece++)
        {
            final long endNs = clock.nowNs() + 1_000_000;
            while (clock.nowNs() < endNs)
            {
                int workCount = 0;
                for (int channel = 0; channel < CHANNEL_COUNT; channel++)
                {
                    workCount += fill(0, channel, 1, payloadLength) + fill(1, channel, 0, otherLength);
                }
                go(workCount, CHANNEL_COUNT, endNs);
            }
            final long before = delivered;
            delivered = Math.min(rigs[0].received.size(), rigs[1].received.size());
            assertTrue(delivered > before, "nothing moves after " + clock.nowNs() + " ns");
        }
        assertEquals(0, rigs[0].registers[0].getAcquire(UNKNOWN) + rigs[0].registers[0].getAcquire(UNDELIVERED));
    }

    private long[] deliveredByOthers(final int payloadLength, final boolean hasStopped)
    {
        start(Topology.crossbar(3), 2, 3);
        final long endNs = clock.nowNs() + RUN_NS;
        while (clock.nowNs() < endNs)
        {
            int workCount = hasStopped ? fill(0, 0, 1, payloadLength) : 0;
            for (int channel = 1; channel < CHANNEL_COUNT; channel++)
            {
                workCount += fill(0, channel, 2, payloadLength);
            }
            go(workCount, 0, endNs);
        }
        final long[] delivered = new long[CHANNEL_COUNT];
        for (int channel = 0; channel < CHANNEL_COUNT; channel++)
        {
            delivered[channel] = rigs[2].registers[channel].getAcquire(DELIVERED);
        }
        return delivered;
    }

    private void start(final Topology topology, final int packetCount, final int niCount)
    {
        final Fabric fabric = new Fabric(clock, topology, new LinkTiming(500, BYTES_PER_SECOND, packetCount));
        rigs = new BoardRig[niCount];
        for (int ni = 0; ni < niCount; ni++)
        {
            rigs[ni] =
                new BoardRig(ni, niCount, CHANNEL_COUNT, QUEUE_LENGTH, fabric.wire(ni), nowNs, NiListener.NONE);
            for (int channel = 0; channel < CHANNEL_COUNT; channel++)
            {
                rigs[ni].enable(channel, ChannelRegisters.ARRIVAL_TAIL_FLAG, BoardRig.FRAME_COUNT);
            }
            rigs[ni].start(1, Bench.CONFIG, Guards.ALL);
        }
    }

    private int fill(final int ni, final int channel, final int destinationNi, final int payloadLength)
    {
        int count = 0;
        while (rigs[ni].send(channel, destinationNi, channel, number, payloadLength))
        {
            number++;
            count++;
        }
        return count;
    }

    /** Lets boards work and all hosts but NI 1's receive, or that one too on some channels; then time may pass. */
    private void go(final int workBefore, final int stoppableCount, final long endNs)
    {
        nowNs[0] = clock.nowNs();
        int workCount = workBefore;
        long nextNs = clock.nextTimeNs();
        for (final BoardRig rig : rigs)
        {
            workCount += rig.program.step();
            for (int channel = 0; channel < (rig.ni == 1 ? stoppableCount : CHANNEL_COUNT); channel++)
            {
                workCount += rig.receive(channel, 100);
            }
        }
        if (workCount == 0)
        {
            for (final BoardRig rig : rigs)
            {
                nextNs = Math.min(nextNs, rig.program.nextDeadlineNs());
            }
            clock.runUntil(Math.min(endNs, Math.max(nextNs, clock.nowNs() + 1)));
        }
    }
}
