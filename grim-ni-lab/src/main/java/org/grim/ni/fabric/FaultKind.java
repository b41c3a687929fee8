// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.grim.ni.trace.PacketEvent;

/** Kind of fault of a packet on a link. */
public enum FaultKind
{
    /** It vanishes. */
    DROP(PacketEvent.LOST),
    /** A copy of it follows; the parameter is how many nanoseconds later. */
    REPEAT(PacketEvent.REPEATED),
    /** Others overtake it; the parameter is for how many nanoseconds. */
    REORDER(PacketEvent.REORDERED),
    /** One to three bits are flipped; the parameter says which. */
    CORRUPT(PacketEvent.CORRUPTED),
    /** Its end is missing; the parameter says how much. */
    TRUNCATE(PacketEvent.TRUNCATED),
    /** It and all behind it wait; the parameter is for how many nanoseconds. Keeps order. */
    DELAY(PacketEvent.DELAYED),
    /** The link stops before it, for long; the parameter is for how many nanoseconds. Keeps order. */
    STALL(PacketEvent.DELAYED),
    /** It vanishes because the link is partitioned. Not drawn: see {@link FaultModel#partition()}. */
    PARTITION(PacketEvent.LOST);

    private final PacketEvent event;

    FaultKind(final PacketEvent event)
    {
        this.event = event;
    }

    /** Its name in a trace. */
    PacketEvent event()
    {
        return event;
    }

    /** {@return whether nothing is lost, spoilt or overtaken by it; true if a lossless fabric may show it} */
    public boolean isLossless()
    {
        return this == DELAY || this == STALL;
    }
}
