// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;

import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each effect of the proxy, with real datagrams on loopback. */
@Timeout(60)
final class UdpProxyTest
{
    private static final long SEED = 20_261_123;
    private static final int LENGTH = 32;
    private static final int COUNT = 400;
    /** So few wait in a socket's buffer that none is lost there. */
    private static final int BURST_COUNT = 20;
    private static final int PATIENCE_MS = 60_000;

    private DatagramSocket target;
    private DatagramSocket sender;
    private UdpProxy proxy;

    @BeforeEach
    void open() throws IOException
    {
        target = socket();
        sender = socket();
        proxy = new UdpProxy((InetSocketAddress)target.getLocalSocketAddress(), SEED);
    }

    @AfterEach
    void close()
    {
        proxy.close();
        sender.close();
        target.close();
    }

    @Test
    void shouldForwardUnchangedAndBringAnswersToWhoAsked() throws IOException
    {
        try (DatagramSocket other = socket())
        {
            send(sender, payload(1));
            final DatagramPacket first = receive(target);
            send(other, payload(2));
            final DatagramPacket second = receive(target);

            target.send(new DatagramPacket(payload(20), LENGTH, second.getSocketAddress()));
            target.send(new DatagramPacket(payload(10), LENGTH, first.getSocketAddress()));

            assertArrayEquals(payload(1), bytes(first));
            assertArrayEquals(payload(2), bytes(second));
            assertArrayEquals(payload(20), bytes(receive(other)));
            assertArrayEquals(payload(10), bytes(receive(sender)));
            assertEquals(2, proxy.forth(Effect.SENT));
            assertEquals(2, proxy.back(Effect.SENT));
        }
    }

    @Test
    void shouldLoseWhatTheSeedSays() throws IOException
    {
        final LinkFaults faults = new LinkFaults(0.1, 0, 0, 0, 0, 0);
        proxy.faults(faults, LinkFaults.NONE);

        final List<Integer> arrived = numbers(exchange());

        assertEquals(IntStream.range(0, COUNT).filter(number -> !outcome(faults, number).isLost()).boxed().toList(),
            arrived);
        assertEquals(COUNT - arrived.size(), proxy.forth(Effect.LOST));
        assertTrue(proxy.forth(Effect.LOST) > 0);
    }

    @Test
    void shouldDuplicateWhatTheSeedSays() throws IOException
    {
        final LinkFaults faults = new LinkFaults(0, 0.1, 0, 0, 0, 0);
        proxy.faults(faults, LinkFaults.NONE);

        final List<Integer> arrived = numbers(exchange());

        final List<Integer> expected = new ArrayList<>();
        for (int number = 0; number < COUNT; number++)
        {
            expected.add(number);
            if (outcome(faults, number).isDuplicated())
            {
                expected.add(number);
            }
        }
        assertEquals(expected, arrived);
        assertEquals(arrived.size() - COUNT, proxy.forth(Effect.DUPLICATED));
        assertTrue(proxy.forth(Effect.DUPLICATED) > 0);
    }

    @Test
    void shouldReorderAndLoseNothing() throws IOException
    {
        proxy.faults(new LinkFaults(0, 0, 0.2, 0, 0, 0), LinkFaults.NONE);

        final List<Integer> arrived = numbers(exchange());

        final List<Integer> ordered = IntStream.range(0, COUNT).boxed().toList();
        assertNotEquals(ordered, arrived);
        assertEquals(ordered, arrived.stream().sorted().toList());
        assertTrue(proxy.forth(Effect.REORDERED) > 0);
    }

    @Test
    void shouldFlipTheBitThatTheSeedSays() throws IOException
    {
        final LinkFaults faults = new LinkFaults(0, 0, 0, 0.1, 0, 0);
        proxy.faults(faults, LinkFaults.NONE);

        final List<byte[]> arrived = exchange();

        int flippedCount = 0;
        for (int number = 0; number < COUNT; number++)
        {
            final byte[] expected = payload(number);
            final int bit = outcome(faults, number).flippedBit();
            if (bit >= 0)
            {
                flippedCount++;
                expected[bit / Byte.SIZE] ^= (byte)(1 << bit % Byte.SIZE);
            }
            assertArrayEquals(expected, arrived.get(number), "number=" + number);
        }
        assertEquals(flippedCount, proxy.forth(Effect.CORRUPTED));
        assertTrue(flippedCount > 0);
    }

    @Test
    void shouldHoldEachDatagramForItsDelay() throws IOException
    {
        final long delayNs = TimeUnit.MILLISECONDS.toNanos(50);
        proxy.faults(LinkFaults.NONE, new LinkFaults(0, 0, 0, 0, delayNs, 0));
        send(sender, payload(1));
        final DatagramPacket asked = receive(target);

        final long startNs = System.nanoTime();
        target.send(new DatagramPacket(payload(2), LENGTH, asked.getSocketAddress()));
        receive(sender);

        assertTrue(System.nanoTime() - startNs >= delayNs);
    }

    @Test
    void shouldLetNoMoreThroughThanTheBandwidth() throws IOException
    {
        final int length = 5_000;
        proxy.faults(new LinkFaults(0, 0, 0, 0, 0, 1_000_000), LinkFaults.NONE);

        final long startNs = System.nanoTime();
        for (int number = 0; number < BURST_COUNT; number++)
        {
            send(sender, new byte[length]);
        }
        for (int number = 0; number < BURST_COUNT; number++)
        {
            assertEquals(length, receive(target).getLength());
        }

        assertTrue(System.nanoTime() - startNs >= TimeUnit.MILLISECONDS.toNanos(100));
    }

    @Test
    void shouldDropWhatFindsNoRoom()
    {
        final EffectCounts counts = new EffectCounts();
        final FaultyLink link = new FaultyLink(SEED, counts);
        final LinkFaults slow = new LinkFaults(0, 0, 0, 0, 0, 1);
        final int length = FaultyLink.QUEUE_LENGTH_MAX / 4;

        IntStream.range(0, 6).forEach(number -> link.offer(new byte[length], slow, 0));

        assertEquals(2, counts.of(Effect.DROPPED));
        final long dueNs = TimeUnit.SECONDS.toNanos(length);
        assertNull(link.poll(slow, dueNs - 1));
        assertEquals(dueNs, link.nextNs());
        assertEquals(length, link.poll(slow, dueNs).remaining());
        link.offer(new byte[length], slow, dueNs);
        assertEquals(2, counts.of(Effect.DROPPED));
    }

    @Test
    void shouldCutAndHealOneDirection() throws IOException
    {
        send(sender, payload(1));
        final DatagramPacket first = receive(target);
        proxy.faults(LinkFaults.CUT, LinkFaults.NONE);

        send(sender, payload(2));
        target.send(new DatagramPacket(payload(3), LENGTH, first.getSocketAddress()));
        assertArrayEquals(payload(3), bytes(receive(sender)));
        awaitReceived(2);
        proxy.faults(LinkFaults.NONE, LinkFaults.NONE);
        send(sender, payload(4));

        assertArrayEquals(payload(4), bytes(receive(target)));
        assertEquals(1, proxy.forth(Effect.LOST));
    }

    @Test
    void shouldRefuseWhatIsNoFault()
    {
        assertEquals("loss=1.5 is not a share of 0 to 1", assertThrows(IllegalArgumentException.class, () ->
            new LinkFaults(1.5, 0, 0, 0, 0, 0)).getMessage());
        assertEquals("delayNs=-1 is negative", assertThrows(IllegalArgumentException.class, () ->
            new LinkFaults(0, 0, 0, 0, -1, 0)).getMessage());
    }

    /** Sends all numbered datagrams, in bursts that find room; hands back what arrived, in this order. */
    private List<byte[]> exchange() throws IOException
    {
        final List<byte[]> arrived = new ArrayList<>();
        for (int number = 0; number < COUNT; number++)
        {
            send(sender, payload(number));
            if (number % BURST_COUNT == BURST_COUNT - 1)
            {
                awaitReceived(number + 1);
                drain(arrived, () -> proxy.forth(Effect.SENT));
            }
        }
        drain(arrived, () -> COUNT + proxy.forth(Effect.DUPLICATED) - proxy.forth(Effect.LOST));
        return arrived;
    }

    private void drain(final List<byte[]> arrived, final LongSupplier expectedCount) throws IOException
    {
        while (arrived.size() < expectedCount.getAsLong())
        {
            arrived.add(bytes(receive(target)));
        }
    }

    private void awaitReceived(final long count)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(PATIENCE_MS);
        while (proxy.forth(Effect.RECEIVED) < count)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "received=" + proxy.forth(Effect.RECEIVED));
            Uninterrupted.park(100_000);
        }
    }

    private static Outcome outcome(final LinkFaults faults, final int number)
    {
        return Outcome.of(faults, SEED, number, LENGTH);
    }

    private static List<Integer> numbers(final List<byte[]> datagrams)
    {
        return datagrams.stream().map(bytes -> ByteBuffer.wrap(bytes).getInt()).toList();
    }

    private static byte[] payload(final int number)
    {
        final byte[] bytes = new byte[LENGTH];
        for (int i = 0; i < LENGTH; i++)
        {
            bytes[i] = (byte)(number * 31 + i | 1);
        }
        ByteBuffer.wrap(bytes).putInt(number);
        return bytes;
    }

    private void send(final DatagramSocket from, final byte[] bytes) throws IOException
    {
        from.send(new DatagramPacket(bytes, bytes.length, proxy.address()));
    }

    private static DatagramPacket receive(final DatagramSocket socket) throws IOException
    {
        final DatagramPacket packet = new DatagramPacket(new byte[65_535], 65_535);
        try
        {
            socket.receive(packet);
        }
        catch (final SocketTimeoutException ex)
        {
            throw new IOException("nothing came within " + PATIENCE_MS + " ms", ex);
        }
        return packet;
    }

    private static byte[] bytes(final DatagramPacket packet)
    {
        return Arrays.copyOf(packet.getData(), packet.getLength());
    }

    private static DatagramSocket socket() throws IOException
    {
        final DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress());
        socket.setSoTimeout(PATIENCE_MS);
        return socket;
    }
}
