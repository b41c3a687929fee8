// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

/**
 * Operands of a stage in pages of the connection's owner: A and B are read from pages, and the result C is written to
 * one. The address of an item (argument 2) is added to all of them, pages to pages and offsets to offsets. Each
 * operand lies within one page. Any thread; immutable.
 *
 * @param bits   of argument 0 that say which operands are in pages.
 * @param a      address of operand A.
 * @param b      address of operand B.
 * @param c      address of the result.
 * @param length bytes of A and of B, those that are in pages; 0: as many as the payload has.
 * @param space  of the owner's pages in a device, 0 to {@value #SPACE_MAX}; {@link #inSpace}.
 */
public record PageOperands(int bits, int a, int b, int c, int length, int space)
{
    /** Last space of an owner. */
    public static final int SPACE_MAX = 0xFFFF;
    /** No operand is in a page. */
    public static final PageOperands NONE = new PageOperands(0, 0, 0, 0, 0, 0);
    /** An offset in a page is a multiple of it. */
    public static final int OFFSET_UNIT = 64;

    private static final int NUMBER_MASK = 0xFFFF;
    private static final int OFFSET_SHIFT = 16;

    /**
     * Composes an address.
     *
     * @param page   of the owner; 16 bits.
     * @param offset of the first byte in the page; a multiple of {@value #OFFSET_UNIT}.
     * @return page (low 16 bits), and offset in units.
     * @throws IllegalArgumentException if page or offset has no address.
     */
    public static int address(final int page, final int offset)
    {
        if (page < 0 || page > NUMBER_MASK || offset < 0 || offset % OFFSET_UNIT != 0 ||
            offset / OFFSET_UNIT > NUMBER_MASK)
        {
            throw new IllegalArgumentException("page=" + page + " is outside 0 to " + NUMBER_MASK + ", or offset=" +
                offset + " is no multiple of " + OFFSET_UNIT + " up to " + NUMBER_MASK * OFFSET_UNIT);
        }
        return page | ((offset / OFFSET_UNIT) << OFFSET_SHIFT);
    }

    static int page(final int address)
    {
        return address & NUMBER_MASK;
    }

    static int offset(final int address)
    {
        return (address >>> OFFSET_SHIFT) * OFFSET_UNIT;
    }

    /**
     * Reads operand A from a page.
     *
     * @param page   of the owner.
     * @param offset in the page.
     * @return new operands.
     */
    public PageOperands readA(final int page, final int offset)
    {
        return new PageOperands(bits | ItemFormat.operands(true, false, false, false), address(page, offset), b, c,
            length, space);
    }

    /**
     * Reads operand B from a page.
     *
     * @param page   of the owner.
     * @param offset in the page.
     * @return new operands.
     */
    public PageOperands readB(final int page, final int offset)
    {
        return new PageOperands(bits | ItemFormat.operands(false, true, false, false), a, address(page, offset), c,
            length, space);
    }

    /**
     * Writes the result to a page only: the item goes on without a payload.
     *
     * @param page   of the owner.
     * @param offset in the page.
     * @return new operands.
     */
    public PageOperands writeC(final int page, final int offset)
    {
        return withC(false, address(page, offset));
    }

    /**
     * Writes the result to a page, and forwards it.
     *
     * @param page   of the owner.
     * @param offset in the page.
     * @return new operands.
     */
    public PageOperands keepC(final int page, final int offset)
    {
        return withC(true, address(page, offset));
    }

    /**
     * Bounds A and B.
     *
     * @param newLength bytes of those that are in pages; 0: as many as the payload has.
     * @return new operands.
     * @throws IllegalArgumentException if the length is negative.
     */
    public PageOperands ofLength(final int newLength)
    {
        if (newLength < 0)
        {
            throw new IllegalArgumentException("length=" + newLength + " is negative");
        }
        return new PageOperands(bits, a, b, c, newLength, space);
    }

    /**
     * Takes the pages from another space. Space 0 is that of all stages of the owner. Any other one has pages of its
     * own, from number 0 on, and is for one stage of one connection: its pages can be part of
     * {@linkplain org.grim.stream.Stage#checkpoint checkpoints}.
     *
     * @param newSpace number, 0 to {@value #SPACE_MAX}.
     * @return new operands.
     * @throws IllegalArgumentException if there is no such space.
     */
    public PageOperands inSpace(final int newSpace)
    {
        if (newSpace < 0 || newSpace > SPACE_MAX)
        {
            throw new IllegalArgumentException("space=" + newSpace + " is outside 0 to " + SPACE_MAX);
        }
        return new PageOperands(bits, a, b, c, length, newSpace);
    }

    /**
     * Names a page of a space in requests such as {@code page.load}.
     *
     * @param space of the owner.
     * @param page  of the space.
     * @return argument 0 of the request.
     */
    public static int pageOf(final int space, final int page)
    {
        NONE.inSpace(space);
        return PageSpaces.number(space, page(address(page, 0)));
    }

    /** {@return whether operand B is in a page, and so no constant} */
    public boolean hasB()
    {
        return ItemFormat.isBInPage(bits);
    }

    private PageOperands withC(final boolean isKept, final int address)
    {
        final int others = bits & ItemFormat.operands(true, true, false, false);
        return new PageOperands(others | ItemFormat.operands(false, false, true, isKept), a, b, address, length, space);
    }
}
