// SPDX-License-Identifier: Apache-2.0
package org.grim.example.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

import org.grim.tools.cli.CommandRun;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ExampleCommandTest extends CommandRun
{
    @TempDir
    private Path directory;

    @ParameterizedTest
    @EnumSource
    void shouldBeListedAndStandOnThePages(final Example example) throws IOException
    {
        assertEquals(0, execute("example"), error::toString);

        final long lines = output.toString().lines()
            .filter(line -> line.startsWith("  " + example.label() + " ")).count();
        assertEquals(1, lines, output::toString);
        final String pages = Files.readString(page("docs/tutorial.md")) + Files.readString(page("docs/mpi.md"));
        assertTrue(pages.contains("`" + example.label() + "`"), example::label);
        final Path source = page("grim-examples/src/main/java/" + example.program().replace('.', '/') + ".java");
        assertTrue(Files.isRegularFile(source), source::toString);
    }

    @Test
    void shouldListOneLineForEachExample()
    {
        assertEquals(0, execute("example"), error::toString);

        final String list = output.toString();
        final long lineCount = list.substring(list.indexOf("  price-service ")).lines().count();
        assertEquals(Example.values().length + 1, lineCount, list);
    }

    @Test
    void shouldSayHowManyProcessesAnExampleNeeds()
    {
        assertEquals(2, execute("example", "price-service", "-n", "1"));

        assertTrue(error.toString().contains("-n=1 is too few: price-service needs 2"), error::toString);
    }

    /** The promise of the page: a client of a service is short. */
    @Test
    void shouldHaveAClientOfAtMostTwentyFiveLines() throws IOException
    {
        final Path source = page("grim-examples/src/main/java/org/grim/example/PriceService.java");

        final long lineCount;
        try (Stream<String> lines = Files.lines(source))
        {
            lineCount = lines.dropWhile(line -> !line.contains("private void ask("))
                .takeWhile(line -> !line.equals("}")).count();
        }

        assertTrue(lineCount > 10 && lineCount <= 25, () -> "lines=" + lineCount);
    }

    /** DIR stands for an empty directory. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "2 | command=price-servic is unknown; did you mean price-service | example price-servic",
        "2 | -n=0 is outside 1 to | example mpi-ring -n 0",
        "2 | --receiver-delay-us=-1 is outside 0 to 10000000 | example copy a b --receiver-delay-us=-1",
        "2 | --board=thread: transport=shmem has no boards | example copy a b --transport shmem --board thread",
        "1 | source DIR/none does not exist | example copy DIR/none DIR/target"})
    void shouldSayInOneSentenceWhatIsWrong(final int exitCode, final String part, final String args)
    {
        final String base = directory.toString();

        assertRefused(exitCode, part.replace("DIR", base), args.replace("DIR", base).split(" "));

        assertEquals(0, directory.toFile().list().length, "something was left behind");
    }

    static Path page(final String name)
    {
        Path root = Path.of("").toAbsolutePath();
        while (!Files.exists(root.resolve("docs/tutorial.md")))
        {
            root = root.getParent();
        }
        return root.resolve(name);
    }
}
