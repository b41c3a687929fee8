// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.wire.BigEndian;
import org.grim.wire.MessageHeader;

/**
 * The word that says what stands in a slot: word 0 of the message header. Big endian, as the header.
 * <pre>
 *  bits 31 .................. 16 | 15 ........ 0
 *       0x0636 (GRIM id)         | lap              published in this lap
 *       0x8 (4) | sender (12)    | lap              claimed in this lap by that sender (shared queues)
 *       0x4 (4) | sender (12)    | lap              aborted or reclaimed in this lap: readers pass over it (shared
 * queues)
 *       0                        | 0                never used
 * </pre>
 * The lap counts how often the queue went round, modulo 65,536. A slot's word is always of this lap or of the one
 * before, so that the receiver never needs to wipe it.
 */
final class SlotState
{
    /** State of a slot that was never used. */
    static final int NEVER_USED = 0;

    private static final int CLAIMED = 0x8;
    private static final int SKIPPED = 0x4;
    private static final int KIND_SHIFT = 28;
    private static final int LAP_BITS = 16;
    private static final int LAP_MASK = (1 << LAP_BITS) - 1;
    private static final int SENDER_MASK = (1 << 12) - 1;

    private SlotState()
    {
    }

    /** Published in the lap that a position belongs to, as a machine word. */
    static int published(final long position, final int slotShift)
    {
        return MessageHeader.identityWord(lap(position, slotShift));
    }

    /** Claimed by a sender in the lap that a position belongs to, as a machine word. */
    static int claimed(final long position, final int slotShift, final int sender)
    {
        return word(CLAIMED, sender, lap(position, slotShift));
    }

    /** Returns the word of a slot that is passed over in the lap that a position belongs to. */
    static int skipped(final long position, final int slotShift, final int sender)
    {
        return word(SKIPPED, sender, lap(position, slotShift));
    }

    static boolean isClaimed(final int state)
    {
        return kind(state) == CLAIMED;
    }

    static boolean isSkipped(final int state)
    {
        return kind(state) == SKIPPED;
    }

    static boolean isPublished(final int state)
    {
        return BigEndian.order(state) >>> LAP_BITS == MessageHeader.GRIM_ID;
    }

    /** Returns the claimer of a slot. */
    static int sender(final int state)
    {
        return (BigEndian.order(state) >>> LAP_BITS) & SENDER_MASK;
    }

    /** Returns whether a state belongs to a lap. */
    static boolean isOfLap(final int state, final int lap)
    {
        return (BigEndian.order(state) & LAP_MASK) == (lap & LAP_MASK);
    }

    /** The lap of a position, from 1 on, so that lap 0 is the one before the first. */
    static int lap(final long position, final int slotShift)
    {
        return (int)(position >>> slotShift) + 1;
    }

    private static int kind(final int state)
    {
        return BigEndian.order(state) >>> KIND_SHIFT;
    }

    private static int word(final int kind, final int sender, final int lap)
    {
        return BigEndian.order(kind << KIND_SHIFT | (sender & SENDER_MASK) << LAP_BITS | (lap & LAP_MASK));
    }
}
