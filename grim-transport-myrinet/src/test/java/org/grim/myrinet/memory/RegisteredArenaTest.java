// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.nio.file.Path;

import org.grim.MemoryRegion;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.board.Doorbell;
import org.grim.board.PhysicalAddress;
import org.grim.board.StaticTranslation;
import org.grim.board.host.PageTable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.board.ContextRegisters.FORGET_COUNT;
import static org.grim.board.ContextRegisters.FORGOTTEN_COUNT;
import static org.grim.board.ContextRegisters.REGISTERED_START;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Reports of registered memory to boards. */
final class RegisteredArenaTest
{
    private static final int PAGE = TestPages.PAGE;
    private static final int LARGE = BoardMemory.STATIC_LENGTH_MIN;
    private static final int REGISTERED_LENGTH = 8 * LARGE;

    @TempDir
    private Path directory;

    private static int entryOf(final TestRegion test, final long virtualAddress)
    {
        final StaticTranslation entry = new StaticTranslation(test.sram, test.geometry);
        for (int i = 0; i < test.geometry.staticEntryCount(); i++)
        {
            if (entry.read(i) && entry.virtualStart() == virtualAddress)
            {
                assertEquals(TestRegion.CONTEXT, entry.context());
                assertTrue(i >= TestRegion.STATIC_START && i < TestRegion.STATIC_END, "entry=" + i);
                return i;
            }
        }
        return -1;
    }

    @Test
    void shouldBeThePartOfTheFileThatIsRegistered()
    {
        try (TestRegion test = new TestRegion(directory, REGISTERED_LENGTH))
        {
            final int offset = test.region.layout().registeredOffset();
            test.arena.memory().putInt(12, 0x1234_5678);

            assertEquals(REGISTERED_LENGTH, test.arena.memory().capacity());
            assertEquals("dma-1", test.arena.fileKind());
            assertEquals(offset, test.arena.fileOffset());
            assertEquals(0x1234_5678, test.region.buffer().getInt(offset + 12));
            assertEquals(offset, test.registers.get(REGISTERED_START));
            assertEquals(REGISTERED_LENGTH, test.registers.getAcquire(ContextRegisters.REGISTERED_LENGTH));
        }
    }

    @Test
    void shouldGiveLargeRegionsStaticEntriesWhileThereAreAny()
    {
        try (TestRegion test = new TestRegion(directory, REGISTERED_LENGTH))
        {
            final TestPages.Region small = test.pages.register(LARGE - 1, 3);
            final TestPages.Region[] large = new TestPages.Region[4];
            for (int i = 0; i < large.length; i++)
            {
                large[i] = test.pages.register(LARGE, MemoryRegion.Rights.READ.bits());
            }

            assertEquals(-1, entryOf(test, small.virtualAddress()));
            assertEquals(-1, entryOf(test, large[3].virtualAddress()));
            final StaticTranslation entry = new StaticTranslation(test.sram, test.geometry);
            assertTrue(entry.read(entryOf(test, large[1].virtualAddress())));
            assertEquals(LARGE, entry.length());
            assertEquals(MemoryRegion.Rights.READ.bits(), entry.rights());
            assertEquals(PhysicalAddress.of(TestRegion.CONTEXT,
                test.region.layout().registeredOffset() + large[1].offset()), entry.physicalStart());

            test.pages.free(large[1]);
            assertEquals(-1, entryOf(test, large[1].virtualAddress()));
            assertTrue(entryOf(test, test.pages.register(LARGE, 1).virtualAddress()) >= 0);
        }
    }

    @Test
    void shouldTranslateWhatIsRegistered()
    {
        try (TestRegion test = new TestRegion(directory, REGISTERED_LENGTH))
        {
            final TestPages.Region region = test.pages.register(PAGE + 1, MemoryRegion.Rights.WRITE.bits());
            final long first = PhysicalAddress.of(
                TestRegion.CONTEXT, test.region.layout().registeredOffset() + region.offset());

            assertEquals(first + 2, test.memory.physicalPage(region.virtualAddress()));
            assertEquals(first + PAGE + 2, test.memory.physicalPage(region.virtualAddress() + PAGE));
            assertEquals(PageTable.NONE, test.memory.physicalPage(region.virtualAddress() + 2 * PAGE));
            assertEquals(PageTable.NONE, test.memory.physicalPage(0));
            test.pages.free(region);
            assertEquals(PageTable.NONE, test.memory.physicalPage(region.virtualAddress()));
            test.arena.ready(null);
            assertEquals(PageTable.NONE, test.memory.physicalPage(region.virtualAddress()));
        }
    }

    @Test
    void shouldHaveTheBoardForgetEachFreedRegion()
    {
        try (TestRegion test = new TestRegion(directory, REGISTERED_LENGTH))
        {
            final TestPages.Region one = test.pages.register(PAGE, 3);
            final TestPages.Region two = test.pages.register(PAGE, 3);
            assertTrue(test.arena.hasForgotten());

            test.pages.free(one);
            assertTrue(new Doorbell(test.sram, test.geometry).isRung());
            assertEquals(1, test.registers.getAcquire(FORGET_COUNT));
            assertFalse(test.pages.reuse(one));
            assertEquals(2, test.advanceCount);
            test.pages.free(two);
            test.registers.putRelease(FORGOTTEN_COUNT, 1);
            assertFalse(test.pages.reuse(one), "the second is not forgotten");
            test.registers.putRelease(FORGOTTEN_COUNT, 2);
            assertTrue(test.pages.reuse(one));
            assertTrue(test.pages.reuse(two));
        }
    }

    @Test
    void shouldCountABoardThatIsGoneAsOneThatHasForgotten()
    {
        try (TestRegion test = new TestRegion(directory, REGISTERED_LENGTH))
        {
            final TestPages.Region region = test.pages.register(LARGE, 3);
            final TestPages.Region other = test.pages.register(LARGE, 3);
            test.pages.free(region);
            assertFalse(test.arena.hasForgotten());
            test.isGone = true;
            assertTrue(test.arena.hasForgotten());
            test.pages.free(other);
            assertEquals(1, test.registers.getAcquire(FORGET_COUNT), "nobody is asked");
            test.isGone = false;
            test.arena.end(test.memory);
            assertTrue(test.arena.hasForgotten());
        }
    }

    @Test
    void shouldTellTheNextBoardWhatIsRegistered()
    {
        try (TestRegion test = new TestRegion(directory, REGISTERED_LENGTH))
        {
            final TestPages.Region kept = test.pages.register(LARGE, 2);
            final TestPages.Region freed = test.pages.register(LARGE, 3);
            test.pages.free(freed);
            assertFalse(test.arena.hasForgotten());
            new StaticTranslation(test.sram, test.geometry).put(TestRegion.STATIC_END - 1, TestRegion.CONTEXT, 64, 64,
                64, 3);
            test.registers.putRelease(FORGET_COUNT, 0);                        // As in a context that is new.

            final BoardMemory next = test.board();
            test.arena.begin(next);
            test.arena.end(test.memory);

            assertTrue(test.arena.hasForgotten());
            assertTrue(entryOf(test, kept.virtualAddress()) >= 0);
            assertEquals(-1, entryOf(test, 64));
            test.pages.free(kept);
            assertEquals(-1, entryOf(test, kept.virtualAddress()));
            assertFalse(test.arena.hasForgotten());
            test.arena.end(next);
        }
    }

    @Test
    void shouldKnowWhichBytesAreOfOneRegion()
    {
        final RegisteredTable table = new RegisteredTable();
        for (int i = 0; i < 40; i++)
        {
            table.add((long)PAGE * (1 + 2 * ((i * 7) % 40)), 100 + i, i, 3);
        }

        assertEquals(RegisteredTable.NONE, table.find(PAGE - 1, 1));
        assertEquals(0, table.find(PAGE, 100));
        assertEquals(RegisteredTable.NONE, table.find(PAGE, 101));
        assertEquals(RegisteredTable.NONE, table.find(PAGE + 96, 5));
        assertEquals(39, table.find(PAGE * 79 + 64, 4));
        assertEquals(RegisteredTable.NONE, table.find(-1, 1));
        assertEquals(RegisteredTable.NONE, table.find(Long.MAX_VALUE, 1));
        table.remove(PAGE);
        table.remove(PAGE);
        assertEquals(RegisteredTable.NONE, table.find(PAGE, 1));
        assertEquals(38, table.find(PAGE * 79 + 64, 4));
        assertEquals(39, table.count());
        assertEquals(PAGE * 79, table.start(38));
    }

    @Test
    void shouldDivideEntriesAmongContexts()
    {
        final BoardGeometry geometry = new BoardGeometry(9, 0, 64 << 10, 1, 1024, 3, 0, 0);
        try (TestRegion test = new TestRegion(directory, REGISTERED_LENGTH))
        {
            geometry.write(test.sram);
            final BoardMemory none = new BoardMemory(
                test.arena, 2, test.sram, geometry, 0, () -> test.advanceCount++, () -> false);
            none.begin(0, PAGE);
            none.register(0, PAGE, 0, LARGE, 3);
            none.forget(PAGE);

            assertFalse(none.hasForgotten());
            test.geometry.write(test.sram);
        }
    }
}
