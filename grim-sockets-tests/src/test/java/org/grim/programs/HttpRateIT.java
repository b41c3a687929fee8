// SPDX-License-Identifier: Apache-2.0
package org.grim.programs;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Requests per second of Netty's HTTP server on one connection that is kept, over GRIM and over TCP: two pairs of
 * processes by turns. Logs the ratio of adjacent rounds.
 */
@Tag("process")
@Tag("long")
@Timeout(300)
final class HttpRateIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HttpRateIT.class);
    private static final int ROUND_COUNT = Integer.getInteger("sockets.http-rounds", 8);
    private static final int WARM_UP_COUNT = 3;
    private static final String ROUND_MS = "500";
    private static final double RATIO_MIN = 0.1;

    private final Path directory = ShmDirectory.create();

    @AfterEach
    void deleteFiles()
    {
        ShmDirectory.delete(directory);
    }

    @Test
    void nettyAnswersOverGrimAndOverTcp() throws IOException
    {
        final List<Double> ratios = new ArrayList<>();
        try (ServerAndClient grim = new ServerAndClient("org.grim.sockets.GrimSelectorProvider");
            ServerAndClient tcp = new ServerAndClient("sun.nio.ch.EPollSelectorProvider"))
        {
            for (int round = -WARM_UP_COUNT; round < ROUND_COUNT; round++)
            {
                final long overGrim = grim.rate();
                final long overTcp = tcp.rate();
                LOGGER.info("round {}: {} requests/s over GRIM, {} over TCP", round, overGrim, overTcp);
                if (round >= 0)
                {
                    ratios.add((double)overGrim / overTcp);
                }
            }
        }
        ratios.sort(null);
        final double median = ratios.get(ratios.size() / 2);
        LOGGER.info("Netty HTTP keep-alive, GRIM by TCP: median {} ({} to {})", text(median), text(ratios.get(0)),
            text(ratios.get(ratios.size() - 1)));

        assertTrue(median > RATIO_MIN, ratios::toString);
    }

    private static String text(final double ratio)
    {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    private final class ServerAndClient implements AutoCloseable
    {
        private final PeerJvm server;
        private final PeerJvm client;
        private final BufferedReader output;

        ServerAndClient(final String provider) throws IOException
        {
            final List<String> flags = List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
                "-Djava.nio.channels.spi.SelectorProvider=" + provider, "-Dgrim.cluster.directory=" + directory,
                "-Dgrim.sockets.only.0=*:*");
            final Path log = directory.resolve("log");
            final UnaryOperator<List<String>> compiled = command ->
                command.stream().filter(word -> !word.startsWith("-XX:TieredStopAtLevel")).toList();
            server = new PeerJvm(log, flags, compiled, NettyServerMain.class, "127.0.0.1");
            final String port = server.process().inputReader(UTF_8).readLine();
            client = new PeerJvm(log, flags, compiled, HttpRateMain.class, "127.0.0.1", port);
            output = client.process().inputReader(UTF_8);
        }

        long rate() throws IOException
        {
            client.tell(ROUND_MS);
            final String line = output.readLine();
            assertTrue(line != null, () -> ShmDirectory.text(directory.resolve("log")));
            return Long.parseLong(line);
        }

        @Override
        public void close()
        {
            client.close();
            server.close();
        }
    }
}
