// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.replay;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

import org.HdrHistogram.Histogram;
import org.grim.GrimException;
import org.grim.device.accelerator.ItemRecording;
import org.grim.device.accelerator.KernelReplay;
import org.grim.device.accelerator.RecordedItem;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/** Feeds the items of a record to kernels, and sums up what came out of each. Thread: one. */
public final class Replay
{
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final double NS_PER_US = 1e3;
    private static final int KERNEL_COUNT_MAX = 1_024;

    private final Plan plan;
    private final Consumer<String> lines;
    private final Map<String, Sum> sums = new LinkedHashMap<>();
    private final List<Map<String, Object>> items = new ArrayList<>();
    private long readCount;
    private long missingCount;
    private long nextNumber;
    private String end;

    /**
     * Says what is fed to which kernels.
     *
     * @param record    file with items.
     * @param images    directory of images; null: only built-in kernels.
     * @param kernel    whose items are fed; null: each.
     * @param other     kernel that gets them; null: that which had them.
     * @param isListing whether each item is reported.
     */
    public record Plan(Path record, Path images, String kernel, String other, boolean isListing)
    {
    }

    /**
     * Output of the command.
     *
     * @param json for programs.
     * @param text for people.
     * @param end  why the record could not be read to its end; null if it could.
     */
    public record Report(Object json, String text, String end)
    {
    }

    /** Results of a kernel. */
    private static final class Sum
    {
        private final Histogram times = new Histogram(SIGNIFICANT_DIGITS);
        private final CRC32C crc = new CRC32C();
        private long itemCount;
        private long failedCount;
        private long pagedCount;
        private long lengthIn;
        private long lengthOut;
        private String firstFailure;
    }

    private Replay(final Plan plan, final Consumer<String> lines)
    {
        this.plan = plan;
        this.lines = lines;
    }

    /**
     * Runs a plan.
     *
     * @param plan  to run.
     * @param lines takes a line for each item, if the plan lists them.
     * @return what came out.
     * @throws GrimException            if the record or an image cannot be read, or the record names too many kernels.
     * @throws IllegalArgumentException if there is no such kernel.
     */
    public static Report run(final Plan plan, final Consumer<String> lines)
    {
        final Replay replay = new Replay(plan, lines);
        try (ItemRecording recording = new ItemRecording(plan.record);
            KernelReplay kernels = new KernelReplay(plan.images))
        {
            if (plan.other != null)
            {
                kernels.load(plan.other);
            }
            replay.run(recording, kernels);
        }
        return replay.report();
    }

    private void run(final ItemRecording recording, final KernelReplay kernels)
    {
        for (RecordedItem item = next(recording); item != null; item = next(recording))
        {
            readCount++;
            missingCount += Math.max(0, item.number() - nextNumber);
            nextNumber = item.number() + 1;
            if (plan.kernel == null || plan.kernel.equals(item.kernel()))
            {
                run(item, kernels);
            }
        }
    }

    /** A record that ends within an item is that of a device which was killed: the items before are run. */
    private RecordedItem next(final ItemRecording recording)
    {
        try
        {
            return recording.next();
        }
        catch (final GrimException ex)
        {
            end = ex.getMessage();
            return null;
        }
    }

    private void run(final RecordedItem item, final KernelReplay kernels)
    {
        final String kernel = plan.other == null ? item.kernel() : plan.other;
        if (sums.size() >= KERNEL_COUNT_MAX && !sums.containsKey(kernel))
        {
            throw new GrimException(GrimException.Reason.BAD_DATA,
                "record " + plan.record + " names more than " + KERNEL_COUNT_MAX + " kernels");
        }
        final Sum sum = sums.computeIfAbsent(kernel, key -> new Sum());
        if (item.hasPages())
        {
            sum.pagedCount++;
            return;
        }
        kernels.load(kernel);
        final KernelReplay.Outcome outcome = kernels.run(kernel, item);
        sum.itemCount++;
        sum.lengthIn += item.length();
        sum.lengthOut += outcome.length();
        sum.times.recordValue(Math.max(0, outcome.durationNs()));
        final CRC32C crc = new CRC32C();
        if (outcome.failure() == null)
        {
            final byte[] bytes = new byte[outcome.length()];
            kernels.result().getBytes(0, bytes);
            crc.update(bytes);
            sum.crc.update(bytes);
        }
        else
        {
            sum.failedCount++;
            sum.firstFailure = sum.firstFailure == null ? outcome.failure() : sum.firstFailure;
        }
        if (plan.isListing)
        {
            list(item, kernel, outcome, crc.getValue());
        }
    }

    private void list(
        final RecordedItem item, final String kernel, final KernelReplay.Outcome outcome, final long crc)
    {
        items.add(Json.object("number", item.number(), "sequence", Integer.toUnsignedLong(item.sequence()), "kernel",
            kernel, "bytesIn", item.length(), "bytesOut", outcome.length(), "crc", hexadecimal(crc), "us",
            outcome.durationNs() / NS_PER_US, "failure", outcome.failure()));
        lines.accept("item " + item.number() + " sequence " + Integer.toUnsignedLong(item.sequence()) + " " + kernel +
            ": " + (outcome.failure() == null ? item.length() + " bytes to " + outcome.length() + ", CRC-32C " +
            hexadecimal(crc) : "failed: " + outcome.failure()) + ", " +
            String.format(Locale.ROOT, "%.1f us", outcome.durationNs() / NS_PER_US));
    }

    private static String hexadecimal(final long crc)
    {
        return String.format(Locale.ROOT, "%08x", crc);
    }

    private Report report()
    {
        final List<Map<String, Object>> rows = new ArrayList<>();
        final StringBuilder failures = new StringBuilder();
        sums.forEach((kernel, sum) ->
        {
            rows.add(Json.object("kernel", kernel, "items", sum.itemCount, "failed", sum.failedCount, "leftOut",
                sum.pagedCount, "bytesIn", sum.lengthIn, "bytesOut", sum.lengthOut, "crc",
                hexadecimal(sum.crc.getValue()), "usMin", us(sum, 0), "usMedian", us(sum, 50), "us99", us(sum, 99),
                "usMax", us(sum, 100), "failure", sum.firstFailure));
            if (sum.firstFailure != null)
            {
                failures.append(kernel).append(" failed first: ").append(sum.firstFailure).append('\n');
            }
            if (sum.pagedCount > 0)
            {
                failures.append(kernel).append(": left out, as operands were in pages: ").append(sum.pagedCount)
                    .append('\n');
            }
        });
        final String text = Table.of(rows, "kernel", "items", "failed", "bytes in=bytesIn", "bytes out=bytesOut",
            "CRC-32C=crc", "min us=usMin", "median us=usMedian", "99 % us=us99", "max us=usMax") + failures +
            "items in the record: " + readCount + ", missing in it: " + missingCount + "\n";
        return new Report(Json.object("command", "replay", "kernels", rows, "items", plan.isListing ? items : null,
            "recorded", readCount, "missing", missingCount, "end", end), text, end);
    }

    private static String us(final Sum sum, final double percentile)
    {
        return String.format(Locale.ROOT, "%.1f", sum.times.getValueAtPercentile(percentile) / NS_PER_US);
    }
}
