// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.mpi;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import programs.Stuck;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** {@code ./grim why} says what the processes of a job wait for that stands still. */
@Tag("process")
final class MpiWhyIT
{
    private static final int TERMINATED = 143;

    @TempDir
    private Path directory;

    @Test
    void shouldNameSourceTagAndCommunicatorThatProcessesWaitFor() throws Exception
    {
        final Path files = Files.createDirectory(directory.resolve("f"));
        try (GrimProcess job = GrimProcess.run(directory, "run", "--directory", files.toString(), "-n", "3", "-cp",
            GrimProcess.classPath(), "-XX:TieredStopAtLevel=1", "-Xmx128m", Stuck.class.getName()))
        {
            final StringBuilder said = new StringBuilder();
            job.await("what all wait for", () -> isWholeIn(said(files, said)));

            final String why = said.toString();
            assertTrue(Pattern.compile("^node-0 waits for node-1, for [0-9.]+ m?s: receive source=1 tag=7 " +
                "communicator=0\n  node-1 itself waits for node-0, for [0-9.]+ m?s: receive source=0 tag=7 " +
                "communicator=0\n  this is a cycle: node-0 waits for node-1 waits for node-0\n  cause: cycle$",
                Pattern.MULTILINE).matcher(why).find(), why);
            assertTrue(
                Pattern.compile("^node-2 waits for node-[01], for ", Pattern.MULTILINE).matcher(why).find(), why);

            job.process().destroy();
            assertEquals(TERMINATED, job.exitCode(), job.error());
        }
        GrimProcess.assertNothingLeft(files);
        GrimProcess.assertNoRankLeft(directory);
    }

    /** Members that agree wait for the first one, which waits for the one that does not. */
    @Test
    void shouldNameTheMemberThatAnAgreementWaitsFor() throws Exception
    {
        final Path files = Files.createDirectory(directory.resolve("f"));
        try (GrimProcess job = GrimProcess.run(directory, "run", "--directory", files.toString(), "-n", "3", "-cp",
            GrimProcess.classPath(), "-XX:TieredStopAtLevel=1", "-Xmx128m", Stuck.class.getName(), "agree"))
        {
            final StringBuilder said = new StringBuilder();
            job.await("what all wait for", () -> isAgreementIn(said(files, said)));

            assertTrue(Pattern.compile("""
                ^node-1 waits for node-0, for [0-9.]+ m?s: agree communicator=0
                  node-0 itself waits for node-2, for [0-9.]+ m?s: agree communicator=0
                """, Pattern.MULTILINE).matcher(said).find(), said.toString());

            job.process().destroy();
            assertEquals(TERMINATED, job.exitCode(), job.error());
        }
        GrimProcess.assertNothingLeft(files);
        GrimProcess.assertNoRankLeft(directory);
    }

    private static boolean isAgreementIn(final String why)
    {
        return Stream.of("node-0", "node-1", "node-2").allMatch(node -> why.contains(node + " waits for "));
    }

    private static boolean isWholeIn(final String why)
    {
        return why.contains("collective barrier communicator=0") && why.contains("node-0 waits") &&
            why.contains("node-1 waits");
    }

    private String said(final Path files, final StringBuilder said)
    {
        said.setLength(0);
        try (Stream<Path> paths = Files.walk(files))
        {
            final Path cluster = paths.filter(path -> path.toString().endsWith(".counters")).findFirst()
                .map(Path::getParent).orElse(null);
            if (cluster != null)
            {
                try (GrimProcess why = GrimProcess.run(directory, "why", "--directory", cluster.getParent().toString(),
                    "--cluster", cluster.getFileName().toString()))
                {
                    why.exitCode();
                    said.append(why.output());
                }
            }
        }
        catch (final IOException | InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
        return said.toString();
    }
}
