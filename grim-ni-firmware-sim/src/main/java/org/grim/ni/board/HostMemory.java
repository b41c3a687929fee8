// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.PhysicalAddress;

/**
 * The host memory that a board can reach: one DMA region for each context (a process that uses the board). A physical
 * address names the context in its upper bits and a byte of that context's region in its lower ones.
 * <p>Thread: regions are attached before the control program starts, or by its stepper.
 */
public final class HostMemory
{
    /** Most contexts of one board. */
    public static final int CONTEXT_COUNT_MAX = 256;

    private final AtomicBuffer[] regions;

    /**
     * Makes room for contexts; none has a region yet.
     *
     * @param contextCount 1 to {@value #CONTEXT_COUNT_MAX}.
     */
    public HostMemory(final int contextCount)
    {
        if (contextCount < 1 || contextCount > CONTEXT_COUNT_MAX)
        {
            throw new IllegalArgumentException(
                "context count=" + contextCount + " is outside 1 to " + CONTEXT_COUNT_MAX);
        }
        regions = new AtomicBuffer[contextCount];
    }

    /**
     * Gives a context its region, or takes it away.
     *
     * @param context index of the context.
     * @param region  its memory, kept reachable; null for none.
     */
    public void attach(final int context, final AtomicBuffer region)
    {
        regions[context] = region;
    }

    /** {@return how many contexts there may be} */
    public int contextCount()
    {
        return regions.length;
    }

    /**
     * Physical address of a byte.
     *
     * @param context index of the context.
     * @param offset  of the byte in the context's region.
     * @return the address.
     */
    public static long address(final int context, final long offset)
    {
        return PhysicalAddress.of(context, offset);
    }

    /**
     * Whether a context may reach some bytes.
     *
     * @param context index of the context that asks.
     * @param address physical, of the first byte; any value.
     * @param length  bytes, not negative.
     * @return true if all of them lie in that context's own region.
     */
    public boolean isReachable(final int context, final long address, final int length)
    {
        if (context < 0 || context >= regions.length || PhysicalAddress.context(address) != context ||
            regions[context] == null)
        {
            return false;
        }
        return PhysicalAddress.offset(address) <= (long)regions[context].capacity() - length;
    }

    /**
     * The region that holds an address that was checked.
     *
     * @param address physical.
     * @return the memory of the context that it names.
     */
    public AtomicBuffer region(final long address)
    {
        return regions[(int)PhysicalAddress.context(address)];
    }

    /**
     * Where in {@link #region} an address lies.
     *
     * @param address physical.
     * @return an index.
     */
    public static int index(final long address)
    {
        return (int)PhysicalAddress.offset(address);
    }
}
