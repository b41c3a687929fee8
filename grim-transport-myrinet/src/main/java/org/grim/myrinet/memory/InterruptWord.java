// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.myrinet.posix.Posix;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * The interrupt line from a board to the driver of one context: a word of the context's DMA region that counts
 * interrupts, and that a thread can sleep at. In the machine's byte order, for the kernel compares it; 0 in a new
 * region.
 * <p>Thread: any, of any process that maps the region.
 */
public final class InterruptWord
{
    private final Posix posix;
    private final AtomicBuffer region;
    private final int index;

    /**
     * Looks at the word of a region.
     *
     * @param posix  that makes threads sleep.
     * @param region of the context, mapped from its file by this process, for any owner.
     * @param index  of the word, a multiple of 4: {@link DmaLayout#INTERRUPT_OFFSET}.
     * @throws IllegalArgumentException if the word is not in the region, not aligned, or on the heap.
     */
    public InterruptWord(final Posix posix, final AtomicBuffer region, final int index)
    {
        if (index < 0 || index > region.capacity() - SIZE_OF_INT || index % SIZE_OF_INT != 0)
        {
            throw new IllegalArgumentException("interrupt word at index=" + index + " is not in the region's " +
                region.capacity() + " bytes, or no multiple of " + SIZE_OF_INT);
        }
        if (region.byteArray() != null)
        {
            throw new IllegalArgumentException("an interrupt word on the heap has no address to sleep at");
        }
        this.posix = posix;
        this.region = region;
        this.index = index;
    }

    /** Raises an interrupt. A reader that sees it can read all earlier writes. Does not block. */
    public void raise()
    {
        // Full fence. Partner: the acquire in count(), and the kernel's compare.
        region.getAndAddInt(index, 1);
        posix.wake(region.addressOffset() + index, Integer.MAX_VALUE);
    }

    /** Returns the number of raised interrupts, which wraps; writes before the last of them can be read after this. */
    public int count()
    {
        return region.getIntAcquire(index);     // Partner: the add in raise().
    }

    /**
     * Sleeps until there is an interrupt that has not been seen. One that comes between the caller's last look and this
     * call is not lost, as the kernel compares.
     *
     * @param seenCount that {@link #count()} said.
     * @param timeoutNs longest sleep.
     * @return false if the time was over and nothing came; true may be for no reason at all.
     */
    public boolean await(final int seenCount, final long timeoutNs)
    {
        return posix.await(region.addressOffset() + index, seenCount, timeoutNs);
    }
}
