// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.bench.jmh.HopStages;
import org.grim.bench.report.HopReport;
import org.grim.tools.report.Json;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Where the time of a message through boards goes. */
@Command(name = "hops", mixinStandardHelpOptions = true,
    description = "Measures each stage of a 32-byte message through two boards, stepped in one thread.",
    footer = {"", "boards: alone, in private memory. nodes: with driver, files and shared wire.",
        "JSON: {command, size, rows: [{part, stage, p50Ns, p99Ns, messages}]}."})
final class HopsCommand implements Callable<Integer>
{
    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "8",
        description = "Time for the whole run, half of it warm-up (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--json", paramLabel = "FILE", description = "Also write JSON; - for standard output.")
    private String json;

    @Override
    public Integer call() throws IOException
    {
        if (seconds < 1 || seconds > 3600)
        {
            throw new ParameterException(spec.commandLine(), "--seconds=" + seconds + " is outside 1 to 3600");
        }
        final PrintWriter text =
            Json.STANDARD_OUTPUT.equals(json) ? spec.commandLine().getErr() : spec.commandLine().getOut();
        final HopReport report = new HopStages(TimeUnit.SECONDS.toNanos(seconds)).run();
        text.print(report.table());
        text.flush();
        Json.write(report, json, spec.commandLine().getOut());
        return 0;
    }
}
