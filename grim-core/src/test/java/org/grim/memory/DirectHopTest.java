// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.file.Path;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.Payloads;
import org.grim.RemoteRefusal;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.transport.MemoryHop;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;
import static org.grim.transport.MemoryHop.NO_NOTIFICATION;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class DirectHopTest
{
    private static final int PIECE = DirectHop.PIECE_LENGTH_MAX;
    private static final int SLOTS = MemoryFixture.SETTINGS.regionCountMax();
    static final int[] LENGTHS = {1, 3, 4, 7, 8, 9, 31, 32, 33, 95, 4095, 4096, 4097, PIECE - 1, PIECE,
        PIECE + 1, 2 * PIECE + 5};

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

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldWriteAnyLengthWithItsNotificationAndNothingElse(final boolean isPhysical)
    {
        for (final int length : LENGTHS)
        {
            final MemoryRegion region = fixture.owner.register(length + 24, MemoryRegion.Rights.WRITE);
            final byte[] bytes = bytes(length, length);

            final SendStatus status = fixture.write(isPhysical, address(isPhysical, region) + 12, bytes,
                address(isPhysical, region) + 4, 0x1234_5678);

            assertEquals(SendStatus.SENT, status);
            assertEquals(List.of(), fixture.drain());
            final AtomicBuffer buffer = region.buffer();
            assertEquals(0, buffer.getInt(0));
            assertEquals(0x1234_5678, buffer.getInt(4));
            assertEquals(0, buffer.getInt(8));
            assertHolds(buffer, 12, bytes);
            for (int i = 12 + length; i < buffer.capacity(); i++)
            {
                assertEquals(0, buffer.getByte(i));
            }
            region.close();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseWhatIsWrongInForm(final boolean isPhysical)
    {
        final MemoryRegion region = fixture.owner.register(100, MemoryRegion.Rights.READ_WRITE);
        final long address = address(isPhysical, region);

        assertEquals(RemoteRefusal.ZERO_LENGTH, fixture.reasonOf(isPhysical, address, 0, address + 1));
        assertEquals(RemoteRefusal.WRAP_AROUND, fixture.reasonOf(isPhysical, -4, 5, address + 1));
        assertEquals(RemoteRefusal.MISALIGNED_NOTIFICATION, fixture.reasonOf(isPhysical, -4, 4, address + 2));
        assertEquals(RemoteRefusal.OUT_OF_RANGE, fixture.reasonOf(isPhysical, -4, 4, address + 4));
        assertEquals(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE,
            fixture.reasonOf(isPhysical, address, 4, address + 8 * PAGE_LENGTH));
        assertEquals(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE, fixture.reasonOf(isPhysical, address, 4, -4));
        assertIsZero(region);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseWhatIsNotRegisteredOrNotGranted(final boolean isPhysical)
    {
        final MemoryRegion region = fixture.owner.register(PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        final MemoryRegion readable = fixture.owner.register(PAGE_LENGTH, MemoryRegion.Rights.READ);
        final long address = address(isPhysical, region);

        assertEquals(RemoteRefusal.OUT_OF_RANGE,
            fixture.reasonOf(isPhysical, address + PAGE_LENGTH - 1, 2, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.OUT_OF_RANGE, fixture.reasonOf(isPhysical, 8, 8, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.OUT_OF_RANGE, fixture.reasonOf(isPhysical, -1, 1, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.NO_RIGHT,
            fixture.reasonOf(isPhysical, address(isPhysical, readable), 4, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE,
            fixture.reasonOf(isPhysical, address, 4, address(isPhysical, readable)));
        assertNull(fixture.reasonOf(isPhysical, address + PAGE_LENGTH - 4, 4, NO_NOTIFICATION));
        assertEquals(-1, region.buffer().getInt(PAGE_LENGTH - 4));
        region.buffer().putInt(PAGE_LENGTH - 4, 0);
        assertIsZero(region);
        assertIsZero(readable);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldRefuseAFreedRegionAlsoWhenItsPagesAreAnothers(final boolean isPhysical)
    {
        final MemoryRegion first = fixture.owner.register(2 * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        final long address = address(isPhysical, first);
        assertNull(fixture.reasonOf(isPhysical, address + 10, 10, NO_NOTIFICATION));

        first.close();
        assertEquals(RemoteRefusal.FREED, fixture.reasonOf(isPhysical, address + 10, 10, NO_NOTIFICATION));
        final MemoryRegion second = fixture.owner.register(2 * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);

        assertEquals(MemoryAddress.offset(address(true, first)), MemoryAddress.offset(address(true, second)));
        assertEquals(RemoteRefusal.FREED, fixture.reasonOf(isPhysical, address + 10, 10, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.NOTIFICATION_OUT_OF_RANGE,
            fixture.reasonOf(isPhysical, address(isPhysical, second), 10, address));
        assertIsZero(second);
    }

    @Test
    void shouldTellTheEndOfARegionFromAFreedOne()
    {
        final MemoryRegion first = fixture.owner.register(100, MemoryRegion.Rights.READ_WRITE);
        final MemoryRegion second = fixture.owner.register(100, MemoryRegion.Rights.READ_WRITE);
        second.close();

        assertEquals(RemoteRefusal.OUT_OF_RANGE,
            fixture.reasonOf(false, first.remote().address() + 100, 1, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.OUT_OF_RANGE,
            fixture.reasonOf(false, first.remote().address() + 2 * PAGE_LENGTH - 1, 1, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.FREED, fixture.reasonOf(false, second.remote().address(), 1, NO_NOTIFICATION));
        assertEquals(RemoteRefusal.OUT_OF_RANGE,
            fixture.reasonOf(false, second.remote().address() + 2 * PAGE_LENGTH, 1, NO_NOTIFICATION));
    }

    @Test
    void shouldFindEachOfManyRegionsInManyArenas()
    {
        final MemoryRegion[] regions = new MemoryRegion[SLOTS];
        for (int round = 0; round < 3; round++)
        {
            for (int i = 0; i < SLOTS; i++)
            {
                regions[i] = fixture.owner.register(30 * PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
            }
            for (int i = 0; i < SLOTS; i++)
            {
                final int which = i * 7 % SLOTS;
                final byte[] bytes = bytes(which + round, 50);
                fixture.write(false, regions[which].remote().address() + 10, bytes, regions[0].remote().address(), i);
                assertHolds(regions[which].buffer(), 10, bytes);
                fixture.write(true, regions[which].remotePhysical().address() + 100, bytes,
                    regions[0].remotePhysical().address(), -i);
                assertHolds(regions[which].buffer(), 100, bytes);
                assertEquals(-i, regions[0].buffer().getInt(0));
            }
            for (final MemoryRegion region : regions)
            {
                region.close();
            }
        }
        assertEquals(List.of(), fixture.drain());
        assertTrue(fixture.owner.directory().arenaCount() > 10);
    }

    @Test
    void shouldRefuseARegionThatItsOwnerDescribesWithoutSense()
    {
        final MemoryRegion region = fixture.owner.register(PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        final long address = region.remote().address();
        final MemoryDirectory directory = fixture.owner.directory();
        assertNull(fixture.reasonOf(false, address, 1, NO_NOTIFICATION));
        final long[][] senseless = {{Long.MIN_VALUE + address / 2, PAGE_LENGTH, 0}, {address, 0, 0}, {address, -1, 0},
            {address, Long.MAX_VALUE, 0}, {address, PAGE_LENGTH, -PAGE_LENGTH}, {address, PAGE_LENGTH, Long.MIN_VALUE},
            {address, PAGE_LENGTH, 64 * PAGE_LENGTH}, {address, 64 * PAGE_LENGTH, PAGE_LENGTH}, {-1, 1, 0}};

        for (int i = 0; i < senseless.length; i++)
        {
            directory.describeRegion(0, senseless[i][0], senseless[i][1], senseless[i][2], 3);
            directory.publishRegion(0, 100 + i);

            assertNotNull(fixture.reasonOf(false, address, 1, NO_NOTIFICATION), "case " + i);
        }

        directory.describeRegion(0, address, 1, 0, 3);
        directory.publishRegion(0, 200);
        assertNull(fixture.reasonOf(false, address, 1, NO_NOTIFICATION));
    }

    @Test
    void shouldAcceptNoMoreRefusedOperationsThanItCanTellOf()
    {
        final MemoryRegion region = fixture.owner.register(100, MemoryRegion.Rights.READ_WRITE);
        int accepted = 0;
        while (fixture.write(true, 1, new byte[1], NO_NOTIFICATION, 0) == SendStatus.SENT)
        {
            accepted++;
        }

        assertEquals(DirectHop.RefusalRing.CAPACITY, accepted);
        assertEquals(SendStatus.SENT,
            fixture.write(true, region.remotePhysical().address(), new byte[]{5}, NO_NOTIFICATION, 0));
        assertEquals(5, region.buffer().getByte(0));
        assertEquals(accepted, fixture.drain().size());
        assertEquals(SendStatus.SENT, fixture.write(true, 1, new byte[1], NO_NOTIFICATION, 0));
        assertEquals(List.of("7 1 OUT_OF_RANGE"), fixture.drain());
        assertEquals(List.of(), fixture.drain());
    }

    @Test
    void shouldSayThatThePeerIsGone()
    {
        final MemoryRegion region = fixture.owner.register(100, MemoryRegion.Rights.READ_WRITE);
        final MemoryRegion own = fixture.initiator.register(100, MemoryRegion.Rights.READ_WRITE);
        fixture.ownerNode.replace(MemoryFixture.OWNER);

        assertEquals(SendStatus.PEER_GONE, fixture.write(true, region.remotePhysical().address(), new byte[1], 0, 0));
        assertEquals(SendStatus.PEER_GONE,
            fixture.hop.tryRead(region.remote().address(), own.remote().address(), 1, 0, 0, 0));
        assertIsZero(region);
        assertThrows(GrimException.class, fixture::connect);
    }

    @Test
    void shouldThrowForAPayloadOutsideItsSource()
    {
        assertThrows(IndexOutOfBoundsException.class,
            () -> fixture.hop.tryWrite(true, 0, Buffers.wrap(new byte[4]), 1, 4, 0, 0, 0));
    }

    @Test
    void shouldGiveEachInitiatorALineAndTakeItBack()
    {
        final MemoryHop[] hops = {fixture.connect(), fixture.connect(), fixture.connect()};
        final GrimException refusal = assertThrows(GrimException.class, fixture::connect);
        assertTrue(refusal.getMessage().contains("grim.memory.initiators-max=4"), refusal.getMessage());

        hops[1].closeMemory();
        hops[1] = fixture.connect();

        final MemoryRegion region = fixture.owner.register(8, MemoryRegion.Rights.READ_WRITE);
        hops[1].tryWrite(true, region.remotePhysical().address(), Buffers.wrap(new byte[]{1, 2}), 0, 2, 0, 0, 0);
        assertEquals(2, region.buffer().getByte(1));
        for (final MemoryHop hop : hops)
        {
            hop.closeMemory();
        }
    }

    private static long address(final boolean isPhysical, final MemoryRegion region)
    {
        return isPhysical ? region.remotePhysical().address() : region.remote().address();
    }

    static byte[] bytes(final int number, final int length)
    {
        final byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++)
        {
            bytes[i] = Payloads.at(number, i);
        }
        return bytes;
    }

    static void assertHolds(final AtomicBuffer buffer, final int index, final byte[] bytes)
    {
        for (int i = 0; i < bytes.length; i++)
        {
            if (bytes[i] != buffer.getByte(index + i))
            {
                assertEquals(bytes[i], buffer.getByte(index + i), "length=" + bytes.length + " byte=" + i);
            }
        }
    }

    static void assertIsZero(final MemoryRegion region)
    {
        assertHolds(region.buffer(), 0, new byte[(int)region.length()]);
    }
}
