// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.tools.pair.PairServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The command {@code pingpong} as processes. */
@Tag("process")
@Timeout(240)
final class PingPongProcessIT extends CommandRun
{
    private static final Path TASKSET = Path.of("/usr/bin/taskset");
    private static final long END_TIMEOUT_S = 120;

    @TempDir
    private Path directory;
    private Path clusters;

    @BeforeEach
    void nameFiles()
    {
        clusters = directory.resolve("clusters");
    }

    @AfterEach
    void leavesNothing() throws IOException
    {
        GrimProcess.assertNothingLeft(clusters);
    }

    @ParameterizedTest
    @CsvSource({"shmem, , am, 0", "myrinet, process, rm-p, 8"})
    void shouldVerifyEveryPayload(final String transport, final String board, final String mode, final String least)
        throws Exception
    {
        verifyEveryPayload(transport, board, mode, least);
    }

    @Tag("long")
    @ParameterizedTest
    @CsvSource({"shmem, , rm-v, 1", "shmem, , rm-p, 8", "shmem, , read, 1", "myrinet, duty-cycle, am, 8",
        "myrinet, thread, rm-v, 8", "myrinet, duty-cycle, read, 8"})
    void shouldVerifyEveryPayloadInAllModes(
        final String transport, final String board, final String mode, final String least) throws Exception
    {
        verifyEveryPayload(transport, board, mode, least);
    }

    /** Both processes take turns: a thread that never yields would let none of them end in time. */
    @Tag("long")
    @Test
    void shouldTakeTurnsOnOneCore() throws Exception
    {
        assumeTrue(Files.isExecutable(TASKSET), "no taskset");
        final List<String> command = new ArrayList<>(List.of(TASKSET.toString(), "-c", "0"));
        command.addAll(GrimProcess.command(command("--sizes", "32").toArray(String[]::new)));

        try (GrimProcess grim = GrimProcess.start(directory, new ProcessBuilder(command)))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertEquals("", grim.error());
        }
        final JsonNode report = report();
        assertTrue(report.at("/rows/0/verified").asLong() > 0, report::toString);
    }

    @ParameterizedTest
    @CsvSource({"shmem, duty-cycle, true", "shmem, duty-cycle, false", "myrinet, process, false"})
    void shouldEndEveryJvmAndRemoveTheCluster(final String transport, final String board, final boolean isPolite)
        throws Exception
    {
        final List<String> args =
            new ArrayList<>(List.of("pingpong", "--directory", clusters.toString(), "--transport", transport));
        if (transport.equals("myrinet"))
        {
            args.addAll(List.of("--board", board));
        }
        try (GrimProcess grim = GrimProcess.run(directory, args.toArray(String[]::new)))
        {
            final ProcessHandle first = grim.child(transport.equals("myrinet") ? "board" : PairServer.class.getName());
            final List<ProcessHandle> children = new ArrayList<>(grim.process().descendants().toList());
            children.add(first);
            if (isPolite)
            {
                grim.process().destroy();
            }
            else
            {
                grim.process().destroyForcibly();
            }

            assertNotEquals(0, grim.exitCode());
            for (final ProcessHandle child : children)
            {
                child.onExit().get(END_TIMEOUT_S, TimeUnit.SECONDS);
            }
        }
        if (!isPolite)
        {
            GrimProcess.awaitNothingLeft(clusters);     // One that was started last may have been no child yet.
        }
    }

    private void verifyEveryPayload(final String transport, final String board, final String mode, final String least)
        throws Exception
    {
        final List<String> options = new ArrayList<>(List.of("--transport", transport, "--mode", mode, "--sizes",
            least + ",32,65504,1048576"));
        if (board != null)
        {
            options.addAll(List.of("--board", board));
        }

        final JsonNode report = pingPong(options);

        assertEquals(transport, report.get("transport").asText());
        assertEquals(mode, report.get("mode").asText());
        assertEquals(4, report.get("rows").size());
        for (final JsonNode row : report.get("rows"))
        {
            assertTrue(row.get("verified").asLong() > 0, row::toString);
            assertTrue(row.get("messagesPerSecond").asLong() > 0, row::toString);
            final boolean isOneLine = row.get("size").asInt() <= 64;
            assertTrue(row.get(isOneLine ? "ratioToRaw" : "ratioToCopyFlag").asDouble() > 0, row::toString);
            assertTrue(row.get(isOneLine ? "copyFlagOneWayNs" : "rawOneWayNs").isNull(), row::toString);
            assertTrue(board == null || row.get("ratioToShmem").asDouble() > 0, row::toString);
        }
    }

    /** In this process; the second one is started, and heard. */
    private JsonNode pingPong(final List<String> options) throws IOException
    {
        final ByteArrayOutputStream ofSecond = new ByteArrayOutputStream();
        final PrintStream standardError = System.err;
        System.setErr(new PrintStream(ofSecond, true, UTF_8));
        try
        {
            assertEquals(0, execute(command(options.toArray(String[]::new)).toArray(String[]::new)), error::toString);
        }
        finally
        {
            System.setErr(standardError);
        }
        assertEquals("", error + ofSecond.toString(UTF_8));
        return report();
    }

    private List<String> command(final String... options)
    {
        return Stream.concat(Stream.of("pingpong", "--seconds", "0.3", "--json", json().toString(), "--directory",
            clusters.toString()), Stream.of(options)).toList();
    }

    private JsonNode report() throws IOException
    {
        return new ObjectMapper().readTree(json().toFile());
    }

    private Path json()
    {
        return directory.resolve("pingpong.json");
    }
}
