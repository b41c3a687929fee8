// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.tuning;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntConsumer;

import org.agrona.concurrent.NanoClock;
import org.grim.myrinet.injection.SizeClasses;

/**
 * Measures every mechanism at each size class on the board at hand. After a warm-up, which also finds the necessary
 * number of runs, rounds follow in which each runs once in turn, so that a disturbance of the machine affects all
 * alike; medians over the rounds count. {@link InjectionChoice} makes the plan.
 * <p>Thread: the caller's. Ends within the time given, or after 5 short rounds where the time is too short for that.
 */
public final class InjectionTuner
{
    /** Many and short: most samples then lie within one slice of time of the scheduler, and the median sees none. */
    private static final int ROUND_COUNT = 501;
    private static final int ROUND_COUNT_MIN = 5;
    private static final long SAMPLE_NS_MIN = 20_000;
    private static final int WARM_UP_PASS_COUNT = 2;
    private static final int WARM_UP_SHARE = 8;
    private static final int REPETITIONS_MAX = 1 << 20;

    private final InjectionTrial trial;
    private final NanoClock clock;

    /** Makes a tuner. */
    public InjectionTuner(final InjectionTrial trial, final NanoClock clock)
    {
        this.trial = trial;
        this.clock = clock;
    }

    /**
     * Measures.
     *
     * @param durationNs for all of it.
     * @return the figures.
     * @throws org.grim.GrimException if the board does not take a payload.
     */
    public Measurements measure(final long durationNs)
    {
        final long startNs = clock.nanoTime();
        final List<Cell> cells = cells();
        for (int pass = 0; pass < WARM_UP_PASS_COUNT; pass++)
        {
            // The second pass gives the rates: the first one ran code that was not compiled yet.
            for (final Cell cell : cells)
            {
                final boolean isLate = clock.nanoTime() - startNs > durationNs / 2;
                cell.rate(clock, isLate ? 1 : durationNs / WARM_UP_SHARE / cells.size());
            }
        }
        final long remainingNs = durationNs - (clock.nanoTime() - startNs);
        final long sampleNs = Math.max(SAMPLE_NS_MIN, remainingNs / ROUND_COUNT / cells.size());
        int rounds = 0;
        while (rounds < ROUND_COUNT_MIN || (rounds < ROUND_COUNT && clock.nanoTime() - startNs < durationNs))
        {
            for (final Cell cell : cells)
            {
                cell.sample(clock, rounds, sampleNs);
            }
            rounds++;
        }
        return measurements(cells, rounds);
    }

    private List<Cell> cells()
    {
        final List<Cell> cells = new ArrayList<>();
        cells.add(new Cell(0, null, trial::ring));
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final int length = SizeClasses.payloadLengthMax(i);
            for (final Candidate candidate : Candidate.of(SizeClasses.size(i)))
            {
                cells.add(new Cell(SizeClasses.size(i), candidate,
                    repetitions -> trial.inject(candidate, length, repetitions)));
            }
        }
        return cells;
    }

    private static Measurements measurements(final List<Cell> cells, final int rounds)
    {
        final List<Measurements.Row> rows = cells.stream().skip(1)
            .map(cell -> new Measurements.Row(cell.size, cell.candidate, cell.medianNs(rounds))).toList();
        return new Measurements(rows, cells.get(0).medianNs(rounds), rounds);
    }

    /** One thing that is measured. */
    private static final class Cell
    {
        private final int size;
        private final Candidate candidate;
        private final IntConsumer run;
        private final double[] samplesNs = new double[ROUND_COUNT];
        private double roughNs;

        Cell(final int size, final Candidate candidate, final IntConsumer run)
        {
            this.size = size;
            this.candidate = candidate;
            this.run = run;
        }

        /** Runs for some time, at least once, and finds out roughly how long one takes. */
        void rate(final NanoClock clock, final long shareNs)
        {
            final long startNs = clock.nanoTime();
            long usedNs = 0;
            roughNs = Double.MAX_VALUE;
            for (int repetitions = 1; usedNs < shareNs && repetitions <= REPETITIONS_MAX; repetitions *= 2)
            {
                run.accept(repetitions);
                final long beforeNs = usedNs;
                usedNs = clock.nanoTime() - startNs;
                // The least: others may have had the processor for a while.
                roughNs = Math.min(roughNs, nsPerOne(usedNs - beforeNs, repetitions));
            }
        }

        void sample(final NanoClock clock, final int round, final long sampleNs)
        {
            final int repetitions = (int)Math.max(1, Math.min(REPETITIONS_MAX, sampleNs / Math.max(1, roughNs)));
            final long startNs = clock.nanoTime();
            run.accept(repetitions);
            samplesNs[round] = nsPerOne(clock.nanoTime() - startNs, repetitions);
            roughNs = Math.min(roughNs, samplesNs[round]);      // Was it disturbed, the next round runs it more often.
        }

        double medianNs(final int rounds)
        {
            final double[] sorted = Arrays.copyOf(samplesNs, rounds);
            Arrays.sort(sorted);
            return (sorted[(rounds - 1) / 2] + sorted[rounds / 2]) / 2;
        }

        /** Never 0: a clock may be coarse. */
        private static double nsPerOne(final long ns, final int repetitions)
        {
            return Math.max(1, ns) / (double)repetitions;
        }
    }
}
