// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

import org.grim.GrimException;
import org.grim.death.OpenResources;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Timeout(60)
final class SocketDoorbellTest
{
    private static final int SEEN_COUNT = 20;
    private static final long LONG_MS = 3_600_000;

    @TempDir
    private Path directory;

    @Test
    void shouldLetGoOfAllChannelsWhenItsSocketCannotBeMade() throws IOException
    {
        final Path tooLong = directory.resolve("x".repeat(SocketDoorbell.PATH_LENGTH_MAX));
        final Path missing = directory.resolve("missing").resolve("bell");
        assertThrows(GrimException.class, () -> SocketDoorbell.open(tooLong));        // Loads what is loaded once.
        final List<String> before = OpenResources.channels();

        for (int i = 0; i < 10; i++)
        {
            assertThrows(GrimException.class, () -> SocketDoorbell.open(tooLong));
            assertThrows(GrimException.class, () -> SocketDoorbell.open(missing));
        }

        OpenResources.awaitChannels(before);
        assertEquals(List.of(directory), ShmDirectory.tree(directory));
    }

    @Test
    void shouldTakeTheLongestPathThatItSays()
    {
        final int nameLength = SocketDoorbell.PATH_LENGTH_MAX - directory.toString().length() - 1;
        final Path longest = directory.resolve("x".repeat(nameLength));

        SocketDoorbell.open(longest).close();

        assertThrows(GrimException.class, () -> SocketDoorbell.open(directory.resolve("x".repeat(nameLength + 1))));
        assertFalse(Files.exists(longest));
    }

    @Test
    void shouldHangASocketOfItsOwnUserAloneWhereADeadNodeLeftSomething() throws IOException
    {
        final Path path = Files.createFile(directory.resolve("bell"));

        try (SocketDoorbell bell = SocketDoorbell.open(path))
        {
            try (DoorbellConnections caller = new DoorbellConnections())
            {
                assertTrue(caller.tryRing(1, () -> path));
                bell.await(LONG_MS);
            }
            assertEquals("rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(path)));
        }

        assertFalse(Files.exists(path));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldSleepUntilItRingsOnAThreadThatIsInterruptedAndKeepTheInterrupt(final boolean hasPath)
        throws InterruptedException
    {
        final AtomicInteger wakeUpCount = new AtomicInteger();
        final AtomicBoolean isRung = new AtomicBoolean();
        final AtomicBoolean isInterrupted = new AtomicBoolean();
        final Path path = hasPath ? directory.resolve("bell") : null;
        try (SocketDoorbell bell = SocketDoorbell.open(path); DoorbellConnections caller = new DoorbellConnections())
        {
            final Thread sleeper = new Thread(() ->
            {
                Thread.currentThread().interrupt();
                while (!isRung.get())
                {
                    bell.await(LONG_MS);
                    wakeUpCount.incrementAndGet();
                }
                isInterrupted.set(Thread.currentThread().isInterrupted());
            });
            sleeper.start();
            for (int seenCount = 0; seenCount < SEEN_COUNT; seenCount += isSelecting(sleeper) ? 1 : 0)
            {
                LockSupport.parkNanos(1_000_000);
            }

            isRung.set(true);
            if (hasPath)
            {
                caller.tryRing(1, () -> path);
            }
            else
            {
                bell.ring();
            }
            sleeper.join();
        }

        assertEquals(1, wakeUpCount.get());
        assertTrue(isInterrupted.get());
    }

    private static boolean isSelecting(final Thread thread)
    {
        for (final StackTraceElement frame : thread.getStackTrace())
        {
            if ("select".equals(frame.getMethodName()))
            {
                return true;
            }
        }
        return false;
    }
}
