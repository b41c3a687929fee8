// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.bench.jmh.HopStages;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
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

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--seconds", seconds, 1, 3600);
        final List<HopStages.Row> rows = new HopStages(TimeUnit.SECONDS.toNanos(seconds)).run();
        json.print(Table.of(Json.rows(rows), "part", "stage", "p50 [ns]=p50Ns", "p99=p99Ns", "messages"),
            Json.object("command", "hops", "size", HopStages.PAYLOAD_LENGTH, "rows", rows));
        return 0;
    }
}
