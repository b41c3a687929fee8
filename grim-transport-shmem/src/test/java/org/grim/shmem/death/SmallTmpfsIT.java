// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.death.PeerJvm;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * A tmpfs of each size from none to enough, mounted where nobody else sees it; one that is read only; another's
 * directory.
 */
@Tag("process")
@Tag("long")
class SmallTmpfsIT
{
    private static final List<Integer> SIZES_KIB = List.of(4, 40, 264, 296, 336, 368, 392, 416, 4096);
    private static final String LEFT = "left behind: ";

    @TempDir
    private Path mount;
    private List<String> unshare;

    @BeforeEach
    void findUnshare()
    {
        final List<List<String>> prefixes = List.of(List.of("unshare", "-m"), List.of("unshare", "-Urm"));
        unshare = prefixes.stream().filter(this::canMount).findFirst().orElse(null);
        assumeTrue(unshare != null, "neither unshare -m nor unshare -Urm may mount a tmpfs here");
    }

    @Test
    void shouldRefuseATmpfsThatIsTooSmallInOneSentence()
    {
        int refusedCount = 0;
        int joinedCount = 0;
        for (final int size : SIZES_KIB)
        {
            final Outcome outcome = inTmpfs("size=" + size + "k", "");
            final String what = "size=" + size + " KiB exit=" + outcome.exitStatus() + ": " + outcome.output();
            assertFalse(outcome.isDeathBySignal(), what);
            assertEquals("", left(outcome), what);
            if (outcome.exitStatus() == 0)
            {
                joinedCount++;
            }
            else
            {
                refusedCount++;
                assertEquals(2, outcome.output().lines().count(), what);
                assertTrue(outcome.output().contains(mount.toString()), what);
                assertTrue(outcome.output().matches("(?s).*needed=[0-9]+ bytes free=[0-9]+ bytes.*"), what);
            }
        }
        assertTrue(refusedCount > 2 && joinedCount > 0, "refused=" + refusedCount + " joined=" + joinedCount);
    }

    @Test
    void shouldRefuseAReadOnlyTmpfsInOneSentence()
    {
        final Outcome outcome = inTmpfs("size=4m,ro", "");

        assertEquals(1, outcome.exitStatus(), outcome.output());
        assertEquals(2, outcome.output().lines().count(), outcome.output());
        assertTrue(outcome.output().contains(mount.toString()), outcome.output());
        assertEquals("", left(outcome), outcome.output());
    }

    @Test
    void shouldRefuseAnothersDirectoryInOneSentence() throws IOException
    {
        assumeTrue(Files.getOwner(Path.of("/proc/self")).getName().equals("root"), "only root can give it away");

        final Outcome outcome = inTmpfs("size=4m",
            "mkdir -m 700 " + mount + "/" + DeathConfig.CLUSTER +
            " && chown 65534 " + mount + "/" + DeathConfig.CLUSTER);

        assertEquals(1, outcome.exitStatus(), outcome.output());
        assertTrue(outcome.output().contains("it belongs to uid=65534, expected uid=0"), outcome.output());
        assertEquals(mount + "/" + DeathConfig.CLUSTER, left(outcome), outcome.output());
    }

    private boolean canMount(final List<String> prefix)
    {
        try
        {
            return Outcome.of(shell(prefix, "mount -t tmpfs -o size=4k tmpfs " + mount)).exitStatus() == 0;
        }
        catch (final UncheckedIOException ex)
        {
            return false;           // No such command.
        }
    }

    private Outcome inTmpfs(final String options, final String preparation)
    {
        final List<String> command = PeerJvm.command(NodeMain.class, true);
        command.addAll(List.of(mount.toString(), "1", "alone"));
        final String java = command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
        return Outcome.of(shell(unshare, "mount -t tmpfs -o " + options + " tmpfs " + mount + " || exit 99\n" +
            (preparation.isEmpty() ? "" : preparation + " || exit 98\n") + java + "\nstatus=$?\n" +
            "echo \"" + LEFT + "$(find " + mount + " -mindepth 1)\"\nexit $status"));
    }

    private static List<String> shell(final List<String> prefix, final String script)
    {
        return Stream.concat(prefix.stream(), List.of("sh", "-c", script).stream()).toList();
    }

    private static String left(final Outcome outcome)
    {
        return outcome.output().substring(outcome.output().indexOf(LEFT) + LEFT.length()).strip();
    }
}
