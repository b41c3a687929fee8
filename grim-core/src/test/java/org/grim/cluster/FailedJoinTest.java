// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.crash.CrashingFileSystem;
import org.grim.crash.CrashingMemory;
import org.grim.crash.Lifetime;
import org.grim.death.OpenResources;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Memory ends before every store to the directory and every change of the file system that a join makes. */
@Timeout(120)
final class FailedJoinTest
{
    private static final String NAME = "node";

    @TempDir
    private Path parent;

    /** Fails once, and goes on. */
    private static final class FailingOnce extends Lifetime
    {
        private boolean hasFailed;

        FailingOnce(final int stepCount)
        {
            super(stepCount, 0);
        }

        @Override
        protected void end()
        {
            hasFailed = true;
            immortal(true);
            throw new OutOfMemoryError("planted");
        }
    }

    @Test
    void shouldLeaveNothingOfTheFirstNode()
    {
        boolean hasFailed = true;
        for (int step = 0; hasFailed; step++)
        {
            final Path path = parent.resolve("first-" + step);
            hasFailed = joinFails(path, step);
            assertFalse(Files.exists(path), "step=" + step);
        }
    }

    /** Another node of the process holds the liveness file open: what is locked in it stays locked. */
    @Test
    void shouldLeaveNothingOfANodeBesideAnother()
    {
        boolean hasFailed = true;
        for (int step = 0; hasFailed; step++)
        {
            final Path path = parent.resolve("second-" + step);
            try (ClusterDirectory resident = join(new ClusterFiles(path), "resident"))
            {
                hasFailed = joinFails(path, step);
                assertFalse(resident.isAlive(1), "step=" + step);
                assertTrue(resident.isAlive(resident.self()));
            }
            assertFalse(Files.exists(path), "step=" + step);
        }
    }

    private static boolean joinFails(final Path path, final int step)
    {
        final FailingOnce life = new FailingOnce(step);
        final List<String> before = OpenResources.below(path);
        joinAndLeave(path, life);
        OpenResources.awaitBelow(path, before);
        join(new ClusterFiles(path), NAME).close();
        return life.hasFailed;
    }

    /** A frame of its own: what a caller's frame still names, the collector does not unmap. */
    private static void joinAndLeave(final Path path, final FailingOnce life)
    {
        try (ClusterDirectory node = join(new ClusterFiles(
            CrashingFileSystem.over(path, life), memory -> CrashingMemory.over(memory, life)), NAME))
        {
            life.immortal(true);
            assertFalse(life.hasFailed);
            assertTrue(node.isAlive(node.self()));
        }
        catch (final OutOfMemoryError ex)
        {
            assertEquals("planted", ex.getMessage());
        }
    }

    private static ClusterDirectory join(final ClusterFiles files, final String name)
    {
        return ClusterDirectory.join(
            files, 4, new NodeDescription("local", name, 2, List.of("shmem")));
    }
}
