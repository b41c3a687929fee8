// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.grim.bench.compare.Machine;
import org.grim.bench.device.DeviceComparison;
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

/** Devices beside what does the same without them. */
@Command(name = "device", mixinStandardHelpOptions = true,
    description = "Measures devices beside host endpoints, FileChannel, and bare sockets.",
    footer = {"", "request: a round trip of 32 bytes to a device in another node's process, and to one in a process",
        "of its own, beside one to that node's host endpoint. store: 64 KiB, which stand in memory, by messages and by",
        "remote memory. bridge: a round trip of 32 bytes through TCP to a node, beside a bare socket that sends it",
        "back.",
        "Rounds by turns: the ratio is the device's time by the other's in the same round, median, and quartiles.",
        "JSON: [{operation, members, length, grimNs, beside, otherNs, ratio, ratioQuartile, ratioQuartile3, rounds}]."})
final class BenchDeviceCommand implements Callable<Integer>
{
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS_MAX = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "20",
        description = "Counted rounds; a third as many, at least 6, warm up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--round-ms", paramLabel = "MS", defaultValue = "50",
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
        text.flush();
        try (DeviceComparison comparison = new DeviceComparison(directory))
        {
            final List<GroupRow> rows = comparison.measure(rounds, TimeUnit.MILLISECONDS.toNanos(roundMs));
            json.print(System.lineSeparator() + table(rows), rows);
        }
        return 0;
    }

    static String table(final List<GroupRow> rows)
    {
        return Table.of(Json.rows(rows), "operation", "bytes=length", "GRIM ns=grimNs", "beside", "its ns=otherNs",
            "ratio", "quartile=ratioQuartile", "quartile=ratioQuartile3");
    }
}
