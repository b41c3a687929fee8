// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.bench.report.TuneReport;
import org.grim.bench.tune.TuneRun;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Measures how payloads come into a board's memory. */
@Command(name = "tune", mixinStandardHelpOptions = true,
    description = "Measures each path of a payload into a board's memory, and writes a plan and a plot.",
    footer = {"", "The board is the command's own. Rounds are interleaved; medians count. The simpler path is chosen",
        "unless something else is better by 5 %%. grim.myrinet.injection.file names the plan to the driver.",
        "JSON: {command, machine, board, lanaiModel, ringNs, rounds, file, plot, rows: [{size, mechanism, burst, ns,",
        "megabytesPerSecond}], choices: [{size, mechanism, burst, registered, segment}]}."})
final class TuneCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "20",
        description = "For all measurements, 0.1 to 3600 (default: ${DEFAULT-VALUE}).")
    private double seconds;

    @Option(names = "--file", paramLabel = "FILE", defaultValue = "grim-injection.conf",
        description = "Takes the plan (default: ${DEFAULT-VALUE}).")
    private Path file;

    @Option(names = "--plot", paramLabel = "FILE", defaultValue = "grim-injection.html",
        description = "Takes the plot, an HTML page (default: ${DEFAULT-VALUE}).")
    private Path plot;

    @Option(names = "--stepped",
        description = "Run the firmware in the host's own thread, as on machines with one core.")
    private boolean isStepped;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--seconds", seconds, 0.1, 3600);
        OptionCheck.requireWritable(spec, "--file", file);
        OptionCheck.requireWritable(spec, "--plot", plot);
        final TuneReport report = TuneRun.run((long)(seconds * TimeUnit.SECONDS.toNanos(1)),
            isStepped || Runtime.getRuntime().availableProcessors() == 1, file, plot);
        Files.writeString(plot, report.page());
        json.print(report.text() + "plan: " + file + System.lineSeparator() + "plot: " + plot +
            System.lineSeparator(), report);
        return 0;
    }
}
