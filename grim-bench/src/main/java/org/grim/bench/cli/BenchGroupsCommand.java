// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.bench.compare.Machine;
import org.grim.bench.groups.GroupComparison;
import org.grim.bench.groups.GroupRow;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Collective operations of groups beside Open MPI's. */
@Command(name = "groups", mixinStandardHelpOptions = true,
    description = "Measures collective operations of groups over shared memory beside Open MPI's.",
    footer = {"", "Operations: barrier, allReduce (sum of 8 bytes and of 1 MiB of long), broadcast (1 MiB); and",
        "what a multicast of 32 bytes to all members costs its sender, beside one send to one of them.", "",
        "Members are processes, on both sides, pinned to the same CPUs; the side that has no turn sleeps. Rounds by",
        "turns: the ratio is GRIM's time by Open MPI's in the same round, median; beside it quartiles. A time is that",
        "of a series of operations and one barrier, divided by the number of operations.",
        "JSON: [{operation, members, length, grimNs, beside, otherNs, ratio, ratioQuartile, ratioQuartile3, rounds}]."})
final class BenchGroupsCommand implements Callable<Integer>
{
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS_MAX = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--members", paramLabel = "N", split = ",", defaultValue = "2,4",
        description = "Members of each side, 2 to 16 (default: ${DEFAULT-VALUE}).")
    private List<Integer> members;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "120",
        description = "Counted rounds; a third as many, at least 30, warm up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--round-ms", paramLabel = "MS", defaultValue = "10",
        description = "Time of each figure in a round (default: ${DEFAULT-VALUE}).")
    private int roundMs;

    @Option(names = "--await", description = "GRIM's members wait in Request.await(), which yields and then sleeps; " +
        "else they poll as Open MPI's do, and yield only where several share a CPU.")
    private boolean isAwaiting;

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--rounds", rounds, 1, ROUNDS_MAX);
        OptionCheck.requireWithin(spec, "--round-ms", roundMs, 1, ROUND_MS_MAX);
        members.forEach(count ->
            OptionCheck.requireWithin(spec, "--members", count, 2, GroupComparison.MEMBERS_MAX));
        final PrintWriter text = json.text();
        text.println(Machine.describe(Runtime.getRuntime().availableProcessors()));
        final List<GroupRow> rows = new ArrayList<>();
        for (final int count : members)
        {
            try (GroupComparison comparison = new GroupComparison(count, isAwaiting, directory))
            {
                comparison.describe(text);
                rows.addAll(comparison.measure(rounds, TimeUnit.MILLISECONDS.toNanos(roundMs)));
            }
        }
        json.print(System.lineSeparator() + Table.of(Json.rows(rows), "operation", "members", "bytes=length",
            "GRIM ns=grimNs", "beside", "its ns=otherNs", "ratio", "quartile=ratioQuartile",
            "quartile=ratioQuartile3"), rows);
        return 0;
    }
}
