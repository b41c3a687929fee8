// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.grim.bench.figures.Direction;
import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.grim.bench.figures.PointKey;
import org.grim.bench.figures.RunInfo;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RunChangesTest
{
    private static final int PAIRS = 200;
    private static final int SUITES = 4;
    private static final int ROWS = 5;
    private static final int FORKS = 5;

    /** With so much noise that the threshold of 5 % holds nothing back: the statistics alone have to. */
    @Test
    void shouldRaiseNoMoreFalseAlarmsThanItsLevel()
    {
        final Random random = new Random(7);
        int alarms = 0;
        for (int pair = 0; pair < PAIRS; pair++)
        {
            final RunChanges changes = RunChanges.of(run(points(random, 0.3, 1)), run(points(random, 0.3, 1)));
            alarms += changes.changed().isEmpty() ? 0 : 1;
        }

        // 5 % of 200, and two standard deviations of such a count.
        assertTrue(alarms <= 16, "alarms=" + alarms);
    }

    @Test
    void shouldAlwaysNoticeASendPathThatIsSlowerByAFifth()
    {
        final Random random = new Random(11);
        for (int pair = 0; pair < PAIRS; pair++)
        {
            final RunChanges changes =
                RunChanges.of(run(points(random, 0.02, 1)), run(points(random, 0.02, 1.2)));

            final List<RowChange> changed = changes.changed();
            assertEquals(ROWS, changes.count(Verdict.WORSE), changes::text);
            assertEquals(ROWS, changed.size(), changes::text);
            for (final RowChange row : changed)
            {
                assertEquals("suite0", row.key().suite());
                assertTrue(row.low() < row.change() && row.change() < row.high() && row.detectable() < 0.2,
                    row::toString);
            }
        }
    }

    @Test
    void shouldCoverTheTrueChangeAsOftenAsItSays()
    {
        final Random random = new Random(13);
        int covered = 0;
        int all = 0;
        for (int pair = 0; pair < PAIRS / 4; pair++)
        {
            for (final RowChange row :
                RunChanges.of(run(points(random, 0.1, 1)), run(points(random, 0.1, 1))).rows())
            {
                covered += row.low() <= 0 && row.high() >= 0 ? 1 : 0;
                all++;
            }
        }

        assertEquals(0.95, (double)covered / all, 0.02);
    }

    @Test
    void shouldSayBetterWhereMoreIsBetter()
    {
        final Point before = point("rate", Direction.HIGHER_IS_BETTER, List.of(), 100, 101, 99);
        final Point after = point("rate", Direction.HIGHER_IS_BETTER, List.of(), 130, 131, 129);

        assertEquals(Verdict.BETTER, only(before, after).verdict());
        assertEquals(Verdict.WORSE, only(after, before).verdict());
        assertEquals(0.3, only(before, after).change(), 0.001);
        assertEquals(0.3, only(before, after).plain(), 1e-9);
    }

    @Test
    void shouldBlameTheMachineForWhatItsYardstickDidToo()
    {
        final Point before = point("latency", Direction.LOWER_IS_BETTER, yardstick(50, 50, 51), 100, 100, 102);
        final Point slower = point("latency", Direction.LOWER_IS_BETTER, yardstick(60, 61, 60), 120, 122, 120);
        final Point bySelf = point("latency", Direction.LOWER_IS_BETTER, yardstick(50, 50, 51), 120, 120, 122);

        assertEquals(Verdict.NONE_SHOWN, only(before, slower).verdict());
        assertEquals(0, only(before, slower).change(), 0.001);
        assertEquals(Verdict.WORSE, only(before, bySelf).verdict());
    }

    /** The yardstick got quicker and the row did not: nothing that anybody could feel. */
    @Test
    void shouldNotCallChangedWhatOnlyTheYardstickDid()
    {
        final Point before = point("latency", Direction.LOWER_IS_BETTER, yardstick(60, 60, 61), 100, 100, 101);
        final Point after = point("latency", Direction.LOWER_IS_BETTER, yardstick(50, 50, 51), 100, 100, 101);

        assertTrue(only(before, after).corrected() < 0.05);
        assertEquals(Verdict.NONE_SHOWN, only(before, after).verdict());
    }

    @Test
    void shouldNotSpeakOfSmallChangesHoweverSure()
    {
        final RowChange row = only(point("latency", Direction.LOWER_IS_BETTER, List.of(), 100, 100.01, 100.02),
            point("latency", Direction.LOWER_IS_BETTER, List.of(), 104, 104.01, 104.02));

        assertTrue(row.corrected() < 0.001);
        assertEquals(Verdict.NONE_SHOWN, row.verdict());
        assertEquals(RunChanges.THRESHOLD, row.detectable());
    }

    @Test
    void shouldNotJudgeWithoutForksOrRatios()
    {
        final RowChange oneFork = only(point("latency", Direction.LOWER_IS_BETTER, List.of(), 100),
            point("latency", Direction.LOWER_IS_BETTER, List.of(), 200, 200, 200));
        final RowChange zero = only(point("allocation", Direction.LOWER_IS_BETTER, List.of(), 0, 0),
            point("allocation", Direction.LOWER_IS_BETTER, List.of(), 24, 24));

        assertEquals(Verdict.NOT_JUDGED, oneFork.verdict());
        assertEquals("fewer than 2 forks", oneFork.reason());
        assertNull(oneFork.change());
        assertEquals(1, oneFork.plain());
        assertEquals(Verdict.NOT_JUDGED, zero.verdict());
        assertEquals("a figure of 0 or less has no ratio", zero.reason());
        assertNull(zero.plain());
    }

    @Test
    void shouldListRowsOfOneRunOnlyAndDoubts()
    {
        final Point common = point("latency", Direction.LOWER_IS_BETTER, List.of(), 100, 101);
        final Point first = point("rate", Direction.HIGHER_IS_BETTER, List.of(), 100, 101);
        final Point second = point("poll", Direction.LOWER_IS_BETTER, List.of(), 100, 101);
        final FigureDirectory before = new FigureDirectory(info("2 GHz", 2, false), List.of(common, first), List.of());
        final FigureDirectory after = new FigureDirectory(info("3 GHz", 1, true), List.of(second, common), List.of());

        final RunChanges changes = RunChanges.of(before, after);

        assertEquals(1, changes.rows().size());
        assertEquals(List.of(first.key()), changes.onlyInA());
        assertEquals(List.of(second.key()), changes.onlyInB());
        assertEquals(List.of(
            "polling threads shared cores, or the machine was busy, in B: such figures are not comparable",
            "cores differs: A 2, B 1", "quick run differs: A no, B yes", "machine, CPU differs: A 2 GHz, B 3 GHz"),
            changes.warnings());
        assertTrue(changes.text().contains("1 rows, 0 worse, 0 better, 1 without a change shown, 0 not judged; " +
            "only in A 1, only in B 1"), changes.text());
    }

    @Test
    void shouldDoubtTheMachineWhenOthersChanged()
    {
        final PointKey key = new PointKey("messages", "latency", "tcp", "-", "size", 8);
        final RunChanges changes = RunChanges.of(
            run(List.of(new Point(key, "ns", Direction.LOWER_IS_BETTER, forks(100, 101, 100), List.of()))),
            run(List.of(new Point(key, "ns", Direction.LOWER_IS_BETTER, forks(150, 151, 150), List.of()))));

        assertEquals(1, changes.count(Verdict.WORSE));
        assertTrue(changes.warnings().get(0).startsWith("1 rows of others than GRIM changed, too"), changes::text);
        assertFalse(changes.text().isBlank());
    }

    private static RowChange only(final Point before, final Point after)
    {
        return RunChanges.of(run(List.of(before)), run(List.of(after))).rows().get(0);
    }

    private static Point point(
        final String benchmark, final Direction direction, final List<List<Double>> yardstick, final double... figures)
    {
        return new Point(new PointKey("messages", benchmark, "grim-shmem", "-", "size", 8), "unit", direction,
            forks(figures), yardstick);
    }

    private static List<List<Double>> yardstick(final double... figures)
    {
        return forks(figures);
    }

    private static List<List<Double>> forks(final double... figures)
    {
        final List<List<Double>> forks = new ArrayList<>();
        for (final double figure : figures)
        {
            forks.add(List.of(figure));
        }
        return forks;
    }

    /** Suites of rows with a yardstick; the first suite takes so many times as long. */
    private static List<Point> points(final Random random, final double noise, final double factor)
    {
        final List<Point> points = new ArrayList<>();
        for (int suite = 0; suite < SUITES; suite++)
        {
            for (int row = 0; row < ROWS; row++)
            {
                final List<List<Double>> forks = new ArrayList<>();
                final List<List<Double>> yardstick = new ArrayList<>();
                for (int fork = 0; fork < FORKS; fork++)
                {
                    final double machine = Math.exp(0.02 * random.nextGaussian());
                    forks.add(List.of(100 * (suite == 0 ? factor : 1) * machine *
                        Math.exp(noise * random.nextGaussian())));
                    yardstick.add(List.of(machine));
                }
                points.add(new Point(new PointKey("suite" + suite, "latency", "grim-shmem", "-", "size", row), "ns",
                    Direction.LOWER_IS_BETTER, forks, yardstick));
            }
        }
        return points;
    }

    private static FigureDirectory run(final List<Point> points)
    {
        return new FigureDirectory(info("2 GHz", 2, false), points, List.of());
    }

    private static RunInfo info(final String processor, final int cores, final boolean isQuick)
    {
        return new RunInfo(FigureDirectory.FORMAT, "abc", "2026-01-01T00:00:00Z", 1, isQuick, FORKS, cores, 2,
            Map.of("CPU", processor), Map.of(), Map.of(), List.of());
    }
}
