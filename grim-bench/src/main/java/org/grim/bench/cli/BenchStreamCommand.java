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
import org.grim.bench.device.StreamComparison;
import org.grim.bench.groups.GroupRow;
import org.grim.tools.cli.JsonOption;
import org.grim.tools.cli.OptionCheck;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Stages of streams beside relays of links. */
@Command(name = "stream", mixinStandardHelpOptions = true,
    description = "Measures a stage that passes items on beside a relay, and function faults.",
    footer = {"", "forward: an item of 4 KiB through a stage of another process and back, beside a handler there that",
        "copies it and sends it back by a second link; so many items under way.",
        "function fault: an item whose image is not loaded, without the time of loading, beside one whose image is.",
        "Rounds by turns: the ratio is the stage's time by the relay's in the same round, median, and quartiles.",
        "JSON: [{operation, members, length, grimNs, beside, otherNs, ratio, ratioQuartile, ratioQuartile3, rounds}]."})
final class BenchStreamCommand implements Callable<Integer>
{
    private static final int ROUNDS_MAX = 1000;
    private static final int ROUND_MS_MAX = 10_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--rounds", paramLabel = "N", defaultValue = "20",
        description = "Counted rounds; a third as many, at least 6, warm up (default: ${DEFAULT-VALUE}).")
    private int rounds;

    @Option(names = "--round-ms", paramLabel = "MS", defaultValue = "100",
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
        try (StreamComparison comparison = new StreamComparison(directory))
        {
            final List<GroupRow> rows =
                new ArrayList<>(comparison.measure(rounds, TimeUnit.MILLISECONDS.toNanos(roundMs)));
            final GroupRow faults = comparison.measureFaults(rounds);
            if (faults == null)
            {
                text.println("left out: function faults: this JVM has no compiler to make images with");
            }
            else
            {
                rows.add(faults);
            }
            json.print(System.lineSeparator() + BenchDeviceCommand.table(rows), rows);
        }
        return 0;
    }
}
