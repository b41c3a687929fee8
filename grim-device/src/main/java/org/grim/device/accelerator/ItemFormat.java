// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

/**
 * Arguments of an item message. The handler is the kernel, or the sink's.
 * <pre>
 *  a0:  0 entry (8)  8 use of the entry (8)  16 A: 0 payload, 1 page (1)  17 B: 0 payload, 1 page, 2 constant (2)
 *      19 C: 0 next stage, 1 page, 2 both (2)  21 sub-operation (4)  25 marker (1)  26 failed (1)  27 zero (5)
 *  a1: sequence of the item; of a marker: that of the last item before it
 *  a2: constant if B is the constant; otherwise the item's address, which is added to those of the entry
 *  a3: 0
 * </pre>
 * The payload of a failed item is the reason, as a text. {@link PageOperands} has addresses.
 */
public final class ItemFormat
{
    /** Prefix of a kernel's handler. */
    public static final String KERNEL_PREFIX = "kernel.";
    /** Greatest sub-operation. */
    public static final int OPERATION_MAX = 15;
    /** Entries of a directory. */
    public static final int ENTRY_COUNT = 256;

    private static final int ENTRY_MASK = 0xFF;
    private static final int SLOT_MASK = 0xFFFF;
    private static final int USE_SHIFT = 8;
    private static final int A_PAGE = 1 << 16;
    private static final int B_MASK = 3 << 17;
    private static final int B_PAGE = 1 << 17;
    private static final int CONSTANT_BIT = 2 << 17;
    private static final int C_MASK = 3 << 19;
    private static final int C_PAGE = 1 << 19;
    private static final int C_BOTH = 2 << 19;
    private static final int OPERATION_SHIFT = 21;
    private static final int MARKER_BIT = 1 << 25;
    private static final int FAILED_BIT = 1 << 26;

    private ItemFormat()
    {
    }

    /**
     * Composes argument 0.
     *
     * @param slot        entry and use, as {@code frame.set} answered.
     * @param operation   sub-operation of the kernel.
     * @param hasConstant whether operand B is the constant.
     * @return argument 0.
     */
    public static int a0(final int slot, final int operation, final boolean hasConstant)
    {
        return (slot & SLOT_MASK) | (operation << OPERATION_SHIFT) | (hasConstant ? CONSTANT_BIT : 0);
    }

    /**
     * Composes a slot.
     *
     * @param entry of the directory.
     * @param use   of the entry: how many times it was set, modulo 256.
     * @return the slot.
     */
    public static int slot(final int entry, final int use)
    {
        return entry | ((use & ENTRY_MASK) << USE_SHIFT);
    }

    /**
     * Reads entry and use.
     *
     * @param a0 argument 0.
     * @return the slot.
     */
    public static int slot(final int a0)
    {
        return a0 & SLOT_MASK;
    }

    /**
     * Reads the entry.
     *
     * @param a0 argument 0, or a slot.
     * @return index of the entry.
     */
    public static int entry(final int a0)
    {
        return a0 & ENTRY_MASK;
    }

    /**
     * Reads how often the entry of a slot was set, modulo 256.
     *
     * @param slot of an item.
     * @return 0 to 255.
     */
    public static int use(final int slot)
    {
        return slot >>> USE_SHIFT & ENTRY_MASK;
    }

    /**
     * Reads the sub-operation.
     *
     * @param a0 argument 0.
     * @return 0 to {@value #OPERATION_MAX}.
     */
    public static int operation(final int a0)
    {
        return (a0 >>> OPERATION_SHIFT) & OPERATION_MAX;
    }

    /**
     * Reads where operand B is.
     *
     * @param a0 argument 0.
     * @return whether it is the constant.
     */
    public static boolean hasConstant(final int a0)
    {
        return (a0 & CONSTANT_BIT) != 0;
    }

    /**
     * Makes a marker of argument 0: the last message of an epoch on its path.
     *
     * @param a0 argument 0.
     * @return argument 0 of the marker.
     */
    public static int marker(final int a0)
    {
        return a0 | MARKER_BIT;
    }

    /**
     * Distinguishes a marker.
     *
     * @param a0 argument 0.
     * @return whether it is one.
     */
    public static boolean isMarker(final int a0)
    {
        return (a0 & MARKER_BIT) != 0;
    }

    /**
     * Makes argument 0 say that a stage has failed on the item.
     *
     * @param a0 argument 0.
     * @return argument 0 of the failed item.
     */
    public static int failed(final int a0)
    {
        return a0 | FAILED_BIT;
    }

    /**
     * Distinguishes an item that a stage has failed on.
     *
     * @param a0 argument 0.
     * @return whether it is one.
     */
    public static boolean isFailed(final int a0)
    {
        return (a0 & FAILED_BIT) != 0;
    }

    /** Returns bits of argument 0 for operands in pages; the constant has its own. */
    static int operands(final boolean isAInPage, final boolean isBInPage, final boolean isCInPage, final boolean isKept)
    {
        final int c = isKept ? C_BOTH : C_PAGE;
        return (isAInPage ? A_PAGE : 0) | (isBInPage ? B_PAGE : 0) | (isCInPage ? c : 0);
    }

    /** Says whether the bits of the operands mean something. */
    static boolean isWellFormed(final int a0)
    {
        return (a0 & B_MASK) != B_MASK && (a0 & C_MASK) != C_MASK;
    }

    static boolean hasPages(final int a0)
    {
        return isAInPage(a0) || isBInPage(a0) || isCInPage(a0);
    }

    static boolean isAInPage(final int a0)
    {
        return (a0 & A_PAGE) != 0;
    }

    static boolean isBInPage(final int a0)
    {
        return (a0 & B_MASK) == B_PAGE;
    }

    /** Says whether the result is written to a page. */
    static boolean isCInPage(final int a0)
    {
        return (a0 & C_MASK) != 0;
    }

    /** Says whether the result goes to the next stage; otherwise the item goes on empty. */
    static boolean isForwarded(final int a0)
    {
        return (a0 & C_MASK) != C_PAGE;
    }

    /** Returns marker and failed bits, which a stage passes on. */
    static int passed(final int a0)
    {
        return a0 & (MARKER_BIT | FAILED_BIT);
    }
}
