// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.tools.pair.PairServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The ping-pong between two hosts, which are loopback addresses or namespaces. */
@Tag("process")
@Tag("long")
@Timeout(300)
final class PingPongHostsProcessIT extends CommandRun
{
    private static final long END_TIMEOUT_S = 120;

    @TempDir
    private Path directory;

    @AfterEach
    void leavesNothing() throws Exception
    {
        GrimProcess.assertNothingLeft(directory.resolve("f"));
        assertTrue(GrimProcess.hasNoNamespace("grim-" + ProcessHandle.current().pid() + "-"));
    }

    @ParameterizedTest
    @CsvSource({"am, 0, true", "am, 8, false", "read, 8, true"})
    void shouldVerifyEveryPayload(final String mode, final int least, final boolean isLoopback) throws Exception
    {
        final Path json = directory.resolve("pingpong.json");
        final List<String> args = args("--mode", mode, "--sizes", least + ",2048,65504", "--seconds", "1", "--json",
            json.toString());
        if (isLoopback)
        {
            args.add("--loopback");
        }

        try (GrimProcess grim = GrimProcess.run(directory, args.toArray(String[]::new)))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().startsWith("hosts: two "), grim.output());
            assertTrue(!isLoopback || grim.output().contains("(network namespaces: not asked for)"), grim.output());
        }
        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertEquals("aeron", report.get("transport").asText());
        assertEquals(mode, report.get("mode").asText());
        assertEquals(3, report.get("rows").size());
        for (final JsonNode row : report.get("rows"))
        {
            assertTrue(row.get("verified").asLong() > 0, row::toString);
            assertTrue(row.get("messagesPerSecond").asLong() > 0, row::toString);
            assertTrue(row.at("/oneWayNs/p50").asDouble() > 0, row::toString);
        }
    }

    @Test
    void shouldLeaveNothingWhenTerminated() throws Exception
    {
        final String namespaces;
        try (GrimProcess grim = GrimProcess.run(directory, args("--seconds", "600").toArray(String[]::new)))
        {
            final ProcessHandle second = grim.child(PairServer.class.getName());
            final List<ProcessHandle> children = grim.process().descendants().toList();
            grim.process().destroy();

            assertNotEquals(0, grim.exitCode());
            second.onExit().get(END_TIMEOUT_S, TimeUnit.SECONDS);
            for (final ProcessHandle child : children)
            {
                child.onExit().get(END_TIMEOUT_S, TimeUnit.SECONDS);
            }
            namespaces = "grim-" + grim.process().pid() + "-";
        }
        assertTrue(GrimProcess.hasNoNamespace(namespaces), "a namespace is left: " + namespaces);
    }

    @Test
    void shouldRefuseAnotherTransport()
    {
        assertEquals(2, execute("pingpong", "--hosts", "--transport", "shmem"));

        assertTrue(error.toString().contains("--transport: between hosts it is aeron"), error::toString);
        assertFalse(directory.resolve("f").toFile().exists());
    }

    private List<String> args(final String... more)
    {
        final List<String> args = new ArrayList<>(
            List.of("pingpong", "--hosts", "--directory", directory.resolve("f").toString()));
        args.addAll(List.of(more));
        return args;
    }
}
