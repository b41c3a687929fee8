// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.connections;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.time.Duration;

import org.grim.GrimConfig;
import org.grim.buffer.Uninterrupted;
import org.grim.sockets.GrimSelectorProvider;
import org.grim.tools.observe.Observer;
import org.grim.tools.report.Json;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two programs with a connection over GRIM, as {@code stat} and {@code why} show them. */
@Timeout(180)
final class ConnectionsOfProgramsTest
{
    private static final Duration JOIN_TIMEOUT = Duration.ofMinutes(1);
    private static final int LENGTH = 1_000;
    private static final int BUFFER_LENGTH = 1 << 18;
    private static final int IDLE_COUNT = 100;
    private static final long SAMPLE_MS = 100;

    @TempDir
    private Path directory;
    private GrimSelectorProvider server;
    private GrimSelectorProvider client;
    private ServerSocketChannel listening;
    private SocketChannel near;
    private SocketChannel far;
    private Path cluster;

    @BeforeEach
    void connect() throws IOException
    {
        cluster = config("server").clusterDirectory();
        server = new GrimSelectorProvider(config("server"));
        client = new GrimSelectorProvider(config("client"));
        assertTrue(server.awaitJoined(JOIN_TIMEOUT) && client.awaitJoined(JOIN_TIMEOUT));
        listening = server.openServerSocketChannel().bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        near = client.openSocketChannel();
        near.connect(listening.getLocalAddress());
        far = listening.accept();
    }

    @AfterEach
    void close() throws IOException
    {
        near.close();
        far.close();
        listening.close();
        client.close();
        server.close();
    }

    @Test
    void shouldShowConnectionsAndNoWaitWhileNothingStands() throws IOException
    {
        near.write(ByteBuffer.allocate(LENGTH));
        final ByteBuffer target = ByteBuffer.allocate(LENGTH);
        while (target.hasRemaining())
        {
            far.read(target);
        }

        await(() -> Json.text(Observer.stat(cluster).json()).replaceAll("\\s", "")
            .split("\"unreadThereLength\":0,", -1).length - 1 == 2);
        final String stat = Observer.stat(cluster).text();
        assertTrue(stat.contains("connections over GRIM: 1, over TCP: 0; open over GRIM:"), stat);
        assertTrue(stat.lines().anyMatch(line -> line.contains("client") && line.contains("open") &&
            line.contains(Integer.toString(LENGTH))), stat);
        await(() -> !Observer.why(cluster, SAMPLE_MS).isWaiting());     // The nodes' threads may be late.
    }

    @Test
    void shouldSayWhoDoesNotRead() throws IOException
    {
        near.write(ByteBuffer.allocate(LENGTH));
        far.read(ByteBuffer.allocate(1));

        final String head = "client " + far.getRemoteAddress().toString().substring(1) + " -> server " +
            near.getRemoteAddress().toString().substring(1) + " (connection): " + (LENGTH - 1) +
            " bytes not read, for ";
        await(() -> Observer.why(cluster, SAMPLE_MS).text().contains(head));

        final Observer.Report why = Observer.why(cluster, SAMPLE_MS);

        assertTrue(why.isWaiting());
        assertTrue(why.text().contains(head), why.text());
        assertTrue(why.text().contains("the application of server's process " + ProcessHandle.current().pid() +
            " does not read from the connection"), why.text());
        assertTrue(why.text().contains("cause: connection-not-read"), why.text());
    }

    @Test
    void shouldSayThatAWriterHasNoRoom() throws IOException
    {
        near.configureBlocking(false);
        int idleCount = 0;
        while (idleCount < IDLE_COUNT)
        {
            idleCount = near.write(ByteBuffer.allocate(LENGTH)) == 0 ? idleCount + 1 : 0;
            Uninterrupted.park(100_000);
        }

        // The far node's thread may be late: until it has taken all, there is room, or the link has none.
        await(() -> near.write(ByteBuffer.allocate(LENGTH)) == 0 && Observer.why(cluster, SAMPLE_MS).text().contains(
            "(connection): full, " + BUFFER_LENGTH + " bytes not read, for "));
        final String stat = Observer.stat(cluster).text();
        assertTrue(stat.contains("for its reader"), stat);
    }

    private void await(final Condition condition) throws IOException
    {
        final long startNs = System.nanoTime();
        while (!condition.isMet())
        {
            assertTrue(System.nanoTime() - startNs < JOIN_TIMEOUT.toNanos(), () ->
                Observer.stat(cluster).text() + Observer.why(cluster, SAMPLE_MS).text());
        }
    }

    private interface Condition
    {
        boolean isMet() throws IOException;
    }

    private GrimConfig config(final String name)
    {
        return GrimConfig.builder().nodeName(name).directory(directory).set("grim.warm-up", "0s")
            .set("grim.sockets.buffer-length", BUFFER_LENGTH).build();
    }
}
