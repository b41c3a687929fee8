// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.util.BitSet;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.board.PageTable;
import org.grim.board.PhysicalAddress;
import org.grim.board.StaticTranslation;
import org.grim.board.TranslationResponder;
import org.grim.buffer.Buffers;

import static org.grim.myrinet.memory.DmaLayout.PAGE_LENGTH;

/**
 * Blocks of a DMA region that the board may read and write by address: an arena of whole pages, the first hole that
 * fits first. Also what the driver answers the board's translation requests from. Large blocks get a static entry of
 * the board's translation cache, too, while the context has free ones, so that the board need not ask.
 * <p>Thread: any. One monitor, held for bounded time, orders blocks and answers: {@link #answer} gives an answer for
 * pages that are registered, or frees come wholly before it. So no answer that begins after {@link #free} names its
 * pages.
 * <p>Freed pages that the board has asked for may still stand in its translation cache; it drops them when it needs the
 * entries, or when the context goes.
 * <p>Bounds: as many blocks as there are pages.
 */
public final class RegisteredMemory implements PageTable, AutoCloseable
{
    /** Blocks of so many bytes and more get a static entry: those that the largest message can touch 16 pages of. */
    public static final int STATIC_LENGTH_MIN = 64 << 10;

    private static final int NO_ENTRY = -1;

    private final DmaRegion region;
    private final int context;
    private final StaticTranslation staticEntries;
    private final int staticEntriesStart;
    private final int staticEntriesEnd;
    private final BitSet usedStaticEntries = new BitSet();
    private final TreeMap<Integer, Integer> holes = new TreeMap<>();            // offset in the region -> length
    private final TreeMap<Integer, RegisteredBlock> blocks = new TreeMap<>();   // by offset in the region
    private int generation;

    /**
     * Begins with nothing registered, and empties the context's static entries, which an earlier process may have left.
     *
     * @param region   that the pages are of.
     * @param context  of this process on the board.
     * @param sram     of the board.
     * @param geometry of the board; its static entries are divided among its contexts.
     */
    public RegisteredMemory(
        final DmaRegion region, final int context, final AtomicBuffer sram, final BoardGeometry geometry)
    {
        this.region = region;
        this.context = context;
        staticEntries = new StaticTranslation(sram, geometry);
        staticEntriesStart = firstStaticEntry(geometry, context);
        staticEntriesEnd = firstStaticEntry(geometry, context + 1);
        clearStaticEntries();
        if (region.layout().registeredLength() > 0)
        {
            holes.put(region.layout().registeredOffset(), region.layout().registeredLength());
        }
    }

    /**
     * Registers a block.
     *
     * @param bytes of it, 1 or more; it takes whole pages.
     * @return the block; what it holds is what was there.
     * @throws GrimException            if no hole is large enough, with the bytes asked and free.
     * @throws IllegalArgumentException if bytes is less than 1.
     */
    public synchronized RegisteredBlock register(final long bytes)
    {
        if (bytes < 1)
        {
            throw new IllegalArgumentException("bytes=" + bytes + " is below 1");
        }
        final int offset = takeHole(bytes);
        final long virtualAddress = region.address() + offset;
        final long physicalAddress = PhysicalAddress.of(context, offset);
        final int entry = bytes < STATIC_LENGTH_MIN ? NO_ENTRY : freeStaticEntry();
        final RegisteredBlock block = new RegisteredBlock(virtualAddress, physicalAddress,
            Buffers.wrap(region.buffer(), offset, (int)bytes), ++generation, offset, entry);
        blocks.put(offset, block);
        if (entry != NO_ENTRY)
        {
            usedStaticEntries.set(entry);
            staticEntries.put(entry, context, virtualAddress, bytes, physicalAddress);
        }
        return block;
    }

    /**
     * Frees a block. Its buffer is empty afterwards.
     *
     * @param block that {@link #register} gave.
     * @throws IllegalStateException if it has been freed already, or is another arena's.
     */
    public synchronized void free(final RegisteredBlock block)
    {
        if (blocks.get(block.offset()) != block)
        {
            throw new IllegalStateException("block of generation=" + block.generation() + " at address=0x" +
                Long.toHexString(block.virtualAddress()) + " is not registered here, or freed already");
        }
        if (block.staticEntry() != NO_ENTRY)
        {
            staticEntries.clear(block.staticEntry());
            usedStaticEntries.clear(block.staticEntry());
        }
        blocks.remove(block.offset());
        block.buffer().wrap(new byte[0]);
        giveHole(block.offset(), BitUtil.align(block.length(), PAGE_LENGTH));
    }

    /**
     * {@inheritDoc}
     *
     * @return {@link PageTable#NONE} for a page of which no block has a byte.
     */
    @Override
    public synchronized long physicalPage(final long virtualPageAddress)
    {
        final long offset = virtualPageAddress - region.address();
        if (offset < 0 || offset >= region.layout().regionLength() || offset % PAGE_LENGTH != 0)
        {
            return NONE;
        }
        final Map.Entry<Integer, RegisteredBlock> below = blocks.floorEntry((int)offset);
        return below != null && offset < below.getKey() + (long)below.getValue().length() ?
            PhysicalAddress.of(context, offset) : NONE;
    }

    /** Lets a responder answer a request while nobody registers or frees: between the pages of one answer, too. */
    synchronized int answer(final TranslationResponder responder)
    {
        return responder.poll();
    }

    /**
     * Bytes that are free.
     *
     * @return the sum of all holes.
     */
    public synchronized long freeLength()
    {
        long length = 0;
        for (final int hole : holes.values())
        {
            length += hole;
        }
        return length;
    }

    /**
     * Blocks that are registered.
     *
     * @return how many.
     */
    public synchronized int blockCount()
    {
        return blocks.size();
    }

    /** Frees everything. */
    @Override
    public synchronized void close()
    {
        while (!blocks.isEmpty())
        {
            free(blocks.firstEntry().getValue());
        }
        clearStaticEntries();
    }

    private int takeHole(final long bytes)
    {
        final Iterator<Map.Entry<Integer, Integer>> iterator = holes.entrySet().iterator();
        int largest = 0;
        while (iterator.hasNext())
        {
            final Map.Entry<Integer, Integer> hole = iterator.next();
            final int offset = hole.getKey();
            final int holeLength = hole.getValue();
            if (holeLength >= bytes)
            {
                // No more than the hole, of whole pages.
                final int length = BitUtil.align((int)bytes, PAGE_LENGTH);
                iterator.remove();
                if (length < holeLength)
                {
                    holes.put(offset + length, holeLength - length);
                }
                return offset;
            }
            largest = Math.max(largest, holeLength);
        }
        throw new GrimException("DMA region " + region.path() + " has no room to register " + bytes +
            " bytes: free=" + freeLength() + " bytes, the largest hole has " + largest + " of " +
            region.layout().registeredLength() + " in all; free blocks, or make the region larger");
    }

    private void giveHole(final int offset, final int length)
    {
        int start = offset;
        int end = offset + length;
        final Map.Entry<Integer, Integer> below = holes.lowerEntry(offset);
        if (below != null && below.getKey() + below.getValue() == offset)
        {
            start = below.getKey();
        }
        final Integer above = holes.remove(end);
        if (above != null)
        {
            end += above;
        }
        holes.put(start, end - start);
    }

    private int freeStaticEntry()
    {
        final int entry = usedStaticEntries.nextClearBit(staticEntriesStart);
        return entry < staticEntriesEnd ? entry : NO_ENTRY;
    }

    private void clearStaticEntries()
    {
        for (int i = staticEntriesStart; i < staticEntriesEnd; i++)
        {
            staticEntries.clear(i);
        }
    }

    private static int firstStaticEntry(final BoardGeometry geometry, final int context)
    {
        return (int)((long)geometry.staticEntryCount() * context / geometry.contextCount());
    }
}
