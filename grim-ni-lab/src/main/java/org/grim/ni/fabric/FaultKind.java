// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

/** What can happen to a packet on a link. */
public enum FaultKind
{
    /** It vanishes. */
    DROP,
    /** A copy of it follows; the parameter is how many nanoseconds later. */
    REPEAT,
    /** Others overtake it; the parameter is for how many nanoseconds. */
    REORDER,
    /** One to three bits are flipped; the parameter says which. */
    CORRUPT,
    /** Its end is missing; the parameter says how much. */
    TRUNCATE,
    /** It and all behind it wait; the parameter is for how many nanoseconds. Keeps order. */
    DELAY,
    /** The link stops before it, for long; the parameter is for how many nanoseconds. Keeps order. */
    STALL,
    /** It vanishes because the link is partitioned. Not drawn: see {@link FaultModel#partition()}. */
    PARTITION;

    /** {@return whether nothing is lost, spoilt or overtaken by it; true if a lossless fabric may show it} */
    public boolean isLossless()
    {
        return this == DELAY || this == STALL;
    }
}
