// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.charset.StandardCharsets;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.SegmentHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;
import static org.grim.memory.DirectoryLayout.ARENA_COUNT_OFFSET;
import static org.grim.memory.DirectoryLayout.ARENA_FILE_OFFSET_OFFSET;
import static org.grim.memory.DirectoryLayout.ARENA_KIND_LENGTH_MAX;
import static org.grim.memory.DirectoryLayout.ARENA_KIND_LENGTH_OFFSET;
import static org.grim.memory.DirectoryLayout.ARENA_KIND_OFFSET;
import static org.grim.memory.DirectoryLayout.ARENA_LENGTH_OFFSET;
import static org.grim.memory.DirectoryLayout.ARENA_START_OFFSET;
import static org.grim.memory.DirectoryLayout.CHANGE_SEQUENCE_OFFSET;
import static org.grim.memory.DirectoryLayout.GEOMETRY_FIELD_COUNT;
import static org.grim.memory.DirectoryLayout.GEOMETRY_OFFSET;
import static org.grim.memory.DirectoryLayout.INCARNATION_OFFSET;
import static org.grim.memory.DirectoryLayout.INITIATOR_COUNTER_OFFSET;
import static org.grim.memory.DirectoryLayout.INITIATOR_OWNER_OFFSET;
import static org.grim.memory.DirectoryLayout.NODE_OFFSET;
import static org.grim.memory.DirectoryLayout.REGION_GENERATION_OFFSET;
import static org.grim.memory.DirectoryLayout.REGION_LENGTH_OFFSET;
import static org.grim.memory.DirectoryLayout.REGION_RIGHTS_OFFSET;
import static org.grim.memory.DirectoryLayout.REGION_SPACE_OFFSET;
import static org.grim.memory.DirectoryLayout.REGION_START_OFFSET;
import static org.grim.memory.DirectoryLayout.VIRTUAL_END_OFFSET;
import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * Typed view of a node's memory directory: its registered ranges, for initiators of remote memory.
 * <p>Thread: any; each word has the writer that {@link DirectoryLayout} names. A reader of another node's directory
 * checks every value: its owner may be hostile.
 */
final class MemoryDirectory
{
    /** Marks a memory directory in its segment header. */
    static final long MAGIC = SegmentHeader.magic("GRIMMEMD");

    /**
     * Description of an arena in a directory.
     *
     * @param fileKind   which of the node's files holds it.
     * @param fileOffset where in that file it begins.
     * @param length     bytes of it.
     * @param start      where in the node's memory it begins.
     */
    record ArenaRecord(String fileKind, long fileOffset, long length, long start)
    {
        /** Returns whether a peer's words can describe an arena: everything but whether the file has so many bytes. */
        boolean isValid(final int pageCountMax)
        {
            final long spaceLength = (long)pageCountMax * PAGE_LENGTH;
            return isName(fileKind) && length > 0 && length <= Integer.MAX_VALUE && length % PAGE_LENGTH == 0 &&
                start >= 0 && start % PAGE_LENGTH == 0 && start <= spaceLength - length &&
                fileOffset >= 0 && fileOffset % CACHE_LINE_LENGTH == 0 && fileOffset <= Long.MAX_VALUE - length;
        }

        /** Returns whether a text is the suffix of a file of a node, and no path to another file. */
        static boolean isName(final String kind)
        {
            boolean isGood = !kind.isEmpty() && kind.length() <= DirectoryLayout.ARENA_KIND_LENGTH_MAX;
            for (int i = 0; i < kind.length() && isGood; i++)
            {
                final char c = kind.charAt(i);
                isGood = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
            }
            return isGood;
        }
    }

    private final AtomicBuffer buffer;
    private final DirectoryLayout layout;

    private MemoryDirectory(final AtomicBuffer buffer, final DirectoryLayout layout)
    {
        this.buffer = buffer;
        this.layout = layout;
    }

    /** Makes a directory without regions out of zeroed memory of the layout's length. */
    static MemoryDirectory create(
        final AtomicBuffer buffer, final DirectoryLayout layout, final int node, final int incarnation)
    {
        final int[] fields = {layout.arenaCountMax(), layout.regionCountMax(), layout.initiatorCountMax(),
            layout.pageCountMax()};
        for (int i = 0; i < fields.length; i++)
        {
            buffer.putInt(GEOMETRY_OFFSET + i * SIZE_OF_INT, fields[i]);
        }
        buffer.putInt(NODE_OFFSET, node);
        buffer.putInt(INCARNATION_OFFSET, incarnation);
        buffer.putLong(VIRTUAL_END_OFFSET, MemoryAddress.VIRTUAL_START);
        SegmentHeader.complete(buffer, MAGIC);
        return new MemoryDirectory(buffer, layout);
    }

    /**
     * Wraps a directory that another process made. The segment header has been checked.
     *
     * @throws GrimException if its geometry is corrupt or does not fit the buffer.
     */
    static MemoryDirectory wrap(final AtomicBuffer buffer)
    {
        final int[] fields = new int[GEOMETRY_FIELD_COUNT];
        for (int i = 0; i < fields.length; i++)
        {
            fields[i] = buffer.getInt(GEOMETRY_OFFSET + i * SIZE_OF_INT);
            if (fields[i] < 1)
            {
                throw new GrimException(BAD_DATA,
                    "memory directory has a corrupt geometry: field=" + i + " value=" + fields[i]);
            }
        }
        if (fields[0] > DirectoryLayout.ARENA_COUNT_MAX)
        {
            throw new GrimException(BAD_DATA, "memory directory has a corrupt geometry: arenas=" + fields[0]);
        }
        final DirectoryLayout layout = new DirectoryLayout(fields[0], fields[1], fields[2], fields[3]);
        if (layout.length() != buffer.capacity())
        {
            throw new GrimException(BAD_DATA,
                "memory directory has a corrupt geometry: it needs length=" + layout.length() +
                " bytes, there are " + buffer.capacity());
        }
        return new MemoryDirectory(buffer, layout);
    }

    /** Least bytes that can be a directory. */
    static int lengthMin()
    {
        return DirectoryLayout.ARENAS_OFFSET;
    }

    DirectoryLayout layout()
    {
        return layout;
    }

    int node()
    {
        return buffer.getInt(NODE_OFFSET);
    }

    int incarnation()
    {
        return buffer.getInt(INCARNATION_OFFSET);
    }

    /**
     * Publishes one more arena; for the owner only, which counts them itself: it trusts nothing that others can write.
     */
    void addArena(final int count, final ArenaRecord arena)
    {
        final int offset = layout.arenaOffset(count);
        final byte[] kind = arena.fileKind().getBytes(StandardCharsets.US_ASCII);
        buffer.putLong(offset + ARENA_FILE_OFFSET_OFFSET, arena.fileOffset());
        buffer.putLong(offset + ARENA_LENGTH_OFFSET, arena.length());
        buffer.putLong(offset + ARENA_START_OFFSET, arena.start());
        buffer.putInt(offset + ARENA_KIND_LENGTH_OFFSET, kind.length);
        buffer.putBytes(offset + ARENA_KIND_OFFSET, kind);
        buffer.putIntRelease(ARENA_COUNT_OFFSET, count + 1);           // Partner: the acquire in arenaCount().
    }

    /** Returns the number of arenas; never more than the table has. */
    int arenaCount()
    {
        return Math.max(0, Math.min(buffer.getIntAcquire(ARENA_COUNT_OFFSET), layout.arenaCountMax()));
    }

    /** Returns the description of an arena below {@link #arenaCount()}; null if it makes no sense. */
    ArenaRecord arena(final int index)
    {
        final int offset = layout.arenaOffset(index);
        final int kindLength = buffer.getInt(offset + ARENA_KIND_LENGTH_OFFSET);
        if (kindLength < 1 || kindLength > ARENA_KIND_LENGTH_MAX)
        {
            return null;
        }
        final byte[] kind = new byte[kindLength];
        buffer.getBytes(offset + ARENA_KIND_OFFSET, kind);
        final ArenaRecord arena = new ArenaRecord(new String(kind, StandardCharsets.US_ASCII),
            buffer.getLong(offset + ARENA_FILE_OFFSET_OFFSET), buffer.getLong(offset + ARENA_LENGTH_OFFSET),
            buffer.getLong(offset + ARENA_START_OFFSET));
        return arena.isValid(layout.pageCountMax()) ? arena : null;
    }

    /** Changes after regions came or went. */
    long changeSequence()
    {
        return buffer.getLongAcquire(CHANGE_SEQUENCE_OFFSET);          // Partner: the release in changed().
    }

    /** Owner: regions came or went, and the directory says so already. The sequence is another one than before. */
    void changed(final long sequence)
    {
        buffer.putLongRelease(CHANGE_SEQUENCE_OFFSET, sequence);
    }

    /** Returns the first virtual address that was never assigned. */
    long virtualEnd()
    {
        return buffer.getLongAcquire(VIRTUAL_END_OFFSET);
    }

    /** Owner: assigns virtual addresses, before the region that gets them is made known. */
    void virtualEnd(final long end)
    {
        buffer.putLongRelease(VIRTUAL_END_OFFSET, end);
    }

    /** Owner: fills a free slot; its generation follows by {@link #publishRegion}. */
    void describeRegion(final int slot, final long start, final long length, final long spaceOffset, final int rights)
    {
        final int offset = layout.regionOffset(slot);
        buffer.putLong(offset + REGION_START_OFFSET, start);
        buffer.putLong(offset + REGION_LENGTH_OFFSET, length);
        buffer.putLong(offset + REGION_SPACE_OFFSET, spaceOffset);
        buffer.putInt(offset + REGION_RIGHTS_OFFSET, rights);
    }

    /** Owner: the region of a slot is there, and so is everything else about it. */
    void publishRegion(final int slot, final long generation)
    {
        buffer.putLongRelease(layout.regionOffset(slot) + REGION_GENERATION_OFFSET, generation);
    }

    /** Owner: the region of a slot is no more. A fence and a look at the initiators follow. */
    void withdrawRegion(final int slot)
    {
        buffer.putLongVolatile(layout.regionOffset(slot) + REGION_GENERATION_OFFSET, 0);
    }

    /** Generation of a slot's region, 0 for none. */
    long regionGeneration(final int slot)
    {
        // Partner: the release in publishRegion(); and the store in withdrawRegion(): an initiator that reads the
        // generation after its counter became odd is seen by the owner, or sees 0.
        return buffer.getLongVolatile(layout.regionOffset(slot) + REGION_GENERATION_OFFSET);
    }

    long regionStart(final int slot)
    {
        return buffer.getLong(layout.regionOffset(slot) + REGION_START_OFFSET);
    }

    long regionLength(final int slot)
    {
        return buffer.getLong(layout.regionOffset(slot) + REGION_LENGTH_OFFSET);
    }

    long regionSpaceOffset(final int slot)
    {
        return buffer.getLong(layout.regionOffset(slot) + REGION_SPACE_OFFSET);
    }

    int regionRights(final int slot)
    {
        return buffer.getInt(layout.regionOffset(slot) + REGION_RIGHTS_OFFSET);
    }

    /** Returns the owner of a page; see {@link DirectoryLayout.PageTag}. */
    int tag(final int page)
    {
        return buffer.getIntVolatile(layout.tagOffset(page));          // Partner: the release in tag(), as above.
    }

    /** Owner: says who has some pages. Before they are made known; or before a fence and a look at the initiators. */
    void tag(final int firstPage, final int pageCount, final int tag)
    {
        for (int page = firstPage; page < firstPage + pageCount; page++)
        {
            buffer.putIntRelease(layout.tagOffset(page), tag);
        }
    }

    long initiatorOwner(final int initiator)
    {
        // Partner: the CAS in tryOwnInitiator(), and freeInitiator().
        return buffer.getLongAcquire(layout.initiatorOffset(initiator) + INITIATOR_OWNER_OFFSET);
    }

    boolean tryOwnInitiator(final int initiator, final long owner)
    {
        return buffer.compareAndSetLong(layout.initiatorOffset(initiator) + INITIATOR_OWNER_OFFSET, 0, owner);
    }

    /** Its counter is even. */
    void freeInitiator(final int initiator)
    {
        buffer.putLongRelease(layout.initiatorOffset(initiator) + INITIATOR_OWNER_OFFSET, 0);
    }

    long initiatorCounter(final int initiator)
    {
        return buffer.getLongVolatile(layout.initiatorOffset(initiator) + INITIATOR_COUNTER_OFFSET);
    }

    /** The counter is odd before anything that it covers is looked at: a full fence. */
    void beginOperation(final int initiator, final long oddCounter)
    {
        buffer.putLongVolatile(layout.initiatorOffset(initiator) + INITIATOR_COUNTER_OFFSET, oddCounter);
    }

    /** The counter is even after every store that it covers. */
    void endOperation(final int initiator, final long evenCounter)
    {
        buffer.putLongRelease(layout.initiatorOffset(initiator) + INITIATOR_COUNTER_OFFSET, evenCounter);
    }
}
