// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;

/** Counts of datagrams by effect. Any thread. */
final class EffectCounts
{
    private final Map<Effect, AtomicLong> counts = new EnumMap<>(Effect.class);

    EffectCounts()
    {
        for (final Effect effect : Effect.values())
        {
            counts.put(effect, new AtomicLong());
        }
    }

    void add(final Effect effect)
    {
        counts.get(effect).incrementAndGet();
    }

    long of(final Effect effect)
    {
        return counts.get(effect).get();
    }
}
