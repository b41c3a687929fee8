// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.grim.ni.scale.PackedState;
import org.grim.ni.scale.ScaleOptions;
import org.grim.ni.scale.ScaleResult;
import org.grim.ni.scale.TrafficPattern;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/** Results of scale runs, for people and for programs. No state. */
final class ScaleReport
{
    private static final int SRAM_LENGTH = 2 << 20;
    private static final int QUEUE_LENGTH = 64 << 10;
    private static final int CHANNELS = 8;
    private static final int CHANNELS_MANY = 32;
    private static final int TOKEN_COUNT = 256;
    private static final int QUOTA = 128;
    private static final double KIBI = 1024;
    private static final double MEBI = 1024 * 1024;
    private static final double PERCENT = 100;

    private ScaleReport()
    {
    }

    /** The JSON, in the order of the runs. */
    static Map<String, Object> json(final List<ScaleResult> results)
    {
        return Json.object("command", "scale", "rows", results.stream().map(ScaleReport::row).toList());
    }

    private static Map<String, Object> row(final ScaleResult result)
    {
        final ScaleOptions options = result.options();
        final Map<String, Object> row = Json.object("pattern", options.pattern().toString(),
            "wire", options.wire().toString(), "nis", options.niCount(), "size", options.size(),
            "messages", options.messageCount());
        row.put("hotPercent", options.pattern() == TrafficPattern.HOT_SPOT ? options.hotPercent() : null);
        row.put("drainNs", options.drainNs());
        row.put("seed", options.seed());
        row.put("convicting", options.isConvicting());
        row.put("stop", result.stop());
        row.putAll(Json.object("goodput", result.goodput(), "packets", result.packets(),
            "fairness", result.fairness(), "memory", result.memory(), "cost", result.cost()));
        return row;
    }

    /** A table, what its columns mean, and a sentence for each run that was stopped. */
    static String text(final List<ScaleResult> results)
    {
        final Table table = new Table("NIs", "MB/s per NI", "all", "share", "NACKs", "resent", "lost", "Jain", "peers",
            "state KiB", "heap KiB", "virtual ms", "seconds", "CPU", "heap MiB");
        for (final ScaleResult row : results)
        {
            table.row(row.options().niCount(), decimal(row.goodput().perNi()), decimal(row.goodput().total()),
                percent(row.goodput().share()), row.packets().nacks(), percent(row.packets().share()),
                row.packets().lost(), String.format(Locale.ROOT, "%.3f", row.fairness().senders()),
                row.memory().peerCount(), decimal(row.memory().tableBytes() / KIBI),
                decimal(row.memory().heapBytes() / KIBI), decimal(row.cost().virtualMs()),
                decimal(row.cost().seconds()), decimal(row.cost().cpuSeconds()),
                decimal(row.cost().heapBytes() / MEBI));
        }
        final StringBuilder text = new StringBuilder(table.toString());
        line(text, "MB/s: payload, 10^6 bytes, start and end included; share: of an NI's link in the middle half, or " +
            "of the hot spot's");
        line(text, "resent: of all transmissions; Jain: 1 if all senders got the same; state: packed, for the peers " +
            "of one NI");
        line(text, String.format(Locale.ROOT, "a board with 2 MiB has room for the state of %,d peers with 1 " +
            "channel, %,d with 8, %,d with 32 (queues of 64, 64 and 32 KiB)", peerCountMax(1, QUEUE_LENGTH),
            peerCountMax(CHANNELS, QUEUE_LENGTH), peerCountMax(CHANNELS_MANY, QUEUE_LENGTH / 2)));
        results.stream().filter(row -> row.stop() != null)
            .forEach(row -> line(text, row.options().niCount() + " NIs were stopped by " + row.stop()));
        return text.toString();
    }

    /** On a LANai 9 with the defaults of the firmware. */
    private static long peerCountMax(final int channelCount, final int queueLength)
    {
        return PackedState.peerCountMax(SRAM_LENGTH - channelCount * queueLength -
            PackedState.fixedLength(TOKEN_COUNT, channelCount, QUOTA), channelCount);
    }

    private static void line(final StringBuilder text, final String sentence)
    {
        text.append(sentence).append(System.lineSeparator());
    }

    private static String decimal(final double value)
    {
        return String.format(Locale.ROOT, "%,.1f", value);
    }

    private static String percent(final double value)
    {
        return String.format(Locale.ROOT, "%.1f %%", value * PERCENT);
    }
}
