// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.buffer.OwnFiles;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.MemoryRegion.Rights.READ;
import static org.grim.MemoryRegion.Rights.READ_WRITE;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class ForeignMemoryTest
{
    private static final int PAGE = 4_096;

    private final Grim grim = Grim.enable(GrimConfig.builder().transports("null")
        .set("grim.memory.length-max", "64KiB").set("grim.memory.arena-length", "8KiB").build());
    private final RemoteMemory memory = grim.endpoint().memory();
    private final AtomicBuffer payload = Buffers.allocate(PAGE);

    @AfterEach
    void leave()
    {
        grim.close();
    }

    @Test
    void shouldReachMemoryOfThisProcessAsItIs()
    {
        final AtomicBuffer frames = Buffers.allocate(3 * PAGE, 8);
        frames.putInt(PAGE, 4711);

        final MemoryRegion region = memory.register(frames, READ_WRITE);
        final RemoteRegion remote = region.remote();
        final RemoteLink link = memory.link(remote);
        payload.putLong(0, 77);
        final SendStatus status = link.write(remote, 3 * PAGE - 8, payload, 0, 8);

        assertEquals(4711, region.buffer().getInt(PAGE));
        assertEquals(SendStatus.SENT, status);
        assertEquals(77, frames.getLong(3 * PAGE - 8));
        region.close();
        assertEquals(4711, frames.getInt(PAGE));
        assertEquals(0, region.buffer().capacity());
    }

    @Test
    void shouldNeverGiveForeignPagesToOtherRegions()
    {
        final AtomicBuffer frames = Buffers.allocate(2 * PAGE, 8);
        frames.setMemory(0, frames.capacity(), (byte)1);

        memory.register(frames, READ).close();
        for (int i = 0; i < 6; i++)
        {
            memory.register(2 * PAGE).buffer().setMemory(0, 2 * PAGE, (byte)2);
        }

        for (int i = 0; i < frames.capacity(); i++)
        {
            assertEquals(1, frames.getByte(i));
        }
    }

    @Test
    void shouldRefuseWhatIsNoWholePagesOrLiesInTheHeap(@TempDir final Path directory) throws IOException
    {
        final Path file = directory.resolve("frames");
        OwnFiles.makeFile(file);
        Files.write(file, new byte[PAGE]);

        assertThrows(IllegalArgumentException.class, () -> memory.register(Buffers.allocate(PAGE - 8, 8), READ));
        assertThrows(IllegalArgumentException.class, () -> memory.register(Buffers.wrap(new byte[PAGE]), READ));
        assertThrows(IllegalArgumentException.class, () -> memory.register(file, 8, PAGE, READ));
        assertThrows(IllegalArgumentException.class, () -> memory.register(file, 0, 0, READ));
        assertThrows(GrimException.class, () -> memory.register(file, 0, 2 * PAGE, READ));
        assertThrows(GrimException.class, () -> memory.register(directory.resolve("none"), 0, PAGE, READ));
        assertEquals(GrimException.Reason.NO_ROOM, assertThrows(GrimException.class,
            () -> memory.register(Buffers.allocate(17 * PAGE, 8), READ)).reason());
        assertFalse(memory.register(file, 0, PAGE, READ).remote().isPhysical());
        assertEquals(PAGE, Files.size(file));
    }
}
