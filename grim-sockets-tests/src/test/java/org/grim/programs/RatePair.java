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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * A server, which prints its port, and a client, which says how much it did in so many ms, in a process each; over GRIM
 * or over TCP. Both pairs are measured by turns.
 */
public final class RatePair implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(RatePair.class);
    private static final int ROUND_COUNT = Integer.getInteger("sockets.rate-rounds", 8);
    /** 15 s for each side: gRPC reaches its rate after some 12. */
    private static final int WARM_UP_COUNT = 30;
    private static final String ROUND_MS = "500";

    private final Path log;
    private final PeerJvm server;
    private final PeerJvm client;
    private final BufferedReader output;

    private RatePair(
        final Path directory, final String provider, final Class<?> serverMain, final Class<?> clientMain,
        final List<String> clientArguments) throws IOException
    {
        log = directory.resolve("log");
        final List<String> flags = List.of("--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
            "-Djava.nio.channels.spi.SelectorProvider=" + provider, "-Dgrim.cluster.directory=" + directory,
            "-Dgrim.sockets.only.0=*:*", "-Dgrim.sockets.connect-timeout=10s");
        final UnaryOperator<List<String>> compiled = command ->
            command.stream().filter(word -> !word.startsWith("-XX:TieredStopAtLevel")).toList();
        server = new PeerJvm(log, flags, compiled, serverMain, "127.0.0.1");
        final List<String> arguments =
            new ArrayList<>(List.of("127.0.0.1", server.process().inputReader(UTF_8).readLine()));
        arguments.addAll(clientArguments);
        client = new PeerJvm(log, flags, compiled, clientMain, arguments.toArray(String[]::new));
        output = client.process().inputReader(UTF_8);
    }

    /**
     * Measures both, and logs the ratio of adjacent rounds.
     *
     * @param what            is measured, for people.
     * @param directory       for files.
     * @param server          a main class.
     * @param client          another.
     * @param clientArguments behind address and port.
     * @return median of what GRIM carries by what TCP does.
     */
    public static double ratio(
        final String what, final Path directory, final Class<?> server, final Class<?> client,
        final String... clientArguments) throws IOException
    {
        final List<Double> ratios = new ArrayList<>();
        final List<String> arguments = List.of(clientArguments);
        try (RatePair grim =
            new RatePair(directory, "org.grim.sockets.GrimSelectorProvider", server, client, arguments);
            RatePair tcp = new RatePair(directory, "sun.nio.ch.EPollSelectorProvider", server, client, arguments))
        {
            for (int round = -WARM_UP_COUNT; round < ROUND_COUNT; round++)
            {
                final long overGrim = grim.rate();
                final long overTcp = tcp.rate();
                LOGGER.info("{}, round {}: {}/s over GRIM, {}/s over TCP", what, round, overGrim, overTcp);
                if (round >= 0)
                {
                    ratios.add((double)overGrim / overTcp);
                }
            }
        }
        return median(what, ratios);
    }

    /** Logs a median, too. */
    public static double median(final String what, final List<Double> ratios)
    {
        ratios.sort(null);
        final double median = ratios.get(ratios.size() / 2);
        LOGGER.info("{}, GRIM by TCP: median {} ({} to {})", what, text(median), text(ratios.get(0)),
            text(ratios.get(ratios.size() - 1)));
        return median;
    }

    private long rate() throws IOException
    {
        client.tell(ROUND_MS);
        final String line = output.readLine();
        assertTrue(line != null, () -> ShmDirectory.text(log));
        return Long.parseLong(line);
    }

    private static String text(final double ratio)
    {
        return String.format(Locale.ROOT, "%.2f", ratio);
    }

    @Override
    public void close()
    {
        client.close();
        server.close();
    }
}
