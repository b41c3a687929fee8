// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.NodeHealth;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;

import static org.grim.NodeHealth.Status.DOWN;
import static org.grim.NodeHealth.Status.LIMITED;
import static org.grim.NodeHealth.Status.UP;

/**
 * Judges the health of a node from what its directory and its counters say.
 * <p>Thread: any; no state.
 */
final class HealthCheck
{
    private static final long POLL_AGE_MS_MIN = 1_000;
    /** The heartbeat is written once per interval. */
    private static final int INTERVALS_MAX = 3;
    private static final int FULL_TENTHS = 9;
    private static final int TENTHS = 10;

    private HealthCheck()
    {
    }

    static NodeHealth left(final NodeCounters counters, final String reason)
    {
        return health(DOWN, reason, 0, 0, counters);
    }

    static NodeHealth of(
        final ClusterDirectory directory, final NodeCounters counters, final NodeKeys keys, final long nowMs)
    {
        final long ageMs = Math.max(0, nowMs - directory.info(directory.self()).heartbeatMs());
        final int nodeCount =
            (int)directory.nodes().stream().filter(node -> node.state() == NodeInfo.State.UP).count();
        final GrimException conviction = directory.conviction();
        if (conviction != null)
        {
            return health(DOWN, conviction.getMessage(), ageMs, nodeCount, counters);
        }
        final String problem = problem(ageMs, keys, counters);
        return health(problem.isEmpty() ? UP : LIMITED, problem, ageMs, nodeCount, counters);
    }

    private static String problem(final long ageMs, final NodeKeys keys, final NodeCounters counters)
    {
        final long ageMsMax = Math.max(POLL_AGE_MS_MIN,
            INTERVALS_MAX * TimeUnit.NANOSECONDS.toMillis(keys.livenessIntervalNs()));
        if (ageMs > ageMsMax)
        {
            return "the host endpoint has not polled for ms=" + ageMs + ", expected at most " + ageMsMax +
                ": its owner does not poll, or is in a handler";
        }
        final long length = counters.total(CounterKind.OVERFLOW_LENGTH);
        final long lengthMax = counters.total(CounterKind.OVERFLOW_CEILING);
        return length > 0 && length >= lengthMax / TENTHS * FULL_TENTHS ? "overflow queues hold bytes=" + length +
            " of max=" + lengthMax + ": a peer does not take what handlers send" : "";
    }

    private static NodeHealth health(
        final NodeHealth.Status status, final String problem, final long pollAgeMs, final int nodeCount,
        final NodeCounters counters)
    {
        return new NodeHealth(status, problem, pollAgeMs, nodeCount, counters.total(CounterKind.OVERFLOW_DEPTH),
            counters.total(CounterKind.OVERFLOW_LENGTH), counters.total(CounterKind.OVERFLOW_CEILING));
    }
}
