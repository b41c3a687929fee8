// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

import org.agrona.CloseHelper;
import org.grim.FreePorts;
import org.grim.buffer.Uninterrupted;
import org.grim.death.PeerJvm;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A program whose host was stopped for so long that the other hosts went on without it. */
@Tag("process")
@Tag("long")
@Timeout(360)
final class FencedHostIT
{
    private static final long PAUSE_NS = 20_000_000;

    @TempDir
    private Path directory;
    private final int[] ports = {FreePorts.pair(), FreePorts.pair(), FreePorts.pair()};
    private final List<GrimSelectorProvider> providers = new ArrayList<>();

    @AfterEach
    void close()
    {
        CloseHelper.quietCloseAll(providers);
    }

    @Test
    void shouldBeReachedOverGrimAgainByOneListenerWhenItsHostWasFenced() throws IOException
    {
        for (int host = 1; host < ports.length; host++)
        {
            providers.add(ProviderPair.host(directory, host, ports));
        }
        try (PeerJvm peer = new PeerJvm(directory.resolve("log"), settings(), PeerMain.class))
        {
            final String greeting = peer.process().inputReader(UTF_8).readLine();
            final InetSocketAddress address = new InetSocketAddress(InetAddress.getLoopbackAddress(),
                Integer.parseInt(greeting.substring(0, greeting.indexOf(' '))));
            try (SocketChannel channel = connectOverGrim(address))
            {
                peer.stop();
                assertThrows(IOException.class, () -> channel.read(ByteBuffer.allocate(1)));
            }

            peer.resume();

            try (SocketChannel channel = connectOverGrim(address))
            {
                channel.write(ByteBuffer.wrap(new byte[] {5}));
                ProviderPair.readFully(channel, 1);
            }
        }
    }

    /** Hosts know each other some time after they have joined. */
    private SocketChannel connectOverGrim(final InetSocketAddress address) throws IOException
    {
        while (true)
        {
            final SocketChannel channel = providers.get(0).openSocketChannel();
            channel.connect(address);
            if (((GrimSocketChannel)channel).grimStream() != null)
            {
                return channel;
            }
            channel.close();
            Uninterrupted.park(PAUSE_NS);
        }
    }

    private List<String> settings()
    {
        final List<String> settings = new ArrayList<>(List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "-Djava.nio.channels.spi.SelectorProvider=" + GrimSelectorProvider.class.getName(),
            "-Dgrim.cluster.directory=" + directory.resolve("0"), "-Dgrim.warm-up=0s", "-Dgrim.transports.0=shmem",
            "-Dgrim.transports.1=aeron", "-Dgrim.node.host=host-0", "-Dgrim.cluster.nodes-max=8",
            "-Dgrim.network.bind=127.0.0.1:" + ports[0]));
        IntStream.range(0, ports.length).forEach(i ->
            settings.add("-Dgrim.network.discovery.hosts." + i + "=127.0.0.1:" + ports[i]));
        return settings;
    }
}
