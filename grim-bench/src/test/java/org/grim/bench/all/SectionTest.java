// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.figures.Point;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Sections of one process, tiny: what they measure, not how much it is. */
@Timeout(180)
final class SectionTest
{
    private static final int ATTEMPT_COUNT = 5;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({
        "COST, null, cost/message/grim-null/- cost/send/grim-null/-, 3, true",
        "COST, shmem, cost/message/grim-shmem/- cost/send/grim-shmem/-, 3, true",
        "MESSAGES, loop, messages/bandwidth/grim-null/ignore messages/bandwidth/grim-null/read " +
            "messages/latency/grim-null/ignore messages/latency/grim-null/read messages/rate/grim-null/ignore " +
            "messages/rate/grim-null/read, 3, false",
        "POLL, all, poll/poll/grim-all/- poll/word/grim-all/-, 2, true",
        "CHANNELS, shmem, channels/message/grim-shmem/- channels/poll/grim-shmem/-, 2, true",
        "CHANNELS, myrinet, channels/message/grim-myrinet/- channels/poll/grim-myrinet/-, 2, true",
        "CPU, null, cpu/allocation/grim-null/loaded cpu/share/grim-null/idle cpu/share/grim-null/loaded, 2, false"})
    void shouldMeasureWhatItIsFor(
        final Section section, final String part, final String keys, final int xCount, final boolean hasYardstick)
        throws Exception
    {
        final FigureDirectory figures = run(section, part, 0);

        final Set<String> seen = new TreeSet<>();
        for (final Point point : figures.points())
        {
            seen.add(String.join("/", point.key().suite(), point.key().benchmark(), point.key().peer(),
                point.key().mode()));
            assertTrue(Double.isFinite(point.median()) && point.min() >= 0, point::toString);
            assertEquals(hasYardstick, !point.yardstick().isEmpty(), point::toString);
        }
        assertEquals(keys, String.join(" ", seen));
        assertEquals(xCount, figures.points().stream().map(point -> point.key().x()).distinct().count());
    }

    @ParameterizedTest
    @CsvSource({"null", "shmem"})
    void shouldShowAPlantedSlowDown(final String part) throws Exception
    {
        run(Section.COST, part, 0);                         // For the compiler.
        final FigureDirectory slow = run(Section.COST, part, 50_000);
        // Five hundred times as long: no cold code does that, and no machine that stands still does it each time.
        String notSlower = "";
        for (int i = 0; i < ATTEMPT_COUNT && (i == 0 || !notSlower.isEmpty()); i++)
        {
            notSlower = notSlower(run(Section.COST, part, 0), slow);
        }
        assertEquals("", notSlower);
    }

    /** Returns points whose sends are not slower in the other run. */
    private static String notSlower(final FigureDirectory plain, final FigureDirectory slow)
    {
        final StringBuilder text = new StringBuilder();
        for (int i = 0; i < plain.points().size(); i++)
        {
            final Point of = plain.points().get(i);
            if (of.key().benchmark().equals("send") && slow.points().get(i).min() <= of.min() * 2)
            {
                text.append(of).append(" slowed: ").append(slow.points().get(i)).append('\n');
            }
        }
        return text.toString();
    }

    private FigureDirectory run(final Section section, final String part, final int slowDown) throws Exception
    {
        final Path output = directory.resolve("figures-" + slowDown);
        new SectionRun(section, part, Effort.TINY, directory, output, slowDown).measure();
        final FigureDirectory figures = FigureDirectory.read(output);
        assertFalse(figures.points().isEmpty());
        return figures;
    }
}
