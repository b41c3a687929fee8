// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.tune;

import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.bench.compare.Machine;
import org.grim.bench.report.TuneReport;
import org.grim.myrinet.injection.InjectionPlan;
import org.grim.myrinet.injection.PlanFile;
import org.grim.myrinet.posix.Posix;
import org.grim.myrinet.tuning.InjectionChoice;
import org.grim.myrinet.tuning.InjectionTuner;
import org.grim.myrinet.tuning.Measurements;
import org.grim.tools.process.PrivateDirectory;

/** One run of the command: board, tuner, plan, files. Main thread. */
public final class TuneRun
{
    private TuneRun()
    {
    }

    /** Measures, chooses, and writes the plan. */
    public static TuneReport run(final long durationNs, final boolean isStepped, final Path file, final Path plot)
    {
        final Measurements measurements = measure(durationNs, isStepped);
        final InjectionPlan plan = InjectionChoice.choose(measurements);
        final List<String> machine =
            Machine.describe(Runtime.getRuntime().availableProcessors()).lines().toList();
        final String board = "board: LANai " + TuneBoard.LANAI_MODEL + ", simulated, its firmware " +
            (isStepped ? "stepped by the host" : "in a thread of its own");
        PlanFile.write(plan, Stream.concat(Stream.concat(
            Stream.of("Measured " + Instant.now().truncatedTo(ChronoUnit.SECONDS)), machine.stream()),
            Stream.of(board)).toList(), file);
        return new TuneReport("tune", String.join("; ", machine), board, TuneBoard.LANAI_MODEL,
            rounded(measurements.ringNs()), measurements.rounds(), file.toString(), plot.toString(),
            measurements.rows().stream().map(TuneRun::row).toList(),
            plan.entries().stream().map(TuneRun::choice).toList());
    }

    private static Measurements measure(final long durationNs, final boolean isStepped)
    {
        try (PrivateDirectory directory = PrivateDirectory.create("grim-tune-", null);
            TuneBoard board = new TuneBoard(Posix.load(), directory.path(), isStepped))
        {
            try
            {
                return new InjectionTuner(board.bench(), System::nanoTime).measure(durationNs);
            }
            catch (final GrimException ex)
            {
                board.requireAlive();           // Else the one error would hide the other.
                throw ex;
            }
        }
    }

    private static TuneReport.Row row(final Measurements.Row row)
    {
        return new TuneReport.Row(row.size(), row.candidate().mechanism().label(), row.candidate().burstLength(),
            rounded(row.ns()), rounded(row.megabytesPerSecond()));
    }

    private static TuneReport.Choice choice(final InjectionPlan.Entry entry)
    {
        return new TuneReport.Choice(entry.size(), entry.mechanism().label(), entry.burstLength(),
            entry.registered().label(), entry.segmentLength());
    }

    private static double rounded(final double value)
    {
        return Math.round(value * 10) / 10.0;
    }
}
