// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.loop.Doorbell;

/**
 * The doorbells of this node's endpoints, and the way to those of other nodes. None is made before somebody wants to
 * sleep.
 * <p>Thread: any. Owns: this node's doorbells.
 */
final class Doorbells implements AutoCloseable
{
    private static final String KIND = "bell-";

    private final ClusterDirectory directory;
    private final ClusterFiles files;
    private final Map<Integer, Doorbell> own = new ConcurrentHashMap<>();

    /**
     * Makes none yet.
     *
     * @param files of the cluster, or null if it has none.
     */
    Doorbells(final ClusterDirectory directory, final ClusterFiles files)
    {
        this.directory = directory;
        this.files = files;
    }

    /** The doorbell of one of this node's endpoints, made at the first call. */
    Doorbell open(final int bell)
    {
        return own.computeIfAbsent(bell,
            number -> Doorbell.open(files == null ? null : path(directory.self(), directory.incarnation(), number)));
    }

    /** Rings, if somebody sleeps there. A ring that does not get through costs the sleeper its longest sleep. */
    void ring(final int node, final int incarnation, final int bell)
    {
        final Doorbell near = node == directory.self() ? own.get(bell) : null;
        if (near != null)
        {
            near.ring();
        }
        else if (files != null)
        {
            Doorbell.tryRing(path(node, incarnation, bell));
        }
    }

    @Override
    public void close()
    {
        own.values().forEach(Doorbell::close);
    }

    private Path path(final int node, final int incarnation, final int bell)
    {
        return files.ofNode(node, incarnation, KIND + bell);
    }
}
