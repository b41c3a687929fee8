// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import org.agrona.concurrent.status.AtomicCounter;

/**
 * Counters of one triple (source channel, NI, destination channel) of a network interface that had trouble.
 * <p>Thread: the NI's stepper writes; anybody reads.
 */
public final class NiTripleCounters
{
    private final AtomicCounter nacks;
    private final AtomicCounter rollbacks;
    private final AtomicCounter repeats;

    NiTripleCounters(final CountersFile file, final int key, final String suffix)
    {
        nacks = file.allocate(CounterKind.NI_TRIPLE_NACKS, key, CounterKind.NI_TRIPLE_NACKS.label() + suffix);
        rollbacks =
            file.allocate(CounterKind.NI_TRIPLE_ROLLBACKS, key, CounterKind.NI_TRIPLE_ROLLBACKS.label() + suffix);
        repeats = file.allocate(CounterKind.NI_TRIPLE_REPEATS, key, CounterKind.NI_TRIPLE_REPEATS.label() + suffix);
    }

    /** The destination had no room. */
    public void refused()
    {
        nacks.incrementPlain();
    }

    /** It went back to an earlier message. */
    public void rolledBack()
    {
        rollbacks.incrementPlain();
    }

    /** A message was sent again. */
    public void repeated()
    {
        repeats.incrementPlain();
    }
}
