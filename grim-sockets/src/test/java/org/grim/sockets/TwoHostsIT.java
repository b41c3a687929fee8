// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.nio.file.Path;
import java.util.List;
import java.util.function.UnaryOperator;

import org.agrona.CloseHelper;
import org.grim.FreePorts;
import org.grim.network.namespaces.NetworkNamespaces;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Two programs on two hosts, named nothing but the provider and the cluster's hosts. */
@Tag("process")
@Tag("long")
@Timeout(180)
final class TwoHostsIT
{
    @TempDir
    private Path directory;

    @Test
    void programsOfTwoLoopbackAddressesMeetOverGrim() throws Exception
    {
        assertMet(List.of("127.0.0.1", "127.0.0.2"),
            List.of(UnaryOperator.identity(), UnaryOperator.identity()));
    }

    @Test
    void programsOfTwoNamespacesMeetOverGrim() throws Exception
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        try (NetworkNamespaces hosts = new NetworkNamespaces(2))
        {
            assertMet(List.of(hosts.address(0), hosts.address(1)),
                List.of(command -> hosts.on(0, command), command -> hosts.on(1, command)));
        }
    }

    private void assertMet(final List<String> addresses, final List<UnaryOperator<List<String>>> places)
        throws Exception
    {
        final int[] ports = {FreePorts.pair(), FreePorts.pair()};
        PeerProcess client = null;
        try (PeerProcess server = new PeerProcess(places.get(1).apply(PeerProcess.command(
            directory.resolve("1"), settings(1, addresses, ports), PeerMain.class, addresses.get(1)))))
        {
            final String port = server.greeting().substring(0, server.greeting().indexOf(' '));
            client = new PeerProcess(places.get(0).apply(PeerProcess.command(directory.resolve("0"),
                settings(0, addresses, ports), EchoClientMain.class, addresses.get(1), port)));

            assertTrue(client.greeting() != null && client.greeting().startsWith("echoed from /") &&
                client.greeting().endsWith(" to /" + addresses.get(1) + ":" + port), client.greeting());

            server.kill();
            assertEquals("Connection reset", client.readLine());
            assertNull(client.readLine());
        }
        finally
        {
            CloseHelper.close(client);
        }
    }

    static List<String> settings(final int host, final List<String> addresses, final int[] ports)
    {
        return List.of("-Dgrim.transports.0=shmem", "-Dgrim.transports.1=aeron", "-Dgrim.node.host=host-" + host,
            "-Dgrim.network.bind=" + addresses.get(host) + ":" + ports[host],
            "-Dgrim.network.discovery.hosts.0=" + addresses.get(0) + ":" + ports[0],
            "-Dgrim.network.discovery.hosts.1=" + addresses.get(1) + ":" + ports[1]);
    }
}
