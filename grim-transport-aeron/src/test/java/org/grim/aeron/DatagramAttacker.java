// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.DatagramChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Sends datagrams to all UDP ports of this process, and garbage to TCP ports, as a seed has it: random ones, and what
 * it saw others send, again or changed.
 * <p>Thread: one of its own between {@link #begin} and {@link #end}; {@link #see} any.
 */
final class DatagramAttacker implements AutoCloseable
{
    /** Datagrams per second: of two cores a quarter of one, its receivers' work included. */
    static final int RATE = 25_000;

    private static final int SEEN_COUNT_MAX = 512;
    private static final int LENGTH_MAX = 2_048;
    private static final int BURST_COUNT = 25;
    private static final int CONNECTION_COUNT_MAX = 32;
    private static final int BURSTS_PER_CONNECTION = 100;
    private static final int SETUP_LENGTH = 40;
    private static final int HEADER_LENGTH = 32;
    private static final int[] FIELD_OFFSETS = {0, 4, 6, 8, 12, 16, 20};

    private final Random random;
    private final int[] tcpPorts;
    private final byte[][] seen = new byte[SEEN_COUNT_MAX][];
    private final byte[][] setups = new byte[SEEN_COUNT_MAX / 8][];
    private final Deque<SocketChannel> connections = new ArrayDeque<>();
    private final ByteBuffer datagram = ByteBuffer.allocateDirect(LENGTH_MAX).order(ByteOrder.LITTLE_ENDIAN);
    private final DatagramChannel channel;
    private Thread thread;
    private long seenCount;
    private long setupCount;
    private volatile boolean isEnding;
    private volatile IOException failure;
    long randomCount;
    long repeatedCount;
    long changedCount;
    long unsentCount;
    long connectionCount;

    /** Datagrams that it sends. */
    enum Kind
    {
        /** Random bytes, some behind a good header's beginning; what was seen, again; garbage at TCP ports. */
        STRANGER,
        /** Seen datagrams with changed bits, fields or lengths. */
        EAVESDROPPER
    }

    DatagramAttacker(final long seed, final int... tcpPorts) throws IOException
    {
        random = new Random(seed);
        this.tcpPorts = tcpPorts;
        channel = DatagramChannel.open(StandardProtocolFamily.INET);
        channel.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0)).configureBlocking(false);
    }

    /** Sees a datagram of the good ones. */
    synchronized void see(final byte[] bytes)
    {
        if (bytes.length == SETUP_LENGTH)
        {
            setups[(int)(setupCount++ % setups.length)] = bytes;
        }
        seen[(int)(seenCount++ % seen.length)] = bytes;
    }

    void begin(final Kind kind) throws IOException
    {
        final List<InetSocketAddress> targets = udpPorts();
        isEnding = false;
        thread = new Thread(() -> run(kind, targets), "attacker");
        thread.start();
    }

    void end() throws IOException, InterruptedException
    {
        isEnding = true;
        thread.join();
        if (failure != null)
        {
            throw failure;
        }
    }

    long datagramCount()
    {
        return randomCount + repeatedCount + changedCount;
    }

    @Override
    public void close() throws IOException
    {
        channel.close();
        for (final SocketChannel connection : connections)
        {
            connection.close();
        }
    }

    private void run(final Kind kind, final List<InetSocketAddress> targets)
    {
        final long startNs = System.nanoTime();
        try
        {
            for (long burst = 1; !isEnding; burst++)
            {
                for (int i = 0; i < BURST_COUNT; i++)
                {
                    fill(kind);
                    if (channel.send(datagram, targets.get(random.nextInt(targets.size()))) == 0)
                    {
                        unsentCount++;
                    }
                }
                if (kind == Kind.STRANGER && burst % BURSTS_PER_CONNECTION == 0)
                {
                    connect(tcpPorts[random.nextInt(tcpPorts.length)]);
                }
                final long aheadNs = burst * BURST_COUNT * 1_000_000_000L / RATE - (System.nanoTime() - startNs);
                if (aheadNs > 0)
                {
                    LockSupport.parkNanos(aheadNs);
                }
            }
        }
        catch (final IOException ex)
        {
            failure = ex;
        }
    }

    private void fill(final Kind kind)
    {
        final byte[] one = kind == Kind.STRANGER && random.nextInt(3) > 0 ? null : choose();
        datagram.clear();
        if (one == null)
        {
            randomCount++;
            final byte[] bytes = new byte[random.nextInt(4) == 0 ? random.nextInt(LENGTH_MAX) : random.nextInt(64)];
            random.nextBytes(bytes);
            datagram.put(bytes);
            if (bytes.length >= 8 && random.nextBoolean())
            {
                datagram.put(4, (byte)0).putShort(6, (short)random.nextInt(8));     // A version and type that exist.
            }
        }
        else
        {
            datagram.put(one, 0, Math.min(one.length, LENGTH_MAX));
            if (kind == Kind.STRANGER)
            {
                repeatedCount++;
            }
            else
            {
                changedCount++;
                change();
            }
        }
        datagram.flip();
    }

    private synchronized byte[] choose()
    {
        return random.nextInt(1_000) == 0 ? setups[random.nextInt(setups.length)] : seen[random.nextInt(seen.length)];
    }

    private void change()
    {
        final int length = datagram.position();
        if (length < HEADER_LENGTH)
        {
            return;
        }
        switch (random.nextInt(5))
        {
            case 0 ->
            {
                for (int i = random.nextInt(3); i >= 0; i--)
                {
                    final int at = random.nextBoolean() ? random.nextInt(HEADER_LENGTH) : random.nextInt(length);
                    datagram.put(at, (byte)(datagram.get(at) ^ 1 << random.nextInt(8)));
                }
            }
            case 1 -> datagram.position(1 + random.nextInt(Math.min(LENGTH_MAX, length + 64) - 1));
            case 2 -> datagram.putInt(FIELD_OFFSETS[random.nextInt(FIELD_OFFSETS.length)], random.nextInt());
            case 3 -> datagram.putInt(12, datagram.getInt(12) + random.nextInt(16));       // A session to come.
            default -> datagram.putInt(8, datagram.getInt(8) + HEADER_LENGTH * random.nextInt(1 << 11));
        }
    }

    /** Opens a connection, and says something or nothing; the oldest one ends. */
    private void connect(final int port) throws IOException
    {
        connectionCount++;
        final SocketChannel connection =
            SocketChannel.open(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
        connection.configureBlocking(false);
        connections.add(connection);
        final byte[] bytes = new byte[random.nextInt(4_096)];
        random.nextBytes(bytes);
        write(connection, bytes);
        if (connections.size() > CONNECTION_COUNT_MAX)
        {
            connections.remove().close();
        }
    }

    private void write(final SocketChannel connection, final byte[] bytes)
    {
        try
        {
            connection.write(ByteBuffer.wrap(bytes));
        }
        catch (final IOException ex)
        {
            unsentCount++;                          // It was closed at once.
        }
    }

    /** {@return the UDP ports over IPv4 that this process has open, but for the attacker's} */
    private List<InetSocketAddress> udpPorts() throws IOException
    {
        final Set<String> inodes;
        try (Stream<Path> files = Files.list(Path.of("/proc/self/fd")))
        {
            inodes = files.map(DatagramAttacker::target).filter(text -> text.startsWith("socket:["))
                .map(text -> text.substring("socket:[".length(), text.length() - 1)).collect(Collectors.toSet());
        }
        final int own = ((InetSocketAddress)channel.getLocalAddress()).getPort();
        final List<InetSocketAddress> ports = new ArrayList<>();
        for (final String line : Files.readAllLines(Path.of("/proc/self/net/udp")))
        {
            final String[] words = line.trim().split(" +", -1);
            final int port = inodes.contains(words[9]) ? Integer.parseInt(words[1].split(":", -1)[1], 16) : own;
            if (port != own)
            {
                ports.add(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
            }
        }
        return ports;
    }

    private static String target(final Path link)
    {
        try
        {
            return Files.readSymbolicLink(link).toString();
        }
        catch (final NoSuchFileException ex)
        {
            return "";                              // It was closed meanwhile.
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
