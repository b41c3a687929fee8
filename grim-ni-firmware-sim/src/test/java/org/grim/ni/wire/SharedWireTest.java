// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.transport.TransportContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.ni.wire.Packets.send;
import static org.grim.ni.wire.Packets.take;
import static org.grim.ni.wire.Packets.takeCut;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SharedWireTest
{
    private static final int PACKET_LENGTH_MAX = 200;
    private static final int RING_LENGTH = 1024;

    @TempDir
    Path directory;

    private final List<Integer> gone = new ArrayList<>();
    private WireCluster cluster;
    private SharedWire one;
    private SharedWire two;

    @BeforeEach
    void start()
    {
        cluster = new WireCluster(directory, 4);
        one = wire(1);
        two = wire(2);
    }

    private SharedWire wire(final int node)
    {
        return wire(cluster.start(node));
    }

    private static SharedWire wire(final TransportContext node)
    {
        return new SharedWire(node, RING_LENGTH, PACKET_LENGTH_MAX, UnaryOperator.identity());
    }

    @Test
    void shouldCarryPacketsOfEveryLengthRoundTheRing()
    {
        for (int start = -2_048; start <= 0; start += 8)
        {
            cluster = new WireCluster(directory, 4);
            cluster.firstPosition = start;
            one = wire(1);
            two = wire(2);
            send(one, 2, start, 1 - start / 12);
            two.admit();
            take(two, start, 1 - start / 12);
            one.close();
            two.close();
        }
        start();
        for (int length = 1; length <= PACKET_LENGTH_MAX; length++)
        {
            for (int number = 0; number < 12; number++)
            {
                send(one, 2, number, length);
                two.admit();
                take(two, number, length);
            }
        }
        assertFalse(two.hasPacket());
        assertFalse(one.isLossy());
    }

    @Test
    void shouldShowAPacketWhileItIsFed()
    {
        final AtomicBuffer packet = Packets.of(5, 100);

        one.begin(2, 100);
        two.admit();
        assertFalse(two.hasPacket());
        one.feed(packet, 0, 47);
        assertFalse(two.hasPacket());
        one.feed(packet, 47, 1);

        assertTrue(two.hasPacket());
        assertEquals(48, two.arrivedLength());
        assertEquals(100, two.length());
        assertFalse(one.isIdle());
        one.feed(packet, 48, 52);
        assertTrue(one.isIdle());
        take(two, 5, 100);
    }

    @Test
    void shouldSwallowTheRestOfAPacketThatWasReleasedEarly()
    {
        for (int i = 0; i < 20; i++)
        {
            final AtomicBuffer packet = Packets.of(i, 100);
            one.begin(2, 100);
            one.feed(packet, 0, 48);
            two.admit();
            assertTrue(two.hasPacket());
            two.release();
            assertFalse(two.hasPacket());
            one.feed(packet, 48, 20);
            assertFalse(two.hasPacket());
            one.feed(packet, 68, 32);
            send(one, 2, i, 30);

            take(two, i, 30);
            assertFalse(two.hasPacket());
        }
    }

    @Test
    void shouldShowAnAbortedPacketAsCut()
    {
        for (final int fedLength : new int[]{0, 1, 48, 99})
        {
            one.begin(2, 100);
            one.feed(Packets.of(1, 100), 0, fedLength);
            one.abort();
            two.admit();

            assertTrue(one.isIdle());
            takeCut(two, 1, fedLength);
            assertFalse(two.hasPacket());
        }
    }

    @Test
    void shouldPushBackWhileTheRingIsFullAndKeepTheOrder()
    {
        int sentCount = 0;
        while (one.isIdle())
        {
            send(one, 2, sentCount++, 100);
        }
        assertEquals(10, sentCount);
        assertThrows(IllegalStateException.class, () -> one.begin(3, 8));
        two.admit();
        for (int i = 0; i < sentCount; i++)
        {
            take(two, i, 100);
            assertTrue(one.isIdle());
        }
        assertFalse(two.hasPacket());
    }

    @Test
    void shouldMoveAPacketOnWhileItIsFedOrCut()
    {
        for (int i = 0; i < 9; i++)
        {
            send(one, 2, i, 100);
        }
        final AtomicBuffer packet = Packets.of(9, 100);
        one.begin(2, 100);
        one.feed(packet, 0, 50);
        two.admit();
        take(two, 0, 100);
        assertFalse(one.isIdle());
        one.feed(packet, 50, 10);
        one.abort();
        one.begin(2, 100);
        one.feed(packet, 0, 70);
        one.abort();
        assertFalse(one.isIdle());
        for (int i = 1; i < 9; i++)
        {
            take(two, i, 100);
        }
        takeCut(two, 9, 60);
        assertTrue(one.isIdle());
        takeCut(two, 9, 70);
    }

    @Test
    void shouldTakeAPacketOfEachSenderInTurn()
    {
        final SharedWire three = wire(3);
        for (int i = 0; i < 4; i++)
        {
            send(one, 2, 10 + i, 20);
            send(three, 2, 30 + i, 20);
        }
        two.admit();

        for (int i = 0; i < 4; i++)
        {
            take(two, 10 + i, 20);
            take(two, 30 + i, 20);
        }
    }

    @Test
    void shouldCarryPacketsOfTheNiToItself()
    {
        send(one, 1, 7, 60);
        send(one, 1, 8, 3);

        take(one, 7, 60);
        take(one, 8, 3);
        while (one.isIdle())
        {
            send(one, 1, 9, 100);
        }
        take(one, 9, 100);
        assertTrue(one.isIdle());
    }

    @Test
    void shouldRingASleeperOnce()
    {
        send(one, 2, 1, 10);
        two.admit();
        two.asleep(5);
        send(one, 2, 2, 10);
        send(one, 2, 3, 10);
        assertEquals(List.of("2-1.5"), cluster.rings);
        two.asleep(6);
        two.asleep(-1);
        send(one, 2, 4, 10);
        two.asleep(7);
        final SharedWire three = wire(3);
        three.begin(2, 10);

        assertEquals(List.of("2-1.5", "2-1.7"), cluster.rings);
    }

    @Test
    void shouldShowWorkInItsWords()
    {
        assertEquals(1, two.wordCount());
        assertFalse(isWorking(two));
        one.begin(2, 100);
        assertTrue(isWorking(two));
        final int version = two.wordVersion();
        two.admit();
        assertNotEquals(version, two.wordVersion());
        assertEquals(2, two.wordCount());
        assertFalse(isWorking(two));
        one.feed(Packets.of(1, 100), 0, 10);
        assertTrue(isWorking(two));
        assertFalse(two.hasPacket());
        assertFalse(isWorking(two));
        one.feed(Packets.of(1, 100), 10, 90);
        assertTrue(isWorking(two));
        assertTrue(two.hasPacket());
        assertTrue(isWorking(two));
        send(one, 2, 2, 10);
        send(one, 2, 3, 10);
        two.release();
        assertTrue(isWorking(two));
        take(two, 2, 10);
        assertTrue(isWorking(two));
        take(two, 3, 10);
        assertFalse(isWorking(two));
    }

    private static boolean isWorking(final SharedWire wire)
    {
        for (int i = 0; i < wire.wordCount(); i++)
        {
            if (Buffers.intVolatile(wire.wordAddress(i)) != wire.wordIdle(i))
            {
                return true;
            }
        }
        return false;
    }

    @Test
    void shouldCoverByAMarkWhatStoodThere()
    {
        final int empty = two.mark();
        assertTrue(two.isReadPast(empty));
        send(one, 2, 1, 10);
        final int first = two.mark();
        send(one, 2, 2, 10);
        final int second = two.mark();
        send(one, 2, 3, 10);

        assertFalse(two.isReadPast(first));
        take(two, 1, 10);
        assertTrue(two.isReadPast(first));
        assertFalse(two.isReadPast(second));
        take(two, 2, 10);
        take(two, 3, 10);
        assertTrue(two.isReadPast(second));
        assertTrue(two.isReadPast(first));
        assertTrue(two.isReadPast(two.mark()));
    }

    @Test
    void shouldCheckWhatItIsGiven()
    {
        assertThrows(IllegalArgumentException.class, () -> new SharedWire(cluster.start(3), 100_000));
        assertThrows(IllegalArgumentException.class, () -> new SharedWire(cluster.start(3), 1 << 18));
        assertThrows(IllegalArgumentException.class, () -> one.begin(2, PACKET_LENGTH_MAX + 1));
        assertThrows(IllegalStateException.class, one::abort);
        assertThrows(IllegalStateException.class, () -> one.feed(Packets.of(1, 1), 0, 1));
        assertThrows(IllegalStateException.class, one::release);
        one.begin(2, 10);
        assertThrows(IllegalStateException.class, () -> one.feed(Packets.of(1, 11), 0, 11));
    }

    @Test
    void shouldSwallowAndTellWhatIsSentToNobody()
    {
        send(one, 3, 1, 10);
        send(one, 3, 2, 10);
        send(one, 4_000, 2, 10);
        one.begin(3, 10);
        one.abort();

        assertTrue(one.isIdle());
        assertEquals(4, one.faultCount(WireFault.UNREACHABLE));
        one.housekeep(gone::add);
        assertEquals(List.of(3), gone);
        one.housekeep(gone::add);
        assertEquals(List.of(3), gone);
    }

    @Test
    void shouldTryAgainAfterHousekeepingIfThePeerHadNoWire()
    {
        cluster.start(3);
        send(one, 3, 1, 10);
        send(one, 3, 1, 10);
        assertEquals(2, one.faultCount(WireFault.NO_RING));
        assertNotNull(one.lastFailure());
        one.housekeep(gone::add);
        final SharedWire three = wire(3);
        send(one, 3, 2, 10);
        one.housekeep(gone::add);
        send(one, 3, 3, 10);

        three.admit();
        take(three, 3, 10);
        assertEquals(List.of(3, 3), gone);
    }

    @Test
    void shouldReadWhatADeadSenderLeftAndThenTell()
    {
        send(one, 2, 1, 10);
        one.begin(2, 100);
        one.feed(Packets.of(2, 100), 0, 60);
        final Path ring = cluster.file(2, 1, "wire-1-1");
        cluster.kill(1);
        assertTrue(Files.exists(ring));
        two.housekeep(gone::add);
        two.housekeep(gone::add);

        take(two, 1, 10);
        assertEquals(List.of(), gone);
        takeCut(two, 2, 60);
        two.housekeep(gone::add);
        assertEquals(List.of(1), gone);
        assertFalse(Files.exists(ring));
        assertEquals(1, two.wordCount());
        assertFalse(two.hasPacket());
    }

    @Test
    void shouldListenToTheNextIncarnationAfterTheLast()
    {
        send(one, 2, 1, 10);
        two.admit();
        send(two, 1, 7, 10);
        cluster.kill(1);
        final SharedWire next = wire(1);
        send(next, 2, 2, 10);
        final int mark = two.mark();
        two.housekeep(gone::add);

        assertFalse(two.isReadPast(mark));
        take(two, 1, 10);
        assertFalse(two.hasPacket());
        send(two, 1, 8, 10);
        assertEquals(1, two.faultCount(WireFault.UNREACHABLE));
        assertFalse(two.isReadPast(mark));
        two.housekeep(gone::add);
        assertEquals(List.of(1), gone);
        take(two, 2, 10);
        assertTrue(two.isReadPast(mark));
        send(two, 1, 9, 10);
        next.admit();
        take(next, 9, 10);
        two.housekeep(gone::add);
        assertEquals(List.of(1), gone);
    }

    @Test
    void shouldForgetADeadReceiverWhateverWaitsForIt()
    {
        while (one.isIdle())
        {
            send(one, 2, 1, 100);
        }
        cluster.kill(2);
        one.housekeep(gone::add);

        assertTrue(one.isIdle());
        assertEquals(List.of(2), gone);
        assertEquals(1, one.faultCount(WireFault.UNREACHABLE));
        final SharedWire next = wire(2);
        send(one, 2, 4, 100);
        next.admit();
        take(next, 4, 100);
    }

    /** An earlier loss belongs to no later incarnation: that one's messages would be given up with it. */
    @Test
    void shouldTellWhatWasLostBeforeItTalksWithTheNextIncarnation()
    {
        send(one, 3, 1, 10);
        final SharedWire three = wire(3);
        send(three, 1, 5, 10);

        one.admit();
        assertFalse(one.hasPacket());
        assertFalse(one.isSameIncarnation(3));
        send(one, 3, 2, 10);
        assertEquals(2, one.faultCount(WireFault.UNREACHABLE));
        one.housekeep(gone::add);
        assertEquals(List.of(3), gone);
        take(one, 5, 10);
        assertTrue(one.isSameIncarnation(3));
        send(one, 3, 3, 10);
        three.admit();
        take(three, 3, 10);
        one.housekeep(gone::add);
        assertEquals(List.of(3), gone);
    }

    @Test
    void shouldTellOnceOfALifeThatEndedWhileAPacketWaitedForIt()
    {
        while (one.isIdle())
        {
            send(one, 2, 1, 100);
        }
        cluster.kill(2);
        one.housekeep(gone::add);
        final SharedWire next = wire(2);
        send(next, 1, 4, 100);
        one.admit();
        take(one, 4, 100);

        assertTrue(one.isIdle());
        one.housekeep(gone::add);
        assertEquals(List.of(2), gone);
        assertEquals(1, one.faultCount(WireFault.UNREACHABLE));
    }

    @Test
    void shouldSwallowTheRestForAReceiverThatDiesMeanwhile()
    {
        one.begin(2, 100);
        one.feed(Packets.of(1, 100), 0, 50);
        cluster.status(2, 1, WireCluster.GONE);
        one.housekeep(gone::add);
        one.feed(Packets.of(1, 100), 50, 25);
        assertFalse(one.isIdle());
        one.abort();

        assertTrue(one.isIdle());
        one.housekeep(gone::add);
        assertEquals(2, (int)gone.get(0));
    }

    @Test
    void shouldGoOnWhenAJoiningPeerIsUp()
    {
        cluster.status(2, 1, WireCluster.JOINING);
        send(one, 2, 1, 10);
        cluster.status(2, 1, WireCluster.UP);
        send(one, 2, 2, 10);
        one.housekeep(gone::add);

        two.admit();
        take(two, 1, 10);
        take(two, 2, 10);
        assertEquals(List.of(), gone);
    }

    @Test
    void shouldRefuseForeignFilesAndGoOn() throws IOException
    {
        final WireFile wire = WireFile.open(cluster.file(2, 1, "wire"), UnaryOperator.identity());
        for (int ni = 0; ni < 4; ni++)
        {
            wire.call(ni);
        }
        wire.call(WireFile.NI_COUNT - 1);
        Files.write(cluster.file(2, 1, "wire-1-1"), new byte[300]);
        for (int i = 0; i < 20; i++)
        {
            two.housekeep(gone::add);
        }
        assertEquals(16, two.faultCount(WireFault.BAD_FILE));
        send(one, 2, 1, 10);
        two.admit();

        take(two, 1, 10);
        assertEquals(List.of(), gone);
        wire.close();
    }

    @Test
    void shouldStopACorruptRingAndTellBothSides()
    {
        send(one, 2, 1, 10);
        two.admit();
        take(two, 1, 10);
        final SharedWire three = wire(3);
        send(three, 2, 3, 10);
        while (one.isIdle())
        {
            send(one, 2, 1, 100);
        }
        two.admit();
        final AtomicBuffer ring = two.readerForTest(0).bufferForTest();
        ring.putInt(RingDescriptor.DATA_OFFSET + 24, 12_345);

        take(two, 3, 10);
        assertFalse(two.hasPacket());
        two.housekeep(gone::add);
        assertEquals(1, two.faultCount(WireFault.BAD_LENGTH));
        assertEquals(List.of(1), gone);
        assertTrue(one.isIdle());
        assertEquals(1, one.faultCount(WireFault.STOPPED));
        one.housekeep(gone::add);
        assertEquals(List.of(1, 2), gone);
        send(three, 2, 4, 10);
        take(two, 4, 10);
        send(two, 1, 5, 10);
        assertEquals(1, two.faultCount(WireFault.STOPPED));
    }

    @Test
    void shouldRemoveItsFilesWhenItLeaves() throws IOException
    {
        send(one, 2, 1, 10);
        send(two, 1, 1, 10);
        one.admit();
        two.admit();
        one.begin(2, 100);
        one.close();
        take(two, 1, 10);
        takeCut(two, 0, 0);
        two.close();

        try (var files = Files.list(directory))
        {
            assertEquals(0, files.count());
        }
    }
}
