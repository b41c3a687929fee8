// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.transport.MemoryHop;
import org.grim.transport.PinnedArena;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A node whose memory is a part of a file that a transport made. */
final class PinnedMemoryTest
{
    private static final int FILE_OFFSET = 3 * PAGE_LENGTH;
    private static final int LENGTH = 4 * PAGE_LENGTH;
    private static final MemorySettings SETTINGS = new MemorySettings(64 * PAGE_LENGTH, 8 * PAGE_LENGTH, 8, 4);

    @TempDir
    private Path directory;
    private final MemberNode node = MemberNode.first();
    private final List<String> reported = new ArrayList<>();
    private MappedFile file;
    private NodeMemory memory;
    private boolean hasForgotten = true;
    private boolean isRefusing;

    /** The transport. */
    private final class Arena implements PinnedArena
    {
        @Override
        public AtomicBuffer memory()
        {
            return Buffers.wrap(file.buffer(), FILE_OFFSET, LENGTH);
        }

        @Override
        public String fileKind()
        {
            return "dma";
        }

        @Override
        public long fileOffset()
        {
            return FILE_OFFSET;
        }

        @Override
        public void onRegistered(final long virtualAddress, final long offset, final long length, final int rights)
        {
            if (isRefusing)
            {
                throw new GrimException(BAD_DATA, "no");
            }
            reported.add("registered " + offset + " " + length + " " + rights);
        }

        @Override
        public void onFreeing(final long virtualAddress, final long offset, final long length)
        {
            reported.add("freeing " + offset + " " + length);
        }

        @Override
        public boolean hasForgotten()
        {
            return hasForgotten;
        }
    }

    @BeforeEach
    void open()
    {
        file = MappedFile.create(path(1, 1, "dma"), FILE_OFFSET + LENGTH);
        file.publish();
        memory = NodeMemory.inFiles(SETTINGS, node, this::path, new Arena(), (regions, registered, quarantined) ->
        {
        });
    }

    @AfterEach
    void close()
    {
        memory.close();
        file.closeAndDelete();
    }

    @Test
    void shouldRegisterInThePinnedArenaAlone()
    {
        final MemoryRegion region = memory.register(2 * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        region.buffer().putInt(0, 42);

        assertEquals(42, file.buffer().getInt(FILE_OFFSET));
        assertEquals(List.of("registered 0 8192 3"), reported);
        assertThrows(GrimException.class, () -> memory.register(3 * PAGE_LENGTH, MemoryRegion.Rights.READ));
        assertEquals(3, memory.find(region.remote().address()));
        region.close();
        assertEquals(List.of("registered 0 8192 3", "freeing 0 8192"), reported);
    }

    @Test
    void shouldLetPeersOnTheHostMapThePinnedArena()
    {
        final MemberNode other = node.other(2);
        final NodeMemory own = NodeMemory.inPrivateMemory(SETTINGS, other, null, (regions, registered, quarantined) ->
        {
        });
        try (MemoryPeers peers = new MemoryPeers(own, other, this::path))
        {
            final MemoryHop hop = peers.connect(0, 1, new PathToNode(other, 1));
            final MemoryRegion region = memory.register(PAGE_LENGTH, MemoryRegion.Rights.WRITE);

            hop.tryWrite(true, region.remotePhysical().address() + 8, Buffers.wrap(new byte[]{1, 2, 3}), 0, 3, 0, 0, 0);

            assertEquals(0x030201, file.buffer().getInt(FILE_OFFSET + 8));
        }
        own.close();
    }

    @Test
    void shouldReusePagesWhenTheNetworkInterfaceHasForgottenThem()
    {
        final MemoryRegion region = memory.register(LENGTH, MemoryRegion.Rights.READ_WRITE);
        hasForgotten = false;
        region.close();
        memory.housekeep();
        assertThrows(GrimException.class, () -> memory.register(1, MemoryRegion.Rights.READ));

        hasForgotten = true;

        assertEquals(LENGTH, memory.register(LENGTH, MemoryRegion.Rights.READ).length());
    }

    @Test
    void shouldRegisterNothingThatTheTransportRefuses()
    {
        isRefusing = true;
        assertThrows(GrimException.class, () -> memory.register(LENGTH, MemoryRegion.Rights.READ));

        isRefusing = false;

        assertEquals(LENGTH, memory.register(LENGTH, MemoryRegion.Rights.READ).length());
    }

    private Path path(final int number, final int incarnation, final String kind)
    {
        return directory.resolve("node-" + number + "-" + incarnation + "." + kind);
    }
}
