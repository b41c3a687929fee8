// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.Arrays;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Allocation;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.grim.ni.clock.VirtualClock;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

class FabricTest
{
    private static final LinkTiming TIMING = new LinkTiming(100, 1_000_000_000L, 1);       // a byte each nanosecond

    private final VirtualClock clock = new VirtualClock();
    private final AtomicBuffer source = Buffers.allocate(4096);

    @Test
    void shouldShowAPacketByVirtualTime()
    {
        final Fabric fabric = new Fabric(clock, Topology.backToBack(), TIMING);
        final int[] wakes = new int[2];
        fabric.onWake(0, () -> wakes[0]++);
        fabric.onWake(1, () -> wakes[1]++);
        final Wire receiver = fabric.wire(1);

        send(fabric.wire(0), 1, 1048);
        clock.runUntil(147);
        assertFalse(receiver.hasPacket());
        clock.runUntil(148);

        assertTrue(receiver.hasPacket());
        assertEquals(48, receiver.arrivedLength());
        assertEquals(1048, receiver.length());
        clock.runUntil(648);
        assertEquals(548, receiver.arrivedLength());
        assertFalse(fabric.wire(0).isIdle());
        clock.runUntil(1048);
        assertTrue(fabric.wire(0).isIdle());
        clock.runUntil(1148);
        assertEquals(1048, receiver.arrivedLength());
        assertFalse(receiver.isCut());
        assertArrayEquals(new int[]{ 1, 2 }, wakes);
    }

    @Test
    void shouldForwardTheHeadBeforeTheTail()
    {
        final Fabric fabric = new Fabric(clock, Topology.crossbar(2), TIMING);

        send(fabric.wire(0), 1, 1000);
        clock.runUntil(108 + 148);

        assertTrue(fabric.wire(1).hasPacket());
        assertEquals(48, fabric.wire(1).arrivedLength());
        clock.runUntil(1200);
        assertEquals(1000, fabric.wire(1).arrivedLength() + 8, 8);
        clock.runUntil(1208);
        assertEquals(1000, fabric.wire(1).arrivedLength());
    }

    @Test
    void shouldShowTheHeadOnlyWhileTheRestIsNotFed()
    {
        final Fabric fabric = new Fabric(clock, Topology.leafSpine(2, 1, 1), TIMING);
        final Wire sender = fabric.wire(0);
        final Wire receiver = fabric.wire(1);
        sender.begin(1, 200);
        sender.feed(source, 0, 100);
        clock.runUntil(5000);
        assertEquals(48, receiver.arrivedLength());
        assertFalse(sender.isIdle());

        sender.feed(source, 100, 100);
        clock.runUntil(5000 + 399);
        assertTrue(receiver.arrivedLength() < 200);
        clock.runUntil(5000 + 400);

        assertEquals(200, receiver.arrivedLength());
        assertTrue(sender.isIdle());
    }

    @Test
    void shouldShowAnAbortedPacketAsCutOnceItsTailIsThere()
    {
        final Fabric fabric = new Fabric(clock, Topology.crossbar(2), TIMING);
        for (final int fedLength : new int[]{ 0, 10, 60 })
        {
            fabric.wire(0).begin(1, 100);
            fabric.wire(0).feed(source, 0, fedLength);
            fabric.wire(0).abort();
            clock.runUntil(clock.nowNs() + 10_000);

            assertTrue(fabric.wire(1).hasPacket());
            assertTrue(fabric.wire(1).isCut());
            assertEquals(fedLength, fabric.wire(1).arrivedLength());
            fabric.wire(1).release();
            assertTrue(fabric.wire(0).isIdle());
        }
    }

    @Test
    void shouldPushBackUntilTheReceiverTakes()
    {
        final Fabric fabric = new Fabric(clock, Topology.crossbar(2), TIMING);
        int sent = 0;
        for (int i = 0; i < 10; i++)
        {
            if (fabric.wire(0).isIdle())
            {
                send(fabric.wire(0), 1, 100);
                sent++;
            }
            clock.runUntil(clock.nowNs() + 10_000);
        }

        assertEquals(3, sent);              // one at the receiver, one in the switch, one at the sender
        fabric.wire(1).release();
        clock.runUntil(clock.nowNs() + 10_000);
        assertTrue(fabric.wire(0).isIdle());
        assertTrue(fabric.wire(1).hasPacket());
    }

    @Test
    void shouldSwallowTheRestOfAPacketThatWasReleasedEarly()
    {
        final Fabric fabric = new Fabric(clock, Topology.backToBack(), TIMING);
        send(fabric.wire(0), 1, 1000);
        clock.runUntil(200);
        fabric.wire(1).release();
        assertFalse(fabric.wire(1).hasPacket());
        clock.runUntil(1050);
        send(fabric.wire(0), 1, 8);
        clock.runUntil(3000);

        assertTrue(fabric.wire(1).hasPacket());
        assertEquals(8, fabric.wire(1).length());
    }

    @Test
    void shouldKeepOrderAndLoseNothingOnEachTopology()
    {
        final Topology[] topologies =
            { Topology.backToBack(), Topology.crossbar(1), Topology.crossbar(5), Topology.leafSpine(3, 2, 2) };
        for (final Topology topology : topologies)
        {
            for (int packetCount = 1; packetCount <= 2; packetCount++)
            {
                final VirtualClock time = new VirtualClock();
                final Fabric fabric = new Fabric(time, topology, new LinkTiming(100, 1_000_000_000L, packetCount));
                final Traffic traffic = new Traffic(time, fabric, new RandomStream(5), 300, 300);

                traffic.run();

                assertTrue(traffic.isComplete(), topology.niCount() + " NIs");
                assertEquals(0, traffic.disorderCount());
            }
        }
    }

    @Test
    void shouldNotDeadlockWhenTwoFloodEachOtherThroughOneBuffer()
    {
        final Fabric fabric = new Fabric(clock, Topology.leafSpine(2, 1, 1), TIMING);
        final Traffic traffic = new Traffic(clock, fabric, new RandomStream(1), 5000, 1500);

        traffic.run();

        assertTrue(traffic.isComplete());
        assertEquals(10_000, traffic.takenCount());
        assertEquals(0, traffic.disorderCount());
    }

    @Test
    void shouldServeAllInputsOfAnOutput()
    {
        final Fabric fabric = new Fabric(clock, Topology.crossbar(4), TIMING);
        final int[] taken = new int[4];
        for (int i = 1; i < 4; i++)
        {
            final Wire wire = fabric.wire(i);
            final byte name = (byte)i;
            fabric.onWake(i, () ->
            {
                if (wire.isIdle())
                {
                    source.putByte(0, name);
                    send(wire, 0, 64);
                }
            });
            source.putByte(0, name);
            send(wire, 0, 64);
        }
        while (taken[1] + taken[2] + taken[3] < 300 && clock.runNext())
        {
            if (fabric.wire(0).hasPacket())
            {
                taken[fabric.wire(0).buffer().getByte(0)]++;
                fabric.wire(0).release();
            }
        }

        assertEquals(300, Arrays.stream(taken).sum());
        assertTrue(Arrays.stream(taken).skip(1).min().orElse(0) >= 98, Arrays.toString(taken));
    }

    @Test
    void shouldRouteAmong4096Nis()
    {
        final Topology topology = Topology.leafSpine(64, 64, 16);
        final Fabric fabric = new Fabric(clock, topology, TIMING);
        final int[] route = new int[Topology.HOP_COUNT_MAX];

        assertEquals(4, topology.route(0, 4095, route));
        assertEquals(topology.incomingLink(4095), route[3]);
        assertEquals(2, topology.route(7, 8, route));
        send(fabric.wire(17), 4095, 64);
        clock.runUntil(10_000);

        assertTrue(fabric.wire(4095).hasPacket());
        assertThrows(IllegalArgumentException.class, () -> Topology.crossbar(4097));
    }

    @Test
    void shouldAllocateNothingPerPacket()
    {
        final Fabric fabric = new Fabric(clock, Topology.leafSpine(2, 2, 2), TIMING);

        final long allocated = Allocation.of(() ->
        {
            for (int i = 0; i < 5_000; i++)
            {
                send(fabric.wire(0), 3, 64 + i % 1000);
                while (!fabric.wire(0).isIdle() || !fabric.wire(3).hasPacket())
                {
                    clock.runNext();
                }
                fabric.wire(3).release();
            }
        });

        assertEquals(0, allocated);
    }

    private void send(final Wire wire, final int destination, final int length)
    {
        wire.begin(destination, length);
        wire.feed(source, 0, length);
    }
}
