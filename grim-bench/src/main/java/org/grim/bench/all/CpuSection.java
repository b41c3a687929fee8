// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

import org.grim.GrimException;
import org.grim.SharedLink;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.NodePair;

import com.sun.management.ThreadMXBean;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * Share of a core, and memory, that the polling thread of the library takes: while nothing comes, and while
 * messages come at a tenth of the rate that it can take. Two nodes of one process; the measuring thread sends.
 * <p>Thread: the measuring one.
 */
final class CpuSection
{
    private static final String SUITE = "cpu";
    private static final int PAYLOAD_LENGTH = 32;
    private static final double LOAD = 0.1;
    private static final int UNDER_WAY_MAX = 256;
    private static final int SETTLE_MS = 300;
    private static final long ARRIVAL_NS_MAX = TimeUnit.SECONDS.toNanos(10);

    private final Part part;
    private final NodePair nodes;
    private final ThreadMXBean threads = (ThreadMXBean)ManagementFactory.getThreadMXBean();
    private final long pollerId;
    private final SharedLink link;
    private final boolean isPolledHere;
    private long sentCount;

    private CpuSection(final Part part, final NodePair nodes)
    {
        this.part = part;
        this.nodes = nodes;
        isPolledHere = !nodes.isAlone();
        // A node that sends to itself is the poller's: others send on a shared link.
        link = nodes.isAlone() ? nodes.newSharedLink() : null;
        final Set<Long> before = Arrays.stream(threads.getAllThreadIds()).boxed().collect(Collectors.toSet());
        nodes.startPollingFar();
        final long[] started = Arrays.stream(threads.getAllThreadIds()).filter(id -> !before.contains(id)).filter(id ->
            threads.getThreadInfo(id) != null && threads.getThreadInfo(id).getThreadName().startsWith("grim"))
            .toArray();
        if (started.length != 1)
        {
            throw new GrimException(UNAVAILABLE, "the polling thread is unknown: new threads=" + started.length);
        }
        pollerId = started[0];
    }

    static void run(final Part part)
    {
        try (NodePair nodes = new NodePair(part.name(), 1, PAYLOAD_LENGTH, part.directory(), Map.of()))
        {
            new CpuSection(part, nodes).measure();
        }
    }

    private void measure()
    {
        final Effort effort = part.effort();
        final long durationNs = TimeUnit.MILLISECONDS.toNanos(effort.choose(50, 600, 1_500));
        final long warmUpNs = TimeUnit.MILLISECONDS.toNanos(effort.choose(50, 1_000, 3_000));
        send(0, warmUpNs);
        final double greatest = send(0, warmUpNs / 2);
        for (int round = 0; round < effort.choose(1, 2, 4); round++)
        {
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(SETTLE_MS));
            take(durationNs, "idle", 0);
            take(durationNs, "loaded", greatest * LOAD);
        }
    }

    private void take(final long durationNs, final String mode, final double perSecond)
    {
        final long startNs = System.nanoTime();
        final long usedNs = threads.getThreadCpuTime(pollerId);
        final long allocated = threads.getThreadAllocatedBytes(pollerId);
        final long countBefore = sentCount;
        if (perSecond == 0)
        {
            while (System.nanoTime() - startNs < durationNs)
            {
                LockSupport.parkNanos(durationNs - (System.nanoTime() - startNs));
            }
        }
        else
        {
            send(perSecond, durationNs);
        }
        final double share =
            (threads.getThreadCpuTime(pollerId) - usedNs) * 100.0 / (System.nanoTime() - startNs);
        final double load = perSecond == 0 ? 0 : LOAD;
        part.figures().addTime(keyOf("share", mode, load), "%", share);
        if (perSecond != 0)
        {
            part.figures().addTime(keyOf("allocation", mode, load), "B/msg",
                (threads.getThreadAllocatedBytes(pollerId) - allocated) / (double)(sentCount - countBefore));
        }
    }

    private PointKey keyOf(final String benchmark, final String mode, final double load)
    {
        return new PointKey(SUITE, benchmark, "grim-" + part.name(), mode, "load", load);
    }

    /** At a rate, or as fast as it goes with a bounded number under way; returns messages per second. */
    private double send(final double perSecond, final long durationNs)
    {
        final double intervalNs = perSecond == 0 ? 0 : 1e9 / perSecond;
        final long startNs = System.nanoTime();
        final long startCount = sentCount;
        double plannedNs = 0;
        long nowNs = startNs;
        while (nowNs - startNs < durationNs)
        {
            final boolean isDue = perSecond == 0 ? sentCount - nodes.receivedCount() < UNDER_WAY_MAX :
                nowNs - startNs >= (long)plannedNs;
            if (isDue && trySend())
            {
                plannedNs += intervalNs;
                sentCount++;
            }
            pollHere();
            nowNs = System.nanoTime();
        }
        while (nodes.receivedCount() < sentCount)
        {
            pollHere();
            if (System.nanoTime() - nowNs > ARRIVAL_NS_MAX)
            {
                throw new GrimException(BAD_DATA, "messages did not arrive: sent=" + sentCount + " received=" +
                    nodes.receivedCount());
            }
        }
        return (sentCount - startCount) * 1e9 / (System.nanoTime() - startNs);
    }

    private boolean trySend()
    {
        return link == null ? nodes.trySend(0, PAYLOAD_LENGTH) : nodes.isSent(link, PAYLOAD_LENGTH);
    }

    private void pollHere()
    {
        if (isPolledHere)
        {
            nodes.pollNear();
        }
    }
}
