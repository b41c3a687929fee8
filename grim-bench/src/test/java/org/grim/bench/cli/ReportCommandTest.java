// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.bench.figures.FigureDirectory;
import org.grim.bench.report.FigurePage;
import org.grim.bench.report.MadeUpRun;
import org.grim.tools.cli.CommandRun;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ReportCommandTest extends CommandRun
{

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
    void shouldWriteTheTablesIntoAPage() throws IOException
    {
        final Path page = directory.resolve("page.md");
        Files.writeString(page, "# Title\n" + FigurePage.START + "\nold\n" + FigurePage.END + "\nrest\n");

        assertEquals(0, execute("report", before.toString(), "--page", page.toString()), error::toString);

        final String text = Files.readString(page);
        assertTrue(text.startsWith("# Title\n" + FigurePage.START + "\n\n| run | |\n"), text);
        assertTrue(text.endsWith("\n" + FigurePage.END + "\nrest\n"), text);
        assertFalse(text.contains("old"), text);
        assertFalse(Files.exists(before.resolve("report.html")));
        assertRefused(2, "--page has the tables of one run", "report", before.toString(), after.toString(), "--page",
            page.toString());
        Files.writeString(page, "no marks");
        assertRefused(2, "does not have these two lines", "report", before.toString(), "--page", page.toString());
        assertEquals("no marks", Files.readString(page));
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

        assertRefused(2, directory + "/none is not a directory", "report", directory + "/none");
        assertRefused(2, directory + "/run.json is missing", "report", directory.toString());
        assertRefused(2, "--json compares two runs: directories=1", "report", before.toString(), "--json", "-");
        assertRefused(2, "--fail-on-change compares two runs", "report", before.toString(), "--fail-on-change");
        assertRefused(2, "--output=" + directory + "/none/page cannot be written", "report", before.toString(),
            "--output", directory + "/none/page");
        assertRefused(2, "Missing required parameter: 'DIR'", "report");
        Files.writeString(points, Files.readString(points).replaceFirst("\"forks\" : \\[ \\[ [0-9.]+",
            "\"forks\" : [ [ \"NaN\""));
        assertRefused(2, "has a figure that is not finite", "report", before.toString());
        Files.writeString(points, "[{\"key\": 3}]");
        assertRefused(2, points + ": ", "report", after.toString(), before.toString());
        Files.writeString(before.resolve(FigureDirectory.RUN_FILE), "{\"format\": 1, \"commit\": null}");
        assertRefused(2, before.resolve(FigureDirectory.RUN_FILE) + ": ", "report", before.toString());
        final String curves = "[{\"key\":{\"suite\":\"a\",\"benchmark\":\"b\",\"peer\":\"c\",\"mode\":\"-\"," +
            "\"xName\":\"load\",\"x\":1},\"unit\":\"ns\",\"values\":[{\"percentile\":101,\"value\":1}],\"count\":1}]";
        Files.writeString(after.resolve(FigureDirectory.CURVES_FILE), curves);
        assertRefused(2, "a percentile outside 0 to 100", "report", after.toString());
    }
}
