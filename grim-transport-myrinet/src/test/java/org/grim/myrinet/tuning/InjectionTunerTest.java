// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.tuning;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.function.ToDoubleBiFunction;

import org.grim.myrinet.injection.InjectionPlan;
import org.grim.myrinet.injection.Mechanism;
import org.grim.myrinet.injection.SizeClasses;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Measurements and choices on made-up boards. */
final class InjectionTunerTest
{
    private static final long DURATION_NS = 20_000_000_000L;

    @Test
    void shouldPreferTheSimplerUnlessAnotherIsBetterByFivePercent()
    {
        final InjectionPlan plan = InjectionChoice.choose(table(0, (size, candidate) -> switch (candidate.mechanism())
        {
            case WORD_STORES -> candidate.isPaced() ? 200 : 104.9;
            case LIBC_COPY -> 100;
            case DOUBLE_BUFFERED -> size < 1024 ? 300 : 94;
            default -> 300;
        }));

        assertEquals(Mechanism.WORD_STORES, plan.entry(512).mechanism());
        assertEquals(Mechanism.DOUBLE_BUFFERED, plan.entry(1024).mechanism());
        assertEquals(Mechanism.DOUBLE_BUFFERED, plan.entry(1024).registered());
    }

    @Test
    void shouldTakeTheSimplestOfThoseThatAreNearTheBest()
    {
        final InjectionPlan plan = InjectionChoice.choose(table(0, (size, candidate) -> switch (candidate.mechanism())
        {
            case WORD_STORES -> 100;        // Loses to the best, although not to the next one.
            case BULK_COPY -> candidate.isPaced() ? 400 : 96;
            case LIBC_COPY -> 92;
            default -> 400;
        }));

        assertEquals(new InjectionPlan.Entry(4096, Mechanism.BULK_COPY, 0, Mechanism.BULK_COPY, 1024),
            plan.entry(4096));
    }

    @Test
    void shouldPaceWithTheBestBurst()
    {
        final InjectionPlan plan = InjectionChoice.choose(table(0, (size, candidate) ->
            candidate.mechanism() == Mechanism.BULK_COPY && candidate.burstLength() == 160 ? 50 :
            candidate.mechanism() == Mechanism.BULK_COPY && candidate.burstLength() == 256 ? 53 : 100));

        assertEquals(Mechanism.WORD_STORES, plan.entry(128).mechanism(), "no payload is longer than the burst");
        assertEquals(0, plan.entry(128).burstLength());
        assertEquals(Mechanism.BULK_COPY, plan.entry(65_504).mechanism());
        assertEquals(160, plan.entry(65_504).burstLength());
    }

    @Test
    void shouldPullInPlaceOnlyWhereThatIsClearlyBetter()
    {
        final InjectionPlan plan = InjectionChoice.choose(table(0, (size, candidate) ->
            candidate.mechanism() != Mechanism.ZERO_COPY ? 100 : size >= 8192 ? 90 : 96));

        assertEquals(Mechanism.WORD_STORES, plan.entry(4096).registered());
        assertEquals(Mechanism.ZERO_COPY, plan.entry(8192).registered());
        assertEquals(Mechanism.WORD_STORES, plan.entry(8192).mechanism());
    }

    @Test
    void shouldMakeSegmentsAsShortAsTheirPublishingIsCheap()
    {
        // 1 ns for each byte: 1024 bytes take 1024 ns, of which 5 % are 51.2 ns.
        final ToDoubleBiFunction<Integer, Candidate> oneByOne = (size, candidate) -> size;

        assertEquals(1024, InjectionChoice.choose(table(51, oneByOne)).entry(65_504).segmentLength());
        assertEquals(2048, InjectionChoice.choose(table(52, oneByOne)).entry(65_504).segmentLength());
        assertEquals(1024, InjectionChoice.choose(table(51, oneByOne)).entry(2048).segmentLength());
        assertEquals(0, InjectionChoice.choose(table(51, oneByOne)).entry(1024).segmentLength());
        assertEquals(32_768, InjectionChoice.choose(table(1638, oneByOne)).entry(65_504).segmentLength());
        assertEquals(0, InjectionChoice.choose(table(1639, oneByOne)).entry(65_504).segmentLength());
    }

    @Test
    void shouldRefuseATableWithHoles()
    {
        final Measurements whole = table(1, (size, candidate) -> 1);
        final Measurements holed =
            new Measurements(whole.rows().stream().filter(row -> row.size() != 256).toList(), 1, 1);

        assertThrows(NoSuchElementException.class, () -> InjectionChoice.choose(holed));
    }

    @Test
    void shouldMeasureEveryCandidateByTheMedianWithinTheTime()
    {
        final MadeUpBoard board = new MadeUpBoard();

        final Measurements measurements = new InjectionTuner(board, () -> board.nowNs).measure(DURATION_NS);

        assertTrue(board.nowNs <= DURATION_NS * 1.1, () -> "used ns=" + board.nowNs);
        assertTrue(board.nowNs >= DURATION_NS * 0.5, () -> "used ns=" + board.nowNs);
        assertTrue(measurements.rounds() > 400, () -> "rounds=" + measurements.rounds());
        assertEquals(MadeUpBoard.RING_NS, measurements.ringNs(), 0.01);
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final int size = SizeClasses.size(i);
            final List<Measurements.Row> rows = measurements.of(size);
            assertEquals(Candidate.of(size), rows.stream().map(Measurements.Row::candidate).toList());
            for (final Measurements.Row row : rows)
            {
                assertEquals((double)MadeUpBoard.costNs(row.candidate(), SizeClasses.payloadLengthMax(i)), row.ns(), 1,
                    () -> row.size() + " " + row.candidate().label());
            }
        }
    }

    @Test
    void shouldEndAfterShortRoundsWhereTheTimeIsTooShort()
    {
        final MadeUpBoard board = new MadeUpBoard();

        final Measurements measurements = new InjectionTuner(board, () -> board.nowNs).measure(1);

        assertEquals(5, measurements.rounds());
        assertTrue(board.nowNs < DURATION_NS / 10, () -> "used ns=" + board.nowNs);
        assertEquals(measurements.rows().size() + 1, board.runs.size());
    }

    @Test
    void shouldRunCandidatesInTurn()
    {
        final MadeUpBoard board = new MadeUpBoard();

        new InjectionTuner(board, () -> board.nowNs).measure(DURATION_NS);

        final List<String> lastRound = board.order.subList(board.order.size() - 2, board.order.size());
        assertEquals(List.of("double-buffered 65504", "zero-copy 65504"), lastRound);
        final long firstOfRounds = board.order.stream().filter("ring"::equals).count();
        assertTrue(firstOfRounds > 501, () -> "rounds=" + firstOfRounds);
    }

    @Test
    void shouldOfferEachMechanismAndOnlyBurstsBelowTheSize()
    {
        assertEquals(List.of("word-stores", "bulk-copy", "libc-copy", "one-copy", "double-buffered", "zero-copy"),
            Candidate.of(32).stream().map(Candidate::label).toList());
        assertEquals(List.of("word-stores", "bulk-copy", "libc-copy", "word-stores/160", "word-stores/128",
            "word-stores/64", "bulk-copy/160", "bulk-copy/128", "bulk-copy/64", "one-copy", "double-buffered",
            "zero-copy"), Candidate.of(256).stream().map(Candidate::label).toList());
        assertEquals(22, Candidate.of(65_536).size());
    }

    private static Measurements table(final double ringNs, final ToDoubleBiFunction<Integer, Candidate> ns)
    {
        final List<Measurements.Row> rows = new ArrayList<>();
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final int size = SizeClasses.size(i);
            for (final Candidate candidate : Candidate.of(size))
            {
                rows.add(new Measurements.Row(size, candidate, ns.applyAsDouble(size, candidate)));
            }
        }
        return new Measurements(rows, ringNs, 1);
    }

    /** Takes the time that it says; every fifth run is disturbed. */
    private static final class MadeUpBoard implements InjectionTrial
    {
        static final int RING_NS = 20;
        private static final List<Mechanism> DEARNESS = List.of(Mechanism.WORD_STORES, Mechanism.BULK_COPY,
            Mechanism.LIBC_COPY, Mechanism.ONE_COPY, Mechanism.DOUBLE_BUFFERED, Mechanism.ZERO_COPY);

        final Map<String, Integer> runs = new HashMap<>();
        final List<String> order = new ArrayList<>();
        long nowNs;

        static long costNs(final Candidate candidate, final int length)
        {
            return 10L + length / (1 + DEARNESS.indexOf(candidate.mechanism())) + candidate.burstLength() / 16;
        }

        @Override
        public void inject(final Candidate candidate, final int length, final int repetitions)
        {
            final String name = candidate.label() + " " + length;
            final boolean isDisturbed = runs.merge(name, 1, Integer::sum) % 5 == 0;
            order.add(name);
            nowNs += costNs(candidate, length) * repetitions * (isDisturbed ? 3 : 2) / 2;
        }

        @Override
        public void ring(final int repetitions)
        {
            runs.merge("ring", 1, Integer::sum);
            order.add("ring");
            nowNs += (long)RING_NS * repetitions;
        }
    }
}
