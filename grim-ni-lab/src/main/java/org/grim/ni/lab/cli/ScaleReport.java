// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.util.List;
import java.util.Locale;

import org.grim.ni.scale.PackedState;
import org.grim.ni.scale.ScaleOptions;
import org.grim.ni.scale.ScaleResult;
import org.grim.ni.scale.TrafficPattern;
import org.grim.tools.report.Table;

import com.fasterxml.jackson.annotation.JsonPropertyOrder;

/**
 * Result of the command {@code scale}; its components are the JSON.
 *
 * @param command always {@code scale}.
 * @param rows    one per count of NIs.
 */
@JsonPropertyOrder({"command", "rows"})
public record ScaleReport(String command, List<Row> rows)
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

    /**
     * Makes the report.
     *
     * @param results in the order of their runs.
     * @return with a row for each.
     */
    public static ScaleReport of(final List<ScaleResult> results)
    {
        return new ScaleReport("scale", results.stream().map(Row::of).toList());
    }

    /**
     * One run.
     *
     * @param pattern    who sent to whom.
     * @param wire       by its name.
     * @param nis        how many.
     * @param size       payload bytes of a message.
     * @param messages   of each NI.
     * @param hotPercent of all messages that went to NI 0; null if that is no hot spot.
     * @param drainNs    that a host took for a message; 0 for what is right for the wire.
     * @param seed       of all chance.
     * @param convicting whether NIs were given up that did not answer.
     * @param stop       what stopped it; null if it came to its end.
     * @param goodput    what arrived; rates in payload bytes, 10^6 a second.
     * @param packets    what it took.
     * @param fairness   over those who sent.
     * @param memory     of an NI.
     * @param cost       of the run.
     */
    public record Row(
        String pattern, String wire, int nis, int size, int messages, Integer hotPercent, long drainNs, long seed,
        boolean convicting, String stop, ScaleResult.Goodput goodput, ScaleResult.Packets packets,
        ScaleResult.Fairness fairness, ScaleResult.Memory memory, ScaleResult.Cost cost)
    {
        private static Row of(final ScaleResult result)
        {
            final ScaleOptions options = result.options();
            final boolean isHot = options.pattern() == TrafficPattern.HOT_SPOT;
            return new Row(options.pattern().toString(), options.wire().toString(), options.niCount(), options.size(),
                options.messageCount(), isHot ? options.hotPercent() : null, options.drainNs(), options.seed(),
                options.isConvicting(), result.stop(), result.goodput(), result.packets(), result.fairness(),
                result.memory(), result.cost());
        }
    }

    /** {@return whether every run came to its end; false if a limit stopped one} */
    public boolean isComplete()
    {
        return rows.stream().allMatch(row -> row.stop() == null);
    }

    /**
     * For people.
     *
     * @return a table, what its columns mean, and a sentence for each run that was stopped.
     */
    public String text()
    {
        final Table table = new Table("NIs", "MB/s per NI", "all", "share", "NACKs", "resent", "lost", "Jain", "peers",
            "state KiB", "heap KiB", "virtual ms", "seconds", "CPU", "heap MiB");
        for (final Row row : rows)
        {
            table.row(row.nis(), decimal(row.goodput().perNi()), decimal(row.goodput().total()),
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
        rows.stream().filter(row -> row.stop() != null)
            .forEach(row -> line(text, row.nis() + " NIs were stopped by " + row.stop()));
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
