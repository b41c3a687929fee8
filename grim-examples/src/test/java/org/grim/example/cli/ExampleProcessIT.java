// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.FreePorts;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Each example as a user runs it. */
@Tag("process")
@Timeout(240)
final class ExampleProcessIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldAskForPrices() throws Exception
    {
        assertEquals("[1] tea: 310 cents\n[1] coffee: 420 cents\n[1] wine: not for sale\n", output("price-service"));
        assertEquals("[1] water: 150 cents\n", output("price-service", "water"));
    }

    @Test
    void shouldFindTheCentersOfAllPoints() throws Exception
    {
        final String output = output("k-means");
        final String text = output.replaceAll("(?m)^\\[\\d] ", "");       // The first member of the group may be any.

        assertTrue(text.contains("points: 60000\n"), output);
        assertTrue(text.endsWith("center: 1.0 1.0\ncenter: 5.0 2.0\ncenter: 3.0 6.0\n"), output);
    }

    @Test
    void shouldDoAllPiecesOfWorkOnce() throws Exception
    {
        final String output = output("work-queue");

        assertTrue(output.contains("[0] primes below 200000: 17984\n"), output);
        final int pieces = output.lines().filter(line -> line.endsWith(" pieces"))
            .mapToInt(line -> Integer.parseInt(line.split(" ", -1)[3])).sum();
        assertEquals(200, pieces, output);
    }

    @Test
    void shouldCopyAFileByAStream() throws Exception
    {
        final byte[] bytes = new byte[3_000_001];
        new Random(1).nextBytes(bytes);
        final Path source = Files.write(directory.resolve("source"), bytes);
        final Path target = directory.resolve("target");

        assertEquals("[1] a file of 3000001 bytes comes\n[1] target: 3000001 bytes\n",
            output("file-stream", source.toString(), target.toString()));
        assertEquals(-1, Files.mismatch(source, target));
    }

    @Test
    void shouldShowAllFrames() throws Exception
    {
        assertEquals("[1] frames: 300, checksum: 1724\n", output("video-frames"));
    }

    @Test
    void shouldEchoOverGrim() throws Exception
    {
        final String output = output("nio-echo", Integer.toString(FreePorts.pair()));

        assertTrue(output.startsWith("[1] connected by org.grim.sockets.GrimSocketChannel["), output);
        assertTrue(output.endsWith("[1] echo: hello\n"), output);
    }

    @Test
    void shouldShowPrometheusALoadedPairAndItsEnd() throws Exception
    {
        final String port = Integer.toString(FreePorts.pair());
        final HttpClient client = HttpClient.newHttpClient();       // Before the load: it takes long to make.
        try (GrimProcess grim = GrimProcess.run(directory, "example", "prometheus", port, "8"))
        {
            grim.await("a page", () -> grim.output().contains("/metrics\n"));
            final HttpRequest scrape =
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + "/metrics")).build();
            final StringBuilder pages = new StringBuilder();
            grim.await("rate, back pressure, backlog and a death", () ->
            {
                pages.append(page(client, scrape));
                return Stream.of("messages_sent_total", "back_pressured_total", "overflow_depth", "nodes_gone_total")
                    .allMatch(name -> Pattern.compile("grim_" + name + "\\{[^}]*} [1-9]").matcher(pages).find());
            });
            assertEquals(0, grim.exitCode(), grim.output() + grim.error());
            assertTrue(grim.output().endsWith("[1] the worker is gone\n"), grim.output());
        }
    }

    private static String page(final HttpClient client, final HttpRequest scrape)
    {
        try
        {
            return client.send(scrape, HttpResponse.BodyHandlers.ofString()).body();
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    @Test
    void shouldUseATransportByOthers() throws Exception
    {
        assertEquals("[0] transports: [rings]\n[0] nancy hears: hello over rings\n", output("own-transport"));
    }

    @Test
    void shouldPassTokensRound() throws Exception
    {
        final String expected = "[0] 0 of 3: sum of all tokens 3\n[1] 1 of 3: sum of all tokens 3\n" +
            "[2] 2 of 3: sum of all tokens 3";

        assertEquals(expected, output("mpi-ring", "-n", "3").lines().sorted().collect(Collectors.joining("\n")));
    }

    /** The plate does not know how many processes compute it. */
    @Test
    void shouldComputeTheSamePlateByOneProcessAndByFour() throws Exception
    {
        final String alone = output("mpi-jacobi", "-n", "1");

        assertEquals("[0] steps: 2151, mean: 0.2480\n", alone);
        assertEquals(alone, output("mpi-jacobi"));
    }

    @Test
    void shouldGoOnWithTheTaskOfADeadWorker() throws Exception
    {
        assertEquals("[0] tasks: 100, sum: 328350, dead workers: 1\n", output("mpi-task-farm"));
    }

    private String output(final String name, final String... arguments) throws Exception
    {
        final String[] command = new String[arguments.length + 2];
        command[0] = "example";
        command[1] = name;
        System.arraycopy(arguments, 0, command, 2, arguments.length);
        try (GrimProcess grim = GrimProcess.run(directory, command))
        {
            assertEquals(0, grim.exitCode(), grim.output() + grim.error());
            return grim.output();
        }
    }
}
