// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.GrimException;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * A directory of one command's own, in shared memory where there is some, or a cluster's that no other node joins.
 * Nothing of it stays, also after Ctrl-C, nor of
 * the directories that were made above it: files that are still mapped live on as memory until nobody maps them. If
 * this process is killed, its second JVMs remove it, but not those above it.
 * <p>Thread: any. Owns: the directory with all that is below.
 */
public final class PrivateDirectory implements AutoCloseable
{
    private static final Path SHARED_MEMORY = Path.of("/dev/shm");

    private final Path path;
    private final List<Path> above;
    private final Runnable endAction;
    private final CountDownLatch isClosed = new CountDownLatch(1);

    private PrivateDirectory(final Path path, final List<Path> above, final boolean isCluster)
    {
        this.path = path;
        this.above = above;
        endAction = isCluster ? this::deleteClusterAtEnd : this::deleteAtEnd;
        PrivatePaths.add(path);
        ShutdownActions.add(endAction);
    }

    /**
     * Makes a directory that no other command has.
     *
     * @param prefix of its name in the usual place.
     * @param base   where, made if it is missing; null for the usual place. There the name is short: a cluster's path
     *               has to fit a socket.
     * @return the directory, for this user only.
     */
    public static PrivateDirectory create(final String prefix, final Path base)
    {
        final List<Path> above = base == null ? List.of() : missing(base.toAbsolutePath());
        try
        {
            if (base != null)
            {
                return new PrivateDirectory(createShort(Files.createDirectories(base)), above, false);
            }
            return new PrivateDirectory(Files.isDirectory(SHARED_MEMORY) ?
                Files.createTempDirectory(SHARED_MEMORY, prefix) : Files.createTempDirectory(prefix), above, false);
        }
        catch (final IOException ex)
        {
            PrivatePaths.deleteEmpty(above);
            throw new GrimException(SYSTEM_REFUSED, "a directory for " + prefix + " cannot be made: " + ex, ex);
        }
    }

    /**
     * Chooses the name of a cluster that no other one has.
     *
     * @param prefix of the name.
     * @param config that says where clusters are.
     * @return the cluster's directory, of which nothing exists yet; its last part is the name.
     */
    public static PrivateDirectory ofNewCluster(final String prefix, final GrimConfig config)
    {
        final String name = prefix + "-" + ProcessHandle.current().pid() + "-" +
            Integer.toHexString(ThreadLocalRandom.current().nextInt());
        return new PrivateDirectory(
            config.toBuilder().set("grim.cluster.name", name).build().clusterDirectory(), List.of(), true);
    }

    /** Directories from this one up that do not exist. */
    private static List<Path> missing(final Path base)
    {
        return Stream.iterate(base, path -> path != null && !Files.exists(path), Path::getParent).toList();
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
        PrivatePaths.deleteEmpty(above);
        PrivatePaths.remove(path);
        ShutdownActions.remove(endAction);
        isClosed.countDown();
    }

    private void deleteAtEnd()
    {
        PrivatePaths.deleteAtEnd(path);
        PrivatePaths.deleteEmpty(above);
    }

    /** The command's own thread leaves the cluster when it sees that its peer is gone: give it the time. */
    private void deleteClusterAtEnd()
    {
        if (!ShutdownActions.awaitLeft(isClosed))
        {
            PrivatePaths.deleteAtEnd(path);
        }
    }
}
