// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

import org.grim.GrimException;

/**
 * A directory of one command's own, in shared memory where there is some. Nothing of it stays, also after Ctrl-C: files
 * that are still mapped live on as memory until nobody maps them.
 * <p>Thread: any. Owns: the directory with all that is below.
 */
public final class PrivateDirectory implements AutoCloseable
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");
    private static final int ATTEMPT_COUNT = 3;

    private final Path path;
    private final Runnable endAction = this::delete;

    private PrivateDirectory(final Path path)
    {
        this.path = path;
        ShutdownActions.add(endAction);
    }

    /**
     * Makes a directory that no other command has.
     *
     * @param prefix of its name.
     * @param base   where; null for the usual place.
     * @return the directory, for this user only.
     */
    public static PrivateDirectory create(final String prefix, final Path base)
    {
        try
        {
            if (base != null)
            {
                return new PrivateDirectory(Files.createTempDirectory(Files.createDirectories(base), prefix));
            }
            return new PrivateDirectory(Files.isDirectory(SHARED_MEMORY) ?
                Files.createTempDirectory(SHARED_MEMORY, prefix) : Files.createTempDirectory(prefix));
        }
        catch (final IOException ex)
        {
            throw new GrimException("a directory for " + prefix + " cannot be made: " + ex, ex);
        }
    }

    /**
     * Where it is.
     *
     * @return the directory.
     */
    public Path path()
    {
        return path;
    }

    @Override
    public void close()
    {
        delete();
        ShutdownActions.remove(endAction);
    }

    /** More than once: a process that ends may remove files of its own, or make one, meanwhile. */
    private void delete()
    {
        for (int attempt = 1; Files.exists(path); attempt++)
        {
            try (Stream<Path> files = Files.walk(path))
            {
                final List<Path> deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
                for (final Path file : deepestFirst)
                {
                    Files.deleteIfExists(file);
                }
            }
            catch (final NoSuchFileException expected)
            {
                // Somebody else removed it.
            }
            catch (final IOException | UncheckedIOException ex)
            {
                if (attempt == ATTEMPT_COUNT)
                {
                    throw new GrimException("delete of " + path + " failed: " + ex.getMessage(), ex);
                }
            }
        }
    }
}
