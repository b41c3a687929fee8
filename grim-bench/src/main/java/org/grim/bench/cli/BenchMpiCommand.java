// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.bench.compare.Machine;
import org.grim.bench.groups.GroupRow;
import org.grim.bench.mpi.MpiComparison;
import org.grim.bench.mpi.MpiOperation;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** MPI for Java beside other libraries. */
@Command(name = "mpi", mixinStandardHelpOptions = true,
    description = "Measures MPI between two ranks of one host beside raw GRIM, Open MPI (Java and C) and MPJ Express.",
    footer = {"", "latency: half of a round trip; rate: sends one after the other, of which each 64th is answered;",
        "allReduce (sum of long), broadcast, allToAll; all between arrays, or (direct) direct buffers.", "",
        "The ranks of each library are processes on the same two CPUs; those that have no turn sleep. Rounds by turns:",
        "the ratio is GRIM's time by the other's in the same round, median; beside it quartiles. Libraries that are",
        "absent are named.",
        "JSON: [{operation, members, length, grimNs, beside, otherNs, ratio, ratioQuartile, ratioQuartile3, rounds}]."})
final class BenchMpiCommand implements Callable<Integer>
{
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS_MAX = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--operations", paramLabel = "NAME", split = ",", description = "Which: ${COMPLETION-CANDIDATES} " +
        "(default: all).")
    private List<MpiOperation> operations = List.of(MpiOperation.values());

    @Option(names = "--open-mpi-jar", paramLabel = "FILE",
        description = "The mpi.jar of Open MPI's Java bindings, whose native library is on java.library.path.")
    private Path openMpiJar;

    @Option(names = "--mpj-home", paramLabel = "DIR", defaultValue = "${env:MPJ_HOME:-/usr/share/mpj}",
        description = "Where MPJ Express is: lib/mpj.jar is below it (default: ${DEFAULT-VALUE}).")
    private Path mpjHome;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "20",
        description = "Counted rounds; a third as many, at least 6, warm up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--round-ms", paramLabel = "MS", defaultValue = "20",
        description = "Time of each figure in a round (default: ${DEFAULT-VALUE}).")
    private int roundMs;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--rounds", rounds, 1, ROUNDS_MAX);
        OptionCheck.requireWithin(spec, "--round-ms", roundMs, 1, ROUND_MS_MAX);
        final PrintWriter text = json.text();
        text.println(Machine.describe(Runtime.getRuntime().availableProcessors()));
        try (MpiComparison comparison = new MpiComparison(directory, openMpiJar, mpjHome, text))
        {
            final List<GroupRow> rows =
                comparison.measure(operations, rounds, TimeUnit.MILLISECONDS.toNanos(roundMs));
            json.print(System.lineSeparator() + Table.of(Json.rows(rows), "operation", "bytes=length",
                "GRIM ns=grimNs", "beside", "its ns=otherNs", "ratio", "quartile=ratioQuartile",
                "quartile=ratioQuartile3"), rows);
        }
        return 0;
    }
}
