// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.lab.cli;

import java.io.IOException;
import java.nio.file.Path;

import org.grim.tools.cli.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ScaleCommandTest extends CommandRun
{

    @TempDir
    private Path directory;

    @Test
    void shouldReportARowForEachCountOfNis() throws IOException
    {
        final Path json = directory.resolve("scale.json");

        final int exitCode = execute("scale", "--nis", "2,8", "--pattern", "hot-spot", "--wire", "myrinet", "--size",
            "512", "--messages", "20", "--seed", "7", "--json", json.toString());

        assertEquals(0, exitCode, () -> output.toString() + error);
        final JsonNode report = new ObjectMapper().readTree(json.toFile());
        assertEquals("scale", report.get("command").asText());
        assertEquals(2, report.get("rows").size());
        final JsonNode row = report.get("rows").get(1);
        assertEquals("hot-spot", row.get("pattern").asText());
        assertEquals("myrinet", row.get("wire").asText());
        assertEquals(8, row.get("nis").asInt());
        assertEquals(100, row.get("hotPercent").asInt());
        assertTrue(row.get("stop").isNull(), row::toString);
        assertEquals(7 * 20, row.get("goodput").get("deliveredCount").asInt());
        assertEquals(7, row.get("memory").get("peerCount").asInt());
        assertTrue(row.get("fairness").get("hotSpot").asDouble() > 0.9, row::toString);
        assertTrue(output.toString().startsWith("hot-spot 100 %, myrinet wire, 512 bytes, 20 messages per NI, seed 7"),
            output::toString);
        assertTrue(output.toString().contains("MB/s per NI"), output::toString);
    }

    @Test
    void shouldSayWhatStoppedARun()
    {
        final int exitCode = execute("scale", "--nis", "64", "--messages", "1000000", "--minutes", "0.001");

        assertEquals(1, exitCode, () -> output.toString() + error);
        assertTrue(output.toString().contains("64 NIs were stopped by time: 0.0 minutes are over, "),
            output::toString);
    }

    @Test
    void shouldSayInOneSentenceWhatIsWrongWithAnOption()
    {
        assertRefused(2, "--ni=lanai7 is neither lanai4 nor lanai9", "model", "--ni", "lanai7");
        assertRefused(2, "--host=p5 is neither p3-550 nor p4-1700", "model", "--host", "p5");
        assertRefused("NI count=1 is outside 2 to 4096", "--nis", "1");
        assertRefused("NI count=4097 is outside 2 to 4096", "--nis", "2,4097");
        assertRefused("size=7 is outside 8 to 65504", "--size", "7");
        assertRefused("message count=0 is outside 1 to 1000000", "--messages", "0");
        assertRefused("hot percent=0 is outside 1 to 100", "--share", "0");
        assertRefused("drain ns=-1 is outside 0 to 2147483647", "--drain-ns", "-1");
        assertRefused("--minutes=NaN is outside 0.001 to 1440", "--minutes", "NaN");
        assertRefused("--memory=0.0 is outside 0.01 to ", "--memory", "0");
        assertRefused("--memory=100000.0 is outside 0.01 to ", "--memory", "100000");
        assertRefused("'pigeons'", "--pattern", "pigeons");
        assertRefused("'string'", "--wire", "string");
        assertRefused("'x' is not an int", "--nis", "x");
    }

    private void assertRefused(final String part, final String... options)
    {
        final String[] args = new String[options.length + 1];
        args[0] = "scale";
        System.arraycopy(options, 0, args, 1, options.length);

        assertRefused(2, part, args);
    }
}
