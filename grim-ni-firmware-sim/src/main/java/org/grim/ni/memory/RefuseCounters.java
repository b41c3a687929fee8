// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.EnumMap;

import org.agrona.collections.MutableLong;

/** Counts of refused messages, by reason. Thread: the board's stepper. Never allocates after construction. */
public final class RefuseCounters
{
    private final EnumMap<RefuseReason, MutableLong> counts = new EnumMap<>(RefuseReason.class);

    /** Counters at 0. */
    public RefuseCounters()
    {
        for (final RefuseReason reason : RefuseReason.values())
        {
            counts.put(reason, new MutableLong());
        }
    }

    /** Returns the count of a reason. */
    public long count(final RefuseReason reason)
    {
        return counts.get(reason).get();
    }

    /**
     * A message is refused.
     *
     * @param reason for it.
     * @return always {@link Delivery.Verdict#REFUSE}.
     */
    public Delivery.Verdict refuse(final RefuseReason reason)
    {
        counts.get(reason).increment();
        return Delivery.Verdict.REFUSE;
    }
}
