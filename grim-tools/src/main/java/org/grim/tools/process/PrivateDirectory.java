// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.ThreadLocalRandom;

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
     * @param prefix of its name in the usual place.
     * @param base   where; null for the usual place. There the name is short: a cluster's path has to fit a socket.
     * @return the directory, for this user only.
     */
    public static PrivateDirectory create(final String prefix, final Path base)
    {
        try
        {
            if (base != null)
            {
                return new PrivateDirectory(createShort(Files.createDirectories(base)));
            }
            return new PrivateDirectory(Files.isDirectory(SHARED_MEMORY) ?
                Files.createTempDirectory(SHARED_MEMORY, prefix) : Files.createTempDirectory(prefix));
        }
        catch (final IOException ex)
        {
            throw new GrimException("a directory for " + prefix + " cannot be made: " + ex, ex);
        }
    }

    private static Path createShort(final Path base) throws IOException
    {
        Path path = shortPath(base);
        while (Files.exists(path))
        {
            path = shortPath(base);
        }
        return Files.createDirectory(path,
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }

    private static Path shortPath(final Path base)
    {
        final int number = ThreadLocalRandom.current().nextInt(1 << 30);
        return base.resolve("grim" + Integer.toString(number, Character.MAX_RADIX));
    }

    /** {@return where it is} */
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
