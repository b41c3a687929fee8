// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;

import org.grim.buffer.OwnFiles;
import org.grim.crypto.ClusterKey;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.network.Hosts.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

/** Agents' connections on loopback, between two of them and with strangers. */
@Timeout(180)
final class AgentConnectionsTest
{
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();
    private static final byte[] TEXT = {1, 2, 3, 4, 5};
    private static final int CONNECT_MS = 60_000;
    private static final int FULL_TIMEOUT_MS = 200;
    private static final long LONG_NS = TimeUnit.MINUTES.toNanos(10);

    @TempDir
    private Path directory;
    private final List<End> ends = new ArrayList<>();
    private final List<Socket> strangers = new ArrayList<>();

    @AfterEach
    void close() throws IOException
    {
        for (final Socket stranger : strangers)
        {
            stranger.close();
        }
        ends.forEach(end -> end.connections.close());
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCarryMessagesInOrder(final boolean hasKey) throws Exception
    {
        final End one = end(hasKey ? key(1) : null);
        final End two = end(hasKey ? key(1) : null);

        send(one, two, IntStream.range(0, 1_000).mapToObj(i -> ByteBuffer.allocate(4 + i).putInt(i).array())
            .toArray(byte[][]::new));

        for (int i = 0; i < 1_000; i++)
        {
            final byte[] frame = two.frame();
            assertEquals(i, ByteBuffer.wrap(frame).getInt());
            assertEquals(4 + i, frame.length);
        }
        assertTrue(one.connections.reach(two.address).get());
        assertTrue(one.closed.isEmpty() && one.refusals.isEmpty());
    }

    @Test
    void shouldCarryTheLongestMessages() throws Exception
    {
        final End one = end(key(1));
        final End two = end(key(1));
        two.hasMembers = true;
        send(one, two, TEXT);
        two.frame();

        one.connections.send(two.address, new byte[AgentConnections.FRAME_LENGTH_MAX]);

        assertEquals(AgentConnections.FRAME_LENGTH_MAX, two.frame().length);
    }

    @Test
    void shouldAcceptASecondKeyAndRefuseOthersWithAReason() throws Exception
    {
        final End both = end(ClusterKey.read(file(1).toString(), file(2).toString()));

        send(end(key(2)), both, TEXT);

        assertArrayEquals(TEXT, both.frame());
        assertEquals("host=here refuses it: its key is not this cluster's (grim.network.key-file)",
            refusal(key(3), both));
        assertEquals("host=here refuses it: it has no key, and this cluster has one (grim.network.key-file)",
            refusal(null, both));
        assertEquals("host=here refuses it: it has a key, and this cluster has none (grim.network.key-file)",
            refusal(key(1), end(null)));
        await(() -> both.connections.refusedCount(Refusal.OTHER_KEY) == 1);
        await(() -> both.connections.refusedCount(Refusal.NO_KEY) == 1);
        assertTrue(both.frames.isEmpty());
    }

    @Test
    void shouldRefuseAConnectionThatWasRecorded() throws Exception
    {
        final End end = end(key(1));
        final byte[] nonce = new byte[Greeting.NONCE_LENGTH];
        final ClusterKey key = key(1);
        final AtomicReference<byte[]> proof = new AtomicReference<>();
        final AtomicReference<byte[]> frame = new AtomicReference<>();
        final Socket first = new Answered(end, Greeting.hello(true, nonce).array(), other ->
        {
            final FrameCipher cipher = FrameCipher.sealing(key, nonce, other);
            proof.set(bytes(cipher.frame(other)));
            frame.set(bytes(cipher.frame(TEXT)));
            return proof.get();
        }).socket;
        first.getOutputStream().write(frame.get());
        assertArrayEquals(TEXT, end.frame());
        first.getOutputStream().write(frame.get());
        assertEquals(-1, first.getInputStream().read(), "repeated in its connection");

        final Answered again = new Answered(end, Greeting.hello(true, nonce).array(), other -> proof.get());

        assertEquals(Refusal.OTHER_KEY, Greeting.refusal(ByteBuffer.wrap(again.answer)));
        assertEquals("here", new String(again.socket.getInputStream().readAllBytes(), UTF_8));
        assertTrue(end.frames.isEmpty());
    }

    @Test
    void shouldTellThatTheOtherSideEnded() throws Exception
    {
        final End one = end(null);
        final End two = end(null);
        send(one, two, TEXT);
        two.frame();

        two.connections.close();

        assertEquals(two.address, one.closed.poll(60, TimeUnit.SECONDS));
        await(() ->                                     // Nothing listens there, as soon as the system knows it.
        {
            one.connections.send(two.address, TEXT);
            return one.closed.poll() != null;
        });
    }

    @Test
    void shouldNotTellWhatItEndsItself() throws Exception
    {
        final End one = end(null);
        final End two = end(null);
        send(one, two, TEXT);
        two.frame();

        one.connections.retain(List.of());
        send(one, two, TEXT);

        two.frame();
        assertTrue(one.closed.isEmpty());
    }

    @Test
    void shouldNotWaitForAHostThatDoesNotAnswer() throws Exception
    {
        final End end = end(null);
        try (ServerSocket silent = new ServerSocket(0, 1, LOOPBACK))
        {
            fill(silent);
            final IpAddress address = new IpAddress(LOOPBACK, silent.getLocalPort());
            final long beginNs = System.nanoTime();

            for (int i = 0; i < 3; i++)
            {
                end.connections.send(address, TEXT);            // Until its time is up, if it waited.
            }

            assertTrue(System.nanoTime() - beginNs < TimeUnit.MILLISECONDS.toNanos(CONNECT_MS));
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepFewConnectionsOfStrangersAndAllOfMembers(final boolean hasKey) throws Exception
    {
        final End member = end(hasKey ? key(1) : null);
        final End end = end(hasKey ? key(1) : null);
        end.hasMembers = true;
        send(member, end, TEXT);
        end.frame();

        for (int i = 0; i < 4 * AgentConnections.UNPROVEN_COUNT_MAX; i++)
        {
            stranger(end);
        }
        await(() -> end.endedCount() >= 3 * AgentConnections.UNPROVEN_COUNT_MAX);
        final End late = end(hasKey ? key(1) : null);
        send(late, end, TEXT);
        member.connections.send(end.address, TEXT);

        end.frame();
        end.frame();
        assertTrue(member.closed.isEmpty());
    }

    @Test
    void shouldKeepFewAgentsThatAreNoMembersWithoutAKey() throws Exception
    {
        final End end = end(null);
        end.hasMembers = true;
        final End member = end(null);
        send(member, end, TEXT);
        end.frame();
        end.hasMembers = false;
        final byte[] nonce = new byte[Greeting.NONCE_LENGTH];

        for (int i = 0; i < 2 * AgentConnections.PROVEN_COUNT_MAX_WITHOUT_KEY; i++)
        {
            new Answered(end, Greeting.hello(false, nonce).array(), other ->
                ByteBuffer.allocate(Integer.BYTES + nonce.length).putInt(nonce.length).put(other).array());
        }

        await(() ->
            end.connections.refusedCount(Refusal.NO_ROOM) == AgentConnections.PROVEN_COUNT_MAX_WITHOUT_KEY);
        member.connections.send(end.address, TEXT);
        assertArrayEquals(TEXT, end.frame());
        assertTrue(member.closed.isEmpty());
    }

    @Test
    void shouldEndStrangersThatSayNothing() throws Exception
    {
        final End end = end(key(1));
        final Socket silent = stranger(end);
        final Socket partial = stranger(end);
        partial.getOutputStream().write(Arrays.copyOf(Greeting.hello(true, new byte[16]).array(), 5));

        assertEquals(-1, silent.getInputStream().read());
        assertEquals(-1, partial.getInputStream().read());
        await(() -> end.connections.refusedCount(Refusal.SILENT) == 2);
    }

    @Test
    void shouldEndAStrangerThatSaysGarbage() throws Exception
    {
        final End end = end(key(1));
        long silentCount = -1;

        while (end.connections.refusedCount(Refusal.SILENT) != silentCount)     // A busy machine says it too late.
        {
            silentCount = end.connections.refusedCount(Refusal.SILENT);
            assertEquals(0, Answered.exchange(stranger(end), new byte[] {'b'}, other -> other).length);
        }

        assertEquals(1, end.connections.refusedCount(Refusal.GREETING));
    }

    @Test
    void shouldEndAgentsThatSayNothing() throws Exception
    {
        final End end = end(null, TimeUnit.MILLISECONDS.toNanos(100));
        final End one = end(null);
        IpAddress closed = null;

        for (int i = 0; closed == null && i < 60; i++)          // It may end before its greeting was answered.
        {
            one.connections.send(end.address, TEXT);
            closed = one.closed.poll(1, TimeUnit.SECONDS);
        }

        assertEquals(end.address, closed);
        assertTrue(end.connections.refusedCount(Refusal.SILENT) > 0);
    }

    @Test
    void shouldEndAConnectionThatSendsWhatAgentsDoNot() throws Exception
    {
        final End end = end(null);
        end.isRefusing = true;
        final End one = end(null);

        IpAddress closed = null;

        for (int i = 0; closed == null && i < 3; i++)           // Its greeting may be too late, on a busy machine.
        {
            one.connections.send(end.address, TEXT);
            closed = one.closed.poll(20, TimeUnit.SECONDS);
        }

        assertEquals(end.address, closed);
        await(() -> end.connections.refusedCount(Refusal.MESSAGE) == 1);
    }

    @Test
    void shouldMakeNoConnectionWhenItIsClosed() throws Exception
    {
        final End one = end(null);
        final End two = end(null);

        one.connections.close();
        one.connections.send(two.address, TEXT);

        assertFalse(one.connections.reach(two.address).get());
    }

    private String refusal(final ClusterKey key, final End asked) throws Exception
    {
        final End asking = end(key);
        String text = null;
        while (text == null)                                    // A greeting that is too late ends without a reason.
        {
            final long silentCount = asked.connections.refusedCount(Refusal.SILENT);
            asking.connections.send(asked.address, TEXT);
            assertTrue(asking.connections.awaitAnswers(CONNECT_MS));
            await(() -> !asking.refusals.isEmpty() || asked.connections.refusedCount(Refusal.SILENT) != silentCount);
            text = asking.refusals.poll();
        }
        return text;
    }

    /** Sends over a new connection; again, if that has ended because a busy machine greeted too late. */
    private static void send(final End from, final End to, final byte[]... messages)
    {
        do
        {
            for (final byte[] message : messages)
            {
                from.connections.send(to.address, message);
            }
            assertTrue(from.connections.awaitAnswers(CONNECT_MS));
        }                                                       // It is the same connection, or one begins now.
        while (!from.connections.reach(to.address).isDone() || !from.connections.awaitAnswers(0));
    }

    private Socket stranger(final End end) throws IOException
    {
        final Socket socket = new Socket(LOOPBACK, end.connections.port());
        socket.setSoTimeout(60_000);
        strangers.add(socket);
        return socket;
    }

    /** Until connections are neither refused nor accepted. */
    private void fill(final ServerSocket silent) throws IOException
    {
        for (int i = 0; i < 100; i++)
        {
            final Socket socket = new Socket();
            strangers.add(socket);
            try
            {
                socket.connect(new InetSocketAddress(silent.getInetAddress(), silent.getLocalPort()), FULL_TIMEOUT_MS);
            }
            catch (final SocketTimeoutException ex)
            {
                return;
            }
        }
        fail("100 connections wait");
    }

    /** A stranger who says hello, and what it makes of the answer; again, if a busy machine does so too late. */
    private final class Answered
    {
        private final Socket socket;
        private final byte[] answer;

        private Answered(final End end, final byte[] hello, final UnaryOperator<byte[]> proof) throws IOException
        {
            Socket made = null;
            byte[] last = {};
            for (int i = 0; last.length < Greeting.LABEL_OFFSET && i < 20; i++)
            {
                made = stranger(end);
                last = exchange(made, hello, proof);
            }
            socket = made;
            answer = last;
        }

        private static byte[] exchange(final Socket socket, final byte[] hello, final UnaryOperator<byte[]> proof)
            throws IOException
        {
            try
            {
                socket.getOutputStream().write(hello);
                final byte[] first = socket.getInputStream().readNBytes(Greeting.LABEL_OFFSET);
                if (first.length == Greeting.LABEL_OFFSET)
                {
                    socket.getOutputStream().write(proof.apply(Greeting.nonce(ByteBuffer.wrap(first))));
                }
                return socket.getInputStream().readNBytes(Greeting.LABEL_OFFSET);
            }
            catch (final SocketException ex)
            {
                assertNotNull(ex);                              // The end had ended it.
                return new byte[0];
            }
        }
    }

    private static byte[] bytes(final ByteBuffer frame)
    {
        final byte[] bytes = new byte[frame.remaining()];
        frame.get(bytes);
        return bytes;
    }

    private ClusterKey key(final int value) throws IOException
    {
        return ClusterKey.read(file(value));
    }

    private Path file(final int value) throws IOException
    {
        final byte[] secret = new byte[ClusterKey.LENGTH_MIN];
        secret[0] = (byte)value;
        return Files.write(Files.createTempFile(directory, "key", "", OwnFiles.fileMode()), secret);
    }

    private End end(final ClusterKey key) throws IOException
    {
        return end(key, LONG_NS);
    }

    private End end(final ClusterKey key, final long silenceNs) throws IOException
    {
        final End end = new End(key, silenceNs);
        ends.add(end);
        return end;
    }

    /** An agent's connections, and what happened on them. */
    private static final class End implements AgentConnections.Listener
    {
        private final BlockingQueue<byte[]> frames = new LinkedBlockingQueue<>();
        private final BlockingQueue<IpAddress> closed = new LinkedBlockingQueue<>();
        private final BlockingQueue<String> refusals = new LinkedBlockingQueue<>();
        private final AgentConnections connections;
        private final IpAddress address;
        private volatile boolean hasMembers;
        private volatile boolean isRefusing;

        private End(final ClusterKey key, final long silenceNs) throws IOException
        {
            connections = new AgentConnections(
                new InetSocketAddress(LOOPBACK, 0), key, "here", silenceNs, CONNECT_MS, this);
            connections.start();
            address = new IpAddress(LOOPBACK, connections.port());
        }

        private long endedCount()
        {
            return connections.refusedCount(Refusal.NO_ROOM) + connections.refusedCount(Refusal.SILENT);
        }

        private byte[] frame() throws InterruptedException
        {
            final byte[] frame = frames.poll(60, TimeUnit.SECONDS);
            assertTrue(frame != null, "no frame within 60 s");
            return frame;
        }

        @Override
        public boolean onFrame(final Inbound from, final byte[] frame)
        {
            from.isMember |= hasMembers;
            return !isRefusing && frames.add(frame);
        }

        @Override
        public void onClosed(final IpAddress other)
        {
            closed.add(other);
        }

        @Override
        public void onRefused(final IpAddress other, final String text)
        {
            refusals.add(text);
        }
    }
}
