// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.agrona.ErrorHandler;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.transport.Membership;
import org.grim.transport.Settings;
import org.grim.transport.TransportContext;

/** Nodes that a test starts and ends by hand, with files in a directory. Thread: any, but for starts and ends. */
final class WireCluster
{
    static final int JOINING = 1;
    static final int UP = 2;
    static final int GONE = 3;

    final List<String> rings = new ArrayList<>();
    long firstPosition;
    private final Path directory;
    private final AtomicBuffer statuses;
    private final boolean[] isDeadUnnoticed;

    WireCluster(final Path directory, final int nodeCount)
    {
        this.directory = directory;
        statuses = Buffers.allocate(nodeCount * Integer.BYTES);
        isDeadUnnoticed = new boolean[nodeCount];
    }

    /** The next incarnation of a node, up. */
    TransportContext start(final int node)
    {
        return start(node, directory);
    }

    /** The same, whose process sees files by another path. */
    TransportContext start(final int node, final Path ownDirectory)
    {
        final int incarnation = (status(node) >>> 4) + 1;
        isDeadUnnoticed[node] = false;
        status(node, incarnation, UP);
        return new Node(node, incarnation, ownDirectory);
    }

    void status(final int node, final int incarnation, final int state)
    {
        statuses.putIntVolatile(node * Integer.BYTES, incarnation << 4 | state);
    }

    int status(final int node)
    {
        return statuses.getIntVolatile(node * Integer.BYTES);
    }

    /** The process ends, and nobody has noticed so far. */
    void kill(final int node)
    {
        isDeadUnnoticed[node] = true;
    }

    Path file(final int node, final int incarnation, final String kind)
    {
        return directory.resolve("node-" + node + "-" + incarnation + "." + kind);
    }

    private final class Node implements TransportContext, Membership
    {
        private final int self;
        private final int incarnation;
        private final Path ownDirectory;

        Node(final int self, final int incarnation, final Path ownDirectory)
        {
            this.self = self;
            this.incarnation = incarnation;
            this.ownDirectory = ownDirectory;
        }

        @Override
        public Membership membership()
        {
            return this;
        }

        @Override
        public Settings settings()
        {
            return new Settings(Map.of("grim.node", Map.of()));
        }

        @Override
        public Path nodeFile(final int node, final int ofIncarnation, final String kind)
        {
            return ownDirectory.resolve("node-" + node + "-" + ofIncarnation + "." + kind);
        }

        @Override
        public void ring(final int node, final int ofIncarnation, final int bell)
        {
            rings.add(node + "-" + ofIncarnation + "." + bell);
        }

        @Override
        public ErrorHandler errorHandler()
        {
            return error ->
            {
                throw new IllegalStateException(error);
            };
        }

        @Override
        public long firstPosition()
        {
            return firstPosition;
        }

        @Override
        public int self()
        {
            return self;
        }

        @Override
        public int incarnation()
        {
            return incarnation;
        }

        @Override
        public int nodeCountMax()
        {
            return isDeadUnnoticed.length;
        }

        @Override
        public int status(final int node)
        {
            return WireCluster.this.status(node);
        }

        @Override
        public long statusAddress(final int node)
        {
            return statuses.addressOffset() + (long)node * Integer.BYTES;
        }

        @Override
        public int upStatus(final int ofIncarnation)
        {
            return ofIncarnation << 4 | UP;
        }

        @Override
        public int incarnationOf(final int status)
        {
            return status >>> 4;
        }

        @Override
        public boolean isUp(final int node)
        {
            return (status(node) & 15) == UP;
        }

        @Override
        public boolean convictIfDead(final int node)
        {
            if (isDeadUnnoticed[node])
            {
                WireCluster.this.status(node, incarnationOf(status(node)), GONE);
            }
            return (status(node) & 15) == GONE;
        }

        @Override
        public boolean hasTransport(final int node, final String transport)
        {
            return true;
        }

        @Override
        public int find(final String name)
        {
            throw new UnsupportedOperationException("no names here: name=" + name);
        }

        @Override
        public boolean isSameHost(final int node)
        {
            return true;
        }

        @Override
        public AtomicBuffer area(final int node, final String label)
        {
            throw new UnsupportedOperationException("no areas here: label=" + label);
        }
    }
}
