// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Commands that go through boards, as processes. */
@Tag("process")
@Timeout(240)
final class BoardProcessIT
{
    private static final long WATCH_TIMEOUT_MS = 60_000;
    private static final long WATCH_INTERVAL_MS = 20;
    private static final int FILE_LENGTH = 64 << 20;
    private static final int STOP_AT_LENGTH = 16 << 20;
    private static final long STOP_MS = 1_000;
    private static final long IDLE_MS_MAX = 60;
    private static final String CLUSTER = "boards";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @CsvSource({"duty-cycle, am", "thread, am", "process, am", "duty-cycle, rm-v", "process, rm-p", "duty-cycle, read",
        "process, read"})
    void shouldVerifyEveryPayloadThroughBoards(final String board, final String mode) throws Exception
    {
        final Path json = directory.resolve("pingpong.json");

        try (GrimProcess grim = GrimProcess.jar(directory, "pingpong", "--transport", "myrinet", "--board", board,
            "--mode", mode, "--seconds", "2", "--sizes", "8,32,65504,1048576", "--json", json.toString(),
            "--directory", clusters()))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals("", grim.error());
        }

        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertEquals(board, report.get("board").asText());
        assertEquals(mode, report.get("mode").asText());
        assertEquals(4, report.get("rows").size());
        for (final JsonNode row : report.get("rows"))
        {
            assertTrue(row.get("verified").asLong() > 0, row::toString);
            assertTrue(row.get("messagesPerSecond").asLong() > 0, row::toString);
            assertTrue(row.get("ratioToRaw").asDouble() > 0, row::toString);
            assertTrue(row.get("ratioToShmem").asDouble() > 0, row::toString);
        }
        assertNothingLeft();
    }

    /**
     * With a board of its own it stands still like its host, else it refuses what the host has no room for. Remote
     * memory is refused nothing: the sender waits for its credit.
     */
    @ParameterizedTest
    @CsvSource({"duty-cycle, am, false", "process, am, true", "duty-cycle, rm, false", "process, rm, false"})
    void shouldCopyWhileTheReceiverStopsAndGoesOn(
        final String board, final String mode, final boolean isRefusing) throws Exception
    {
        final Path source = directory.resolve("source");
        final Path target = directory.resolve("target");
        final byte[] bytes = new byte[FILE_LENGTH];
        new Random(FILE_LENGTH).nextBytes(bytes);
        Files.write(source, bytes);

        try (GrimProcess grim = GrimProcess.jar(directory, "copy", source.toString(), target.toString(),
            "--transport", "myrinet", "--board", board, "--mode", mode, "--receiver-delay-us", "1000", "--cluster",
            CLUSTER, "--directory", clusters()))
        {
            await("a part of the file", grim, () -> partLength() > STOP_AT_LENGTH);
            final ProcessHandle receiver = child(grim, CopyReceiverCommand.NAME);
            signal("STOP", receiver);
            Thread.sleep(STOP_MS);
            if (isRefusing)
            {
                await("refusals", grim, () -> ni(CounterKind.NI_TRIPLE_NACKS) > 0 && ni(CounterKind.NI_REPEATED) > 0);
            }
            assertTrue(partLength() < FILE_LENGTH, "the receiver had everything when it was stopped");
            signal("CONT", receiver);

            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals(1, Stream.of(grim.output().split("\\s+")).filter(word -> word.length() == 64).distinct()
                .count(), grim.output());
        }

        assertEquals(-1, Files.mismatch(source, target));
        assertNothingLeft();
    }

    @Test
    void shouldServeABoardUntilItIsTerminated() throws Exception
    {
        try (GrimProcess board = GrimProcess.jar(directory, "board", "--name", "metz", "--contexts", "2", "--channels",
            "4", "--lanai", "4", "--cluster", CLUSTER, "--directory", clusters()))
        {
            await("the line of the board", board, () -> output(board).contains("board metz ready: "));
            assertEquals(1, output(board).lines().count(), output(board));
            // First the JVM compiles what it has run; then nothing is left to do.
            await("a second without work", board, () -> cpuMsOfOneSecond(board) < IDLE_MS_MAX);

            board.process().destroy();

            assertNotEquals(0, board.exitCode());
            assertEquals("", board.error());
        }
        assertNothingLeft();
    }

    @Test
    void shouldEndTheBoardWithTheCommandThatStartedIt() throws Exception
    {
        try (GrimProcess grim = GrimProcess.jar(directory, "pingpong", "--transport", "myrinet", "--board", "process",
            "--directory", clusters()))
        {
            await("the board's process", grim, () -> child(grim, "board") != null);
            final ProcessHandle board = child(grim, "board");
            grim.process().destroyForcibly();

            assertNotEquals(0, grim.exitCode());
            board.onExit().get(WATCH_TIMEOUT_MS, TimeUnit.MILLISECONDS);
        }
    }

    private String clusters()
    {
        return directory.resolve("clusters").toString();
    }

    /** Of the file that the receiver writes. */
    private long partLength()
    {
        try (Stream<Path> files = Files.list(directory))
        {
            final var part = files.filter(file -> file.toString().endsWith(".part")).findFirst();
            return part.isPresent() ? Files.size(part.get()) : 0;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Sum of a counter over all NIs of the cluster. */
    private long ni(final CounterKind kind)
    {
        try (Stream<Path> files = Files.list(Path.of(clusters(), CLUSTER)))
        {
            long sum = 0;
            for (final Path file : files.filter(path -> path.toString().endsWith(".ni")).toList())
            {
                try (CountersView view = new CountersView(file))
                {
                    sum += view.readings().stream().filter(reading -> reading.kind() == kind)
                        .mapToLong(CountersView.Reading::value).sum();
                }
            }
            return sum;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static ProcessHandle child(final GrimProcess grim, final String command)
    {
        return grim.process().descendants().filter(process -> Arrays.asList(process.info().arguments()
            .orElse(new String[0])).contains(command)).findFirst().orElse(null);
    }

    private static void signal(final String signal, final ProcessHandle process) throws Exception
    {
        final Process kill = new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start();
        assertTrue(kill.waitFor(WATCH_TIMEOUT_MS, TimeUnit.MILLISECONDS));
        assertEquals(0, kill.exitValue());
    }

    private static void await(final String what, final GrimProcess grim, final BooleanSupplier condition)
        throws Exception
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(WATCH_TIMEOUT_MS);
        while (!condition.getAsBoolean())
        {
            assertTrue(grim.process().isAlive(), () -> "ended before there was " + what + ": " + error(grim));
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "never saw " + what);
            Thread.sleep(WATCH_INTERVAL_MS);
        }
    }

    private static long cpuMsOfOneSecond(final GrimProcess process)
    {
        final Duration before = cpuTime(process);
        LockSupport.parkNanos(TimeUnit.SECONDS.toNanos(1));
        return cpuTime(process).minus(before).toMillis();
    }

    private static Duration cpuTime(final GrimProcess process)
    {
        return process.process().info().totalCpuDuration().orElseThrow();
    }

    private static String output(final GrimProcess process)
    {
        try
        {
            return process.output();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static String error(final GrimProcess process)
    {
        try
        {
            return process.error();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void assertNothingLeft() throws IOException
    {
        final Path base = Path.of(clusters());
        try (Stream<Path> files = Files.exists(base) ? Files.list(base) : Stream.empty())
        {
            assertEquals(0, files.count(), "a cluster was left behind");
        }
    }
}
