// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.endpoint.EndpointState;
import org.grim.loop.DoorbellConnections;
import org.grim.loop.SocketDoorbell;
import org.grim.thread.HeldWakes;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The doorbells of this node's endpoints, and connections to doorbells of other nodes. None is made before a thread
 * wants to sleep.
 * <p>Thread: any. Owns: this node's doorbells, and connections to those of others.
 */
final class Doorbells implements AutoCloseable
{
    private static final String KIND = "bell-";
    private static final int BELL_BITS = Integer.SIZE - Integer.numberOfLeadingZeros(EndpointId.CHANNEL_MAX);

    private final ClusterDirectory directory;
    private final ClusterFiles files;
    private final Map<Integer, SocketDoorbell> own = new ConcurrentHashMap<>();
    private final DoorbellConnections others = new DoorbellConnections();
    private boolean isClosed;

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

    /**
     * Checks that the kernel takes the paths of sockets in a cluster's directory, with any number and incarnation of a
     * node.
     *
     * @param files of the cluster, or null if it has none.
     * @throws GrimException if the directory's path is too long.
     */
    static void requirePathsFit(final ClusterFiles files)
    {
        if (files == null)
        {
            return;
        }
        final int directoryLength = lengthOf(files.path());
        final int namesLength = lengthOf(files.longestOfNode(KIND + EndpointId.CHANNEL_MAX)) - directoryLength;
        if (directoryLength + namesLength > SocketDoorbell.PATH_LENGTH_MAX)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "cluster directory " + files.path() + " has a path too long for sockets: length=" +
                directoryLength + " bytes exceeds max=" + (SocketDoorbell.PATH_LENGTH_MAX - namesLength) +
                "; set grim.cluster.directory or grim.cluster.name to a shorter one");
        }
    }

    /** The doorbell of one of this node's endpoints, made at the first call. */
    SocketDoorbell open(final int bell)
    {
        final SocketDoorbell known = own.get(bell);
        return known == null ? make(bell) : known;
    }

    /** The doorbell of one of this node's endpoints; null if it was not made. */
    SocketDoorbell find(final int bell)
    {
        return own.get(bell);
    }

    /** Closes the doorbell of an endpoint: a thread that selects on it wakes. */
    synchronized void close(final int bell)
    {
        final SocketDoorbell known = own.remove(bell);
        if (known != null)
        {
            known.close();
        }
    }

    /**
     * Rings, if a thread sleeps there; in another process when this thread has left its locks. A ring that does not get
     * through costs the sleeper its longest sleep.
     *
     * @param bell as it stands in the sleeper's memory, where anybody may have written anything.
     */
    void ring(final int node, final int incarnation, final int bell)
    {
        if (bell < 0 || bell > EndpointId.CHANNEL_MAX)
        {
            return;                     // The number of no bell.
        }
        final SocketDoorbell near = own.get(bell);
        if (files != null)
        {
            HeldWakes.run(new Ring(this, node, incarnation, bell));
        }
        else if (near != null && node == directory.self())
        {
            near.ring();
        }
    }

    /** A ring that may come later: equal ones are one. */
    private record Ring(Doorbells of, int node, int incarnation, int bell) implements Runnable
    {
        @Override
        public void run()
        {
            of.others.tryRing(key(node, incarnation, bell), () -> of.path(node, incarnation, bell));
        }

        /** Written out: what the compiler makes is linked at its first call, which would be under a lock. */
        @Override
        public boolean equals(final Object other)
        {
            return other instanceof final Ring ring && ring.of == of && ring.node == node &&
                ring.incarnation == incarnation && ring.bell == bell;
        }

        @Override
        public int hashCode()
        {
            return Long.hashCode(key(node, incarnation, bell));
        }
    }

    @Override
    public synchronized void close()
    {
        isClosed = true;
        others.close();
        own.values().forEach(SocketDoorbell::close);
    }

    private static int lengthOf(final Path path)
    {
        return path.toString().getBytes(UTF_8).length;
    }

    private synchronized SocketDoorbell make(final int bell)
    {
        if (isClosed)
        {
            throw new IllegalStateException(EndpointState.LEFT);
        }
        return own.computeIfAbsent(bell, number -> SocketDoorbell.open(
            files == null ? null : path(directory.self(), directory.incarnation(), number)));
    }

    private static long key(final int node, final int incarnation, final int bell)
    {
        return (long)incarnation << Integer.SIZE | (long)node << BELL_BITS | bell;
    }

    private Path path(final int node, final int incarnation, final int bell)
    {
        return files.ofNode(node, incarnation, KIND + bell);
    }
}
