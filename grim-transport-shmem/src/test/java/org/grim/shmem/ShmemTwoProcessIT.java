// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.Grim;
import org.grim.NodeInfo;
import org.grim.ProcessCluster;
import org.grim.TransportCluster;
import org.grim.TransportContractTest;
import org.grim.buffer.Uninterrupted;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The contract suite with the far node in another JVM. */
@Tag("process")
final class ShmemTwoProcessIT extends TransportContractTest
{
    private static final int LOOK_COUNT = 100;

    @TempDir
    private Path directory;

    @Override
    protected TransportCluster open(final Map<String, Object> settings, final long firstPosition)
    {
        settings.put("grim.transports", List.of("shmem"));
        settings.put("grim.cluster.directory", directory.toString());
        return ProcessCluster.start(settings, firstPosition);
    }

    /** Something in the far process closes the file of the locks, and the node there does not poll for a while. */
    @Test
    void shouldNotTakeAPeerForDeadThatHasLostItsLock()
    {
        try (TransportCluster cluster = open(new HashMap<>(Map.of("grim.liveness.interval", "1ms")), 0))
        {
            final Grim near = cluster.near();
            final int far = 1 - near.node().number();
            cluster.far("stop");

            assertEquals("lost", cluster.far("lose-locks"));
            for (int i = 0; i < LOOK_COUNT; i++)
            {
                near.endpoint().poll();
                Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
            }
            cluster.far("continue");
            final long beginNs = System.nanoTime();
            while ("0".equals(cluster.far("errors")) && System.nanoTime() - beginNs < TimeUnit.SECONDS.toNanos(60))
            {
                near.endpoint().poll();
            }

            assertTrue(cluster.far("last-error").contains("has taken it again"), cluster.far("last-error"));
            near.endpoint().poll();
            assertEquals(NodeInfo.State.UP, near.nodes().get(far).state());
        }
    }
}
