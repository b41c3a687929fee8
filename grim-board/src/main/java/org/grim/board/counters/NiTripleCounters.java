// SPDX-License-Identifier: Apache-2.0
package org.grim.board.counters;

import org.agrona.concurrent.status.AtomicCounter;
import org.grim.counters.CountersFile;

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
        nacks = allocate(file, NiCounterKind.TRIPLE_NACKS, key, suffix);
        rollbacks = allocate(file, NiCounterKind.TRIPLE_ROLLBACKS, key, suffix);
        repeats = allocate(file, NiCounterKind.TRIPLE_REPEATS, key, suffix);
    }

    /** The destination had no room. */
    public void refused()
    {
        nacks.incrementPlain();
    }

    /** Counts that the sender went back to an earlier message. */
    public void rolledBack()
    {
        rollbacks.incrementPlain();
    }

    /** A message was sent again. */
    public void repeated()
    {
        repeats.incrementPlain();
    }

    private static AtomicCounter allocate(
        final CountersFile file, final NiCounterKind kind, final int key, final String suffix)
    {
        return file.allocate(kind, key, kind.label() + suffix);
    }
}
