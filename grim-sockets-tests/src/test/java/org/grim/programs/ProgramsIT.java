// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.BufferedReader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.grim.FreePorts;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Programs of others, started as they come with the provider named, meet over GRIM: counters of messages prove it. */
@Tag("process")
@Tag("long")
@Timeout(180)
final class ProgramsIT
{
    private static final List<String> PROVIDER = List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
        "-Djava.nio.channels.spi.SelectorProvider=org.grim.sockets.GrimSelectorProvider", "-Dgrim.warm-up=0s",
        "-Dgrim.sockets.connect-timeout=10s");

    private final Path directory = ShmDirectory.create();

    /** Server, client, and bytes that the client reads at least. */
    static Stream<Arguments> programs()
    {
        return Stream.of(
            Arguments.of(NettyServerMain.class, HttpClientMain.class, 10_000),
            Arguments.of(JettyServerMain.class, HttpClientMain.class, 10_000),
            Arguments.of(ZooKeeperServerMain.class, ZooKeeperClientMain.class, 100_000));
    }

    @AfterEach
    void deleteFiles()
    {
        ShmDirectory.delete(directory);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programsOfOneHostMeetOverGrim(final Class<?> server, final Class<?> client, final int lengthMin)
        throws Exception
    {
        final List<String> settings = List.of("-Dgrim.cluster.directory=" + directory, "-Dgrim.sockets.only.0=*:*");
        assertMet(server, settings, "127.0.0.1", client, settings, lengthMin);
    }

    @ParameterizedTest
    @MethodSource("programs")
    void programsOfTwoHostsMeetOverGrim(final Class<?> server, final Class<?> client, final int lengthMin)
        throws Exception
    {
        final int[] ports = {FreePorts.pair(), FreePorts.pair()};
        assertMet(server, host(1, ports), "127.0.0.2", client, host(0, ports), lengthMin);
    }

    /** The client starts when the server listens; hosts know each other when they have joined. */
    private void assertMet(
        final Class<?> server, final List<String> serverSettings, final String address, final Class<?> client,
        final List<String> clientSettings, final int lengthMin) throws Exception
    {
        final Path log = directory.resolve("log");
        try (PeerJvm serving = new PeerJvm(log, flags(serverSettings), server, address);
            BufferedReader port = serving.process().inputReader(UTF_8))
        {
            final String listening = port.readLine();
            try (PeerJvm asking = new PeerJvm(log, flags(clientSettings), client, address, listening);
                BufferedReader output = asking.process().inputReader(UTF_8))
            {
                final String line = output.readLine();

                assertTrue(line != null && line.startsWith("received "), () -> line + ShmDirectory.text(log));
                assertTrue(Long.parseLong(line.substring("received ".length())) >= lengthMin, line);
            }
        }
    }

    private static List<String> flags(final List<String> settings)
    {
        final List<String> flags = new ArrayList<>(PROVIDER);
        flags.addAll(settings);
        return flags;
    }

    private List<String> host(final int host, final int[] ports)
    {
        return List.of(
            "-Dgrim.cluster.directory=" + directory.resolve(Integer.toString(host)),
            "-Dgrim.transports.0=shmem", "-Dgrim.transports.1=aeron", "-Dgrim.node.host=host-" + host,
            "-Dgrim.network.bind=127.0.0." + (1 + host) + ":" + ports[host], "-Dgrim.sockets.only.0=*:*",
            "-Dgrim.network.discovery.hosts.0=127.0.0.1:" + ports[0],
            "-Dgrim.network.discovery.hosts.1=127.0.0.2:" + ports[1]);
    }
}
