// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.bench.page.TunePage;
import org.grim.bench.report.TuneReport;
import org.grim.bench.tune.TuneOptions;
import org.grim.bench.tune.TuneRun;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** How payloads come into a board's memory. */
@Command(name = "tune", mixinStandardHelpOptions = true,
    description = "Measures each way of a payload into a board's memory, and writes a plan and a plot.",
    footer = {"", "The board is the command's own. Rounds are interleaved; medians count. What is simpler is chosen",
        "unless something else is better by 5 %%. grim.myrinet.injection.file names the plan to the driver.",
        "JSON: {command, machine, board, lanaiModel, ringNs, rounds, file, plot, rows: [{size, mechanism, burst, ns,",
        "megabytesPerSecond}], choices: [{size, mechanism, burst, registered, segment}]}."})
final class TuneCommand implements Callable<Integer>
{
    private static final double SECONDS_MIN = 0.1;
    private static final double SECONDS_MAX = 3600;

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

    @Option(names = "--json", paramLabel = "FILE", arity = "0..1", fallbackValue = Json.STANDARD_OUTPUT,
        description = "Also write JSON; without a name, or with -, to standard output.")
    private String json;

    @Override
    public Integer call() throws IOException
    {
        checkOptions();
        // Programs that read JSON from standard output get nothing else there.
        final PrintWriter text =
            Json.STANDARD_OUTPUT.equals(json) ? spec.commandLine().getErr() : spec.commandLine().getOut();
        final TuneReport report = new TuneRun(new TuneOptions((long)(seconds * TimeUnit.SECONDS.toNanos(1)),
            isStepped || Runtime.getRuntime().availableProcessors() == 1, file, plot)).run();
        text.print(report.text());
        text.println("plan: " + file);
        text.flush();
        Json.write(report, json, spec.commandLine().getOut());
        Files.writeString(plot, TunePage.of(report));
        text.println("plot: " + plot);
        text.flush();
        return 0;
    }

    private void checkOptions()
    {
        // Written so that NaN is outside, too.
        if (!(seconds >= SECONDS_MIN && seconds <= SECONDS_MAX))
        {
            throw new ParameterException(spec.commandLine(), "--seconds=" + seconds + " is outside 0.1 to 3600");
        }
        requireDirectory("--file", file);
        requireDirectory("--plot", plot);
    }

    /** Before the time is spent. */
    private void requireDirectory(final String option, final Path path)
    {
        final Path parent = path.toAbsolutePath().getParent();
        if (parent == null || !Files.isDirectory(parent) || !Files.isWritable(parent) || Files.isDirectory(path))
        {
            throw new ParameterException(spec.commandLine(), option + "=" + path +
                " cannot be written: its directory is missing or not writable, or it is a directory itself");
        }
    }
}
