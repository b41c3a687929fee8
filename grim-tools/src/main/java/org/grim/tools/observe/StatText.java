// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

import org.grim.text.SafeText;
import org.grim.tools.observe.ni.NiText;
import org.grim.tools.observe.stall.Age;
import org.grim.tools.report.Table;

/** A {@link StatReport} for people: per node its channels, its queues, and what went wrong. */
public final class StatText
{
    private static final String LINE_END = System.lineSeparator();
    private static final int ERROR_LENGTH_MAX = 400;
    private static final String MEMORY_PREFIX = "memory-";

    private StatText()
    {
    }

    /**
     * The whole report.
     *
     * @param report to show.
     * @return lines.
     */
    public static String of(final StatReport report)
    {
        final StringBuilder text = new StringBuilder("cluster ").append(report.directory()).append(LINE_END);
        report.nodes().forEach(node -> append(text.append(LINE_END), node));
        return text.toString();
    }

    private static void append(final StringBuilder text, final StatReport.Node node)
    {
        text.append("node ").append(node.number()).append(' ').append(node.name()).append(": ").append(node.state())
            .append(node.isAlive() ? ", alive" : ", dead").append(", incarnation ").append(node.incarnation())
            .append(", endpoints ").append(String.join(",", node.endpoints())).append(LINE_END);
        node.missing().forEach(what -> text.append("  ").append(what).append(LINE_END));
        if (!node.channels().isEmpty())
        {
            text.append(channels(node.channels()));
        }
        if (node.inbox() != null)
        {
            append(text, node.inbox());
        }
        if (node.ni() != null)
        {
            NiText.append(text, node.ni());
        }
        appendNonZero(text, "node-wide", node.counters());
        appendNonZero(text, "rejected", node.rejected());
        appendNonZero(text, "memory-refused", node.memoryRefused());
        for (final StatReport.DistinctError error : node.errors())
        {
            text.append("  error seen ").append(error.observationCount()).append(" times: ")
                .append(SafeText.shorten(error.text().lines().findFirst().orElse(""), ERROR_LENGTH_MAX))
                .append(LINE_END);
        }
    }

    private static Table channels(final List<StatReport.Channel> channels)
    {
        final List<String> names = new ArrayList<>(channels.get(0).counters().keySet());
        // Most nodes have no remote memory: its columns come when something is in them.
        names.removeIf(name -> name.startsWith(MEMORY_PREFIX) &&
            channels.stream().allMatch(channel -> channel.counters().getOrDefault(name, 0L) == 0));
        final String[] headings = new String[names.size() + 1];
        headings[0] = "  channel";
        for (int i = 0; i < names.size(); i++)
        {
            headings[i + 1] = names.get(i);
        }
        final Table table = new Table(headings);
        for (final StatReport.Channel channel : channels)
        {
            final Object[] cells = new Object[headings.length];
            Arrays.fill(cells, "-");
            cells[0] = channel.channel() < 0 ? "  shared links" : "  " + channel.channel();
            for (int i = 0; i < names.size(); i++)
            {
                final Long value = channel.counters().get(names.get(i));
                cells[i + 1] = value == null ? "-" : value;
            }
            table.row(cells);
        }
        return table;
    }

    private static void append(final StringBuilder text, final StatReport.Inbox inbox)
    {
        text.append("  last poll ").append(Age.text(inbox.lastPollAgeMs())).append("; queues with a sender: ")
            .append(inbox.queues().size()).append(LINE_END);
        if (inbox.queues().isEmpty())
        {
            return;
        }
        final Table table = new Table("  queue", "from node", "from channel", "unread", "of", "state");
        for (final StatReport.Queue queue : inbox.queues())
        {
            table.row("  " + queue.channel() + "." + queue.queue(), queue.ownerNode(), queue.ownerChannel(),
                queue.unreadCount(), queue.slotCount(),
                queue.isStopped() ? "stopped" : queue.isDetached() ? "detached" : "open");
        }
        text.append(table);
    }

    private static void appendNonZero(final StringBuilder text, final String what, final Map<String, Long> counters)
    {
        counters.forEach((name, value) ->
        {
            if (value != 0)
            {
                text.append("  ").append(what).append(' ').append(name).append(' ').append(value).append(LINE_END);
            }
        });
    }
}
