// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.grim.GrimException;

/**
 * A directory of one command's own, in shared memory where there is some. Nothing of it stays, also after Ctrl-C: files
 * that are still mapped live on as memory until nobody maps them. If this process is killed, its second JVMs remove it.
 * <p>Thread: any. Owns: the directory with all that is below.
 */
public final class PrivateDirectory implements AutoCloseable
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path path;
    private final Runnable endAction;

    private PrivateDirectory(final Path path)
    {
        this.path = path;
        endAction = () -> PrivatePaths.delete(path);
        PrivatePaths.add(path);
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
        PrivatePaths.delete(path);
        PrivatePaths.remove(path);
        ShutdownActions.remove(endAction);
    }
}
