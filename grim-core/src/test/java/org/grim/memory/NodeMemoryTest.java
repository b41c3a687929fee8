// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.transport.RegisteredPages;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class NodeMemoryTest
{
    private static final MemorySettings SETTINGS = new MemorySettings(16 * PAGE_LENGTH, 4 * PAGE_LENGTH, 8, 4);

    @TempDir
    private Path directory;

    private final MemberNode node = MemberNode.first();
    private final List<String> shown = new ArrayList<>();
    private final NodeMemory memory = NodeMemory.inPrivateMemory(SETTINGS, node, null, this::show);

    @AfterEach
    void close()
    {
        memory.close();
    }

    @Test
    void shouldGiveZeroedMemoryAtAddressesOfItsOwn()
    {
        final MemoryRegion one = memory.register(100, MemoryRegion.Rights.READ_WRITE);
        final MemoryRegion two = memory.register(PAGE_LENGTH + 1, MemoryRegion.Rights.READ);

        assertEquals(100, one.length());
        assertEquals(100, one.buffer().capacity());
        assertEquals(PAGE_LENGTH + 1, two.buffer().capacity());
        assertEquals(MemoryAddress.VIRTUAL_START, one.remote().address());
        assertEquals(one.remote().address() + 2 * PAGE_LENGTH, two.remote().address());
        assertEquals(1L << 39, one.remotePhysical().address());
        assertEquals(2L << 39 | PAGE_LENGTH, two.remotePhysical().address());
        assertEquals(MemoryRegion.Rights.READ, two.rights());
        assertEquals(List.of("1 4096 0", "2 12288 0"), shown);
    }

    @Test
    void shouldNeverGiveAnAddressTwice()
    {
        final MemoryRegion one = memory.register(100, MemoryRegion.Rights.READ_WRITE);
        one.buffer().setMemory(0, 100, (byte)7);
        one.close();
        one.close();

        final MemoryRegion two = memory.register(100, MemoryRegion.Rights.READ_WRITE);

        assertEquals(0, one.buffer().capacity());
        assertNotEquals(one.remote().address(), two.remote().address());
        assertNotEquals(one.remotePhysical().address(), two.remotePhysical().address());
        assertEquals(MemoryAddress.offset(one.remotePhysical().address()),
            MemoryAddress.offset(two.remotePhysical().address()));
        assertEquals(one.generation() + 1, two.generation());
        assertEquals(0, two.buffer().getLong(0));
    }

    @Test
    void shouldMakeArenasOnDemandUpToTheConfiguredLength()
    {
        assertEquals(0, memory.directory().arenaCount());
        final MemoryRegion small = memory.register(3 * PAGE_LENGTH, MemoryRegion.Rights.READ);
        final MemoryRegion large = memory.register(11 * PAGE_LENGTH, MemoryRegion.Rights.READ);

        assertEquals(2, memory.directory().arenaCount());
        assertEquals(4 * PAGE_LENGTH, MemoryAddress.offset(large.remotePhysical().address()));
        final GrimException refusal =
            assertThrows(GrimException.class, () -> memory.register(2 * PAGE_LENGTH, MemoryRegion.Rights.READ));
        assertTrue(refusal.getMessage().contains("no room to register 8192 bytes: free=4096"), refusal.getMessage());
        small.close();
        assertEquals(0,
            MemoryAddress.offset(
                memory.register(4 * PAGE_LENGTH, MemoryRegion.Rights.READ).remotePhysical().address()));
        memory.register(1, MemoryRegion.Rights.READ);
        assertEquals(3, memory.directory().arenaCount());
        assertThrows(GrimException.class, () -> memory.register(1, MemoryRegion.Rights.READ));
    }

    @Test
    void shouldRefuseMoreRegionsThanConfiguredAndBadLengths()
    {
        for (int i = 0; i < SETTINGS.regionCountMax(); i++)
        {
            memory.register(1, MemoryRegion.Rights.READ);
        }

        assertThrows(GrimException.class, () -> memory.register(1, MemoryRegion.Rights.READ));
        assertThrows(IllegalArgumentException.class, () -> memory.register(0, MemoryRegion.Rights.READ));
        assertThrows(GrimException.class, () -> memory.register(Long.MAX_VALUE, MemoryRegion.Rights.READ));
    }

    @Test
    void shouldAnswerForRegisteredPagesOnly()
    {
        final MemoryRegion one = memory.register(1, MemoryRegion.Rights.READ);
        final MemoryRegion two = memory.register(PAGE_LENGTH + 1, MemoryRegion.Rights.WRITE);

        assertEquals(MemoryRegion.Rights.READ.bits(), memory.find(one.remote().address()));
        assertEquals(2 * PAGE_LENGTH | MemoryRegion.Rights.WRITE.bits(),
            memory.find(two.remote().address() + PAGE_LENGTH));
        assertEquals(RegisteredPages.NONE, memory.find(one.remote().address() + PAGE_LENGTH));
        assertEquals(RegisteredPages.NONE, memory.find(one.remote().address() + 1));
        assertEquals(RegisteredPages.NONE, memory.find(0));
        two.close();
        assertEquals(RegisteredPages.NONE, memory.find(two.remote().address()));
    }

    @Test
    void shouldRemoveItsFiles() throws IOException
    {
        final NodeMemory inFiles = NodeMemory.inFiles(SETTINGS, node,
            (number, incarnation, kind) -> directory.resolve(number + "-" + incarnation + "." + kind), null,
            this::show);
        final MemoryRegion region = inFiles.register(1, MemoryRegion.Rights.READ);

        assertEquals(List.of("1-1.arena-0", "1-1.memory"), files());
        inFiles.close();

        assertEquals(List.of(), files());
        assertEquals(0, region.buffer().capacity());
        assertThrows(IllegalStateException.class, () -> inFiles.register(1, MemoryRegion.Rights.READ));
        assertFalse(shown.isEmpty());
    }

    private List<String> files() throws IOException
    {
        try (Stream<Path> files = Files.list(directory))
        {
            return files.map(path -> path.getFileName().toString()).sorted().toList();
        }
    }

    private void show(final int regionCount, final long registeredLength, final long quarantinedLength)
    {
        shown.add(regionCount + " " + registeredLength + " " + quarantinedLength);
    }
}
