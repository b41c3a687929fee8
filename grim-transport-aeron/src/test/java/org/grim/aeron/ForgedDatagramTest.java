// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.agrona.BitUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.faults.UdpProxy;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Hops with forged datagrams in their name. */
@ExtendWith(ProxiedAeronProvider.Networks.class)
@Timeout(180)
final class ForgedDatagramTest
{
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int COUNT = 100;
    private static final int FIRST = 0x5EED;
    private static final int TERM_OFFSET_OFFSET = 8;
    private static final int TYPE_OFFSET = 6;
    private static final int SESSION_OFFSET = 12;
    private static final int SETUP_LENGTH = 40;
    private static final int SETUP_TYPE = 5;
    private static final int SESSION_COUNT = 2;
    private static final String SILENCE = "2s";
    private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(2);
    private static final int HEADER_LENGTH = 32;
    private static final int ALIGNMENT = 32;
    private static final int ARGUMENT_OFFSET = 16;
    private static final int MESSAGE_LENGTH = 64;

    private final List<Integer> received = new ArrayList<>();
    private final List<byte[]> seen = new ArrayList<>();
    @TempDir
    private Path directory;
    private Grim sender;
    private Grim receiver;
    private HandlerId take;
    private UdpProxy proxy;
    private long lostCount;

    private void open(final String silenceTimeout)
    {
        receiver = join("receiver", silenceTimeout);
        sender = join("sender", silenceTimeout);
        receiver.handlers().register("take", message -> received.add(message.argument(0)));
        sender.endpoint().onNodeGone(new Endpoint.NodeGoneListener()
        {
            @Override
            public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
            {
                throw new AssertionError(node);
            }

            @Override
            public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
            {
                lostCount += undelivered + unknown;
            }
        });
        await(() -> sender.handlers().tryResolve("take") != null);
        take = sender.handlers().tryResolve("take");
        proxy = ProxiedAeronProvider.proxyOf(receiver.node().number());
        proxy.tap(bytes ->
        {
            synchronized (seen)
            {
                seen.add(bytes);
            }
        });
    }

    @AfterEach
    void close()
    {
        sender.close();
        receiver.close();
    }

    @Test
    void shouldLoseAHopWithAGapThatNobodyFillsAndMakeItAnew() throws IOException
    {
        open(SILENCE);
        sendAlone();

        loseTheHop();
        received.remove((Integer)FIRST);            // Without a key what was forged may arrive, and is counted.

        final int missingCount = COUNT - received.size();
        assertTrue(0 < missingCount && missingCount <= lostCount + 1,
            () -> "missing=" + missingCount + " lost=" + lostCount);
        assertEquals(received.stream().sorted().distinct().toList(), received);
    }

    @Test
    void shouldNotTakeAFrameWithoutItsEnd() throws IOException
    {
        open("30s");
        sendAlone();

        forge(next(firstDatagram(), 1 << 12));
        for (int i = 1; i < COUNT; i++)
        {
            send(i);
        }
        await(() -> received.size() == COUNT - 1);

        assertEquals(0, lostCount);
        assertEquals(received.stream().sorted().distinct().toList(), received);
    }

    /** The first message may share its datagram with the hello. */
    private void sendAlone()
    {
        send(0);
        await(() -> received.size() == 1);
        send(FIRST);
        await(() -> received.size() == 2);
        received.clear();
    }

    /** A driver does not take the session of a hop that it saw end a second time. */
    @Tag("long")
    @Test
    void shouldMakeAHopAnewWhoseSessionAStrangerHadBefore() throws IOException
    {
        open(SILENCE);
        sendAlone();
        final byte[] setup = firstSetup();
        final UnsafeBuffer frame = new UnsafeBuffer(setup);
        for (int i = 0; i < SESSION_COUNT; i++)
        {
            frame.putInt(SESSION_OFFSET, frame.getInt(SESSION_OFFSET, LITTLE_ENDIAN) + 1, LITTLE_ENDIAN);
            forge(setup);
        }
        final long startNs = System.nanoTime();
        await(() -> System.nanoTime() - startNs > 2 * SILENCE_NS);

        loseTheHop();

        assertEquals(COUNT, received.get(received.size() - 1));
    }

    /** By a gap that nobody fills. Later messages come over a new one. */
    private void loseTheHop() throws IOException
    {
        forge(next(Arrays.copyOf(firstDatagram(), MESSAGE_LENGTH + ALIGNMENT), ALIGNMENT));
        for (int i = 1; i < COUNT; i++)
        {
            send(i);
        }
        await(() -> lostCount > 0);
        send(COUNT);
        await(() -> received.contains(COUNT));
    }

    private byte[] firstSetup()
    {
        synchronized (seen)
        {
            return seen.stream().filter(bytes -> bytes.length == SETUP_LENGTH && bytes[TYPE_OFFSET] == SETUP_TYPE)
                .findFirst().orElseThrow().clone();
        }
    }

    /** A frame that claims to follow another one, with more bytes than it. */
    private static byte[] next(final byte[] datagram, final int moreLength)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(datagram);
        final int length = frame.getInt(0, LITTLE_ENDIAN);
        final int termOffset = frame.getInt(TERM_OFFSET_OFFSET, LITTLE_ENDIAN);
        frame.putInt(TERM_OFFSET_OFFSET, BitUtil.align(termOffset + length, ALIGNMENT), LITTLE_ENDIAN);
        frame.putInt(0, length + moreLength, LITTLE_ENDIAN);
        return datagram;
    }

    /** {@return a copy of the datagram that carried that message} */
    private byte[] firstDatagram()
    {
        synchronized (seen)
        {
            return seen.stream().filter(bytes -> bytes.length >= MESSAGE_LENGTH &&
                new UnsafeBuffer(bytes).getInt(HEADER_LENGTH + ARGUMENT_OFFSET, BIG_ENDIAN) == FIRST)
                .findAny().orElseThrow().clone();
        }
    }

    private void forge(final byte[] datagram) throws IOException
    {
        try (DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress()))
        {
            socket.send(new DatagramPacket(datagram, datagram.length, proxy.target()));
        }
    }

    private void send(final int sequence)
    {
        await(() -> sender.endpoint().link(sender.locate("receiver")).send(take, sequence, 0, 0, 0) ==
            SendStatus.SENT);
    }

    private void await(final BooleanSupplier isSo)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE_NS;
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - deadlineNs < 0,
                () -> "in vain: lost=" + lostCount + " received=" + received);
            receiver.endpoint().poll();
            sender.endpoint().poll();
            Uninterrupted.park(100_000);
        }
    }

    private Grim join(final String name, final String silenceTimeout)
    {
        return Grim.enable(AeronSettings.shortTimes(directory, name).transports(ProxiedAeronProvider.NAME)
            .set("grim.aeron.silence-timeout", silenceTimeout).build());
    }
}
