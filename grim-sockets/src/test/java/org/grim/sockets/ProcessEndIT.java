// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.FreePorts;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Connections live until their process ends, through its shutdown hooks. */
@Timeout(180)
final class ProcessEndIT
{
    private static final String JDK = "-Djava.nio.channels.spi.SelectorProvider=sun.nio.ch.EPollSelectorProvider";
    private static final int HOOK_MS = 300;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepConnectionsUntilAllShutdownHooksHaveEndedWhenAProcessExits(final boolean isGrim) throws Exception
    {
        try (ProviderPair providers = isGrim ? ProviderPair.ofGrim(directory) : ProviderPair.ofJdk();
            ServerSocketChannel listening = providers.listen();
            PeerProcess peer = new PeerProcess(PeerProcess.command(directory, List.of(isGrim ? PeerProcess.ONLY : JDK),
                HookMain.class, Integer.toString(listening.socket().getLocalPort())));
            SocketChannel channel = providers.client.openSocketChannel())
        {
            channel.connect(peer.address());
            assertEquals(isGrim, isGrim(channel));
            channel.write(ByteBuffer.allocate(1));
            assertEquals(1, ProviderPair.readFully(channel, 1).get(0));         // In the hook.
            Thread.sleep(HOOK_MS);
            channel.write(ByteBuffer.wrap(new byte[] {9}));
            try (SocketChannel late = listening.accept())
            {
                assertEquals(isGrim, isGrim(late));
                assertEquals(9, ProviderPair.readFully(late, 1).get(0));
                assertEquals(-1, late.read(ByteBuffer.allocate(1)));
            }
            assertEquals(0, peer.end());
            assertEquals(ByteBuffer.wrap(new byte[] {2, 3}), ProviderPair.readFully(channel, 2));
            assertEquals(-1, channel.read(ByteBuffer.allocate(1)));
        }
    }

    @Test
    void shouldRunAfterAllShutdownHooksWhenItIsTheLast() throws IOException
    {
        try (PeerProcess process = new PeerProcess(
            PeerProcess.command(directory, List.of(), LastHookMain.class)))
        {
            assertEquals("hook", process.greeting());
            assertEquals("last", process.readLine());
        }
    }

    /** Both processes have their host's agent; the server gets a signal to end, the client's main method returns. */
    @Test
    void shouldEndAndLeaveInOrderOnTwoHosts() throws Exception
    {
        final List<String> addresses = List.of("127.0.0.1", "127.0.0.2");
        final int[] ports = {FreePorts.pair(), FreePorts.pair()};
        try (PeerProcess server = new PeerProcess(PeerProcess.command(directory.resolve("1"),
            TwoHostsIT.settings(1, addresses, ports), PeerMain.class, addresses.get(1)));
            PeerProcess client = new PeerProcess(PeerProcess.command(directory.resolve("0"),
                TwoHostsIT.settings(0, addresses, ports), EchoClientMain.class, addresses.get(1),
                Integer.toString(server.address().getPort()))))
        {
            assertTrue(client.greeting().startsWith("echoed from "), client.greeting());

            final boolean isInTime = endInOrder(server, "1");
            final String line = client.readLine();
            assertTrue(!isInTime || "read -1".equals(line), line);
            endInOrder(client, "0");
        }
    }

    /** On a machine that is too busy for it the JVM ends before the node has left. */
    private boolean endInOrder(final PeerProcess process, final String host) throws Exception
    {
        final long startNs = System.nanoTime();
        assertEquals(0, process.end());
        final boolean isInTime = System.nanoTime() - startNs < TimeUnit.MILLISECONDS.toNanos(ProcessNode.LEAVE_MS);
        assertEquals(List.of(), isInTime ? files(host) : List.of());
        return isInTime;
    }

    private List<Path> files(final String host) throws IOException
    {
        try (Stream<Path> all = Files.walk(directory.resolve(host)))
        {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    private static boolean isGrim(final SocketChannel channel)
    {
        return channel instanceof final GrimSocketChannel grim && grim.grimStream() != null;
    }
}
