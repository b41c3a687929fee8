// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

import org.grim.GrimConfig;
import org.grim.sockets.GrimSelectorProvider;
import org.grim.tools.cli.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A program with the provider, some of whose servers go past it. */
@Timeout(180)
final class DoctorTest extends CommandRun
{
    private static final int SOMETHING_FOUND = 3;

    @TempDir
    private Path directory;

    @Test
    void shouldFindServersThatListenPastTheProvider() throws IOException
    {
        final InetAddress loopback = InetAddress.getLoopbackAddress();
        try (GrimSelectorProvider provider = new GrimSelectorProvider(config().nodeName("server").build());
            ServerSocketChannel over = provider.openServerSocketChannel().bind(new InetSocketAddress(loopback, 0));
            ServerSocket past = new ServerSocket(0, 1, loopback))
        {
            assertTrue(provider.awaitJoined(Duration.ofMinutes(1)));

            assertEquals(SOMETHING_FOUND, execute("doctor", "--directory", directory.toString()));

            final String text = output.toString();
            assertTrue(text.contains("process=" + ProcessHandle.current().pid() + " node=server listens at " +
                loopback.getHostAddress() + " port=" + past.getLocalPort() + " with TCP"), text);
            assertTrue(text.contains("noNative"), text);
            assertFalse(text.contains("port=" + over.socket().getLocalPort() + " "), text);
            final GrimConfig.Builder never =
                config().set("grim.sockets.never", List.of("*:" + past.getLocalPort()));
            assertTrue(Doctor.findings(never.build()).stream().noneMatch(finding ->
                finding.text().contains("port=" + past.getLocalPort() + " ")));
        }
    }

    @Test
    void shouldFindServersOfBothFamilies() throws IOException
    {
        final byte[] loopbackOfSix = new byte[16];
        loopbackOfSix[15] = 1;
        for (final InetAddress address :
            List.of(InetAddress.getByAddress(new byte[] {127, 0, 0, 1}), InetAddress.getByAddress(loopbackOfSix)))
        {
            try (ServerSocket server = new ServerSocket(0, 1, address))
            {
                final List<InetSocketAddress> found = TcpListeners.of(ProcessHandle.current().pid());

                assertTrue(found.contains(new InetSocketAddress(address, server.getLocalPort())), found.toString());
            }
        }
    }

    @Test
    void shouldRefuseWhereThereIsNoCluster()
    {
        assertRefused(1, "no cluster", "doctor", "--directory", directory.toString());
    }

    private GrimConfig.Builder config()
    {
        return GrimConfig.builder().directory(directory).set("grim.warm-up", "0s");
    }
}
