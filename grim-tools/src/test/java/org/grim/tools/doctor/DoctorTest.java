// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;

import org.grim.FreePorts;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.buffer.SegmentHeader;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.sockets.GrimSelectorProvider;
import org.grim.tools.cli.CommandRun;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Obstacles that are really there. */
@Timeout(180)
final class DoctorTest extends CommandRun
{
    private static final int SOMETHING_FOUND = 3;

    @TempDir
    private Path directory;
    private Grim live;

    @AfterEach
    void leave()
    {
        if (live != null)
        {
            live.close();
        }
    }

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
    void shouldFindNothingOnAGoodHost() throws IOException
    {
        assumeTrue(JvmCheck.findings().isEmpty() && Mount.of(directory.toRealPath()).type().equals("tmpfs"));

        assertEquals(0, execute("doctor", "--directory", directory.toString()), output::toString);

        assertEquals("nothing was found\n", output.toString());
        assertEquals(0, directory.toFile().list().length, "it writes nothing");
    }

    @Test
    void shouldFindWhatDeadClustersLeft() throws IOException
    {
        final Path dead = leftOver("dead");

        assertFound("dead is left over: processes alive=0, expected at least 1; nodes dead=1", "rm -r " + dead);
        assertEquals(0, execute("clusters", "--directory", directory.toString()), error::toString);
        final String text = output.toString();
        assertTrue(text.matches("(?s).*\\ndead +left over +0 +1 .*\\nlive +live +1 +0 .*"), text);
    }

    @Test
    void shouldFindFilesOfAnotherVersion() throws IOException
    {
        final Path file = leftOver("older").resolve("directory");
        final byte[] content = Files.readAllBytes(file);
        ByteBuffer.wrap(content).order(ByteOrder.nativeOrder()).putInt(Long.BYTES, 3);
        Files.write(file, content);

        assertFound("layout version=3, this GRIM reads version=" + SegmentHeader.LAYOUT_VERSION, "one version of GRIM");
        assertEquals(0, execute("clusters", "--directory", directory.toString(), "--json"), error::toString);
        final String text = output.toString();
        assertTrue(text.contains("\"layoutVersion\" : 3") && text.contains("\"unreadable\""), text);
    }

    @Test
    void shouldFindAClockThatWasSetBack()
    {
        try (ClusterDirectory node = ClusterDirectory.join(new ClusterFiles(config().build().clusterDirectory()), 4,
            new NodeDescription("local", "early", 1, List.of("shmem"))))
        {
            node.up();
            node.heartbeat(System.currentTimeMillis() + Duration.ofHours(1).toMillis());

            assertFound("node=early was busy ms=3", "slewed");
        }
    }

    @Test
    void shouldFindADirectoryThatOthersMayUse() throws IOException
    {
        final Path own = Files.createDirectory(directory.resolve("default"));
        Files.setPosixFilePermissions(own, PosixFilePermissions.fromString("rwxr-xr-x"));
        assertFound("is open to other users: mode=0755, expected at most 0700", "grim.cluster.directory");

        assumeTrue("root".equals(System.getProperty("user.name")), "only root can give it away");
        Files.setAttribute(own, "unix:uid", 65_534);
        assertFound("belongs to uid=65534, expected uid=0", "grim.cluster.directory");
    }

    @Test
    void shouldFindObstaclesOfTheNetwork() throws IOException
    {
        try (ServerSocket other = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            final String taken = "127.0.0.1:" + other.getLocalPort();

            assertFound(network(taken, taken), taken + " is taken", "ss -ltnp");
            assertFound(network(taken, "192.0.2.1"), "which only this machine reaches", "grim.network.bind");
            assertFound(network(taken, "none.invalid"), "names none.invalid, which has addresses=0", "/etc/hosts");
            assertFound(network("192.0.2.7:7900", "192.0.2.1"), "at which this machine cannot listen", "it has [");
            assertFound(network("no-such.invalid:7900", taken), "a host that can be resolved", "correct the key");
            assertFalse(Doctor.findings(config().build()).stream()
                .anyMatch(finding -> finding.text().contains("network")), "there is one host only");
        }
    }

    @Test
    void shouldFindAPortOfAeronThatIsTaken() throws IOException
    {
        final String taken;
        final GrimConfig config;
        // Not one of the kernel's own: nobody else may get it when it is free again.
        try (DatagramSocket other =
            new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), FreePorts.pair())))
        {
            taken = "127.0.0.1:" + other.getLocalPort();
            config = config().set("grim.aeron.bind", taken).build();

            assertFound(config, "grim.aeron.bind=" + taken + " is taken", "ss -lunp");
        }

        assertFound(
            config().set("grim.aeron.bind", "a b:7000").build(), "is no address with a port", "correct the key");
        assertFalse(Doctor.findings(config).stream().anyMatch(finding -> finding.text().contains("aeron")));
        live = Grim.enable(config().set("grim.aeron.bind", taken).transports("shmem", "aeron").build());
        assertFalse(Doctor.findings(config).stream().anyMatch(finding -> finding.text().contains("aeron")),
            "its own node has the port");
    }

    private GrimConfig network(final String bind, final String host)
    {
        return config().set("grim.network.bind", bind).set("grim.network.discovery.hosts", List.of(host)).build();
    }

    /** Files as they are when all processes of a cluster were killed: nobody holds a lock. */
    private Path leftOver(final String name) throws IOException
    {
        final Path dead = directory.resolve(name);
        live = Grim.enable(config().clusterName("live").nodeName("node").build());
        Files.createDirectory(dead, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        try (Stream<Path> files = Files.list(directory.resolve("live")))
        {
            for (final Path file : files.filter(Files::isRegularFile).toList())
            {
                Files.copy(file, dead.resolve(file.getFileName()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
        return dead;
    }

    private void assertFound(final String text, final String cure)
    {
        assertFound(config().build(), text, cure);
    }

    private static void assertFound(final GrimConfig config, final String text, final String cure)
    {
        final List<Finding> findings = assertDoesNotThrow(() -> Doctor.findings(config));
        assertTrue(findings.stream().anyMatch(finding ->
            finding.text().contains(text) && finding.cure().contains(cure)), () -> text + " is none of " + findings);
    }

    private GrimConfig.Builder config()
    {
        return GrimConfig.builder().directory(directory).set("grim.warm-up", "0s");
    }
}
