// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.grim.bench.device.PageFaults;
import org.grim.bench.device.StreamComparison;
import org.grim.bench.groups.GroupRow;
import org.grim.tools.cli.JsonOption;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Stages of streams beside relays of links. */
@Command(name = "stream", mixinStandardHelpOptions = true,
    description = "Measures stages that pass items on beside a relay and beside threads, and faults.",
    footer = {"", "forward: an item of 4 KiB through a stage of another process and back, beside a handler there that",
        "copies it and sends it back by a second link; so many items under way.",
        "two stages: one device recycles an item, beside a hop to another device.",
        "graph: frames through stages of two processes, beside threads of this one that copy them.",
        "page fault: an item whose page has no frame, beside the next one; the frame is clean, or written back.",
        "function fault: an item whose image is not loaded, without the time of loading, beside one whose image is.",
        "Rounds by turns: the ratio is the stage's time by the relay's in the same round, median, and quartiles.",
        "JSON: [{operation, members, length, grimNs, beside, otherNs, ratio, ratioQuartile, ratioQuartile3, rounds}]."})
final class BenchStreamCommand implements Callable<Integer>
{
    @Mixin
    private TurnOptions turns = new TurnOptions(100);

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        final PrintWriter text = turns.begin(json);
        try (StreamComparison comparison = new StreamComparison(turns.directory()))
        {
            final List<GroupRow> rows = new ArrayList<>(comparison.measure(turns.rounds(), turns.roundNs()));
            final GroupRow faults = comparison.measureFaults(turns.rounds());
            if (faults == null)
            {
                text.println("left out: function faults: this JVM has no compiler to make images with");
            }
            else
            {
                rows.add(faults);
            }
            rows.addAll(PageFaults.measure(turns.directory(), turns.rounds()));
            turns.print(json, rows);
        }
        return 0;
    }
}
