// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.grim.wire.HeaderWords;

/**
 * Which incarnation of its destination an active message was meant for: the low 8 bits of it, where multicast messages
 * carry their tree (decision 12). NIs do not look at it; drivers refuse what was meant for another life.
 * <p>Thread: any; no state.
 */
final class LifeTag
{
    /** Where word 1, which carries the tag, stands in a header. */
    static final int OFFSET = HeaderWords.WORD_ONE_OFFSET;

    private static final int SHIFT = 16;
    private static final int MASK = 0xFF;

    private LifeTag()
    {
    }

    /** The tag of an incarnation, 0 to 255. */
    static int of(final int incarnation)
    {
        return incarnation & MASK;
    }

    /** A tag as it stands in word 1. */
    static int word(final int tag)
    {
        return tag << SHIFT;
    }

    /** The tag in words 0 and 1 of a header. */
    static int in(final long first)
    {
        return (int)first >>> SHIFT & MASK;
    }

    /** Words 0 and 1 without a tag. */
    static long removed(final long first)
    {
        return first & ~((long)MASK << SHIFT);
    }
}
