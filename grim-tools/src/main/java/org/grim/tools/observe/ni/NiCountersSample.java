// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.grim.counters.NiCounters;

/**
 * What an NI had counted at one look.
 *
 * @param totals  of the NI, by name.
 * @param dropped packets by reason, those that are not zero.
 * @param triples that had trouble, by key.
 * @param errors  distinct errors.
 */
record NiCountersSample(
    Map<String, Long> totals, Map<String, Long> dropped, Map<Integer, Triple> triples,
    List<CountersView.DistinctError> errors)
{
    /** Of an NI whose counters cannot be read. */
    static final NiCountersSample NONE = new NiCountersSample(Map.of(), Map.of(), Map.of(), List.of());

    /** What a triple of channel, NI and channel counted. */
    record Triple(long nacks, long rollbacks, long repeats)
    {
        static final Triple NONE = new Triple(0, 0, 0);

        Triple with(final CounterKind kind, final long value)
        {
            return new Triple(kind == CounterKind.NI_TRIPLE_NACKS ? value : nacks,
                kind == CounterKind.NI_TRIPLE_ROLLBACKS ? value : rollbacks,
                kind == CounterKind.NI_TRIPLE_REPEATS ? value : repeats);
        }
    }

    /**
     * Reads a counters file.
     *
     * @throws org.grim.GrimException if it is none.
     */
    static NiCountersSample of(final Path file)
    {
        final Map<String, Long> totals = new LinkedHashMap<>();
        final Map<String, Long> dropped = new LinkedHashMap<>();
        final Map<Integer, Triple> triples = new TreeMap<>();
        try (CountersView view = new CountersView(file))
        {
            for (final CountersView.Reading reading : view.readings())
            {
                final CounterKind kind = reading.kind();
                switch (kind.scope())
                {
                    case NI -> totals.put(kind.label(), reading.value());
                    case NI_DROP_REASON ->
                    {
                        if (reading.value() != 0)
                        {
                            dropped.put(reading.label().replace(kind.label(), "").trim(), reading.value());
                        }
                    }
                    case NI_TRIPLE -> triples.merge(reading.key(), Triple.NONE.with(kind, reading.value()),
                        (old, one) -> old.with(kind, reading.value()));
                    case NI_CHANNEL, CHANNEL, NODE, REJECT_REASON, REMOTE_REFUSAL ->
                    {
                        // The board's memory has what channels count, and newer; the rest does not stand here.
                    }
                }
            }
            return new NiCountersSample(totals, dropped, triples, new ArrayList<>(view.errors()));
        }
    }

    /** Steps of the control program; -1 if that is not known. */
    long stepCount()
    {
        return totals.getOrDefault(CounterKind.NI_STEPS.label(), -1L);
    }

    Triple triple(final int channel, final int ni, final int destinationChannel)
    {
        return triples.getOrDefault(NiCounters.tripleKey(channel, ni, destinationChannel), Triple.NONE);
    }
}
