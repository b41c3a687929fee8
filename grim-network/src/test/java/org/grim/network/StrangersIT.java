// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;

import org.grim.buffer.OwnFiles;
import org.grim.crypto.ClusterKey;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.jgroups.BytesMessage;
import org.jgroups.Message;
import org.jgroups.ObjectMessage;
import org.jgroups.Version;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.ByteArrayDataOutputStream;
import org.jgroups.util.UUID;
import org.jgroups.util.Util;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.network.Hosts.freePort;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two hosts whose agents strangers connect to, with all that they can say, at a bounded rate; a third one joins
 * meanwhile. {@code campaign.count} says how many connections, {@code campaign.seed} repeats them.
 */
@Tag("process")
@Timeout(7_200)
final class StrangersIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(StrangersIT.class);
    private static final int COUNT_DEFAULT = 5_000;
    private static final int RATE = 4_000;
    private static final int BURST_COUNT = 40;
    private static final int OPEN_COUNT_MAX = 1_000;
    private static final int ADDRESS_COUNT = 100;
    private static final int CONNECT_TIMEOUT_MS = 60_000;
    private static final long HEAP_GROWTH_MAX = 50 << 20;
    private static final int THREAD_GROWTH_MAX = 64;
    /** Of each of the two that are attacked. */
    private static final int DESCRIPTOR_GROWTH_MAX = 256;
    private static final int HUGE = 150_000_000;

    private final Path directory = ShmDirectory.create();
    private final Deque<Socket> open = new ArrayDeque<>();
    private final Random random = new Random(Long.getLong("campaign.seed", 1));
    private BufferedReader answers;
    private PeerJvm hosts;
    private long heapBefore;
    private long heapMax;
    private long threadsBefore;
    private long threadsMax;
    private long descriptorsBefore;
    private long descriptorsMax;

    @AfterEach
    void end() throws IOException
    {
        closeAll();
        hosts.close();
        ShmDirectory.delete(directory);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepItsPlacesAndLittleMemoryWhateverStrangersSay(final boolean hasKey) throws IOException
    {
        final int count = Integer.getInteger("campaign.count", COUNT_DEFAULT);
        final int[] ports = {freePort(), freePort(), freePort()};
        final Path log = directory.resolve("log");
        hosts = new PeerJvm(log, List.of("-XX:+ExitOnOutOfMemoryError"), StrangersMain.class, directory.toString(),
            hasKey ? keyFile().toString() : "", Integer.toString(ports[0]), Integer.toString(ports[1]),
            Integer.toString(ports[2]));
        answers = new BufferedReader(
            new InputStreamReader(hosts.process().getInputStream(), StandardCharsets.UTF_8));
        assertEquals("ready", answers.readLine(), () -> Hosts.text(log));
        attack(ports, 2 * OPEN_COUNT_MAX);                      // Until classes are loaded and buffers made.
        closeAll();
        look(log);
        heapBefore = heapMax;
        threadsBefore = threadsMax;
        descriptorsBefore = descriptorsMax;

        attack(ports, count / 2);
        look(log);
        hosts.tell("join");
        attack(ports, OPEN_COUNT_MAX);
        assertEquals("joined", answers.readLine(), () -> Hosts.text(log));
        for (int done = count / 2; done < count; done += RATE)
        {
            attack(ports, Math.min(RATE, count - done));
            look(log);
        }

        final String report = "strangers: key=" + hasKey + " connections=" + count + " heap=" + heapBefore + ".." +
            heapMax + " threads=" + threadsBefore + ".." + threadsMax + " descriptors=" + descriptorsBefore + ".." +
            descriptorsMax;
        LOGGER.warn(report);
        assertTrue(heapMax - heapBefore <= HEAP_GROWTH_MAX, report);
        assertTrue(threadsMax - threadsBefore <= THREAD_GROWTH_MAX, report);
        assertTrue(descriptorsMax - descriptorsBefore <= 2 * DESCRIPTOR_GROWTH_MAX, report);
    }

    /** All strangers so far are still there. */
    private void look(final Path log) throws IOException
    {
        hosts.tell("state");
        final String line = answers.readLine();
        assertTrue(line != null, () -> Hosts.text(log));
        final long[] values = Arrays.stream(line.split(" ")).mapToLong(Long::parseLong).toArray();
        heapMax = Math.max(heapMax, values[0]);
        threadsMax = Math.max(threadsMax, values[1]);
        descriptorsMax = Math.max(descriptorsMax, values[2]);
        assertEquals(0, values[3], () -> "a node was lost: " + Hosts.text(log));
    }

    private void attack(final int[] ports, final int count) throws IOException
    {
        final long beginNs = System.nanoTime();
        for (int i = 0; i < count; i++)
        {
            if (open.size() >= OPEN_COUNT_MAX)
            {
                closeOldest();
            }
            connect(ports[random.nextInt(2)]);
            if (i % BURST_COUNT == 0)
            {
                LockSupport.parkNanos(beginNs + i * (1_000_000_000L / RATE) - System.nanoTime());
            }
        }
    }

    private void connect(final int port) throws IOException
    {
        final Socket socket = new Socket();
        open.add(socket);
        socket.setSoLinger(true, 0);                            // No port waits for a minute.
        socket.setSoTimeout(CONNECT_TIMEOUT_MS);
        socket.bind(new InetSocketAddress("127.0.0." + (2 + random.nextInt(ADDRESS_COUNT)), 0));
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), CONNECT_TIMEOUT_MS);
        try
        {
            speak(socket);
        }
        catch (final IOException ex)
        {
            LOGGER.trace("a stranger was refused", ex);         // In the middle of what it says.
        }
    }

    private void speak(final Socket socket) throws IOException
    {
        final OutputStream out = socket.getOutputStream();
        switch (random.nextInt(13))
        {
            case 0 -> out.flush();
            case 1 -> out.write(Arrays.copyOf(Greeting.hello(true, random(16)).array(), 1 + random.nextInt(27)));
            case 2 -> out.write(random(1 + random.nextInt(2_000)));
            case 3 -> out.write(jgroups(new byte[0], HUGE));
            case 4 -> out.write(jgroups(hog(), hog().length));
            case 5 -> out.write(jgroups(named(), named().length));
            case 6 -> out.write(Greeting.hello(random.nextBoolean(), random(16)).array());
            case 7 -> greet(socket, new byte[0], HUGE);
            case 8 -> greet(socket, hog(), hog().length);
            case 9 -> greet(socket, named(), named().length);
            case 10 -> greet(socket, random(1 + random.nextInt(2_000)), 1 << 17);
            case 11 -> greet(socket, random(16), 16);
            default -> greet(socket, new byte[0], 1 << 16);     // And is silent.
        }
    }

    /** As an agent without a key does; a host with one takes it for an agent with another one. */
    private void greet(final Socket socket, final byte[] content, final int length) throws IOException
    {
        final boolean saysKey = random.nextInt(4) == 0;
        socket.getOutputStream().write(Greeting.hello(saysKey, random(16)).array());
        final byte[] answer = socket.getInputStream().readNBytes(Greeting.LABEL_OFFSET);
        final byte[] nonce =
            answer.length < Greeting.LABEL_OFFSET ? random(16) : Greeting.nonce(ByteBuffer.wrap(answer));
        socket.getOutputStream().write(frame(saysKey ? random(32) : nonce, saysKey ? 32 : 16));
        socket.getOutputStream().write(frame(content, length));
    }

    private static byte[] frame(final byte[] content, final int length)
    {
        return ByteBuffer.allocate(Integer.BYTES + content.length).putInt(length).put(content).array();
    }

    private byte[] jgroups(final byte[] content, final int length) throws IOException
    {
        final IpAddress address = new IpAddress(InetAddress.getLoopbackAddress(), 1 + random.nextInt(65_535));
        final ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(64);
        out.write(new byte[] {'b', 'e', 'l', 'a'});
        out.writeShort(Version.version);
        out.writeShort((short)address.serializedSize());
        address.writeTo(out);
        out.write(frame(content, length));
        return Arrays.copyOf(out.buffer(), out.position());
    }

    /** A message whose payload has very many bytes, it says. */
    private static byte[] hog() throws IOException
    {
        final byte[] plain = message(new BytesMessage(null, new byte[] {1, 2, 3, 4}));
        ByteBuffer.wrap(plain).putInt(plain.length - 2 * Integer.BYTES, HUGE);
        return plain;
    }

    /** A message whose payload is an object of a class that it names. */
    private static byte[] named() throws IOException
    {
        final byte[] plain = message(new ObjectMessage(null));
        final ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(64);
        out.write(plain, 0, plain.length - 1);
        out.writeByte(1);
        out.writeShort(-1);
        out.writeUTF("java.util.concurrent.ForkJoinPool");
        return Arrays.copyOf(out.buffer(), out.position());
    }

    private static byte[] message(final Message message) throws IOException
    {
        final ByteArrayDataOutputStream out = new ByteArrayDataOutputStream(64);
        Util.writeMessage(message.setSrc(UUID.randomUUID()), out, true);
        return Arrays.copyOf(out.buffer(), out.position());
    }

    private byte[] random(final int length)
    {
        final byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private void closeAll() throws IOException
    {
        while (!open.isEmpty())
        {
            closeOldest();
        }
    }

    private void closeOldest() throws IOException
    {
        open.remove().close();
    }

    private Path keyFile() throws IOException
    {
        final Path file = Files.createFile(directory.resolve("key"), OwnFiles.fileMode());
        return Files.write(file, random(ClusterKey.LENGTH_MIN));
    }
}
