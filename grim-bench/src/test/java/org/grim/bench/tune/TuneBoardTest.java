// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.tune;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.grim.bench.report.TuneReport;
import org.grim.myrinet.injection.InjectionPlan;
import org.grim.myrinet.injection.PlanFile;
import org.grim.myrinet.injection.SizeClasses;
import org.grim.myrinet.posix.Posix;
import org.grim.myrinet.tuning.Candidate;
import org.grim.myrinet.tuning.InjectionBench;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The tuner on a board whose firmware is the real one. */
@Timeout(180)
final class TuneBoardTest
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldTakePayloadsByEveryMechanism(final boolean isStepped) throws IOException
    {
        try (TuneBoard board = new TuneBoard(Posix.load(), directory, isStepped))
        {
            final InjectionBench bench = board.bench();
            for (int i = 0; i < SizeClasses.COUNT; i++)
            {
                for (final Candidate candidate : Candidate.of(SizeClasses.size(i)))
                {
                    bench.inject(candidate, SizeClasses.payloadLengthMax(i), 5);
                }
            }
            board.requireAlive();
        }
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(0, files.count(), "something was left behind");
        }
    }

    @Test
    void shouldMeasureChooseAndWriteThePlan()
    {
        final Path file = directory.resolve("plan.conf");

        final TuneReport report = TuneRun.run(200_000_000, true, file, directory.resolve("plan.png"));

        final InjectionPlan plan = PlanFile.read(file);
        assertEquals(SizeClasses.COUNT, report.choices().size());
        for (int i = 0; i < SizeClasses.COUNT; i++)
        {
            final InjectionPlan.Entry entry = plan.entries().get(i);
            final TuneReport.Choice choice = report.choices().get(i);
            assertEquals(entry.mechanism().label(), choice.mechanism());
            assertEquals(entry.burstLength(), choice.burst());
            assertEquals(entry.segmentLength(), choice.segment());
        }
        assertTrue(report.rows().stream().allMatch(row -> row.ns() > 0), report::text);
        assertTrue(report.text().contains("zero-copy"), report::text);
    }
}
