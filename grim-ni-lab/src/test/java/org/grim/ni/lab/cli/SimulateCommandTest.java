// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.ni.guard.Guard;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.tools.cli.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SimulateCommandTest extends CommandRun
{
    private static final int PCAP_MAGIC = 0xA1B23C4D;
    private static final List<String> KEYS = List.of("seeds", "virtualHours", "delivered", "violations", "faults",
        "probes", "plantedBugs", "firstSeed", "keptSeeds", "sent", "multicasts",
        "missedProbes", "selfTests", "failures", "notes");


    @TempDir
    private Path directory;

    @Test
    void shouldReportACampaign() throws IOException
    {
        final Path json = directory.resolve("simulate.json");

        final int exitCode = execute(
            "simulate", "--minutes", "0.05", "--seed", "1", "--nodes", "2", "--json", json.toString());

        assertEquals(0, exitCode, () -> output.toString() + error);
        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        report.fieldNames().forEachRemaining(name -> assertTrue(KEYS.contains(name), name));
        KEYS.forEach(key -> assertTrue(report.has(key), key));
        assertTrue(report.get("seeds").asLong() > 0 && report.get("delivered").asLong() > 0, report::toString);
        assertTrue(report.get("virtualHours").asDouble() > 0, report::toString);
        assertEquals(0, report.get("violations").asLong());
        assertEquals(1, report.get("firstSeed").asLong());
        assertEquals(Probe.values().length, report.get("probes").size());
        assertEquals(Guard.values().length, report.get("plantedBugs").size());
        assertTrue(report.get("plantedBugs").get(0).has("medianSeeds"));
        assertTrue(report.get("faults").has("drop") && report.get("faults").has("ni-restart"));
        assertTrue(output.toString().contains("planted bug"), output::toString);
    }

    @Test
    void shouldTellOneSeedTheSameWayTwice()
    {
        assertEquals(0, execute("simulate", "--seed", "7", "--nodes", "3", "--trace"), output::toString);
        final String first = output.toString();
        output.getBuffer().setLength(0);
        assertEquals(0, execute("simulate", "--seed", "7", "--nodes", "3", "--trace"), output::toString);

        assertEquals(first, output.toString());
        assertTrue(first.contains("trace hash "), first);
        assertTrue(first.contains("node-count=3"), first);
        assertTrue(first.lines().anyMatch(line -> line.matches("\\d+\\.\\d{6} ms  NI \\d channel \\d: message .*")));
    }

    @Test
    void shouldSayAllOfAFailure()
    {
        final int exitCode = execute("simulate", "--seed", "3", "--set", "canary=1", "--set", "lossy-wire=0",
            "--set", "write-permille=0", "--set", "read-permille=0", "--set", "message-count=1000", "--trace");

        assertEquals(1, exitCode, output::toString);
        final String text = output.toString();
        assertTrue(text.contains("seed 3 failed: "), text);
        assertTrue(text.contains("last events:"), text);
        assertTrue(text.lines().anyMatch(line -> line.startsWith("  replay: ./grim simulate --seed 3 --set ") &&
            line.contains(" --set canary=1") && line.endsWith(" --trace")), text);
        assertTrue(text.contains("canary=1"), text);
    }

    @Test
    void shouldWritePacketsForWireshark() throws IOException
    {
        final Path pcap = directory.resolve("simulate.pcap");

        assertEquals(0, execute("simulate", "--seed", "7", "--nodes", "2", "--pcap", pcap.toString()),
            output::toString);

        final byte[] bytes = Files.readAllBytes(pcap);
        assertEquals(PCAP_MAGIC, ByteBuffer.wrap(bytes).getInt());
        assertTrue(bytes.length > 10_000, () -> "only " + bytes.length + " bytes");
    }

    @Test
    void shouldSayInOneSentenceWhatIsWrongWithAnOption()
    {
        assertRefused("--minutes=0.0 is outside 0.01 to 1440", "--minutes", "0");
        assertRefused("--minutes=NaN is outside 0.01 to 1440", "--minutes", "NaN");
        assertRefused("--nodes=1025 is outside 1 to 1024", "--nodes", "1025");
        assertRefused("--nodes=0 is outside 1 to 1024", "--nodes", "0");
        assertRefused("--seed=N is missing", "--trace");
        assertRefused("--seed=N is missing", "--pcap", "x.pcap");
        assertRefused("--minutes=1.0 does not go with", "--seed", "1", "--trace", "--minutes", "1");
        assertRefused("there is no setting \"pigeons\"", "--set", "pigeons=3");
        assertRefused("window=500 is outside 1 to 127", "--set", "window=500");
        assertRefused("'x' is not a long", "--seed", "x");
    }

    private void assertRefused(final String part, final String... options)
    {
        final String[] args = new String[options.length + 1];
        args[0] = "simulate";
        System.arraycopy(options, 0, args, 1, options.length);

        assertRefused(2, part, args);
    }
}
