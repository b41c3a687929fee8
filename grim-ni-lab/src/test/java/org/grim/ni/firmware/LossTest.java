// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.grim.ni.event.Outcome;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Wires that lose, and counters of full width that wrap. */
final class LossTest
{
    @Test
    void shouldRepeatWhenEveryTokenIsLost()
    {
        final Bench bench = new Bench(Guards.ALL, Bench.CONFIG.with(values -> values.tokenCount = 2), 2, 1);
        bench.send(0, 1);
        bench.settle();
        bench.net.isLost = packet -> packet.isData();
        bench.send(0, 1);
        bench.send(0, 1);
        bench.send(0, 1);
        bench.pass(1_000_000);

        bench.net.isLost = packet -> false;
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 4));
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3, 16, 256})
    void shouldWrapAllCountersOnALossyWire(final int tokenCount)
    {
        final Bench bench =
            new Bench(Guards.ALL, Bench.CONFIG.with(values -> values.tokenCount = tokenCount), 2, 2);
        final int[] packetCount = new int[1];
        bench.net.isLost = packet -> ++packetCount[0] % 17 == 0 || packetCount[0] % 23 == 0;

        for (int i = 0; i < 1400; )
        {
            if (bench.trySend(i & 1, i >> 1 & 1, 1 - (i & 1), 0, i % 90) != Bench.NONE)
            {
                i++;
            }
            else
            {
                bench.pass(10_000);
            }
            bench.step();
        }
        bench.settle();

        assertNull(bench.problemUnless(Outcome.ACKNOWLEDGED, 1400));
        assertEquals(0, bench.rigs[0].program.delivery().inFlightCount());
        assertEquals(0, bench.rigs[0].program.delivery().quarantineCount());
    }
}
