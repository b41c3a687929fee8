// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.util.Map;
import java.util.OptionalDouble;

import org.grim.tools.pair.PairRounds.Task;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class PairRoundsTest
{
    private static final Cell SMALL = new Cell(Benchmark.LATENCY, 32, false);
    private static final Cell LARGE = new Cell(Benchmark.LATENCY, 2048, false);
    private static final Cell RATE = new Cell(Benchmark.RATE, 256, true);
    private static final Cell BANDWIDTH = new Cell(Benchmark.BANDWIDTH, 16384, true);
    private static final Cell PUT = new Cell(Benchmark.PUT_BANDWIDTH, 64, false);
    private static final Map<Task, Double> ROUND = Map.of(
        new Task(PeerKind.RAW, SMALL), 200.0, new Task(PeerKind.COPY_FLAG, SMALL), 220.0,
        new Task(PeerKind.COPY_FLAG, LARGE), 300.0, new Task(PeerKind.RING, BANDWIDTH), 9.0,
        new Task(PeerKind.COPY_MAPPED, PUT), 4.0);

    @Test
    void shouldDivideByWhatTheMachineTookInTheSameRound()
    {
        assertEquals(OptionalDouble.of(200), PairRounds.yardstick(new Task(PeerKind.GRIM, SMALL), ROUND));
        assertEquals(OptionalDouble.of(300), PairRounds.yardstick(new Task(PeerKind.AERON_IPC, LARGE), ROUND));
        assertEquals(OptionalDouble.of(5e6), PairRounds.yardstick(new Task(PeerKind.GRIM, RATE), ROUND));
        assertEquals(OptionalDouble.of(9), PairRounds.yardstick(new Task(PeerKind.TCP, BANDWIDTH), ROUND));
        assertEquals(OptionalDouble.of(4), PairRounds.yardstick(new Task(PeerKind.GRIM_RM_P, PUT), ROUND));
    }

    @Test
    void shouldNotDivideLimitsByThemselves()
    {
        assertEquals(OptionalDouble.empty(), PairRounds.yardstick(new Task(PeerKind.RAW, SMALL), ROUND));
        assertEquals(OptionalDouble.empty(), PairRounds.yardstick(new Task(PeerKind.COPY_FLAG, LARGE), ROUND));
        assertEquals(OptionalDouble.empty(), PairRounds.yardstick(new Task(PeerKind.RING, BANDWIDTH), ROUND));
        assertEquals(OptionalDouble.empty(), PairRounds.yardstick(new Task(PeerKind.GRIM, SMALL), Map.of()));
    }

    @Test
    void shouldSeeThatOnePeerStillGetsQuicker()
    {
        final Task grim = new Task(PeerKind.GRIM, SMALL);
        final Task grimLarge = new Task(PeerKind.GRIM, LARGE);
        final Task aeron = new Task(PeerKind.AERON_IPC, SMALL);
        final Map<Task, Double> previous = Map.of(grim, 100.0, grimLarge, 400.0, aeron, 50.0);

        // Noise that goes both ways is no drift.
        assertEquals(0, PairRounds.changeMax(previous, Map.of(grim, 200.0, grimLarge, 200.0, aeron, 50.0)), 1e-9);
        assertEquals(0.1, PairRounds.changeMax(previous, Map.of(grim, 100.0, grimLarge, 400.0, aeron, 45.0)),
            1e-9);
    }
}
