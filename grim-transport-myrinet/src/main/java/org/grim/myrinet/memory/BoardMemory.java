// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.util.Arrays;
import java.util.function.BooleanSupplier;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.Doorbell;
import org.grim.board.PhysicalAddress;
import org.grim.board.StaticTranslation;
import org.grim.board.host.PageTable;

import static org.grim.board.ContextRegisters.FORGET_COUNT;
import static org.grim.board.ContextRegisters.FORGOTTEN_COUNT;

/**
 * One board's translations of this node's registered memory: static entries for large regions, while the context has
 * free ones, and pages that it has asked for and keeps until a request to forget.
 * <p>Thread: {@link #physicalPage} any; everything else under the monitor of {@link RegisteredArena}.
 */
public final class BoardMemory implements PageTable
{
    /** Regions of so many bytes and more get a static entry: those that the largest message can touch 16 pages of. */
    public static final int STATIC_LENGTH_MIN = 64 << 10;

    private static final long FREE = 0;

    private final PageTable pages;
    private final int context;
    private final ContextRegisters registers;
    private final StaticTranslation staticEntries;
    private final Doorbell doorbell;
    private final int bellChannel;
    private final Runnable advance;
    private final BooleanSupplier isGone;
    private final int firstEntry;
    private final long[] entryStarts;       // Virtual address that a static entry begins at, or FREE.
    private int forgetCount;
    private boolean isEnded;

    /**
     * A board that knows nothing yet.
     *
     * @param pages       of the node, without contexts.
     * @param context     of this process on the board.
     * @param sram        of the board.
     * @param geometry    of the board; its static entries are divided among its contexts.
     * @param bellChannel NI channel of this process, whose doorbell wakes the board.
     * @param advance     lets the board advance.
     * @param isGone      whether the board runs no more.
     */
    public BoardMemory(
        final PageTable pages, final int context, final AtomicBuffer sram, final BoardGeometry geometry,
        final int bellChannel, final Runnable advance, final BooleanSupplier isGone)
    {
        this.pages = pages;
        this.context = context;
        this.bellChannel = bellChannel;
        this.advance = advance;
        this.isGone = isGone;
        registers = new ContextRegisters(sram, geometry, context);
        staticEntries = new StaticTranslation(sram, geometry);
        doorbell = new Doorbell(sram, geometry);
        firstEntry = firstStaticEntry(geometry, context);
        entryStarts = new long[firstStaticEntry(geometry, context + 1) - firstEntry];
    }

    /**
     * {@inheritDoc}
     *
     * @return with this process's context.
     */
    @Override
    public long physicalPage(final long virtualPageAddress)
    {
        final long page = pages.physicalPage(virtualPageAddress);
        return page == NONE ? NONE : PhysicalAddress.of(context, page);
    }

    /** Sets the part that peers may reach by physical address; an earlier process may have left static entries. */
    void begin(final long start, final long length)
    {
        for (int i = 0; i < entryStarts.length; i++)
        {
            staticEntries.clear(firstEntry + i);
        }
        Arrays.fill(entryStarts, FREE);
        registers.registered(start, length);
    }

    /** A region has come. The arena begins at an offset of the DMA region, and the region at one of the arena. */
    void register(
        final long arenaOffset, final long virtualAddress, final long offset, final long length, final int rights)
    {
        final int entry = length < STATIC_LENGTH_MIN ? -1 : find(FREE);
        if (entry >= 0)
        {
            entryStarts[entry] = virtualAddress;
            staticEntries.put(firstEntry + entry, context, virtualAddress, length,
                PhysicalAddress.of(context, arenaOffset + offset), rights);
        }
    }

    /** A region goes, and no answer names it any more. The board forgets all pages of this process, large or small. */
    void forget(final long virtualAddress)
    {
        if (isGone.getAsBoolean())
        {
            return;
        }
        final int entry = find(virtualAddress);
        if (entry >= 0)
        {
            staticEntries.clear(firstEntry + entry);
            entryStarts[entry] = FREE;
        }
        registers.putRelease(FORGET_COUNT, ++forgetCount);
        doorbell.ring(bellChannel);
        advance.run();
    }

    /** A board that is gone writes nothing, and counts as one that has forgotten. */
    boolean hasForgotten()
    {
        if (isEnded || isGone.getAsBoolean() || isForgotten())
        {
            return true;
        }
        advance.run();
        return isForgotten();
    }

    /** Its memory is being unmapped. */
    void end()
    {
        isEnded = true;
    }

    private boolean isForgotten()
    {
        return registers.getAcquire(FORGOTTEN_COUNT) == forgetCount;   // Partner: forgottenRelease() of the firmware.
    }

    private int find(final long virtualAddress)
    {
        for (int i = 0; i < entryStarts.length; i++)
        {
            if (entryStarts[i] == virtualAddress)
            {
                return i;
            }
        }
        return -1;
    }

    private static int firstStaticEntry(final BoardGeometry geometry, final int context)
    {
        return (int)((long)geometry.staticEntryCount() * context / geometry.contextCount());
    }
}
