// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ThreadLocalRandom;

import org.grim.GrimConfig;

/**
 * A cluster of one command's own: no other node joins it, and nothing of it stays, also after Ctrl-C. Files that are
 * still mapped may be removed: the memory lives on until nobody maps it.
 * <p>Thread: any. Owns: the cluster's directory.
 */
public final class PrivateCluster implements AutoCloseable
{
    private final String name;
    private final Path path;
    private final Thread shutdownHook = new Thread(this::deleteRest, "grim-private-cluster");

    private PrivateCluster(final String name, final Path path)
    {
        this.name = name;
        this.path = path;
        Runtime.getRuntime().addShutdownHook(shutdownHook);
    }

    /**
     * Chooses a name that no other cluster has.
     *
     * @param prefix for people.
     * @param config that says where clusters are.
     * @return the cluster, of which nothing exists yet.
     */
    public static PrivateCluster choose(final String prefix, final GrimConfig config)
    {
        final String name = prefix + "-" + ProcessHandle.current().pid() + "-" +
            Integer.toHexString(ThreadLocalRandom.current().nextInt());
        return new PrivateCluster(name, config.toBuilder().set("grim.cluster.name", name).build().clusterDirectory());
    }

    /**
     * The cluster's name.
     *
     * @return unique.
     */
    public String name()
    {
        return name;
    }

    /**
     * Where the cluster's files are.
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
        deleteRest();
        try
        {
            Runtime.getRuntime().removeShutdownHook(shutdownHook);
        }
        catch (final IllegalStateException ignored)
        {
            // This JVM is ending: the hook runs, and finds nothing left to do.
        }
    }

    private void deleteRest()
    {
        if (!Files.isDirectory(path))
        {
            return;
        }
        try (DirectoryStream<Path> files = Files.newDirectoryStream(path))
        {
            for (final Path file : files)
            {
                Files.deleteIfExists(file);
            }
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("delete of " + path + " failed: " + ex.getMessage(), ex);
        }
    }
}
