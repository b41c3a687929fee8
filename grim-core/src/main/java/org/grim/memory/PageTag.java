// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

/**
 * Who has a page, in one word, 0 for nobody: so that a physical address needs no other look-up.
 * <pre>
 *  bit 25    | 24       | 23 ......... 0
 *  writable  | readable | generation
 * </pre>
 * Any thread; no state.
 */
final class PageTag
{
    private static final int RIGHTS_SHIFT = 24;

    private PageTag()
    {
    }

    static int of(final long generation, final int rights)
    {
        return ((int)generation & MemoryAddress.GENERATION_MASK) | (rights << RIGHTS_SHIFT);
    }

    static int generation(final int tag)
    {
        return tag & MemoryAddress.GENERATION_MASK;
    }

    /** Tells whether the page's region grants some rights, given by their bits. */
    static boolean grants(final int tag, final int rights)
    {
        return ((tag >>> RIGHTS_SHIFT) & rights) == rights;
    }
}
