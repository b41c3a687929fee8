// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.grim.GrimConfig;

/**
 * A cluster of one command's own: no other node joins it, and nothing of it stays, also after Ctrl-C. Files that are
 * still mapped may be removed: the memory lives on until nobody maps it.
 * <p>Thread: any. Owns: the cluster's directory.
 */
public final class PrivateCluster implements AutoCloseable
{
    private static final long LEAVE_TIMEOUT_MS = 3_000;

    private final String name;
    private final Path path;
    private final CountDownLatch isClosed = new CountDownLatch(1);
    private final Runnable endAction = this::deleteAtEnd;

    private PrivateCluster(final String name, final Path path)
    {
        this.name = name;
        this.path = path;
        PrivatePaths.add(path);
        ShutdownActions.add(endAction);
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

    /** {@return the cluster's name; unique} */
    public String name()
    {
        return name;
    }

    /** {@return where the cluster's files are} */
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
        isClosed.countDown();
    }

    /** The command's own thread leaves the cluster when it sees that its peer is gone: give it the time. */
    private void deleteAtEnd()
    {
        try
        {
            if (isClosed.await(LEAVE_TIMEOUT_MS, TimeUnit.MILLISECONDS))
            {
                return;
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        PrivatePaths.delete(path);
    }
}
