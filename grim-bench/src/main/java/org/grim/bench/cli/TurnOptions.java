// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.bench.compare.Machine;
import org.grim.bench.groups.GroupRow;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Options of a comparison by turns between programs, and its output. */
final class TurnOptions
{
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS_MAX = 10_000;

    @Spec(Spec.Target.MIXEE)
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N",
        description = "Counted rounds; a third as many, at least 6, warm up (default: ${DEFAULT-VALUE}).")
    private int rounds = 20;

    @Option(names = "--round-ms", paramLabel = "MS",
        description = "Time of each figure in a round (default: ${DEFAULT-VALUE}).")
    private int roundMs;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    TurnOptions(final int roundMsDefault)
    {
        roundMs = roundMsDefault;
    }

    /** Checks the options, and describes the machine. Returns the text's output. */
    PrintWriter begin(final JsonOption json)
    {
        OptionCheck.requireWithin(spec, "--rounds", rounds, 1, ROUNDS_MAX);
        OptionCheck.requireWithin(spec, "--round-ms", roundMs, 1, ROUND_MS_MAX);
        final PrintWriter text = json.text();
        text.println(Machine.describe(Runtime.getRuntime().availableProcessors()));
        text.flush();
        return text;
    }

    int rounds()
    {
        return rounds;
    }

    long roundNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(roundMs);
    }

    /** Returns the directory for files; null for shared memory. */
    Path directory()
    {
        return directory;
    }

    void print(final JsonOption json, final List<GroupRow> rows) throws IOException
    {
        json.print(System.lineSeparator() + Table.of(Json.rows(rows), "operation", "bytes=length", "GRIM ns=grimNs",
            "beside", "its ns=otherNs", "ratio", "quartile=ratioQuartile", "quartile=ratioQuartile3"), rows);
    }
}
