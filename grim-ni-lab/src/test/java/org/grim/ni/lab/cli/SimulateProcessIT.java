// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

@Tag("process")
@Tag("long")
@Timeout(240)
final class SimulateProcessIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldWriteNothingButJsonToStandardOutput() throws Exception
    {
        try (GrimProcess grim = GrimProcess.run(directory, "simulate", "--minutes", "0.1", "--json", "-"))
        {
            assertEquals(0, grim.exitCode(), grim.error());

            final JsonNode report = new ObjectMapper().readTree(grim.output());
            assertTrue(report.get("seeds").asLong() > 0, report::toString);
            assertTrue(report.get("multicasts").asLong() > 0, report::toString);
            assertTrue(grim.error().contains("active messages delivered"), grim.error());
        }
    }

    @Test
    void shouldWritePacketsThatTheDissectorExplains() throws Exception
    {
        final Path pcap = directory.resolve("simulate.pcap");
        try (GrimProcess grim = GrimProcess.run(directory, "simulate", "--seed", "5", "--set", "lossy-wire=1",
            "--set", "drop-ppm=50000", "--set", "repeat-ppm=200000", "--pcap", pcap.toString()))
        {
            assertEquals(0, grim.exitCode(), grim.output() + grim.error());
        }
        assumeTrue(isTsharkInstalled(), "tshark is not installed: the packets are not explained");

        final ProcessBuilder builder = new ProcessBuilder("tshark", "-n", "-X", "lua_script:" + script(), "-r",
            pcap.toString(), "-T", "fields", "-e", "grim.trace.event", "-e", "grim.type");
        builder.environment().put("HOME", directory.toString());
        builder.environment().put("XDG_CONFIG_HOME", directory.toString());
        try (GrimProcess tshark = GrimProcess.start(directory, builder))
        {
            assertEquals(0, tshark.exitCode(), tshark.error());
            final String rows = tshark.output();
            assumeTrue(rows.contains("\t"), "this tshark was built without Lua: the packets are not explained");
            // Sent, sent again, lost, repeated, delivered; an active message, an acknowledgement.
            Stream.of("1\t1", "2\t1", "3\t", "4\t", "7\t1", "1\t8").forEach(row ->
                assertTrue(rows.lines().anyMatch(line -> line.startsWith(row)), row + " is missing"));
            assertFalse(rows.lines().anyMatch(String::isBlank), "a packet was not explained");
        }
    }

    private static boolean isTsharkInstalled()
    {
        return Stream.of(System.getenv().getOrDefault("PATH", "").split(":"))
            .anyMatch(entry -> !entry.isEmpty() && Files.isExecutable(Path.of(entry, "tshark")));
    }

    private static Path script()
    {
        // Tests run in the folder of the module or of the whole project.
        final Path script = Path.of("docs", "grim.lua").toAbsolutePath();
        return Files.exists(script) ? script : Path.of("..", "docs", "grim.lua").toAbsolutePath().normalize();
    }
}
