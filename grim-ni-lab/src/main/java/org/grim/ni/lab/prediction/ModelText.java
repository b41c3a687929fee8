// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.prediction;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import org.grim.ni.model.EndToEndModel;
import org.grim.ni.model.FaultModel;
import org.grim.ni.model.Mode;
import org.grim.ni.model.ModelParameters;
import org.grim.ni.model.Notification;
import org.grim.ni.model.Range;
import org.grim.ni.model.Stage;
import org.grim.ni.model.Summary;
import org.grim.tools.report.Table;

/** The model's answers for people. Any thread; no state. */
public final class ModelText
{
    private static final String LINE = System.lineSeparator();
    private static final double LATENCY_STEP_US = 0.05;
    private static final double BANDWIDTH_STEP_MBS = 0.1;
    private static final double NS_PER_US = 1_000;

    private ModelText()
    {
    }

    /** All tables. */
    public static String of(final List<ModelResult> results)
    {
        final StringBuilder text = new StringBuilder();
        text.append("The original system as the model composes it of its components' costs; value (low..high).")
            .append(LINE).append("Latency: half of a round trip of ").append(EndToEndModel.SIZE_MIN)
            .append(" B; bandwidth: payload by half of its round trip, at best, 10^6 bytes per second; ")
            .append("* with the original's kind of notification: the pointer of the queue, but no word of a write.")
            .append(LINE).append(LINE).append(summaries(results));
        for (final ModelResult result : results)
        {
            text.append(title(result, "latency [us] and bandwidth [MB/s] over size [B]")).append(sizes(result))
                .append(title(result, "smallest active message, stage by stage")).append(stages(result))
                .append(title(result, "forwarding of active messages: latency, and bandwidth of a stream"))
                .append(forwardings(result))
                .append(title(result, "queue pointer against tail flag, active messages")).append(notifications(result))
                .append(title(result, "number of logical channels")).append(channels(result))
                .append(title(result, "a burst of " + ModelRun.BURST_COUNT + " messages of " + EndToEndModel.SIZE_MIN +
                    " B: what each costs its host")).append(bursts(result))
                .append(title(result, "what the figures of active messages hang on")).append(sensitivities(result))
                .append(title(result, "multicast against repeated unicasts, until the last host has it [us]"))
                .append(multicasts(result));
            if (!result.faults().isEmpty())
            {
                text.append(title(result, "faults of an accelerator, as sums of stated parts")).append(faults(result))
                    .append("Not in the sums, since no page gives it: ")
                    .append(String.join("; ", FaultModel.LEFT_OUT)).append('.').append(LINE);
            }
        }
        return text.toString();
    }

    private static String title(final ModelResult result, final String what)
    {
        return LINE + result.name() + ": " + what + LINE;
    }

    private static Table summaries(final List<ModelResult> results)
    {
        final Table table =
            new Table("host", "ni", "mode", "notified by", "latency [us]", "bandwidth [MB/s]", "half of it at [B]");
        for (final ModelResult result : results)
        {
            for (final Summary summary : result.summaries())
            {
                final ModelParameters system = summary.parameters();
                table.row(system.host().label(), system.ni().label(), system.mode().label(),
                    system.notification().label(system.mode()) +
                        (result.usual(system.mode()) == system.notification() ? " *" : ""),
                    estimate("%.1f", summary.latencyUs()), estimate("%.1f", summary.bandwidthMBs()),
                    estimate("%.0f", summary.halfSize()));
            }
        }
        return table;
    }

    private static Table sizes(final ModelResult result)
    {
        final List<Mode> modes = List.of(Mode.values());
        final List<String> columns = new ArrayList<>(List.of("size"));
        modes.forEach(mode -> columns.add(mode.label() + (mode == Mode.AM ? " [us]" : "")));
        modes.forEach(mode -> columns.add(mode.label() + (mode == Mode.AM ? " [MB/s]" : "")));
        final Table table = new Table(columns.toArray(new String[0]));
        for (final int size : EndToEndModel.SIZES)
        {
            final List<Object> cells = new ArrayList<>(List.of(size));
            modes.forEach(mode -> cells.add(tenths(result.row(mode, result.usual(mode), size).latencyUs())));
            modes.forEach(mode -> cells.add(tenths(result.row(mode, result.usual(mode), size).bandwidthMBs())));
            table.row(cells.toArray());
        }
        return table;
    }

    private static Table multicasts(final ModelResult result)
    {
        final Table table = new Table(
            "size", "hosts", "sender at the root", "sender outside", "repeated unicasts", "unicasts by multicast");
        for (final ModelResult.MulticastRow row : result.multicasts())
        {
            table.row(row.size(), row.hostCount(), estimate("%.1f", row.memberUs()),
                estimate("%.1f", row.outsiderUs()), estimate("%.1f", row.unicastsUs()),
                estimate("%.2f", row.gain()));
        }
        return table;
    }

    private static Table faults(final ModelResult result)
    {
        final Table table = new Table("fault", "part", "[us]", "source");
        result.faults().forEach((name, parts) ->
        {
            parts.forEach(part -> table.row(name, part.name(), estimate("%.1f", part.us()), part.source()));
            table.row(name, "sum", estimate("%.1f", FaultModel.sum(parts)), "");
        });
        return table;
    }

    private static Table stages(final ModelResult result)
    {
        final Table table = new Table("stage", "over at [us]");
        for (final Stage stage : result.stages())
        {
            table.row(stage.name(), Math.round(stage.endNs() / 10.0) / 100.0);
        }
        return table;
    }

    private static Table forwardings(final ModelResult result)
    {
        final Table table = new Table("forwarding", "64 KiB [us]", "[MB/s]", "2 MiB [us]", "[MB/s]");
        for (final ModelResult.ForwardingRow row : result.forwardings())
        {
            table.row(row.name(), tenths(row.storedUs()), tenths(row.storedMBs()), orNothing(row.largestUs()),
                orNothing(row.largestMBs()));
        }
        return table;
    }

    private static Table notifications(final ModelResult result)
    {
        final Table table = new Table("size", "pointer [us]", "tail flag", "saved", "pointer [MB/s]", "tail flag");
        for (final int size : List.of(EndToEndModel.SIZE_MIN, 256, 1024, 4096))
        {
            final ModelRow pointer = result.row(Mode.AM, Notification.POINTER, size);
            final ModelRow tail = result.row(Mode.AM, Notification.TAIL_FLAG, size);
            table.row(size, tenths(pointer.latencyUs()), tenths(tail.latencyUs()),
                tenths(pointer.latencyUs() - tail.latencyUs()), tenths(pointer.bandwidthMBs()),
                tenths(tail.bandwidthMBs()));
        }
        return table;
    }

    private static Table channels(final ModelResult result)
    {
        final Table table = new Table("channels", "latency [us]", "stream of 1 KiB [MB/s]");
        result.channels().forEach(row -> table.row(row.count(), tenths(row.latencyUs()), tenths(row.scannedMBs())));
        return table;
    }

    private static Table bursts(final ModelResult result)
    {
        final Table table = new Table("outstanding", "overhead [us]");
        result.bursts().forEach((limit, overheadUs) -> table.row(limit, tenths(overheadUs)));
        return table;
    }

    private static String sensitivities(final ModelResult result)
    {
        final Summary summary = result.summary(Mode.AM, result.usual(Mode.AM));
        final Table table = new Table("assumption", "from..to", "latency [us]", "bandwidth [MB/s]", "source");
        for (final Summary.Sensitivity row : summary.sensitivities())
        {
            if (Math.abs(row.low().latencyUs() - row.high().latencyUs()) >= LATENCY_STEP_US ||
                Math.abs(row.low().bandwidthMBs() - row.high().bandwidthMBs()) >= BANDWIDTH_STEP_MBS)
            {
                table.row(row.assumption().label(),
                    number(row.range().low()) + ".." + number(row.range().high()) + " " + row.assumption().unit(),
                    ends(row, Summary.Figures::latencyUs), ends(row, Summary.Figures::bandwidthMBs),
                    row.assumption().source());
            }
        }
        return table.toString();
    }

    private static String ends(final Summary.Sensitivity row, final ToDoubleFunction<Summary.Figures> figure)
    {
        return String.format(
            Locale.ROOT, "%.1f .. %.1f", figure.applyAsDouble(row.low()), figure.applyAsDouble(row.high()));
    }

    private static String estimate(final String format, final Range estimate)
    {
        return String.format(Locale.ROOT, format + " (" + format + ".." + format + ")", estimate.central(),
            estimate.low(), estimate.high());
    }

    private static String number(final double value)
    {
        return value == Math.rint(value) && Math.abs(value) < NS_PER_US * NS_PER_US ?
            Long.toString((long)value) : String.format(Locale.ROOT, "%.2f", value);
    }

    private static double tenths(final double value)
    {
        return Math.round(value * 10) / 10.0;
    }

    private static Object orNothing(final double value)
    {
        return Double.isNaN(value) ? "" : (Object)tenths(value);
    }
}
