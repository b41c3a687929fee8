// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.page;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What people read for the short names of a run. Names that are not known stand for themselves. Any thread; no state.
 */
final class Wording
{
    private static final List<String> SUITES =
        List.of("messages", "memory", "board", "load", "poll", "channels", "cost", "cpu");

    private static final List<String> ORDER = List.of("latency", "rate", "bandwidth", "put-latency", "put-bandwidth",
        "get-latency", "get-bandwidth", "large-message");

    private static final Map<String, String> SUITE_TITLES = Map.of("messages", "Messages", "memory", "Remote memory",
        "board", "Boards: how arrivals are told", "poll", "Polling silent queues", "channels", "Number of channels",
        "load", "Latency under load", "cost", "Cost of the send path", "cpu", "Processor and allocation");

    private static final Map<String, String> SUITE_TEXTS = Map.of(
        "messages",
            "Two processes, each polling on a core of its own. Latency is half of the median round trip; rate " +
            "and bandwidth are of a stream one way under back pressure.",
        "memory", "One side reads or writes the other's registered memory; large messages are cut and put together.",
        "board", "The same messages through two boards, with the two ways of telling the host that one has come.",
        "load", "Messages are offered at fixed times, whatever becomes of earlier ones; latency counts from the time " +
            "a message was to be sent, so that waiting is not left out (no coordinated omission).",
        "poll", "One look at queues that stay empty.",
        "channels", "The same work with more logical channels to look at.",
        "cost", "Sending and polling in one thread: the software's own share, with little noise. This is where a " +
            "slower send path shows first.",
        "cpu", "What a node takes while nothing, or little, goes on, and what it allocates.");

    private static final Map<String, String> BENCHMARKS = Map.ofEntries(Map.entry("latency", "Latency"),
        Map.entry("rate", "Message rate"), Map.entry("bandwidth", "Bandwidth"),
        Map.entry("put-latency", "Latency of writes"), Map.entry("put-bandwidth", "Bandwidth of writes"),
        Map.entry("get-latency", "Latency of reads"), Map.entry("get-bandwidth", "Bandwidth of reads"),
        Map.entry("large-message", "Bandwidth of large messages"), Map.entry("poll", "Cost of a poll"),
        Map.entry("send", "Send"), Map.entry("message", "Message: send and poll"),
        Map.entry("greatest-rate", "Greatest rate"), Map.entry("share", "Share of a core"),
        Map.entry("allocation", "Allocation"));

    private static final Pattern PERCENTILE = Pattern.compile("p([0-9]{1,2}(?:\\.[0-9]{1,6})?)");

    private static final Map<String, String> MODES = Map.of("ignore", "receiver ignores the bytes",
        "read", "receiver reads every byte", "tail-flag", "a flag in each message's tail",
        "queue-pointer", "the queue's pointer", "open-loop", "messages at fixed times", "closed-loop",
        "as fast as it goes", "idle", "nothing to do", "loaded", "some messages");

    private static final Map<String, String> AXES = Map.of("size", "payload [bytes]", "queues", "silent queues",
        "channels", "logical channels", "load", "offered load, share of the greatest rate");

    private static final Map<String, String> FIGURES = Map.of("latency", "one-way time", "put-latency", "one-way time",
        "get-latency", "time of a whole read", "rate", "messages", "bandwidth", "payload");

    private Wording()
    {
    }

    static String suite(final String name)
    {
        return SUITE_TITLES.getOrDefault(name, words(name));
    }

    /** A sentence or two below the heading; empty for unknown ones. */
    static String suiteText(final String name)
    {
        return SUITE_TEXTS.getOrDefault(name, "");
    }

    /** Where a suite stands on the page: known ones in the order of interest, then others. */
    static int suiteRank(final String name)
    {
        final int index = SUITES.indexOf(name);
        return index < 0 ? SUITES.size() : index;
    }

    /** Where a benchmark stands within its suite. */
    static int benchmarkRank(final String name)
    {
        final int index = ORDER.indexOf(name);
        return index < 0 ? ORDER.size() : index;
    }

    /** What was measured, and how; nobody receives remote memory. */
    static String title(final String suite, final String benchmark, final String mode)
    {
        final Matcher percentile = PERCENTILE.matcher(benchmark);
        final String what = percentile.matches() ? "Percentile " + percentile.group(1) :
            BENCHMARKS.getOrDefault(benchmark, words(benchmark));
        final boolean isOnlyWay =
            "-".equals(mode) || mode.isEmpty() || ("memory".equals(suite) && "ignore".equals(mode));
        return isOnlyWay ? what : what + ": " + MODES.getOrDefault(mode, mode);
    }

    static String axis(final String xName)
    {
        return AXES.getOrDefault(xName, xName);
    }

    /** Title of the vertical axis. */
    static String figure(final String benchmark, final String unit)
    {
        // Labels of times have their units, since they change along the axis.
        final String what = FIGURES.getOrDefault(benchmark, "ns".equals(unit) ? "time" : "");
        return "ns".equals(unit) ? what : (what + " [" + unit + "]").strip();
    }

    /** One value of what a curve goes over. */
    static String x(final String xName, final double x)
    {
        return switch (xName)
        {
            case "size" -> Numbers.binary(x) + " B";
            case "load" -> x <= 1 ? Numbers.text(x * 100) + " %" : Numbers.plain(x);
            default -> Numbers.plain(x);
        };
    }

    private static String words(final String name)
    {
        return name.isEmpty() ? name :
            name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1).replace('-', ' ');
    }
}
