// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.page.MadeUpRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import picocli.CommandLine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ReportCommandTest
{
    private final StringWriter output = new StringWriter();
    private final StringWriter error = new StringWriter();

    @TempDir
    private Path directory;

    private Path before;
    private Path after;

    @BeforeEach
    void writeRuns() throws IOException
    {
        before = directory.resolve("before");
        after = directory.resolve("after");
        MadeUpRun.of(1, 1).write(before);
        MadeUpRun.of(2, 1.2).write(after);
    }

    @Test
    void shouldMakeAPage() throws IOException
    {
        assertEquals(0, execute("report", before.toString()), error::toString);

        assertEquals("page: " + before.resolve("report.html"), output.toString().strip());
        assertTrue(Files.readString(before.resolve("report.html")).endsWith("</html>\n"));
    }

    @Test
    void shouldCompareTwoRuns() throws IOException
    {
        final Path page = directory.resolve("page.html");
        final Path json = directory.resolve("changes.json");

        assertEquals(0, execute("report", before.toString(), after.toString(), "--output", page.toString(), "--json",
            json.toString()), error::toString);

        assertTrue(output.toString().contains("2 worse, 0 better"), output.toString());
        assertTrue(Files.readString(page).contains("2 worse, 0 better"));
        final JsonNode changes = new ObjectMapper().readTree(json.toFile());
        assertEquals("report", changes.get("command").asText());
        int worse = 0;
        for (final JsonNode row : changes.get("rows"))
        {
            worse += row.get("verdict").asText().equals("worse") ? 1 : 0;
            assertEquals(row.get("verdict").asText().equals("not judged"), row.get("p").isNull(), row::toString);
            assertFalse(row.has("changed"), row::toString);
        }
        assertEquals(2, worse);
    }

    @Test
    void shouldFailOnAChangeForTheWorseOnly()
    {
        assertEquals(1, execute("report", before.toString(), after.toString(), "--fail-on-change"));
        assertEquals(0, execute("report", after.toString(), before.toString(), "--fail-on-change"), error::toString);
        assertTrue(Files.exists(before.resolve("comparison.html")));
    }

    @Test
    void shouldLeaveStandardOutputToJson() throws IOException
    {
        assertEquals(0, execute("report", before.toString(), before.toString(), "--json", "-"), error::toString);

        assertEquals(0, new ObjectMapper().readTree(output.toString()).get("onlyInA").size());
        assertTrue(error.toString().contains("0 worse, 0 better"), error.toString());
    }

    @Test
    void shouldSayInOneSentenceWhatIsWrong() throws IOException
    {
        final Path points = before.resolve(FigureDirectory.POINTS_FILE);

        assertRefused(directory + "/none is not a directory", "report", directory + "/none");
        assertRefused(directory + "/run.json is missing", "report", directory.toString());
        assertRefused("--json compares two runs: directories=1", "report", before.toString(), "--json", "-");
        assertRefused("--fail-on-change compares two runs", "report", before.toString(), "--fail-on-change");
        assertRefused("--output=" + directory + "/none/page cannot be written", "report", before.toString(),
            "--output", directory + "/none/page");
        assertRefused("Missing required parameter: 'DIR'", "report");
        Files.writeString(points, Files.readString(points).replaceFirst("\"forks\" : \\[ \\[ [0-9.]+",
            "\"forks\" : [ [ \"NaN\""));
        assertRefused("has a figure that is not finite", "report", before.toString());
        Files.writeString(points, "[{\"key\": 3}]");
        assertRefused(points + ": ", "report", after.toString(), before.toString());
        Files.writeString(before.resolve(FigureDirectory.RUN_FILE), "{\"format\": 1, \"commit\": null}");
        assertRefused(before.resolve(FigureDirectory.RUN_FILE) + ": ", "report", before.toString());
        final String curves = "[{\"key\":{\"suite\":\"a\",\"benchmark\":\"b\",\"peer\":\"c\",\"mode\":\"-\"," +
            "\"xName\":\"load\",\"x\":1},\"unit\":\"ns\",\"values\":[{\"percentile\":101,\"value\":1}],\"count\":1}]";
        Files.writeString(after.resolve(FigureDirectory.CURVES_FILE), curves);
        assertRefused("a percentile outside 0 to 100", "report", after.toString());
    }

    private void assertRefused(final String part, final String... args)
    {
        error.getBuffer().setLength(0);

        assertEquals(2, execute(args), error::toString);

        final String text = error.toString();
        assertEquals(1, text.lines().count(), text);
        assertTrue(text.startsWith("grim: ") && text.contains(part), text);
    }

    private int execute(final String... args)
    {
        final CommandLine commandLine = GrimCommand.commandLine();
        commandLine.setOut(new PrintWriter(output));
        commandLine.setErr(new PrintWriter(error));
        return commandLine.execute(args);
    }
}
