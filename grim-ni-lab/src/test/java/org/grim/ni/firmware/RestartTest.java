// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.ni.event.Outcome;
import org.grim.ni.firmware.ScriptedNet.Packet;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** NIs start again at any moment: no message is lost without a report, and none comes twice. */
final class RestartTest
{
    /** Restarts after each number of steps; the handshake takes the first dozen. */
    @ParameterizedTest
    @CsvSource({"0, false", "1, false", "0, true", "1, true"})
    void shouldAccountForAllWheneverAnNiRestarts(final int restarted, final boolean hasEnvelopes)
    {
        for (int stepCount = 0; stepCount < 60; stepCount++)
        {
            final Bench bench = bench(hasEnvelopes);
            burst(bench);
            bench.run(stepCount);
            bench.restart(restarted, 2);
            burst(bench);
            bench.settle();
            burst(bench);
            bench.settle();

            assertNull(bench.problem(), "after " + stepCount + " steps");
            assertAllOfLastBurst(bench);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldAccountForAllWhenBothRestartTwice(final boolean hasEnvelopes)
    {
        for (int stepCount = 0; stepCount < 30; stepCount++)
        {
            for (int otherCount = 0; otherCount < 12; otherCount++)
            {
                final Bench bench = bench(hasEnvelopes);
                burst(bench);
                bench.run(stepCount);
                bench.restart(0, 2);
                bench.run(otherCount);
                bench.restart(1, 2);
                burst(bench);
                bench.run(stepCount);
                bench.restart(0, 3);
                bench.run(otherCount);
                bench.restart(1, 3);
                bench.settle();
                burst(bench);
                bench.settle();

                assertNull(bench.problem(), "after " + stepCount + " and " + otherCount + " steps");
                assertAllOfLastBurst(bench);
            }
        }
    }

    @Test
    void shouldGoOnAfterAPartitionThatBothGaveUp()
    {
        final Bench bench = bench(false);
        burst(bench);
        bench.run(10);

        bench.net.isLost = packet -> true;
        burst(bench);
        bench.settle();
        bench.net.isLost = packet -> false;
        bench.nowNs[0] += 1_000_000_000;
        burst(bench);
        bench.settle();

        assertNull(bench.problem());
        assertAllOfLastBurst(bench);
    }

    /** Every packet comes again, at once, late, or in the opposite order. */
    @Test
    void shouldDropLateCopiesInEnvelopes()
    {
        final Bench bench = bench(true);
        for (int i = 0; i < 120; i++)
        {
            burst(bench);
            final int end = bench.net.sent.size();
            bench.run(7);
            for (int packet = bench.net.sent.size() - 1; packet >= Math.max(0, end - 5); packet--)
            {
                bench.net.inject(bench.net.sent.get(packet));
            }
            bench.settle();
        }

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size()));
    }

    /** Of each two packets the later one comes first: in envelopes that is a loss. */
    @Test
    void shouldRepairWhatARawWireReorders()
    {
        final Bench bench = bench(true);
        bench.net.isHeld = packet -> true;
        for (int i = 0; i < 40; i++)
        {
            burst(bench);
            for (int round = 0; round < 400; round++)
            {
                bench.pass(20_000);
                reorder(bench, round);
            }
        }
        bench.net.release();
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, bench.sent.size()));
    }

    private static void reorder(final Bench bench, final int round)
    {
        if (bench.net.held.size() > 1 && round % 3 == 0)
        {
            final Packet first = bench.net.held.remove();
            bench.net.releaseOne();
            bench.net.inject(first);
        }
        while (!bench.net.held.isEmpty())
        {
            bench.net.releaseOne();
        }
    }

    private static Bench bench(final boolean hasEnvelopes)
    {
        return new Bench(Guards.ALL, Bench.CONFIG, 2, 1, Bench.QUEUE_LENGTH, 4, hasEnvelopes);
    }

    private static void burst(final Bench bench)
    {
        for (int i = 0; i < 3; i++)
        {
            bench.send(0, 1);
            bench.send(1, 0);
        }
    }

    private static void assertAllOfLastBurst(final Bench bench)
    {
        assertEquals(6, bench.sent.subList(bench.sent.size() - 6, bench.sent.size()).stream()
            .filter(message -> message.outcome == Outcome.ACKNOWLEDGED).count());
    }
}
