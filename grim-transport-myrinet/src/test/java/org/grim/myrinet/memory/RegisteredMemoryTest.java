// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

import org.grim.GrimException;
import org.grim.board.DmaRegionHeader;
import org.grim.board.PageTable;
import org.grim.board.PhysicalAddress;
import org.grim.board.StaticTranslation;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class RegisteredMemoryTest
{
    private static final int PAGE = 4096;
    private static final int LARGE = RegisteredMemory.STATIC_LENGTH_MIN;

    @TempDir
    private Path directory;

    @Test
    void shouldMakeAFileThatTheBoardsProcessCanMapAndCheck() throws Exception
    {
        try (TestRegion test = new TestRegion(directory, PAGE);
            MappedFile mapped = MappedFile.open(test.region.path(), DmaRegionHeader.MAGIC, SegmentHeader.LENGTH, true))
        {
            mapped.buffer().putInt(DmaLayout.REQUEST_OFFSET, 9);

            assertEquals(9, test.region.buffer().getInt(DmaLayout.REQUEST_OFFSET));
            assertEquals(test.region.layout().regionLength(), mapped.buffer().capacity());
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(test.region.path())));
            assertFalse(test.region.isLocked());
        }
    }

    @Test
    void shouldLockASmallRegionIfAsked()
    {
        final TestRegion test = new TestRegion(directory, PAGE);
        final boolean isPermitted = test.posix.lockLimit() == -1 || test.posix.lockLimit() >= 64 << 10;
        try (DmaRegion region = DmaRegion.create(
            test.posix, directory.resolve("dma-2"), new DmaLayout(16384, 1, 4096, 0, 0), true))
        {
            assertTrue(region.isLocked() || !isPermitted);
            assertEquals(0, region.address() % PAGE);
        }
        test.close();
    }

    @Test
    void shouldTranslateWhatIsRegisteredAndNothingElse()
    {
        try (TestRegion test = new TestRegion(directory, 8 * PAGE))
        {
            final RegisteredBlock block = test.memory.register(PAGE + 1);
            final long offset = test.region.layout().registeredOffset();

            assertEquals(test.region.address() + offset, block.virtualAddress());
            assertEquals(PhysicalAddress.of(TestRegion.CONTEXT, offset), block.physicalAddress());
            assertEquals(block.physicalAddress(), test.memory.physicalPage(block.virtualAddress()));
            assertEquals(block.physicalAddress() + PAGE, test.memory.physicalPage(block.virtualAddress() + PAGE));
            assertEquals(PageTable.NONE, test.memory.physicalPage(block.virtualAddress() + 2 * PAGE));
            assertEquals(PageTable.NONE, test.memory.physicalPage(block.virtualAddress() - PAGE));
            assertEquals(PageTable.NONE, test.memory.physicalPage(block.virtualAddress() + 1));
            assertEquals(PageTable.NONE, test.memory.physicalPage(test.region.address()));
            assertEquals(PageTable.NONE, test.memory.physicalPage(test.region.address() - PAGE));
            assertEquals(PageTable.NONE, test.memory.physicalPage(test.region.address() + (1L << 32) + offset));
            assertEquals(PageTable.NONE, test.memory.physicalPage(Long.MIN_VALUE));
        }
    }

    @Test
    void shouldShareABlocksBytesWithTheRegion()
    {
        try (TestRegion test = new TestRegion(directory, 8 * PAGE))
        {
            test.memory.register(1);
            final RegisteredBlock block = test.memory.register(100);

            block.buffer().putByte(99, (byte)5);

            final int index = (int)PhysicalAddress.offset(block.physicalAddress());
            assertEquals(5, test.region.buffer().getByte(index + 99));
            assertEquals(100, block.buffer().capacity());
        }
    }

    @Test
    void shouldForgetABlockThatIsFreed()
    {
        try (TestRegion test = new TestRegion(directory, 8 * PAGE))
        {
            final RegisteredBlock block = test.memory.register(PAGE);
            test.memory.free(block);
            final RegisteredBlock next = test.memory.register(PAGE);
            test.memory.free(next);

            assertEquals(PageTable.NONE, test.memory.physicalPage(block.virtualAddress()));
            assertEquals(block.virtualAddress(), next.virtualAddress());
            assertNotEquals(block.generation(), next.generation());
            assertThrows(IndexOutOfBoundsException.class, () -> block.buffer().getByte(0));
            assertThrows(IllegalStateException.class, () -> test.memory.free(block));
        }
    }

    @Test
    void shouldSayWhatIsFreeWhereABlockDoesNotFit()
    {
        try (TestRegion test = new TestRegion(directory, 8 * PAGE))
        {
            test.memory.free(List.of(test.memory.register(2 * PAGE), test.memory.register(PAGE)).get(0));

            final GrimException refusal =
                assertThrows(GrimException.class, () -> test.memory.register(6 * PAGE));
            final GrimException huge =
                assertThrows(GrimException.class, () -> test.memory.register(Long.MAX_VALUE));

            assertEquals(
                "DMA region " + test.region.path() + " has no room to register 24576 bytes: free=28672 bytes, " +
                "the largest hole has 20480 of 32768 in all; free blocks, or make the region larger",
                refusal.getMessage());
            assertTrue(huge.getMessage().contains(" 9223372036854775807 bytes"), huge.getMessage());
            assertThrows(IllegalArgumentException.class, () -> test.memory.register(0));
        }
    }

    @Test
    void shouldRefuseEverythingWithoutRegisteredMemory()
    {
        try (TestRegion test = new TestRegion(directory, 0))
        {
            assertThrows(GrimException.class, () -> test.memory.register(1));
            assertEquals(0, test.memory.freeLength());
        }
    }

    @Test
    void shouldWriteStaticEntriesOfItsContextForLargeBlocksWhileSomeAreFree()
    {
        try (TestRegion test = new TestRegion(directory, 5 * LARGE))
        {
            final RegisteredBlock small = test.memory.register(LARGE - 1);
            final RegisteredBlock first = test.memory.register(LARGE + 1);
            final List<RegisteredBlock> others = List.of(test.memory.register(LARGE), test.memory.register(LARGE));
            test.memory.free(small);
            final RegisteredBlock without = test.memory.register(LARGE);

            assertEquals(List.of(3, 4, 5), entriesInUse(test));
            final StaticTranslation entry = new StaticTranslation(test.sram, test.geometry);
            assertTrue(entry.read(3));
            assertEquals(TestRegion.CONTEXT, entry.context());
            assertEquals(first.virtualAddress(), entry.virtualStart());
            assertEquals(LARGE + 1, entry.length());
            assertEquals(first.physicalAddress(), entry.physicalStart());
            assertEquals(without.physicalAddress(), test.memory.physicalPage(without.virtualAddress()));

            test.memory.free(others.get(0));
            assertEquals(List.of(3, 5), entriesInUse(test));
            test.memory.register(LARGE);
            assertEquals(List.of(3, 4, 5), entriesInUse(test));
        }
    }

    @Test
    void shouldEmptyTheEntriesThatADeadProcessLeftAndNoOthers()
    {
        try (TestRegion test = new TestRegion(directory, PAGE))
        {
            final StaticTranslation entry = new StaticTranslation(test.sram, test.geometry);
            for (int i = 0; i < test.geometry.staticEntryCount(); i++)
            {
                entry.put(i, i / 3, 0, PAGE, 0);
            }

            new RegisteredMemory(test.region, TestRegion.CONTEXT, test.sram, test.geometry).close();

            assertEquals(List.of(0, 1, 2, 6, 7, 8), entriesInUse(test));
        }
    }

    @Test
    void shouldAgreeWithAModelOfPagesWhateverIsRegisteredAndFreed()
    {
        final long seed = System.nanoTime();
        final Random random = new Random(seed);
        final int pageCount = 64;
        try (TestRegion test = new TestRegion(directory, pageCount * PAGE))
        {
            final int[] model = new int[pageCount];             // generation of the block that has the page
            final List<RegisteredBlock> blocks = new ArrayList<>();
            for (int step = 0; step < 3_000; step++)
            {
                if (blocks.isEmpty() || random.nextInt(5) < 3)
                {
                    register(test, model, blocks, 1 + random.nextInt((1 + random.nextInt(20)) * PAGE));
                }
                else
                {
                    final RegisteredBlock block = blocks.remove(random.nextInt(blocks.size()));
                    test.memory.free(block);
                    Arrays.setAll(model, (page) -> model[page] == block.generation() ? 0 : model[page]);
                }
                assertAgrees("seed=" + seed + " step=" + step, test, model, blocks);
            }
        }
    }

    private static void register(
        final TestRegion test, final int[] model, final List<RegisteredBlock> blocks, final int bytes)
    {
        final int needed = (bytes + PAGE - 1) / PAGE;
        final int start = firstFit(model, needed);
        if (start < 0)
        {
            assertThrows(GrimException.class, () -> test.memory.register(bytes));
            return;
        }
        final RegisteredBlock block = test.memory.register(bytes);
        assertEquals(test.region.address() + test.region.layout().registeredOffset() + (long)start * PAGE,
            block.virtualAddress());
        Arrays.fill(model, start, start + needed, block.generation());
        blocks.add(block);
    }

    private static int firstFit(final int[] model, final int needed)
    {
        int free = 0;
        for (int page = 0; page < model.length; page++)
        {
            free = model[page] == 0 ? free + 1 : 0;
            if (free == needed)
            {
                return page - needed + 1;
            }
        }
        return -1;
    }

    private static void assertAgrees(
        final String what, final TestRegion test, final int[] model, final List<RegisteredBlock> blocks)
    {
        final int registeredOffset = test.region.layout().registeredOffset();
        long freeLength = 0;
        for (int page = 0; page < model.length; page++)
        {
            final int offset = registeredOffset + page * PAGE;
            final long expected =
                model[page] == 0 ? PageTable.NONE : PhysicalAddress.of(TestRegion.CONTEXT, offset);
            assertEquals(expected, test.memory.physicalPage(test.region.address() + offset), what + " page=" + page);
            freeLength += model[page] == 0 ? PAGE : 0;
        }
        assertEquals(freeLength, test.memory.freeLength(), what);
        assertEquals(blocks.size(), test.memory.blockCount(), what);
        final StaticTranslation entry = new StaticTranslation(test.sram, test.geometry);
        for (final int index : entriesInUse(test))
        {
            assertTrue(entry.read(index), what);
            final long start = entry.virtualStart();
            final long length = entry.length();
            assertTrue(blocks.stream().anyMatch(
                (block) -> block.virtualAddress() == start && block.length() == length), what + " entry=" + index);
        }
    }

    private static List<Integer> entriesInUse(final TestRegion test)
    {
        final StaticTranslation entry = new StaticTranslation(test.sram, test.geometry);
        final List<Integer> used = new ArrayList<>();
        for (int i = 0; i < test.geometry.staticEntryCount(); i++)
        {
            if (entry.read(i))
            {
                used.add(i);
            }
        }
        return used;
    }
}
