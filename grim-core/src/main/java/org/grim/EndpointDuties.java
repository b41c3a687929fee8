// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.SystemEpochClock;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.NodeCounters;
import org.grim.loop.MessageLoop;
import org.grim.memory.NodeMemory;
import org.grim.transport.Transport;

/**
 * What an endpoint does besides receiving: flushes overflow queues, tells refusals of remote-memory operations, watches
 * the other nodes, gives room back.
 * <p>Thread: the endpoint's owner.
 */
final class EndpointDuties implements MessageLoop.Duties
{
    private static final int BACK_PRESSURES_PER_CHECK = 256;
    private static final long HOUSEKEEPING_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final Endpoint endpoint;
    private final int[] channels;
    private final LinkTable links;
    private final ClusterDirectory directory;
    private final List<Transport> transports;
    private final NodeCounters counters;
    private final HandlerRegistry registry;
    private final NodeMemory memory;
    private final PendingWork work;
    private final RemoteRefusals refusals;
    private final NodeWatch watch;
    private final long livenessIntervalNs;
    private NodeGoneListener listener = (node, undelivered, unknown) ->
    {
    };
    private MessageLoop loop;
    private long housekeepingDeadlineNs = System.nanoTime();
    private long livenessDeadlineNs = System.nanoTime();
    private int backPressureCount;

    /**
     * Makes the duties of an endpoint.
     *
     * @param links    of the endpoint, live.
     * @param registry whose talk with the keeper runs here, or null.
     * @param memory   of the node, looked after by all its endpoints.
     */
    EndpointDuties(
        final Endpoint endpoint, final int[] channels, final LinkTable links,
        final ClusterDirectory directory, final List<Transport> transports, final NodeCounters counters,
        final HandlerRegistry registry, final NodeMemory memory, final long livenessIntervalNs)
    {
        this.endpoint = endpoint;
        this.channels = channels;
        this.links = links;
        this.directory = directory;
        this.transports = transports;
        this.counters = counters;
        this.registry = registry;
        this.memory = memory;
        this.livenessIntervalNs = livenessIntervalNs;
        work = endpoint.work();
        refusals = endpoint.memory().refusals();
        watch = new NodeWatch(directory);
    }

    @Override
    public int flush()
    {
        return work.isAny() && !endpoint.isClosed() ? flushPending() : 0;
    }

    @Override
    public int housekeepIfDue()
    {
        final long nowNs = System.nanoTime();
        return housekeepingDeadlineNs - nowNs <= 0 ? housekeep(nowNs) : 0;
    }

    @Override
    public int housekeep()
    {
        return housekeep(System.nanoTime());
    }

    private int housekeep(final long nowNs)
    {
        if (endpoint.isClosed())
        {
            return 0;                               // A handler of this poll, or another thread, has closed the node.
        }
        housekeepingDeadlineNs = nowNs + HOUSEKEEPING_INTERVAL_NS;
        loop.table().release();
        counters.channel(channels[0]).polled(loop.pollCount(), loop.emptyPollCount());
        int workCount = refusals.drain();           // What becomes known long after the operation.
        workCount += registry == null ? 0 : registry.exchange(endpoint, nowNs);
        if (livenessDeadlineNs - nowNs <= 0)
        {
            livenessDeadlineNs = nowNs + livenessIntervalNs;
            workCount += checkLiveness();
        }
        return workCount;
    }

    /** Nodes that are up: as many threads may poll on this host. */
    int upCount()
    {
        return watch.upCount();
    }

    /** The loop that runs these duties. */
    void loop(final MessageLoop newLoop)
    {
        loop = newLoop;
    }

    void listener(final NodeGoneListener newListener)
    {
        listener = newListener;
    }

    /** A sender that never polls still learns that its peer died. */
    void onBackPressure()
    {
        backPressureCount++;
        if (backPressureCount >= BACK_PRESSURES_PER_CHECK)
        {
            backPressureCount = 0;
            final long nowNs = System.nanoTime();
            if (livenessDeadlineNs - nowNs <= 0)
            {
                livenessDeadlineNs = nowNs + livenessIntervalNs;
                watch.probe();
            }
        }
    }

    private int flushPending()
    {
        int count = work.isRefusalDue() ? refusals.drain() : 0;
        count += work.isNoticeOwed() ? endpoint.arrivals().flush() : 0;
        for (int i = links.links().size() - 1; i >= 0 && work.overflowDepth() > 0; i--)
        {
            count += links.links().get(i).flush();
        }
        return count;
    }

    private int checkLiveness()
    {
        final long epochMs = SystemEpochClock.INSTANCE.time();
        directory.heartbeat(epochMs);
        watch.probe();
        int workCount = watch.settle(links, listener) + links.closeOver() + endpoint.arrivals().housekeep();
        for (final int channel : channels)
        {
            for (int i = 0; i < transports.size(); i++)
            {
                final int reclaimedCount = transports.get(i).housekeep(channel, epochMs);
                counters.channel(channel).reclaimed(reclaimedCount);
                workCount += reclaimedCount;
            }
        }
        return workCount + memory.housekeep();
    }
}
