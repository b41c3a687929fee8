// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.time.Duration;
import java.util.List;
import java.util.Map;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeHealth;
import org.grim.cluster.ClusterDirectory;
import org.grim.cluster.NodeDescription;
import org.grim.counters.NodeCounters;
import org.grim.transport.Keys;
import org.grim.transport.Settings;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Verdicts of a node on itself, by a clock that the test moves. */
final class NodeHealthTest
{
    private static final long NOW_MS = 1_000_000;

    private final ClusterDirectory directory =
        ClusterDirectory.inPrivateMemory(new NodeDescription("local", "metz", 1, List.of("null")));
    private final NodeCounters counters = NodeCounters.inPrivateMemory(1);
    private final NodeKeys keys = Keys.read(new Settings(GrimConfig.builder().build().settings()), NodeKeys.class);

    @Test
    void shouldBeUpWhileItPollsAndHasRoom()
    {
        directory.up();
        directory.heartbeat(NOW_MS);
        counters.channel(0).overflowLength(80, 100);
        counters.channel(0).overflowed();
        assertEquals(new NodeHealth(NodeHealth.Status.UP, "", 500, 1, 1, 80, 100), at(NOW_MS + 500));

        assertProblem("has not polled for ms=1001, expected at most 1000", NOW_MS + 1001);
        counters.channel(0).overflowLength(90, 100);
        assertProblem("overflow queues hold bytes=90 of max=100", NOW_MS);
    }

    @Test
    void shouldAllowLongIntervals()
    {
        directory.up();
        directory.heartbeat(NOW_MS);
        final NodeKeys slow = Keys.read(new Settings(GrimConfig.builder().set("grim.liveness.interval", "10s").build()
            .settings()), NodeKeys.class);

        assertEquals("", HealthCheck.of(directory, counters, slow, NOW_MS + 29_000).problem());
        assertTrue(HealthCheck.of(directory, counters, slow, NOW_MS + 31_000).problem().contains("at most 30000"));
    }

    @Test
    void shouldBeDownWhenItHasLeft()
    {
        // It may have polled a minute ago, should the machine stand still.
        final Grim grim =
            Grim.enable(GrimConfig.builder().transports("null").set("grim.liveness.interval", "20s").build());
        grim.run(Duration.ofMillis(50));
        assertEquals(NodeHealth.Status.UP, grim.health().status(), () -> grim.health().problem());
        assertTrue(grim.health().backlogLengthMax() > 0);

        grim.close();

        assertEquals(NodeHealth.Status.DOWN, grim.health().status());
        assertEquals(Map.of(false, 0), Map.of(grim.health().problem().isEmpty(), grim.health().nodeCount()));
    }

    private NodeHealth at(final long nowMs)
    {
        return HealthCheck.of(directory, counters, keys, nowMs);
    }

    private void assertProblem(final String part, final long nowMs)
    {
        assertEquals(NodeHealth.Status.LIMITED, at(nowMs).status());
        assertTrue(at(nowMs).problem().contains(part), at(nowMs).problem());
    }
}
