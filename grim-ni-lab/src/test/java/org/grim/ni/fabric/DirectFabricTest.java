// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.Arrays;
import java.util.SplittableRandom;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class DirectFabricTest
{
    private final AtomicBuffer source = Buffers.allocate(1024);

    @Test
    void shouldShowAPacketWhileItIsFed()
    {
        final DirectFabric fabric = new DirectFabric(2, 2, 1024);
        final Wire sender = fabric.wire(0);
        final Wire receiver = fabric.wire(1);
        source.putByte(50, (byte)7);

        sender.begin(1, 100);
        sender.feed(source, 0, 47);
        assertFalse(receiver.hasPacket());
        sender.feed(source, 47, 1);

        assertTrue(receiver.hasPacket());
        assertEquals(48, receiver.arrivedLength());
        assertEquals(100, receiver.length());
        assertFalse(sender.isIdle());
        sender.feed(source, 48, 52);
        assertTrue(sender.isIdle());
        assertEquals(100, receiver.arrivedLength());
        assertEquals(7, receiver.buffer().getByte(receiver.offset() + 50));
        assertFalse(receiver.isLossy());
    }

    @Test
    void shouldShowAShortPacketOnceItIsWhole()
    {
        final DirectFabric fabric = new DirectFabric(1, 1, 64);
        final Wire wire = fabric.wire(0);

        wire.begin(0, 8);
        wire.feed(source, 0, 7);
        assertFalse(wire.hasPacket());
        wire.feed(source, 7, 1);

        assertTrue(wire.hasPacket());
        assertFalse(wire.isCut());
    }

    @Test
    void shouldPushBackWhileTheDestinationIsFullAndKeepTheOrder()
    {
        final DirectFabric fabric = new DirectFabric(3, 1, 64);
        send(fabric.wire(0), 2, 1);
        assertTrue(fabric.wire(0).isIdle());
        send(fabric.wire(0), 2, 2);
        send(fabric.wire(1), 2, 3);

        assertFalse(fabric.wire(0).isIdle());
        assertFalse(fabric.wire(1).isIdle());
        assertThrows(IllegalStateException.class, () -> fabric.wire(0).begin(1, 8));
        assertEquals(1, take(fabric.wire(2)));
        assertTrue(fabric.wire(0).isIdle());
        assertFalse(fabric.wire(1).isIdle());
        assertEquals(2, take(fabric.wire(2)));
        assertEquals(3, take(fabric.wire(2)));
        assertFalse(fabric.wire(2).hasPacket());
        assertTrue(fabric.wire(1).isIdle());
    }

    @Test
    void shouldShowAnAbortedPacketAsCut()
    {
        final DirectFabric fabric = new DirectFabric(2, 1, 64);
        fabric.wire(0).begin(1, 60);
        fabric.wire(0).feed(source, 0, 10);

        fabric.wire(0).abort();

        assertTrue(fabric.wire(0).isIdle());
        assertTrue(fabric.wire(1).hasPacket());
        assertTrue(fabric.wire(1).isCut());
        assertEquals(10, fabric.wire(1).arrivedLength());
    }

    @Test
    void shouldSwallowTheRestOfAPacketThatWasReleasedEarly()
    {
        final DirectFabric fabric = new DirectFabric(2, 1, 64);
        for (int i = 0; i < 10; i++)
        {
            fabric.wire(0).begin(1, 60);
            fabric.wire(0).feed(source, 0, 48);
            fabric.wire(1).release();
            send(fabric.wire(1), 1, i);
            fabric.wire(0).feed(source, 48, 12);

            assertTrue(fabric.wire(0).isIdle());
            assertEquals(i, take(fabric.wire(1)));
            assertFalse(fabric.wire(1).hasPacket());
        }
    }

    @Test
    void shouldRefuseWhatItCannotCarry()
    {
        final Wire wire = new DirectFabric(1, 1, 64).wire(0);

        assertThrows(IllegalArgumentException.class, () -> wire.begin(0, 65));
        assertThrows(IllegalArgumentException.class, () -> wire.begin(1, 8));
        assertThrows(IllegalStateException.class, () -> wire.feed(source, 0, 1));
        assertThrows(IllegalStateException.class, wire::abort);
        assertThrows(IllegalStateException.class, wire::release);
        assertTrue(wire.isIdle());
    }

    @Test
    void shouldLoseAndOvertakeNothingUnderRandomTraffic()
    {
        final int niCount = 4;
        final SplittableRandom random = new SplittableRandom(3);
        final DirectFabric fabric = new DirectFabric(niCount, 2, 64);
        final int[][] sent = new int[niCount][niCount];
        final int[][] taken = new int[niCount][niCount];
        for (int step = 0; step < 100_000; step++)
        {
            final int ni = random.nextInt(niCount);
            final Wire wire = fabric.wire(ni);
            final int peer = random.nextInt(niCount);
            if (random.nextBoolean() && wire.isIdle())
            {
                source.putByte(4, (byte)ni);
                send(wire, peer, sent[ni][peer]++);
            }
            else if (wire.hasPacket())
            {
                final int from = wire.buffer().getByte(wire.offset() + 4);
                assertEquals(taken[from][ni]++, take(wire));
            }
        }
        for (int round = 0; round < 100; round++)
        {
            final Wire wire = fabric.wire(round % niCount);
            while (wire.hasPacket())
            {
                taken[wire.buffer().getByte(wire.offset() + 4)][round % niCount]++;
                wire.release();
            }
        }
        assertTrue(sent[1][2] > 100);
        assertEquals(Arrays.deepToString(sent), Arrays.deepToString(taken));
    }

    @Test
    void shouldAllocateNothingPerPacket()
    {
        final DirectFabric fabric = new DirectFabric(2, 1, 1024);

        final long allocated = Allocation.of(() ->
        {
            for (int i = 0; i < 20_000; i++)
            {
                send(fabric.wire(0), 1, i);
                send(fabric.wire(0), 1, i);
                take(fabric.wire(1));
                take(fabric.wire(1));
            }
        });

        assertEquals(0, allocated);
    }

    private void send(final Wire wire, final int destination, final int number)
    {
        source.putInt(0, number);
        wire.begin(destination, 8);
        wire.feed(source, 0, 8);
    }

    private static int take(final Wire wire)
    {
        assertTrue(wire.hasPacket());
        final int number = wire.buffer().getInt(wire.offset());
        wire.release();
        return number;
    }
}
