// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.tuning;

import java.util.ArrayList;
import java.util.List;

import org.grim.myrinet.injection.Injectors;
import org.grim.myrinet.injection.Mechanism;

/**
 * A mechanism with a burst: what the tuner measures. Any thread; immutable.
 *
 * @param mechanism   that injects.
 * @param burstLength bytes between pauses; 0 for none.
 */
public record Candidate(Mechanism mechanism, int burstLength)
{
    private static final int BURST_LENGTH_MIN = 64;
    private static final int BURST_LENGTH_MAX = 4096;
    /** The best length of HPVM on its bridge. */
    private static final int BURST_LENGTH_HPVM = 160;

    /** {@return whether there are pauses; false for a burst of 0} */
    public boolean isPaced()
    {
        return burstLength != Injectors.UNPACED;
    }

    /** {@return name in tables: the mechanism's, with the burst if there is one} */
    public String label()
    {
        return isPaced() ? mechanism.label() + "/" + burstLength : mechanism.label();
    }

    /**
     * Returns the candidates for a size class: each mechanism, and bursts that are shorter than the payload. The C
     * library's copy is not paced: a native call for each burst only costs. Returns the simplest first: all without
     * pauses before those with, but pulls last.
     */
    public static List<Candidate> of(final int size)
    {
        final List<Candidate> candidates = new ArrayList<>();
        for (final Mechanism mechanism : Mechanism.values())
        {
            if (mechanism == Mechanism.ONE_COPY)
            {
                addPaced(candidates, size);
            }
            candidates.add(new Candidate(mechanism, Injectors.UNPACED));
        }
        return List.copyOf(candidates);
    }

    private static void addPaced(final List<Candidate> candidates, final int size)
    {
        for (final Mechanism mechanism : List.of(Mechanism.WORD_STORES, Mechanism.BULK_COPY))
        {
            for (int burst = BURST_LENGTH_MAX; burst >= BURST_LENGTH_MIN; burst /= 2)
            {
                if (burst < size)
                {
                    candidates.add(new Candidate(mechanism, burst));
                }
                if (burst > BURST_LENGTH_HPVM && burst / 2 < BURST_LENGTH_HPVM && BURST_LENGTH_HPVM < size)
                {
                    candidates.add(new Candidate(mechanism, BURST_LENGTH_HPVM));
                }
            }
        }
    }
}
