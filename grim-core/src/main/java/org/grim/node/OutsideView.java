// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

import org.grim.ClusterView;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.counters.CountersView;

/**
 * The files of a cluster, mapped read-only.
 * <p>Thread: one at a time. Owns: its view of the directory.
 */
public final class OutsideView implements ClusterView
{
    private final ClusterFiles files;
    private final ClusterDirectory directory;

    private OutsideView(final Path path)
    {
        files = new ClusterFiles(path);
        directory = ClusterDirectory.view(path);
    }

    /**
     * Opens a cluster.
     *
     * @param path of its directory.
     * @return the view.
     * @throws GrimException if there is no cluster, or its files are of another version, or another user's.
     */
    public static OutsideView open(final Path path)
    {
        Buffers.requireAccess();
        return new OutsideView(path);
    }

    @Override
    public List<NodeInfo> nodes()
    {
        return directory.nodes();
    }

    @Override
    public boolean isAlive(final int node)
    {
        return directory.isAlive(node);
    }

    @Override
    public List<Counter> counters(final NodeInfo node)
    {
        final Path file = files.ofNode(node.number(), node.incarnation(), ClusterNode.COUNTERS_KIND);
        if (!Files.exists(file))
        {
            return List.of();
        }
        try (CountersView view = new CountersView(file))
        {
            return view.readings().stream().map(reading ->
                new Counter(reading.kind().label(), reading.key(), reading.label(), reading.value())).toList();
        }
    }

    @Override
    public void close()
    {
        directory.close();
    }
}
