// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.agrona.ErrorHandler;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.transport.Settings;
import org.grim.transport.TransportContext;

/** A member of a real cluster directory, as a transport sees it. Bells that are rung are written down. */
final class DirectoryNode implements TransportContext, AutoCloseable
{
    static final int NODE_COUNT_MAX = 8;

    final List<String> rung = new ArrayList<>();
    private final ClusterFiles files;
    private final ClusterDirectory directory;

    DirectoryNode(final Path cluster, final String name)
    {
        files = new ClusterFiles(cluster);
        directory = ClusterDirectory.join(files, NODE_COUNT_MAX,
            new NodeDescription("local", name, 2, List.of("myrinet")));
        directory.up();
    }

    int number()
    {
        return directory.self();
    }

    int incarnation()
    {
        return directory.incarnation();
    }

    @Override
    public ClusterDirectory membership()
    {
        return directory;
    }

    @Override
    public Settings settings()
    {
        return new Settings(Map.of("grim.node", Map.of()));
    }

    @Override
    public Path nodeFile(final int node, final int incarnation, final String kind)
    {
        return files.ofNode(node, incarnation, kind);
    }

    @Override
    public void ring(final int node, final int incarnation, final int bell)
    {
        rung.add(node + "-" + incarnation + " bell " + bell);
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
        return 0;
    }

    /** Leaves, as its peers see it: gone. */
    @Override
    public void close()
    {
        directory.close();
    }
}
