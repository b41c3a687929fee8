// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

import org.grim.MemoryRegion;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.memory.DirectHopTest.assertHolds;
import static org.grim.memory.DirectHopTest.assertIsZero;
import static org.grim.memory.DirectHopTest.bytes;
import static org.grim.transport.MemoryHop.NO_NOTIFICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Reads, a node's own memory, and memory seen in place. */
final class DirectHopReadTest
{
    @TempDir
    private Path directory;
    private MemoryFixture fixture;

    @BeforeEach
    void open()
    {
        fixture = new MemoryFixture(directory);
    }

    @AfterEach
    void close()
    {
        fixture.close();
    }

    @Test
    void shouldReadAnyLengthIntoAnyOwnRegion()
    {
        for (final int length : DirectHopTest.LENGTHS)
        {
            final MemoryRegion source = fixture.owner.register(length + 3, MemoryRegion.Rights.READ);
            final MemoryRegion target = fixture.initiator.register(length + 16, MemoryRegion.Rights.READ);
            final byte[] bytes = bytes(length, length);
            source.buffer().putBytes(3, bytes);

            final SendStatus status = fixture.hop.tryRead(source.remote().address() + 3, target.remote().address() + 8,
                length, target.remote().address() + 4, 99, 3);

            assertEquals(SendStatus.SENT, status);
            assertEquals(List.of(), fixture.drain());
            assertEquals(99, target.buffer().getInt(4));
            assertEquals(0, target.buffer().getInt(0));
            assertHolds(target.buffer(), 8, bytes);
            source.close();
            target.close();
        }
    }

    @Test
    void shouldRefuseReadsOfWhatIsNotReadableAndIntoWhatIsNotOurs()
    {
        final MemoryRegion source = fixture.owner.register(100, MemoryRegion.Rights.READ);
        final MemoryRegion secret = fixture.owner.register(100, MemoryRegion.Rights.WRITE);
        final MemoryRegion target = fixture.initiator.register(100, MemoryRegion.Rights.READ_WRITE);
        source.buffer().setMemory(0, 100, (byte)1);
        secret.buffer().setMemory(0, 100, (byte)1);
        final long from = source.remote().address();
        final long to = target.remote().address();

        fixture.hop.tryRead(from, to, 0, 1, 1, 1);
        fixture.hop.tryRead(-3, to, 4, 1, 1, 2);
        fixture.hop.tryRead(from, -3, 4, 0, 1, 3);
        fixture.hop.tryRead(from, to, 4, to + 1, 1, 4);
        fixture.hop.tryRead(secret.remote().address(), to, 4, 0, 1, 5);
        fixture.hop.tryRead(from + 98, to, 4, 0, 1, 6);
        fixture.hop.tryRead(from, to + 97, 4, 0, 1, 7);
        fixture.hop.tryRead(from, to, 4, to + 100, 1, 8);
        source.close();
        fixture.hop.tryRead(from, to, 4, 0, 1, 9);

        assertEquals(List.of("1 0 ZERO_LENGTH", "2 4 WRAP_AROUND", "3 4 WRAP_AROUND", "4 4 MISALIGNED_NOTIFICATION",
            "5 4 NO_RIGHT", "6 4 OUT_OF_RANGE", "7 4 OUT_OF_RANGE", "8 4 NOTIFICATION_OUT_OF_RANGE", "9 4 FREED"),
            fixture.drain());
        assertIsZero(target);
    }

    @Test
    void shouldReachItsOwnMemoryInTheSameWay()
    {
        final MemoryHop loop =
            fixture.ownerPeers.connect(0, MemoryFixture.OWNER, new PathToNode(fixture.ownerNode, MemoryFixture.OWNER));
        final MemoryRegion region = fixture.owner.register(200, MemoryRegion.Rights.READ_WRITE);
        final byte[] bytes = bytes(1, 50);

        loop.tryWrite(false, region.remote().address(), Buffers.wrap(bytes), 0, 50, 0, 0, 0);
        final long address = region.remote().address();
        loop.tryRead(address, address + 100, 50, address + 60, 3, 0);

        assertHolds(region.buffer(), 0, bytes);
        assertHolds(region.buffer(), 100, bytes);
        assertEquals(3, region.buffer().getInt(60));
        loop.closeMemory();
    }

    @Test
    void shouldUnmapAPeerWithItsLastUse() throws IOException
    {
        final MemoryRegion region = fixture.owner.register(200, MemoryRegion.Rights.READ_WRITE);
        fixture.write(false, region.remote().address(), new byte[8], NO_NOTIFICATION, 0);
        final MemoryHop other =
            fixture.peers.connect(1, MemoryFixture.OWNER, new PathToNode(fixture.initiatorNode, MemoryFixture.OWNER));

        final long mappedCount = mappingsOf("node-1-1.arena");
        fixture.hop.closeMemory();
        assertEquals(mappedCount, mappingsOf("node-1-1.arena"));
        other.closeMemory();

        assertEquals(mappedCount - 1, mappingsOf("node-1-1.arena"));
        fixture.owner.close();
        try (Stream<Path> files = Files.list(directory))
        {
            assertEquals(List.of("node-2-1.memory"), files.map(file -> file.getFileName().toString()).toList());
        }
    }

    /** Of this fixture's directory only: what other tests left mapped goes whenever the garbage collector runs. */
    private long mappingsOf(final String name) throws IOException
    {
        final String path = directory.toRealPath().resolve(name).toString();
        try (Stream<String> lines = Files.lines(Path.of("/proc/self/maps")))
        {
            return lines.filter(line -> line.contains(path)).count();
        }
    }
}
