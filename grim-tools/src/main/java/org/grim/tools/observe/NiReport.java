// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;
import java.util.Map;

import org.grim.board.counters.NiCounterKind.Scope;
import org.grim.board.counters.NiCounters;
import org.grim.tools.report.Counters;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/**
 * Counters of a node's network interface, for {@code stat}.
 *
 * @param json for programs.
 * @param text for people, each line with its end.
 */
record NiReport(Map<String, Object> json, String text)
{
    /** The report of a node's NI; null if it has no board. */
    static NiReport of(final NiSample sample, final int node)
    {
        final BoardSample board = sample.board(node);
        if (board == null)
        {
            return null;
        }
        final BoardSample.Header header = board.header();
        final Counters counters = board.counters();
        final Map<String, Long> totals = counters.ofScope(Scope.NI);
        final Map<String, Long> dropped = counters.reasons(Scope.DROP_REASON);
        final List<Map<String, Object>> contexts = board.contexts().stream().map(NiReport::context).toList();
        final List<Map<String, Object>> channels = board.channels().stream().map(NiReport::channel).toList();
        final List<Map<String, Object>> triples = counters.byKey(Scope.TRIPLE).entrySet().stream()
            .map(entry -> triple(entry.getKey(), entry.getValue())).toList();
        final String head = "NI " + board.ni() + (header == null ? "" : ": LANai " + header.lanaiModel() + ", epoch " +
            header.epoch() + (header.isAsleep() ? ", asleep" : ", awake")) + "\n";
        final StringBuilder text = new StringBuilder(head);
        board.missing().forEach(what -> text.append(what).append('\n'));
        text.append(totals.isEmpty() ? "" : Table.of(List.of(totals), totals.keySet().toArray(String[]::new)))
            .append(Counters.text("dropped", dropped))
            .append(Table.of(contexts, "context", "node=ownerNode", "incarnation=ownerIncarnation", "state",
                "first NI channel=firstChannel", "channels=channelCount"))
            .append(Table.of(channels, "NI channel=channel", "node=ownerNode", "channel=ownerChannel", "status",
                "queued=queuedLength", "of=queueLength", "front", "next", "back", "filled", "delivered",
                "undelivered", "unknown", "refused", "unread=arrivals.unreadCount", "of=arrivals.capacity",
                "arrivals=arrivals.mode"))
            .append(Table.of(triples.stream().filter(NiReport::hasTrouble).toList(), "from NI channel=channel",
                "to NI=ni", "NI channel=destinationChannel", "nacks", "rollbacks", "repetitions=repeats"))
            .append(counters.errorText("NI error"));
        return new NiReport(Json.object("number", board.ni(), "lanaiModel", header == null ? null : header.lanaiModel(),
            "epoch", header == null ? null : header.epoch(), "isAsleep", header == null ? null : header.isAsleep(),
            "counters", totals, "dropped", dropped, "contexts", contexts, "channels", channels, "triples", triples,
            "errors", counters.errors(), "missing", board.missing()), text.toString());
    }

    private static boolean hasTrouble(final Map<String, Object> triple)
    {
        return triple.values().stream().anyMatch(value -> value instanceof final Long count && count > 0);
    }

    private static Map<String, Object> context(final ContextSample context)
    {
        return Json.object("context", context.number(), "ownerNode", context.ownerNode(), "ownerIncarnation",
            context.ownerIncarnation(), "state", context.stateText(), "firstChannel", context.firstChannel(),
            "channelCount", context.channelCount());
    }

    private static Map<String, Object> channel(final ChannelSample channel)
    {
        final ChannelSample.Outcomes outcomes = channel.outcomes();
        return Json.object("channel", channel.number(), "ownerNode",
            channel.context() == null ? -1 : channel.context().ownerNode(), "ownerChannel", channel.ownerChannel(),
            "status", channel.statusText(), "queuedLength", channel.queuedLength(), "queueLength",
            channel.queueLength(), "front", Integer.toUnsignedLong(channel.front()), "next",
            Integer.toUnsignedLong(channel.next()), "back", Integer.toUnsignedLong(channel.back()), "filled",
            channel.filled(), "delivered", outcomes.delivered(), "undelivered", outcomes.undelivered(), "unknown",
            outcomes.unknown(), "refused", outcomes.refused(), "arrivals", arrivals(channel.arrivals()));
    }

    private static Map<String, Object> arrivals(final ArrivalSample arrivals)
    {
        return Json.object("mode", arrivals.mode(), "unreadCount", arrivals.unread(), "capacity", arrivals.capacity(),
            "messageCount", arrivals.messageCount());
    }

    /** All triples that came too late for counters of their own are one of channel -1. */
    private static Map<String, Object> triple(final int key, final Map<String, Long> counters)
    {
        final boolean isOwn = key != NiCounters.OTHER_TRIPLES_KEY;
        final Map<String, Object> triple = Json.object("channel", isOwn ? NiCounters.channelOf(key) : -1, "ni",
            isOwn ? NiCounters.niOf(key) : -1, "destinationChannel", isOwn ? NiCounters.destinationChannelOf(key) : -1);
        triple.putAll(counters);
        return triple;
    }
}
