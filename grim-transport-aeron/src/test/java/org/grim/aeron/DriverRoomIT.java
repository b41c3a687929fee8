// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.death.PeerJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** A driver's files are mapped: without room for them a process would end by a signal. So it is looked for before. */
@Tag("process")
@Timeout(180)
final class DriverRoomIT
{
    private static final String LEFT = "left behind: ";

    @TempDir
    private Path mount;
    private List<String> unshare;

    /** Exit status and output of a process. */
    private record Outcome(int exitStatus, String output)
    {
    }

    @BeforeEach
    void findUnshare()
    {
        unshare = Stream.of(List.of("unshare", "-m"), List.of("unshare", "-Urm")).filter(this::canMount).findFirst()
            .orElse(null);
        assumeTrue(unshare != null, "neither unshare -m nor unshare -Urm may mount a tmpfs here");
    }

    @Test
    void shouldSayHowMuchRoomADriverNeedsAndLeaveNothing()
    {
        final Outcome outcome = inTmpfs("2m");

        assertEquals(1, outcome.exitStatus(), outcome::output);
        assertTrue(outcome.output().matches("(?s).*has no room for its files and one log of grim.aeron.term-length=" +
            "65536: needed=[0-9]+ bytes free=[0-9]+ bytes.*"), outcome::output);
        assertTrue(outcome.output().endsWith(LEFT + "\n"), outcome::output);
    }

    @Test
    void shouldJoinWhereThereIsEnough()
    {
        final Outcome outcome = inTmpfs("64m");

        assertEquals(0, outcome.exitStatus(), outcome::output);
        assertTrue(outcome.output().contains("joined\nstopped\n") && outcome.output().endsWith(LEFT + "\n"),
            outcome::output);
    }

    private Outcome inTmpfs(final String size)
    {
        final List<String> command = PeerJvm.command(PeerMain.class, true);
        command.addAll(List.of(mount.toString(), "alone"));
        final String java = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        return run("mount -t tmpfs -o size=" + size + " tmpfs " + mount + " || exit 99\necho stop | " + java +
            "\nstatus=$?\necho \"" + LEFT + "$(find " + mount + " -mindepth 1)\"\nexit $status", unshare);
    }

    private boolean canMount(final List<String> prefix)
    {
        try
        {
            return run("mount -t tmpfs -o size=4k tmpfs " + mount, prefix).exitStatus() == 0;
        }
        catch (final UncheckedIOException ex)
        {
            return false;               // There is no such command.
        }
    }

    private static Outcome run(final String script, final List<String> prefix)
    {
        final Process process = PeerJvm.start(new ProcessBuilder(
            Stream.concat(prefix.stream(), Stream.of("sh", "-c", script)).toList()).redirectErrorStream(true));
        try
        {
            final String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertTrue(process.waitFor(60, TimeUnit.SECONDS), output);
            return new Outcome(process.exitValue(), output);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }
}
