// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.wire.MessageHeader;

/**
 * The word that says what stands in a slot: word 0 of the message header. Big endian, as the header.
 * <pre>
 *  bits 31 .................. 16 | 15 ........ 0
 *       0x0636 (GRIM id)         | lap              published in this lap
 *       0x8 (4) | owner (12)     | lap              claimed in this lap by node 'owner' (shared queues)
 *       0x4 (4) | owner (12)     | lap              aborted or reclaimed in this lap: readers skip it (shared queues)
 *       0                        | 0                never used
 * </pre>
 * The lap counts how often the queue went round, modulo 65,536. A slot's word is always of this lap or of the one before,
 * so that the receiver never needs to wipe it.
 */
final class SlotState
{
    /** Of a slot that was never used. */
    static final int NEVER_USED = 0;

    private SlotState()
    {
    }

    /** Published in the lap that a position belongs to, as a machine word. */
    static int published(final long position, final int slotShift)
    {
        return MessageHeader.identityWord(lap(position, slotShift));
    }

    /** The lap of a position, from 1 on, so that lap 0 is the one before the first. */
    static int lap(final long position, final int slotShift)
    {
        return (int)(position >>> slotShift) + 1;
    }
}
