// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.memory.DirectoryLayout.PageTag;
import org.grim.memory.MemoryDirectory.ArenaRecord;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The layout that other processes rely on, as numbers. */
final class DirectoryLayoutTest
{
    private static final DirectoryLayout LAYOUT = new DirectoryLayout(3, 5, 7, 100);

    @Test
    void shouldPlaceTheHeadOfADirectory()
    {
        assertEquals(0x4752_494D_4D45_4D44L, MemoryDirectory.MAGIC);
        assertEquals(64, DirectoryLayout.GEOMETRY_OFFSET);
        assertEquals(4, DirectoryLayout.GEOMETRY_FIELD_COUNT);
        assertEquals(80, DirectoryLayout.NODE_OFFSET);
        assertEquals(84, DirectoryLayout.INCARNATION_OFFSET);
        assertEquals(128, DirectoryLayout.STATE_OFFSET);
        assertEquals(128, DirectoryLayout.ARENA_COUNT_OFFSET);
        assertEquals(136, DirectoryLayout.CHANGE_SEQUENCE_OFFSET);
        assertEquals(144, DirectoryLayout.VIRTUAL_END_OFFSET);
        assertEquals(192, DirectoryLayout.ARENAS_OFFSET);
        assertEquals(192, MemoryDirectory.lengthMin());
        assertEquals(1024, DirectoryLayout.ARENA_COUNT_MAX);
    }

    @Test
    void shouldPlaceTheFieldsOfARecord()
    {
        assertEquals(0, DirectoryLayout.ARENA_FILE_OFFSET_OFFSET);
        assertEquals(8, DirectoryLayout.ARENA_LENGTH_OFFSET);
        assertEquals(16, DirectoryLayout.ARENA_START_OFFSET);
        assertEquals(24, DirectoryLayout.ARENA_KIND_LENGTH_OFFSET);
        assertEquals(28, DirectoryLayout.ARENA_KIND_OFFSET);
        assertEquals(32, DirectoryLayout.ARENA_KIND_LENGTH_MAX);
        assertEquals(64, DirectoryLayout.ARENA_LENGTH);
        assertEquals(0, DirectoryLayout.REGION_GENERATION_OFFSET);
        assertEquals(8, DirectoryLayout.REGION_START_OFFSET);
        assertEquals(16, DirectoryLayout.REGION_LENGTH_OFFSET);
        assertEquals(24, DirectoryLayout.REGION_SPACE_OFFSET);
        assertEquals(32, DirectoryLayout.REGION_RIGHTS_OFFSET);
        assertEquals(64, DirectoryLayout.REGION_LENGTH);
        assertEquals(0, DirectoryLayout.INITIATOR_OWNER_OFFSET);
        assertEquals(8, DirectoryLayout.INITIATOR_COUNTER_OFFSET);
        assertEquals(128, DirectoryLayout.INITIATOR_LENGTH);
        assertEquals(4, DirectoryLayout.TAG_LENGTH);
    }

    @Test
    void shouldPlaceTheTables()
    {
        assertEquals(192 + 2 * 64, LAYOUT.arenaOffset(2));
        assertEquals(384 + 4 * 64, LAYOUT.regionOffset(4));
        assertEquals(704 + 6 * 128, LAYOUT.initiatorOffset(6));
        assertEquals(1600 + 99 * 4, LAYOUT.tagOffset(99));
        assertEquals(2048, LAYOUT.length());
    }

    @Test
    void shouldKeepGenerationAndRightsInTagsAndAddresses()
    {
        assertEquals(0x0312_3456, PageTag.of(0x77_1234_56L, 3));
        assertEquals(0x12_3456, PageTag.generation(0x0312_3456));
        assertEquals(0x12_3456L << 39 | 0x7_0000, MemoryAddress.physical(0x77_1234_56L, 0x7_0000));
        assertEquals(0x7_0000, MemoryAddress.offset(0x12_3456L << 39 | 0x7_0000));
        assertEquals(0x12_3456, MemoryAddress.generation(0x12_3456L << 39 | 0x7_0000));
        assertEquals(1 << 24 | 1, MemoryAddress.nextGeneration((1 << 24) - 1));
        assertEquals(1, MemoryAddress.nextGeneration(0));
    }

    @Test
    void shouldRefuseAGeometryThatDoesNotFit()
    {
        final AtomicBuffer memory = Buffers.allocate((int)LAYOUT.length());
        MemoryDirectory.create(memory, LAYOUT, 9, 8);
        assertEquals(9, MemoryDirectory.wrap(memory).node());
        assertEquals(8, MemoryDirectory.wrap(memory).incarnation());

        for (int field = 0; field < DirectoryLayout.GEOMETRY_FIELD_COUNT; field++)
        {
            final int index = DirectoryLayout.GEOMETRY_OFFSET + field * Integer.BYTES;
            final int good = memory.getInt(index);
            for (final int bad : new int[]{0, -1, Integer.MIN_VALUE, Integer.MAX_VALUE, good + 1_000})
            {
                memory.putInt(index, bad);
                assertThrows(GrimException.class, () -> MemoryDirectory.wrap(memory));
            }
            memory.putInt(index, good);
        }
    }

    @Test
    void shouldBelieveNoArenaThatMakesNoSense()
    {
        final MemoryDirectory directory =
            MemoryDirectory.create(Buffers.allocate((int)LAYOUT.length()), LAYOUT, 1, 1);
        final ArenaRecord good = new ArenaRecord("arena-0", 4096, 8192, 4096);
        final ArenaRecord[] bad = {new ArenaRecord("../arena", 0, 4096, 0), new ArenaRecord("a.b", 0, 4096, 0),
            new ArenaRecord("a", -64, 4096, 0), new ArenaRecord("a", 1, 4096, 0), new ArenaRecord("a", 0, 0, 0),
            new ArenaRecord("a", 0, 4095, 0), new ArenaRecord("a", 0, -4096, 0), new ArenaRecord("a", 0, 4096, -4096),
            new ArenaRecord("a", 0, 4096, 100 * 4096), new ArenaRecord("a", Long.MAX_VALUE - 63, 4096, 0),
            new ArenaRecord("a", 0, 1L << 31, 0), new ArenaRecord("a", 0, 4096, 1)};

        directory.addArena(0, good);
        assertEquals(good, directory.arena(0));
        for (final ArenaRecord record : bad)
        {
            directory.addArena(0, record);
            assertNull(directory.arena(0), record.toString());
        }
    }
}
