// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;

import org.grim.GrimException;
import org.grim.HostileInput;
import org.grim.MemoryRegion;
import org.grim.buffer.HostileFile;
import org.junit.jupiter.api.io.TempDir;

import com.code_intelligence.jazzer.junit.FuzzTest;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A peer whose files have any bytes and lengths is refused, or seen only where its files really are. */
final class PeerSpaceFuzzTest
{
    private static final MemorySettings SETTINGS = new MemorySettings(4 * PAGE_LENGTH, PAGE_LENGTH, 2, 1);
    private static final int NODE = 1;

    @TempDir
    private static Path directory;
    private static HostileFile memoryFile;
    private static HostileFile arenaFile;
    private static List<Long> addresses;

    @FuzzTest
    void shouldMapOnlyWhatIsThere(final byte[] bytes) throws IOException
    {
        if (memoryFile == null)
        {
            makeGoodFiles();
        }
        final HostileInput input = new HostileInput(bytes);
        if (input.nextBelow(4) == 0)
        {
            arenaFile.write(new HostileInput(input.nextBytes(16)), false);
        }
        memoryFile.write(input, false);
        try
        {
            final PeerSpace peer = PeerSpace.open(PeerSpaceFuzzTest::path, NODE, 1);
            try
            {
                touchWhatIsFound(peer.space(), input);
            }
            finally
            {
                peer.close();
            }
        }
        catch (final GrimException ex)
        {
            assertTrue(ex.getMessage().contains("node-1-1.memory") ||
                ex.getMessage().startsWith("memory directory has a corrupt geometry"), ex.getMessage());
        }
    }

    private static void touchWhatIsFound(final NodeMemory.Space space, final HostileInput input)
    {
        final VirtualLookup lookup = space.virtualLookup(new RegionTable(space.directory()));
        for (final long address : addresses)
        {
            final int length = 1 + input.nextBelow(PAGE_LENGTH);
            if (lookup.find(address + input.nextByte(), length, MemoryRegion.Rights.READ.bits()) == null)
            {
                lookup.buffer().putByte(lookup.index(), lookup.buffer().getByte(lookup.index()));
            }
        }
    }

    private static void makeGoodFiles() throws IOException
    {
        final NodeMemory.Gauges gauges = (regions, registered, quarantined) ->
        {
        };
        final NodeMemory memory =
            NodeMemory.inFiles(SETTINGS, MemberNode.first(), PeerSpaceFuzzTest::path, null, gauges);
        final MemoryRegion one = memory.register(PAGE_LENGTH, MemoryRegion.Rights.READ);
        final MemoryRegion two = memory.register(PAGE_LENGTH, MemoryRegion.Rights.READ);
        addresses = List.of(one.remote().address(), two.remote().address());
        final DirectoryLayout layout = SETTINGS.layout();
        memoryFile = HostileFile.of(path(NODE, 1, "memory"), IntStream.concat(
            IntStream.of(DirectoryLayout.GEOMETRY_OFFSET, DirectoryLayout.ARENA_COUNT_OFFSET),
            IntStream.range(0, 18).map(i -> i < 8 ? layout.arenaOffset(i / 4) + i % 4 * Long.BYTES :
                layout.regionOffset((i - 8) / 5) + (i - 8) % 5 * Long.BYTES)).toArray());
        arenaFile = HostileFile.of(path(NODE, 1, "arena-0"));
        final byte[] memoryBytes = Files.readAllBytes(path(NODE, 1, "memory"));
        final byte[] arenaBytes = Files.readAllBytes(path(NODE, 1, "arena-1"));
        memory.close();
        Files.write(path(NODE, 1, "memory"), memoryBytes);
        Files.write(path(NODE, 1, "arena-1"), arenaBytes);
        Files.write(path(NODE, 1, "arena-0"), arenaBytes);
    }

    private static Path path(final int node, final int incarnation, final String kind)
    {
        return directory.resolve("node-" + node + "-" + incarnation + "." + kind);
    }
}
