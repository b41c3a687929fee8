// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.nio.file.Path;
import java.util.List;

import org.grim.ClusterView;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.ClusterFiles;
import org.grim.cluster.NodeDescription;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class OutsideViewTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldReadWhatNodesCount()
    {
        final GrimConfig config = GrimConfig.builder().directory(directory).build();
        final ClusterFiles files = new ClusterFiles(config.clusterDirectory());
        try (ClusterDirectory node =
            ClusterDirectory.join(files, 4, new NodeDescription("local", "metz", 1, List.of("shmem"))))
        {
            try (ClusterView view = Grim.view(config))
            {
                final NodeInfo seen = view.nodes().get(0);
                assertEquals("metz", seen.name());
                assertTrue(view.isAlive(seen.number()));
                assertEquals(List.of(), view.counters(seen), "it has no file yet");
                count(files, seen);
                assertEquals(List.of(), view.counters(seen), "it has removed its file");
            }
            node.up();
        }
        assertTrue(assertThrows(GrimException.class, () -> Grim.view(config)).getMessage().contains("no cluster at"));
    }

    private static void count(final ClusterFiles files, final NodeInfo seen)
    {
        try (NodeCounters counters =
            NodeCounters.create(files.ofNode(seen.number(), seen.incarnation(), "counters"), 1);
            OutsideView view = OutsideView.open(files.path()))
        {
            counters.channel(0).sent(12);
            counters.channel(0).publish();
            counters.node(CounterKind.NODES_GONE).increment();

            final List<ClusterView.Counter> read = view.counters(seen);
            assertTrue(read.contains(new ClusterView.Counter("bytes-sent", 0, "bytes-sent channel=0", 12)));
            assertTrue(read.contains(new ClusterView.Counter("messages-sent", -1, "messages-sent shared-links", 0)));
            assertTrue(read.contains(new ClusterView.Counter("nodes-gone", 0, "nodes-gone", 1)));
        }
    }
}
