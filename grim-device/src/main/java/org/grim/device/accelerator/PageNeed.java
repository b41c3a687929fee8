// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

/** Pages of one item: of operands A, B and the result C. Thread: the runner's. */
final class PageNeed
{
    /** Index of operand A. */
    static final int A = 0;
    /** Index of operand B. */
    static final int B = 1;
    /** Index of the result. */
    static final int C = 2;
    /** Most pages that an item needs. */
    static final int PAGE_COUNT_MAX = 3;

    private final Page[] pages = new Page[PAGE_COUNT_MAX];
    private final int[] offsets = new int[PAGE_COUNT_MAX];
    /** Whether all pages are held in frames, or on the path there. */
    boolean isHeld;
    /** Whether it waits for its turn to have frames. */
    boolean isWaiting;

    /** Sets the page of an operand; null if the operand is in none. */
    void set(final int operand, final Page page, final int offset)
    {
        pages[operand] = page;
        offsets[operand] = offset;
    }

    Page page(final int operand)
    {
        return pages[operand];
    }

    int offset(final int operand)
    {
        return offsets[operand];
    }

    /** Says whether an operand is in the page of no operand before it. */
    boolean isFirst(final int operand)
    {
        for (int i = 0; i < operand; i++)
        {
            if (pages[i] == pages[operand])
            {
                return false;
            }
        }
        return pages[operand] != null;
    }

    /** Returns how many pages it has. */
    int pageCount()
    {
        int count = 0;
        for (int i = 0; i < PAGE_COUNT_MAX; i++)
        {
            count += isFirst(i) ? 1 : 0;
        }
        return count;
    }
}
