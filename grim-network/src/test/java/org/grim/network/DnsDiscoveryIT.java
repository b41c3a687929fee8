// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

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
@Timeout(180)
final class DnsDiscoveryIT
{
    private static final String NAME = "agents.grim.test";

    @TempDir
    private Path base;
    private final String port = Integer.toString(Hosts.freePort());

    @Test
    void shouldBeOneClusterOfAllHostsOfANameThatStartAtATime() throws IOException
    {
        Files.writeString(base.resolve("hosts"),
            "127.0.0.1 " + NAME + "\n127.0.0.2 " + NAME + "\n127.0.0.3 " + NAME + "\n");
        try (PeerJvm first = start("first", 0); PeerJvm second = start("second", 1); PeerJvm third = start("third", 2))
        {
            for (final PeerJvm peer : List.of(first, second, third))
            {
                final BufferedReader output = peer.process().inputReader(StandardCharsets.UTF_8);
                assertEquals("joined", output.readLine(), () -> logs());
                await(() -> answer(peer, output).equals(List.of("first", "second", "third")));
            }
        }
    }

    private PeerJvm start(final String name, final int host)
    {
        return new PeerJvm(base.resolve(name + ".log"),
            List.of("-Djdk.net.hosts.file=" + base.resolve("hosts"), "-D" + HostMain.DNS + "=" + NAME),
            HostMain.class, base.toString(), Integer.toString(host), name, port, port, port);
    }

    private String logs()
    {
        return Hosts.text(base.resolve("first.log")) + Hosts.text(base.resolve("second.log")) +
            Hosts.text(base.resolve("third.log"));
    }

    /** Names of the nodes that are up, sorted; what a fenced node says is no such list. */
    private static List<String> answer(final PeerJvm peer, final BufferedReader output)
    {
        try
        {
            peer.tell("");
            final String line = String.valueOf(output.readLine());
            return Stream.of(line.substring(1, line.length() - 1).split(", ")).sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
