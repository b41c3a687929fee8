// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;

import org.grim.bench.mpi.MpiComparison;
import org.grim.bench.mpi.MpiOperation;
import org.grim.tools.cli.JsonOption;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

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
    @Option(names = "--operations", paramLabel = "NAME", split = ",", description = "Which: ${COMPLETION-CANDIDATES} " +
        "(default: all).")
    private List<MpiOperation> operations = List.of(MpiOperation.values());

    @Option(names = "--open-mpi-jar", paramLabel = "FILE",
        description = "The mpi.jar of Open MPI's Java bindings, whose native library is on java.library.path.")
    private Path openMpiJar;

    @Option(names = "--mpj-home", paramLabel = "DIR", defaultValue = "${env:MPJ_HOME:-/usr/share/mpj}",
        description = "Where MPJ Express is: lib/mpj.jar is below it (default: ${DEFAULT-VALUE}).")
    private Path mpjHome;

    @Mixin
    private TurnOptions turns = new TurnOptions(20);

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter text = turns.begin(json);
        try (MpiComparison comparison = new MpiComparison(turns.directory(), openMpiJar, mpjHome, text))
        {
            turns.print(json, comparison.measure(operations, turns.rounds(), turns.roundNs()));
        }
        return 0;
    }
}
