// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

import org.grim.campaign.history.Incarnation;

/** How long nodes of other hosts take to learn that a node is gone, one time for each pair. Thread: one. */
final class DeathTimes
{
    private final Map<String, List<Long>> timesMs = new TreeMap<>();

    /** All survivors have learnt of all that are gone. */
    void add(final String cause, final List<Incarnation> gone, final List<Incarnation> survivors, final long startNs)
    {
        final List<Long> times = timesMs.computeIfAbsent(cause, key -> new ArrayList<>());
        for (final Incarnation node : gone)
        {
            survivors.stream().map(survivor -> survivor.goneNs(node.packed)).filter(goneNs -> goneNs != null)
                .map(goneNs -> TimeUnit.NANOSECONDS.toMillis(goneNs - startNs)).forEach(times::add);
        }
    }

    @Override
    public String toString()
    {
        return timesMs.entrySet().stream().map(entry -> text(entry.getKey(), entry.getValue()))
            .collect(Collectors.joining(", "));
    }

    private static String text(final String cause, final List<Long> times)
    {
        final List<Long> sorted = times.stream().sorted().toList();
        return sorted.isEmpty() ? cause + " none" : cause + " n=" + sorted.size() + " p50=" +
            sorted.get(sorted.size() / 2) + " max=" + sorted.get(sorted.size() - 1);
    }
}
