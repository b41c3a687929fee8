// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Times in milliseconds by cause. Thread: one. */
final class Times
{
    private final Map<String, List<Long>> timesMs = new TreeMap<>();

    void add(final String cause, final long timeMs)
    {
        timesMs.computeIfAbsent(cause, key -> new ArrayList<>()).add(timeMs);
    }

    long medianMs(final String cause)
    {
        return median(timesMs.get(cause).stream().sorted().toList());
    }

    @Override
    public String toString()
    {
        return timesMs.entrySet().stream().map(entry -> text(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
    }

    private static long median(final List<Long> sorted)
    {
        return sorted.get(sorted.size() / 2);
    }

    private static String text(final String cause, final List<Long> times)
    {
        final List<Long> sorted = times.stream().sorted().toList();
        return cause + " n=" + sorted.size() + " p50=" + median(sorted) + " p90=" +
            sorted.get(sorted.size() * 9 / 10) + " max=" + sorted.get(sorted.size() - 1);
    }
}
