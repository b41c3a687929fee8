// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Stream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("process")
@Timeout(120)
final class GrimProcessIT
{
    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final long WATCH_TIMEOUT_MS = 40_000;
    private static final long WATCH_INTERVAL_MS = 100;

    @TempDir
    private Path directory;
    private Path clusters;
    private Path source;
    private Path target;

    @BeforeEach
    void nameFiles()
    {
        clusters = directory.resolve("clusters");
        source = directory.resolve("source");
        target = directory.resolve("target");
    }

    @ParameterizedTest
    @CsvSource({"am, 0", "rm-v, 1", "rm-p, 8", "read, 1"})
    void shouldVerifyEveryPayloadBetweenTwoJvms(final String mode, final String least) throws Exception
    {
        final Path json = directory.resolve("pingpong.json");

        try (GrimProcess grim = GrimProcess.jar(directory, "pingpong", "--mode", mode, "--seconds", "2", "--sizes",
            least + ",32,65504,1048576", "--json", json.toString(), "--directory", clusters.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals("", grim.error());
        }

        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertEquals("shmem", report.get("transport").asText());
        assertEquals(mode, report.get("mode").asText());
        assertEquals(4, report.get("rows").size());
        for (final JsonNode row : report.get("rows"))
        {
            assertTrue(row.get("verified").asLong() > 0, row::toString);
            assertTrue(row.get("messagesPerSecond").asLong() > 0, row::toString);
            assertTrue(row.get("ratioToRaw").asDouble() > 0, row::toString);
        }
        assertNothingLeft();
    }

    /** Both processes take turns: a thread that never yields would let none of them end in time. */
    @Test
    void shouldTakeTurnsOnOneCore() throws Exception
    {
        assumeTrue(Files.isExecutable(TASKSET), "no taskset");
        final Path json = directory.resolve("pingpong.json");
        final ProcessBuilder builder = new ProcessBuilder(TASKSET.toString(), "-c", "0",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
            System.getProperty("build.jar"), "pingpong", "--seconds", "2", "--sizes", "32", "--json", json.toString(),
            "--directory", clusters.toString());

        try (GrimProcess grim = GrimProcess.start(directory, builder))
        {
            assertEquals(0, grim.exitCode(), grim.error());
        }

        final JsonNode row = new ObjectMapper().readTree(json.toFile()).get("rows").get(0);
        assertTrue(row.get("verified").asLong() > 0, row::toString);
    }

    @Test
    void shouldHandItsArgumentsToJmh() throws Exception
    {
        try (GrimProcess grim = GrimProcess.jar(directory, "jmh", "-l", "SendPoll"))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().contains("SendPollBenchmark.sendPoll"), grim.output());
        }
    }

    @Test
    void shouldEndBothJvmsAndRemoveTheClusterWhenTerminated() throws Exception
    {
        try (GrimProcess grim = GrimProcess.jar(directory, "pingpong", "--directory", clusters.toString()))
        {
            final ProcessHandle peer = awaitChild(grim);
            grim.process().destroy();

            assertNotEquals(0, grim.exitCode());
            peer.onExit().get(WATCH_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
        assertNothingLeft();
    }

    @ParameterizedTest
    @ValueSource(strings = {"--transport=shmem", "--transport=myrinet --board=process"})
    void shouldEndSecondJvmsAndRemoveTheClusterWhenFirstIsKilled(final String transport) throws Exception
    {
        final List<String> args = new ArrayList<>(List.of("pingpong", "--directory", clusters.toString()));
        args.addAll(List.of(transport.split(" ")));
        try (GrimProcess grim = GrimProcess.jar(directory, args.toArray(String[]::new)))
        {
            final ProcessHandle child = awaitChild(grim);
            final List<ProcessHandle> children = new ArrayList<>(grim.process().descendants().toList());
            children.add(child);
            grim.process().destroyForcibly();

            assertNotEquals(0, grim.exitCode());
            for (final ProcessHandle handle : children)
            {
                handle.onExit().get(WATCH_TIMEOUT_MS, TimeUnit.MILLISECONDS);
            }
        }
        assertNothingLeft();
    }

    @ParameterizedTest
    @CsvSource({"am, 67108864", "rm, 67108864", "rm, 4194305", "rm, 1", "rm, 0"})
    void shouldCopyRandomBytes(final String mode, final int length) throws Exception
    {
        writeSource(length);

        try (GrimProcess grim = copy("--mode", mode))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(2, Stream.of(grim.output().split("\\s+")).filter(word -> word.length() == 64).count());
        }

        assertEquals(-1, Files.mismatch(source, target));
        assertNothingLeft();
    }

    @Test
    void shouldShowBackPressureFromOutsideWhenReceiverIsSlow() throws Exception
    {
        writeSource(8 << 20);

        try (GrimProcess grim = copy("--receiver-delay-us", "60000", "--cluster", "slow"))
        {
            final JsonNode stat = awaitJson("stat", json -> counter(json, "back-pressured") > 0);
            assertEquals(2, stat.get("nodes").size());
            assertTrue(stat.get("nodes").get(1).get("inbox").get("queues").size() > 0, stat::toString);
            assertEquals("", look("stat").error());
            final JsonNode nodes = awaitJson("nodes", json -> json.get("nodes").size() == 2);
            for (final JsonNode node : nodes.get("nodes"))
            {
                assertEquals("up", node.get("state").asText());
                assertTrue(node.get("isAlive").asBoolean());
            }
            assertEquals(0, grim.exitCode(), grim.error());
        }

        assertArrayEquals(Files.readAllBytes(source), Files.readAllBytes(target));
        assertNothingLeft();
    }

    @ParameterizedTest
    @CsvSource({"am, back-pressured", "rm, memory-writes"})
    void shouldLeaveNoTargetWhenReceiverDies(final String mode, final String counter) throws Exception
    {
        writeSource(32 << 20);

        try (GrimProcess grim = copy("--mode", mode, "--receiver-delay-us", "60000", "--cluster", "slow"))
        {
            awaitJson("stat", json -> counter(json, counter) > 0);
            awaitChild(grim).destroyForcibly();

            assertEquals(1, grim.exitCode());
            assertTrue(grim.error().startsWith("grim: receiver (process "), grim.error());
            assertEquals(1, grim.error().lines().count(), grim.error());
        }

        try (Stream<Path> files = Files.list(directory))
        {
            assertFalse(files.anyMatch(file -> file.toString().contains("target")));
        }
        assertNothingLeft();
    }

    @Test
    void shouldSayWhichFlagIsMissing() throws Exception
    {
        final ProcessBuilder builder = new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-cp", System.getProperty("build.jar"),
            "org.grim.bench.Launcher", "pingpong", "--transport", "null");

        try (GrimProcess grim = GrimProcess.start(directory, builder))
        {
            assertEquals(1, grim.exitCode());
            assertTrue(grim.error().contains("--add-opens java.base/jdk.internal.misc=ALL-UNNAMED"), grim.error());
            assertEquals(1, grim.error().lines().count(), grim.error());
        }
    }

    @Test
    void shouldPrintVersionOfTheJar() throws Exception
    {
        try (GrimProcess grim = GrimProcess.jar(directory, "--version"))
        {
            assertEquals(0, grim.exitCode());
            assertTrue(grim.output().matches("(?s)grim \\d.*Java \\d.*"), grim.output());
        }
    }

    private GrimProcess copy(final String... options) throws IOException
    {
        final String[] args = Stream.concat(Stream.of("copy", source.toString(), target.toString(), "--directory",
            clusters.toString()), Stream.of(options)).toArray(String[]::new);
        return GrimProcess.jar(directory, args);
    }

    private GrimProcess look(final String command) throws Exception
    {
        try (GrimProcess grim = GrimProcess.jar(directory, command, "--json", "--directory", clusters.toString(),
            "--cluster", "slow"))
        {
            grim.exitCode();
            return grim;
        }
    }

    /** Looks until the report is as wanted. */
    private JsonNode awaitJson(final String command, final Predicate<JsonNode> isWanted) throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WATCH_TIMEOUT_MS);
        while (true)
        {
            final GrimProcess grim = look(command);
            if (!grim.output().isEmpty())
            {
                final JsonNode json = new ObjectMapper().readTree(grim.output());
                if (isWanted.test(json))
                {
                    return json;
                }
            }
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> command + " never showed what it should");
            Thread.sleep(WATCH_INTERVAL_MS);
        }
    }

    private static ProcessHandle awaitChild(final GrimProcess grim) throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WATCH_TIMEOUT_MS);
        while (true)
        {
            // The second JVM, not taskset, which ends at once, nor the helper that starts processes.
            final var child = grim.process().descendants()
                .filter(process -> process.info().command().orElse("").endsWith("/java")).findFirst();
            if (child.isPresent())
            {
                return child.get();
            }
            assertTrue(System.nanoTime() - deadlineNs < 0, "no second JVM");
            Thread.sleep(WATCH_INTERVAL_MS);
        }
    }

    private static long counter(final JsonNode stat, final String name)
    {
        long sum = 0;
        for (final JsonNode node : stat.get("nodes"))
        {
            for (final JsonNode channel : node.get("channels"))
            {
                sum += channel.get("counters").get(name).asLong();
            }
        }
        return sum;
    }

    private void writeSource(final int length) throws IOException
    {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Files.write(source, bytes);
    }

    private void assertNothingLeft() throws IOException
    {
        try (Stream<Path> files = Files.exists(clusters) ? Files.list(clusters) : Stream.empty())
        {
            assertEquals(0, files.count(), "a cluster was left behind");
        }
    }
}
