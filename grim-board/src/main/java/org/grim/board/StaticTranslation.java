// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import java.lang.invoke.VarHandle;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Flyweight over one static translation entry: a contiguous range of a context's virtual addresses. The host writes an
 * entry as a whole; the firmware reads it once into fields and uses those.
 * <pre>
 *   0 last generation (16) | rights (4) | context (12) | generation, 0 while empty (32)    host
 *   8 virtual start (64) | length (64) | physical start (64)                               host
 * </pre>
 * <p>Thread: one host writes an entry; the firmware reads with a flyweight of its own.
 */
public final class StaticTranslation
{
    static final int CONTEXT_OFFSET = 0;                                 // u16 + u4 + u12, host
    static final int GENERATION_OFFSET = CONTEXT_OFFSET + SIZE_OF_INT;   // u32, host last; 0 = empty
    static final int VIRTUAL_OFFSET = GENERATION_OFFSET + SIZE_OF_INT;   // u64, host
    static final int LENGTH_OFFSET = VIRTUAL_OFFSET + SIZE_OF_LONG;      // u64 bytes, host
    static final int PHYSICAL_OFFSET = LENGTH_OFFSET + SIZE_OF_LONG;     // u64 physical, host

    static final int GENERATION_SHIFT = 16;
    static final int RIGHTS_SHIFT = 12;
    static final int CONTEXT_MASK = (1 << RIGHTS_SHIFT) - 1;

    private final AtomicBuffer sram;
    private final BoardGeometry geometry;
    private int context;
    private long virtualStart;
    private long length;
    private long physicalStart;
    private int rights;

    /** Looks at a board's entries. */
    public StaticTranslation(final AtomicBuffer sram, final BoardGeometry geometry)
    {
        this.sram = sram;
        this.geometry = geometry;
    }

    /**
     * Writes an entry.
     *
     * @param index            of the entry.
     * @param newContext       that the range belongs to.
     * @param newVirtualStart  first virtual address.
     * @param newLength        bytes.
     * @param newPhysicalStart physical address of the first byte.
     * @param newRights        bits of {@link org.grim.MemoryRegion.Rights}.
     */
    public void put(
        final int index, final int newContext, final long newVirtualStart, final long newLength,
        final long newPhysicalStart, final int newRights)
    {
        final int offset = geometry.staticEntryOffset(index);
        final int generation = BigEndian.getInt(sram, offset + CONTEXT_OFFSET) >>> GENERATION_SHIFT;
        clear(index);
        VarHandle.releaseFence();       // A reader that sees a new field sees the 0, too. Partner: the fence in read().
        final int nextGeneration = generation % Short.MAX_VALUE + 1;
        BigEndian.putInt(sram, offset + CONTEXT_OFFSET, nextGeneration << GENERATION_SHIFT |
            (newRights & TranslationDescriptor.RIGHTS_MASK) << RIGHTS_SHIFT | newContext);
        BigEndian.putLong(sram, offset + VIRTUAL_OFFSET, newVirtualStart);
        BigEndian.putLong(sram, offset + LENGTH_OFFSET, newLength);
        BigEndian.putLong(sram, offset + PHYSICAL_OFFSET, newPhysicalStart);
        BigEndian.putIntRelease(sram, offset + GENERATION_OFFSET, nextGeneration);
    }

    /** Empties an entry. Transfers that the board has begun go on. */
    public void clear(final int index)
    {
        BigEndian.putIntRelease(sram, geometry.staticEntryOffset(index) + GENERATION_OFFSET, 0);
    }

    /** Reads an entry. Returns false if it is empty or being written. */
    public boolean read(final int index)
    {
        final int offset = geometry.staticEntryOffset(index);
        final int generationIndex = offset + GENERATION_OFFSET;
        final int generation = BigEndian.getIntAcquire(sram, generationIndex);
        if (generation == 0)
        {
            return false;
        }
        final int contextWord = BigEndian.getInt(sram, offset + CONTEXT_OFFSET);
        context = contextWord & CONTEXT_MASK;
        rights = contextWord >>> RIGHTS_SHIFT & TranslationDescriptor.RIGHTS_MASK;
        virtualStart = BigEndian.getLong(sram, offset + VIRTUAL_OFFSET);
        length = BigEndian.getLong(sram, offset + LENGTH_OFFSET);
        physicalStart = BigEndian.getLong(sram, offset + PHYSICAL_OFFSET);
        VarHandle.acquireFence();       // The generation is read again after the fields. Partner: the fence in put().
        return BigEndian.getInt(sram, generationIndex) == generation;
    }

    /** {@return context of the entry that was read: its index, unchecked} */
    public int context()
    {
        return context;
    }

    /** {@return what peers may do with the entry that was read: bits of {@link org.grim.MemoryRegion.Rights}} */
    public int rights()
    {
        return rights;
    }

    /** {@return first virtual address of the entry that was read} */
    public long virtualStart()
    {
        return virtualStart;
    }

    /** {@return bytes of the entry that was read: the length, unchecked} */
    public long length()
    {
        return length;
    }

    /** {@return physical address of the first byte of the entry that was read: the address, unchecked} */
    public long physicalStart()
    {
        return physicalStart;
    }
}
