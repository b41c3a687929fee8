// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

import org.grim.board.counters.NiCounterKind;
import org.grim.counters.CountersView;
import org.grim.tools.cli.CommandRun;
import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Copies and boards, as processes. */
@Tag("process")
@Timeout(240)
final class CopyProcessIT extends CommandRun
{
    private static final int FILE_LENGTH = 16 << 20;
    private static final int STOP_AT_LENGTH = 4 << 20;
    /** Behind it the rest of the file may be under way as a whole, and nothing is refused. */
    private static final int STOP_BEFORE_LENGTH = 8 << 20;
    private static final int ATTEMPT_COUNT_MAX = 4;
    private static final long STOP_MS = 200;
    private static final String CLUSTER = "copies";

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

    @AfterEach
    void leavesNothing() throws IOException
    {
        GrimProcess.assertNothingLeft(clusters);
    }

    @ParameterizedTest
    @CsvSource({"am, 16777217", "rm, 4194305", "rm, 0"})
    void shouldCopyRandomBytes(final String mode, final int length) throws Exception
    {
        writeSource(length);

        final int exitCode = execute(copyCommand("--mode", mode));

        assertCopied(exitCode, output.toString(), error.toString());
    }

    /**
     * With a board of its own it stands still like its host, else it refuses what the host has no room for. Remote
     * memory is refused nothing: the sender waits for its credit.
     */
    @ParameterizedTest
    @CsvSource({"process, am, 2000, true", "duty-cycle, rm, 10000, false"})
    void shouldCopyThroughBoardsWhileTheReceiverStopsAndGoesOn(
        final String board, final String mode, final int delayUs, final boolean isRefusing) throws Exception
    {
        copyThroughBoards(board, mode, delayUs, isRefusing);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"duty-cycle, am, 2000, false", "process, rm, 10000, false"})
    void shouldCopyThroughOtherBoardsWhileTheReceiverStopsAndGoesOn(
        final String board, final String mode, final int delayUs, final boolean isRefusing) throws Exception
    {
        copyThroughBoards(board, mode, delayUs, isRefusing);
    }

    @ParameterizedTest
    @CsvSource({"am, back-pressured", "rm, memory-writes"})
    void shouldShowASlowReceiverFromOutsideAndLeaveNoTargetWhenItDies(final String mode, final String counter)
        throws Exception
    {
        writeSource(FILE_LENGTH);

        try (GrimProcess grim = copy("--mode", mode, "--receiver-delay-us", "500000", "--cluster", CLUSTER))
        {
            grim.await(counter, () -> counter(look("stat"), counter) > 0);
            assertTrue(look("stat").at("/nodes/1/inbox/queues").size() > 0);
            final JsonNode nodes = look("nodes").get("nodes");
            assertEquals(2, nodes.size());
            for (final JsonNode node : nodes)
            {
                assertEquals("up", node.get("state").asText());
                assertTrue(node.get("isAlive").asBoolean());
            }

            grim.child(CopyReceiverCommand.NAME).destroyForcibly();

            assertEquals(1, grim.exitCode());
            final List<String> errors = grim.error().lines().filter(line -> !line.startsWith("copied ")).toList();
            assertEquals(1, errors.size(), grim.error());
            assertTrue(errors.get(0).startsWith("grim: receiver (process "), grim.error());
        }
        try (Stream<Path> files = Files.list(directory))
        {
            assertFalse(files.anyMatch(file -> file.toString().contains("target")));
        }
    }

    /** Of a slower receiver once more, if it had too much when this test had stopped it. */
    private void copyThroughBoards(
        final String board, final String mode, final int delayUs, final boolean isRefusing) throws Exception
    {
        writeSource(FILE_LENGTH);
        int attempt = 1;
        int slowerUs = delayUs;
        while (!isCopiedWithAStop(board, mode, slowerUs, isRefusing))
        {
            assertTrue(attempt < ATTEMPT_COUNT_MAX, "the receiver had everything when it was stopped");
            attempt++;
            slowerUs *= 4;
        }
    }

    private boolean isCopiedWithAStop(
        final String board, final String mode, final int delayUs, final boolean isRefusing) throws Exception
    {
        Files.deleteIfExists(target);
        try (GrimProcess grim = copy("--transport", "myrinet", "--board", board, "--mode", mode,
            "--receiver-delay-us", Integer.toString(delayUs), "--cluster", CLUSTER))
        {
            grim.await("a part of the file, or the end", () ->
                partLength() > STOP_AT_LENGTH || Files.exists(target) || !grim.process().isAlive());
            final Optional<ProcessHandle> receiver = grim.findChild(CopyReceiverCommand.NAME);
            boolean isStoppedInTime = false;
            if (receiver.isPresent() && GrimProcess.trySignal("STOP", receiver.get()))
            {
                Thread.sleep(STOP_MS);
                isStoppedInTime = partLength() > 0 && partLength() < STOP_BEFORE_LENGTH;
                if (isRefusing && isStoppedInTime)
                {
                    grim.await("refusals", () ->
                        ni(NiCounterKind.TRIPLE_NACKS) > 0 && ni(NiCounterKind.REPEATED) > 0);
                }
                GrimProcess.signal("CONT", receiver.get());
            }
            assertCopied(grim.exitCode(), grim.output(), grim.error());
            return isStoppedInTime;
        }
    }

    private GrimProcess copy(final String... options) throws IOException
    {
        return GrimProcess.run(directory, copyCommand(options));
    }

    private String[] copyCommand(final String... options)
    {
        return Stream.concat(Stream.of("example", "copy", source.toString(), target.toString(), "--directory",
            clusters.toString()), Stream.of(options)).toArray(String[]::new);
    }

    private void assertCopied(final int exitCode, final String text, final String errors) throws IOException
    {
        assertEquals(0, exitCode, errors);
        final Stream<String> hashes = Stream.of(text.split("\\s+")).filter(word -> word.length() == 64);
        assertEquals(1, hashes.distinct().count(), text);
        assertEquals(-1, Files.mismatch(source, target));
    }

    /** Output of a command about the cluster; empty while the cluster is being made. */
    private JsonNode look(final String command)
    {
        output.getBuffer().setLength(0);
        execute(command, "--json", "--directory", clusters.toString(), "--cluster", CLUSTER);
        try
        {
            return new ObjectMapper().readTree(output.toString());
        }
        catch (final JsonProcessingException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static long counter(final JsonNode stat, final String name)
    {
        return stat.findValues(name).stream().mapToLong(JsonNode::asLong).sum();
    }

    /** Of the file that the receiver writes. */
    private long partLength()
    {
        try (Stream<Path> files = Files.list(directory))
        {
            final var part = files.filter(file -> file.toString().endsWith(".part")).findFirst();
            return part.isPresent() ? Files.size(part.get()) : 0;
        }
        catch (final NoSuchFileException expected)
        {
            return 0;                   // It has its name now.
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Sum of a counter over all NIs of the cluster. */
    private long ni(final NiCounterKind kind)
    {
        try (Stream<Path> files = Files.list(clusters.resolve(CLUSTER)))
        {
            long sum = 0;
            for (final Path file : files.filter(path -> path.toString().endsWith(".ni")).toList())
            {
                try (CountersView view = new CountersView(file, NiCounterKind.values()))
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

    private void writeSource(final int length) throws IOException
    {
        final byte[] bytes = new byte[length];
        new Random(length).nextBytes(bytes);
        Files.write(source, bytes);
    }
}
