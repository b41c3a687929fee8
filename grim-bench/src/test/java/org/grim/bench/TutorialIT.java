// SPDX-License-Identifier: Apache-2.0
package org.grim.bench;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.death.ShmDirectory;
import org.grim.pages.ExampleCompiler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Commands of the tutorial and of the page about MPI, one after the other in one shell, as a newcomer types them. */
@Tag("process")
final class TutorialIT
{
    private static final String TUTORIAL = "docs/tutorial.md";
    private static final String MPI = "docs/mpi.md";
    private static final long DEADLINE_S = 240;

    @TempDir
    Path folder;
    private final Path clusters = ShmDirectory.create();

    @AfterEach
    void deleteDirectory()
    {
        ShmDirectory.delete(clusters);
    }

    @Test
    void shouldRunEveryCommandOfTheTutorial() throws IOException, InterruptedException
    {
        final String text = run(TUTORIAL);

        for (final String line : List.of("metz to nancy: SENT", "nancy hears: hello from metz", "nothing waits",
            "nancy is gone: undelivered=0 unknown=0", "metz hears: hello from reims", "nancy hears: hello from reims"))
        {
            assertTrue(text.contains(line), () -> "no '" + line + "' in " + text);
        }
        assertEquals(List.of(clusters), ShmDirectory.tree(clusters), "left in shared memory");
    }

    @Test
    void shouldRunTheRingOfThePageAboutMpi() throws IOException, InterruptedException
    {
        Files.writeString(folder.resolve("Ring.java"), ExampleCompiler.blocks(MPI, "java").get(0));

        final String text = run(MPI);

        for (int rank = 0; rank < 4; rank++)
        {
            final String line = rank + " of 4: token of " + (rank + 3) % 4;
            assertTrue(text.contains(line), () -> "no '" + line + "' in " + text);
        }
    }

    /** Runs the commands of a page, and returns their output. */
    private String run(final String page) throws IOException, InterruptedException
    {
        final Path project = ExampleCompiler.find(page).getParent().getParent();
        final Path script = folder.resolve("commands.sh");
        final Path output = folder.resolve("output");
        // A process that a command left running ends with the shell, also if one fails.
        Files.writeString(script, "set -eum\ntrap 'kill $(jobs -p) 2> /dev/null || true' EXIT\n" +
            String.join("\n", ExampleCompiler.blocks(page, "sh")));
        final ProcessBuilder builder = new ProcessBuilder("bash", script.toString())
            .directory(folder.toFile()).redirectErrorStream(true).redirectOutput(output.toFile());
        builder.environment().put("GRIM", project.toString());
        builder.environment().put("JAVA_TOOL_OPTIONS", "-Dgrim.cluster.directory=" + clusters);
        final Process shell = builder.start();
        try
        {
            assertTrue(shell.waitFor(DEADLINE_S, TimeUnit.SECONDS), () -> "endless: " + read(output));
            final String text = read(output);
            assertEquals(0, shell.exitValue(), text);
            return text;
        }
        finally
        {
            shell.descendants().forEach(ProcessHandle::destroyForcibly);
            shell.destroyForcibly().waitFor();
        }
    }

    private static String read(final Path output)
    {
        try
        {
            return Files.readString(output);
        }
        catch (final IOException ex)
        {
            return ex.toString();
        }
    }
}
