// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.death.PeerJvm;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.grim.network.Hosts.await;
import static org.junit.jupiter.api.Assertions.assertEquals;

/** Hosts whose addresses are those of one name, as a headless service has them; the JDK reads the name from a file. */
@Tag("process")
@Tag("long")
@Timeout(120)
final class DnsDiscoveryIT
{
    private static final String NAME = "agents.grim.test";

    @TempDir
    private Path base;
    private final String port = Integer.toString(Hosts.freePort());

    @Test
    void shouldFindAllHostsOfAName() throws IOException
    {
        Files.writeString(base.resolve("hosts"), "127.0.0.1 " + NAME + "\n127.0.0.2 " + NAME + "\n");
        try (PeerJvm first = start("first", 0))
        {
            final BufferedReader firstOutput = joined("first", first);
            try (PeerJvm second = start("second", 1))
            {
                final BufferedReader secondOutput = joined("second", second);

                await(() -> answer(first, firstOutput).equals("[first, second]") &&
                    answer(second, secondOutput).equals("[first, second]"));
            }
        }
    }

    private PeerJvm start(final String name, final int host)
    {
        return new PeerJvm(base.resolve(name + ".log"),
            List.of("-Djdk.net.hosts.file=" + base.resolve("hosts"), "-D" + HostMain.DNS + "=" + NAME),
            HostMain.class, base.toString(), Integer.toString(host), name, port, port);
    }

    private BufferedReader joined(final String name, final PeerJvm peer) throws IOException
    {
        final BufferedReader output = peer.process().inputReader(StandardCharsets.UTF_8);
        assertEquals("joined", output.readLine(), () -> Hosts.text(base.resolve(name + ".log")));
        return output;
    }

    private static String answer(final PeerJvm peer, final BufferedReader output)
    {
        try
        {
            peer.tell("");
            return String.valueOf(output.readLine());
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
