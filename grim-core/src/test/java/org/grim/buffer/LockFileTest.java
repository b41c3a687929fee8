// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.LibraryCopy;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class LockFileTest
{
    private static final String PROPERTY = "org.grim.buffer.KeptChannels";

    @TempDir
    private Path directory;
    private Path path;

    /** The class as another class loader has it: another copy of the library. */
    private static final class Copy implements AutoCloseable
    {
        private final URLClassLoader loader;
        private final Object file;

        Copy(final Path path) throws IOException, ReflectiveOperationException
        {
            loader = LibraryCopy.load();
            file = loader.loadClass(LockFile.class.getName())
                .getMethod("open", Path.class, boolean.class).invoke(null, path, true);
        }

        boolean tryLock(final int position) throws ReflectiveOperationException
        {
            return (boolean)file.getClass().getMethod("tryLock", int.class).invoke(file, position);
        }

        @Override
        public void close() throws IOException, ReflectiveOperationException
        {
            file.getClass().getMethod("close").invoke(file);
            loader.close();
        }
    }

    @BeforeEach
    void name()
    {
        path = directory.resolve("lock");
    }

    @Test
    void shouldKeepItsByteWhenAnotherCopyOfTheLibraryClosesTheFile() throws Exception
    {
        try (LockFile file = LockFile.open(path, true))
        {
            assertTrue(file.tryLock(0));
            try (Copy copy = new Copy(path))
            {
                assertFalse(copy.tryLock(0));
                assertTrue(copy.tryLock(2));
                assertFalse(file.tryLock(2));
                assertFalse(file.runIfFree(2, () ->
                {
                    throw new AssertionError("byte 2 is not free");
                }));
            }

            assertTrue(isHeld(0));
            assertFalse(isHeld(2));
            assertTrue(System.getProperties().containsKey(PROPERTY));
            try (Copy copy = new Copy(path))
            {
                assertFalse(System.getProperties().containsKey(PROPERTY), "the channel is used again");
                assertTrue(copy.tryLock(2));
            }
        }

        assertFalse(System.getProperties().containsKey(PROPERTY));
    }

    @Test
    void shouldKeepTheByteOfAnotherCopyOfTheLibraryWhenItCloses() throws Exception
    {
        try (Copy copy = new Copy(path))
        {
            assertTrue(copy.tryLock(7));
            final LockFile file = LockFile.open(path, true);
            assertTrue(file.tryLock(6));

            file.close();
            file.close();

            assertFalse(file.tryLock(6));
            assertTrue(isHeld(7));
            assertFalse(isHeld(6));
        }
        assertFalse(System.getProperties().containsKey(PROPERTY));
    }

    @Test
    void shouldTakeAgainWhatAStrangerInTheProcessLost() throws IOException
    {
        try (LockFile file = LockFile.open(path, true))
        {
            assertTrue(file.tryLock(3) && file.tryLock(5));
            file.watch(3);
            file.watch(5);
            assertEquals(0, file.restore());
            Files.readAllBytes(path);
            assertFalse(isHeld(3) || isHeld(5));

            assertEquals(2, file.restore());

            assertTrue(isHeld(3) && isHeld(5) && !isHeld(4));
            assertEquals(0, file.restore());
            file.unlock(3);
            assertFalse(isHeld(3));
            assertEquals(0, file.restore());
        }
    }

    @Test
    void shouldTellWhetherItsNameLeadsToAnotherFile() throws IOException
    {
        try (LockFile file = LockFile.open(path, true))
        {
            assertTrue(file.isNamed());
            Files.delete(path);
            assertFalse(file.isNamed());
            try (LockFile next = LockFile.open(path, true))
            {
                assertTrue(next.isNamed() && next.tryLock(0) && file.tryLock(0));
                file.identity().delete();
                assertTrue(next.isNamed());
            }
        }
    }

    private boolean isHeld(final int position) throws IOException
    {
        final ProcessLocks locks = new ProcessLocks(FileIdentity.of(path));
        final boolean isHeld = locks.holds(position);
        locks.close();
        return isHeld;
    }
}
