// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.grim.tools.report.Table;

/** An {@link NiReport} for people. */
public final class NiText
{
    private static final String LINE_END = System.lineSeparator();

    private NiText()
    {
    }

    /**
     * Appends the report.
     *
     * @param text   that takes it.
     * @param report to show.
     */
    public static void append(final StringBuilder text, final NiReport report)
    {
        text.append("  NI ").append(report.number());
        if (report.lanaiModel() != null)
        {
            text.append(": LANai ").append(report.lanaiModel()).append(", epoch ").append(report.epoch())
                .append(report.isAsleep() ? ", asleep" : ", awake");
        }
        text.append(LINE_END);
        report.missing().forEach(what -> text.append("  ").append(what).append(LINE_END));
        appendCounters(text, report.counters());
        report.dropped().forEach((reason, count) ->
            text.append("  dropped ").append(reason).append(' ').append(count).append(LINE_END));
        appendContexts(text, report.contexts());
        appendChannels(text, report.channels());
        appendTriples(text, report.triples());
        for (final NiReport.DistinctError error : report.errors())
        {
            text.append("  NI error seen ").append(error.observationCount()).append(" times: ")
                .append(error.text().lines().findFirst().orElse("")).append(LINE_END);
        }
    }

    private static void appendCounters(final StringBuilder text, final Map<String, Long> counters)
    {
        if (counters.isEmpty())
        {
            return;
        }
        final List<String> names = new ArrayList<>(counters.keySet());
        final Object[] cells = new Object[names.size()];
        for (int i = 0; i < cells.length; i++)
        {
            cells[i] = counters.get(names.get(i));
        }
        names.set(0, "  " + names.get(0));
        final Table table = new Table(names.toArray(String[]::new));
        table.row(cells);
        text.append(table);
    }

    private static void appendContexts(final StringBuilder text, final List<NiReport.Context> contexts)
    {
        if (contexts.isEmpty())
        {
            return;
        }
        final Table table = new Table("  context", "node", "incarnation", "state", "first NI channel", "channels");
        for (final NiReport.Context context : contexts)
        {
            table.row("  " + context.context(), context.ownerNode(), context.ownerIncarnation(), context.state(),
                context.firstChannel(), context.channelCount());
        }
        text.append(table);
    }

    private static void appendChannels(final StringBuilder text, final List<NiReport.Channel> channels)
    {
        if (channels.isEmpty())
        {
            return;
        }
        final Table table = new Table("  NI channel", "node", "channel", "status", "queued", "of", "front", "next",
            "back", "filled", "delivered", "undelivered", "unknown", "refused", "unread", "of ", "arrivals");
        for (final NiReport.Channel channel : channels)
        {
            final NiReport.Arrivals arrivals = channel.arrivals();
            table.row("  " + channel.channel(), dash(channel.ownerNode()), dash(channel.ownerChannel()),
                channel.status(), channel.queuedLength(), channel.queueLength(), channel.front(), channel.next(),
                channel.back(), channel.filled(), channel.delivered(), channel.undelivered(), channel.unknown(),
                channel.refused(), arrivals.unreadCount(), arrivals.capacity(), arrivals.mode());
        }
        text.append(table);
    }

    private static void appendTriples(final StringBuilder text, final List<NiReport.Triple> triples)
    {
        final Table table =
            new Table("  from NI channel", "to NI", "NI channel", "nacks", "rollbacks", "repetitions");
        boolean isEmpty = true;
        for (final NiReport.Triple triple : triples)
        {
            if (triple.nacks() != 0 || triple.rollbacks() != 0 || triple.repeats() != 0)
            {
                isEmpty = false;
                table.row("  " + (triple.channel() < 0 ? "others" : triple.channel()), dash(triple.ni()),
                    dash(triple.destinationChannel()), triple.nacks(), triple.rollbacks(), triple.repeats());
            }
        }
        text.append(isEmpty ? "" : table.toString());
    }

    private static Object dash(final int number)
    {
        return number < 0 ? "-" : (Object)number;
    }
}
