// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;

import org.grim.bench.device.DeviceComparison;
import org.grim.bench.device.VideoFrames;
import org.grim.bench.groups.GroupRow;
import org.grim.tools.cli.JsonOption;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** Devices beside what does the same without them. */
@Command(name = "device", mixinStandardHelpOptions = true,
    description = "Measures devices beside host endpoints, FileChannel, and bare sockets.",
    footer = {"", "request: a round trip of 32 bytes to a device in another node's process, and to one in a process",
        "of its own, beside one to that node's host endpoint. store: 64 KiB, which stand in memory, by remote memory;",
        "in parts: 1 MiB, of which several parts are under way, beside FileChannel with 64 KiB at a time. bridge: a",
        "round trip of 32 bytes through TCP to a node, beside a bare socket that sends it back.",
        "frame: the next one of a capture device's test pattern in a frame window, beside as many bytes of a pipe.",
        "frames, 30 per second: CPU time of the device's process for a frame; the ratio is its share of a core.",
        "Rounds by turns: the ratio is the device's time by the other's in the same round, median, and quartiles.",
        "JSON: [{operation, members, length, grimNs, beside, otherNs, ratio, ratioQuartile, ratioQuartile3, rounds}]."})
final class BenchDeviceCommand implements Callable<Integer>
{
    @Mixin
    private TurnOptions turns = new TurnOptions(50);

    @Mixin
    private JsonOption json;

    @Override
    public Integer call() throws IOException
    {
        turns.begin(json);
        final List<GroupRow> rows = new ArrayList<>();
        try (DeviceComparison comparison = new DeviceComparison(turns.directory()))
        {
            rows.addAll(comparison.measure(turns.rounds(), turns.roundNs()));
        }
        rows.addAll(VideoFrames.measure(turns.directory(), turns.rounds(), turns.roundNs()));
        turns.print(json, rows);
        return 0;
    }
}
