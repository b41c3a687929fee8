// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
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

import org.grim.buffer.OwnFiles;
import org.grim.crypto.ClusterKey;
import org.jgroups.stack.IpAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.grim.network.Hosts.await;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
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

        for (int i = 0; i < 1_000; i++)
        {
            one.connections.send(two.address, ByteBuffer.allocate(4 + i).putInt(i).array());
        }

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
        one.connections.send(two.address, TEXT);
        two.frame();

        one.connections.send(two.address, new byte[AgentConnections.FRAME_LENGTH_MAX]);

        assertEquals(AgentConnections.FRAME_LENGTH_MAX, two.frame().length);
    }

    @Test
    void shouldAcceptASecondKeyAndRefuseOthersWithAReason() throws Exception
    {
        final End both = end(ClusterKey.read(file(1).toString(), file(2).toString()));

        end(key(2)).connections.send(both.address, TEXT);

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
        final Socket first = stranger(end);
        first.getOutputStream().write(Greeting.hello(true, nonce).array());
        final byte[] answer = first.getInputStream().readNBytes(Greeting.LABEL_OFFSET);
        final byte[] other = Greeting.nonce(ByteBuffer.wrap(answer));
        final FrameCipher cipher = FrameCipher.sealing(key(1), nonce, other);
        final byte[] proof = bytes(cipher.frame(other));
        final byte[] frame = bytes(cipher.frame(TEXT));
        first.getOutputStream().write(proof);
        first.getOutputStream().write(frame);
        assertArrayEquals(TEXT, end.frame());
        assertEquals(Greeting.LABEL_OFFSET, first.getInputStream().readNBytes(Greeting.LABEL_OFFSET).length);
        first.getOutputStream().write(frame);
        assertEquals(-1, first.getInputStream().read(), "repeated in its connection");

        final Socket again = stranger(end);
        again.getOutputStream().write(Greeting.hello(true, nonce).array());
        again.getInputStream().readNBytes(Greeting.LABEL_OFFSET);
        again.getOutputStream().write(proof);

        final byte[] end2 = again.getInputStream().readAllBytes();
        assertEquals(Refusal.OTHER_KEY, Greeting.refusal(ByteBuffer.wrap(end2)));
        assertTrue(end.frames.isEmpty());
    }

    @Test
    void shouldTellThatTheOtherSideEnded() throws Exception
    {
        final End one = end(null);
        final End two = end(null);
        one.connections.send(two.address, TEXT);
        two.frame();
        await(() -> one.connections.awaitAnswers(0));

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
        one.connections.send(two.address, TEXT);
        two.frame();

        one.connections.retain(List.of());
        one.connections.send(two.address, TEXT);

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
        member.connections.send(end.address, TEXT);
        end.frame();

        for (int i = 0; i < 4 * AgentConnections.UNPROVEN_COUNT_MAX; i++)
        {
            stranger(end);
        }
        await(() -> end.endedCount() >= 3 * AgentConnections.UNPROVEN_COUNT_MAX);
        final End late = end(hasKey ? key(1) : null);
        late.connections.send(end.address, TEXT);
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
        member.connections.send(end.address, TEXT);
        end.frame();
        end.hasMembers = false;
        final byte[] nonce = new byte[Greeting.NONCE_LENGTH];

        for (int i = 0; i < 2 * AgentConnections.PROVEN_COUNT_MAX_WITHOUT_KEY; i++)
        {
            final Socket stranger = stranger(end);
            stranger.getOutputStream().write(Greeting.hello(false, nonce).array());
            final byte[] answer = stranger.getInputStream().readNBytes(Greeting.LABEL_OFFSET);
            stranger.getOutputStream().write(ByteBuffer.allocate(Integer.BYTES + nonce.length)
                .putInt(nonce.length).put(Greeting.nonce(ByteBuffer.wrap(answer))).array());
            stranger.getInputStream().readNBytes(Greeting.LABEL_OFFSET);
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
        final Socket garbage = stranger(end);
        garbage.getOutputStream().write('b');

        assertEquals(-1, garbage.getInputStream().read());
        assertEquals(-1, silent.getInputStream().read());
        assertEquals(-1, partial.getInputStream().read());
        await(() -> end.connections.refusedCount(Refusal.GREETING) == 1);
        await(() -> end.connections.refusedCount(Refusal.SILENT) == 2);
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

        one.connections.send(end.address, TEXT);

        assertEquals(end.address, one.closed.poll(60, TimeUnit.SECONDS));
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
        asking.connections.send(asked.address, TEXT);
        return asking.refusals.poll(60, TimeUnit.SECONDS);
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
