// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

@Tag("process")
@Timeout(240)
final class BoardProcessIT
{
    private static final long LOOK_MS = 500;
    private static final long IDLE_MS_MAX = 30;
    private static final String CLUSTER = "boards";

    @TempDir
    private Path directory;

    @Test
    void shouldServeABoardUntilItIsTerminated() throws Exception
    {
        final Path clusters = directory.resolve("clusters");
        try (GrimProcess board = GrimProcess.run(directory, "board", "--name", "metz", "--contexts", "2", "--channels",
            "4", "--lanai", "4", "--cluster", CLUSTER, "--directory", clusters.toString()))
        {
            board.await("the line of the board", () -> board.output().contains("board metz ready: "));
            assertEquals(1, board.output().lines().count(), board.output());
            // First the JVM compiles what it has run; then nothing is left to do.
            board.await("a while without work", () -> cpuMsOfAWhile(board.process()) < IDLE_MS_MAX);

            board.process().destroy();

            assertNotEquals(0, board.exitCode());
            assertEquals("", board.error());
        }
        GrimProcess.assertNothingLeft(clusters);
    }

    private static long cpuMsOfAWhile(final Process process)
    {
        final long before = cpuMs(process);
        LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(LOOK_MS));
        return cpuMs(process) - before;
    }

    private static long cpuMs(final Process process)
    {
        return process.info().totalCpuDuration().orElseThrow().toMillis();
    }
}
