// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.grim.buffer.SegmentHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.align;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Where everything lies in a node's memory directory. Native byte order. Offsets in bytes from its first byte. The
 * owner is the node; initiators are the links of any node on the host that reach its memory.
 * <pre>
 *  +----------------+ 0
 *  | segment header |  owner writes, all read
 *  | geometry       |  owner writes, all read
 *  | state          |  owner writes, initiators read when they find an address nowhere
 *  +----------------+ ARENAS_OFFSET
 *  | arenas         |  a line each: owner writes, initiators read
 *  +----------------+
 *  | regions        |  a line each: owner writes, initiators read
 *  +----------------+
 *  | initiators     |  two lines each, as processors fetch them: an initiator writes, owner reads
 *  +----------------+
 *  | page tags      |  u32 each: owner writes, initiators read
 *  +----------------+
 * </pre>
 */
final class DirectoryLayout
{
    /** Bounds the mappings that a hostile directory can ask for. */
    static final int ARENA_COUNT_MAX = 1 << 10;

    static final int GEOMETRY_OFFSET = SegmentHeader.LENGTH;                     // 4 x u32: as the constructor has them
    static final int GEOMETRY_FIELD_COUNT = 4;
    static final int NODE_OFFSET = GEOMETRY_OFFSET + SIZE_OF_INT * GEOMETRY_FIELD_COUNT;         // u32, owner
    static final int INCARNATION_OFFSET = NODE_OFFSET + SIZE_OF_INT;             // u32, owner
    static final int STATE_OFFSET = GEOMETRY_OFFSET + CACHE_LINE_LENGTH;
    static final int ARENA_COUNT_OFFSET = STATE_OFFSET;                          // u32, owner (release): of good ones
    static final int CHANGE_SEQUENCE_OFFSET = STATE_OFFSET + SIZE_OF_LONG;       // u64, owner (release)
    static final int VIRTUAL_END_OFFSET = CHANGE_SEQUENCE_OFFSET + SIZE_OF_LONG; // u64, owner: first never assigned
    static final int ARENAS_OFFSET = STATE_OFFSET + CACHE_LINE_LENGTH;

    static final int ARENA_FILE_OFFSET_OFFSET = 0;                                               // u64 bytes, owner
    static final int ARENA_LENGTH_OFFSET = ARENA_FILE_OFFSET_OFFSET + SIZE_OF_LONG;              // u64 bytes, owner
    static final int ARENA_START_OFFSET = ARENA_LENGTH_OFFSET + SIZE_OF_LONG;                    // u64 bytes, owner
    static final int ARENA_KIND_LENGTH_OFFSET = ARENA_START_OFFSET + SIZE_OF_LONG;               // u32 bytes, owner
    static final int ARENA_KIND_OFFSET = ARENA_KIND_LENGTH_OFFSET + SIZE_OF_INT;                 // ASCII, owner
    static final int ARENA_KIND_LENGTH_MAX = 32;
    static final int ARENA_LENGTH = CACHE_LINE_LENGTH;

    static final int REGION_GENERATION_OFFSET = 0;                               // u64, owner (release): 0 for free
    static final int REGION_START_OFFSET = REGION_GENERATION_OFFSET + SIZE_OF_LONG;              // u64 virtual, owner
    static final int REGION_LENGTH_OFFSET = REGION_START_OFFSET + SIZE_OF_LONG;                  // u64 bytes, owner
    static final int REGION_SPACE_OFFSET = REGION_LENGTH_OFFSET + SIZE_OF_LONG;                  // u64 bytes, owner
    static final int REGION_RIGHTS_OFFSET = REGION_SPACE_OFFSET + SIZE_OF_LONG;                  // u32, owner
    static final int REGION_LENGTH = CACHE_LINE_LENGTH;

    static final int INITIATOR_OWNER_OFFSET = 0;                     // u64 QueueOwner, initiator CAS; owner clears
    static final int INITIATOR_COUNTER_OFFSET = INITIATOR_OWNER_OFFSET + SIZE_OF_LONG;   // u64, initiator: odd at work
    static final int INITIATOR_LENGTH = CACHE_LINE_LENGTH * 2;

    static final int TAG_LENGTH = SIZE_OF_INT;

    private final int arenaCountMax;
    private final int regionCountMax;
    private final int initiatorCountMax;
    private final int pageCountMax;
    private final long regionsOffset;
    private final long initiatorsOffset;
    private final long tagsOffset;
    private final long length;

    /** The counts, each 1 or more; see {@link #length()} for whether they fit. */
    DirectoryLayout(
        final int arenaCountMax, final int regionCountMax, final int initiatorCountMax, final int pageCountMax)
    {
        this.arenaCountMax = arenaCountMax;
        this.regionCountMax = regionCountMax;
        this.initiatorCountMax = initiatorCountMax;
        this.pageCountMax = pageCountMax;
        regionsOffset = ARENAS_OFFSET + (long)arenaCountMax * ARENA_LENGTH;
        initiatorsOffset = regionsOffset + (long)regionCountMax * REGION_LENGTH;
        tagsOffset = initiatorsOffset + (long)initiatorCountMax * INITIATOR_LENGTH;
        length = align(tagsOffset + (long)pageCountMax * TAG_LENGTH, CACHE_LINE_LENGTH);
    }

    int arenaCountMax()
    {
        return arenaCountMax;
    }

    int regionCountMax()
    {
        return regionCountMax;
    }

    int initiatorCountMax()
    {
        return initiatorCountMax;
    }

    int pageCountMax()
    {
        return pageCountMax;
    }

    /** More than an int holds if the counts do not fit a directory. */
    long length()
    {
        return length;
    }

    int arenaOffset(final int arena)
    {
        return ARENAS_OFFSET + arena * ARENA_LENGTH;
    }

    int regionOffset(final int slot)
    {
        return (int)regionsOffset + slot * REGION_LENGTH;
    }

    int initiatorOffset(final int initiator)
    {
        return (int)initiatorsOffset + initiator * INITIATOR_LENGTH;
    }

    int tagOffset(final int page)
    {
        return (int)tagsOffset + page * TAG_LENGTH;
    }

    /**
     * Owner of a page, in one word, 0 for none: so that a physical address needs no other look-up.
     * <pre>
     *  bit 25    | 24       | 23 ......... 0
     *  writable  | readable | generation
     * </pre>
     * Any thread; no state.
     */
    static final class PageTag
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

        /** Returns whether the page's region grants some rights, given by their bits. */
        static boolean grants(final int tag, final int rights)
        {
            return ((tag >>> RIGHTS_SHIFT) & rights) == rights;
        }
    }
}
