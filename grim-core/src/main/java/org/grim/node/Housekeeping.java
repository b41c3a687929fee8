// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.agrona.concurrent.SystemEpochClock;
import org.grim.Endpoint;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.CounterKind;
import org.grim.counters.FlightEvents;
import org.grim.counters.NodeCounters;
import org.grim.counters.StallWatch;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.LinkResources;
import org.grim.endpoint.LinkTable;
import org.grim.endpoint.LivenessProbe;
import org.grim.endpoint.NodeWatch;
import org.grim.endpoint.Requests;
import org.grim.extension.NodeExtension;
import org.grim.handlers.NodeHandlers;
import org.grim.large.LargeArrivals;
import org.grim.loop.MessageLoop;
import org.grim.memory.NodeMemory;
import org.grim.remote.RemoteRefusals;
import org.grim.thread.ErrorReports;
import org.grim.transport.Transport;

/**
 * The work of an endpoint besides receiving: flushes overflow queues, reports refusals of remote-memory operations,
 * watches the other nodes, gives room back.
 * <p>Thread: the endpoint's owner.
 */
final class Housekeeping implements MessageLoop.Housekeeping
{
    private static final long HOUSEKEEPING_INTERVAL_NS = TimeUnit.MICROSECONDS.toNanos(100);

    private final EndpointState state;
    private final int[] channels;
    private final LinkTable links;
    private final ClusterDirectory directory;
    private final List<Transport> transports;
    private final NodeCounters counters;
    private final NodeHandlers handlers;
    private final List<NodeExtension> extensions;
    private final NodeMemory memory;
    private final LargeArrivals arrivals;
    private final LivenessProbe probe;
    private final RemoteRefusals refusals;
    private final NodeWatch watch;
    private final ErrorReports reports;
    private final HandlerErrors errors;
    private final Requests requests;
    private final List<StallWatch> stalls = new ArrayList<>();
    private Endpoint.NodeGoneListener listener;
    private Consumer<NodeInfo> upListener;      // null while nobody asks.
    private MessageLoop loop;
    private long pollCountSeen;
    private long emptyPollCountSeen;
    private boolean isFenceReported;
    private long housekeepingDeadlineNs = System.nanoTime();

    /**
     * Makes the housekeeping of an endpoint.
     *
     * @param handlers whose exchange with the keeper runs here, or null.
     * @param errors   where errors of the application's listeners go.
     */
    Housekeeping(
        final LinkResources resources, final int[] channels, final LinkTable links, final LargeArrivals arrivals,
        final RemoteRefusals refusals, final NodeHandlers handlers, final HandlerErrors errors, final NodeParts node)
    {
        this.channels = channels;
        this.links = links;
        this.arrivals = arrivals;
        this.refusals = refusals;
        this.handlers = handlers;
        state = resources.state();
        probe = resources.probe();
        counters = resources.counters();
        directory = node.directory();
        transports = node.transports();
        extensions = node.extensions();
        memory = node.memory();
        reports = node.reports();
        this.errors = errors;
        requests = resources.requests();
        for (final int channel : channels)
        {
            stalls.add(new StallWatch(counters.channel(channel), directory.self(), channel));
        }
        if (handlers != null)
        {
            stalls.add(new StallWatch(counters.sharedLinks(), directory.self(), NodeCounters.SHARED_LINKS_KEY));
        }
        listener((gone, undelivered, unknown) ->
        {
            // The figures are counted for tools, too.
        });
        watch = new NodeWatch(directory);
    }

    @Override
    public int flush()
    {
        return state.hasPendingWork() && !state.isClosed() ? flushPending() : 0;
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
        if (state.isClosed())
        {
            return 0;                               // A handler of this poll, or another thread, has closed the node.
        }
        housekeepingDeadlineNs = nowNs + HOUSEKEEPING_INTERVAL_NS;
        loop.table().release();
        countPolls();
        publishCounters();
        if (FlightEvents.isOn())
        {
            lookForStalls(nowNs);
        }
        int workCount = requests.step(nowNs);
        workCount += refusals.drain();              // Refusals that become known long after the operation.
        workCount += handlers == null ? 0 : stepNode(nowNs);
        if (probe.tryBegin(nowNs))
        {
            workCount += checkLiveness(nowNs);
        }
        return workCount;
    }

    private void lookForStalls(final long nowNs)
    {
        for (int i = 0; i < stalls.size(); i++)
        {
            stalls.get(i).look(nowNs);
        }
    }

    /** Stalls that are open end with the endpoint. Thread: the owner; any after that. */
    void endStalls()
    {
        stalls.forEach(StallWatch::end);
    }

    /** Does what is the host endpoint's for the whole node. */
    private int stepNode(final long nowNs)
    {
        int workCount = handlers.exchange(nowNs);
        for (int i = 0; i < extensions.size(); i++)
        {
            workCount += extensions.get(i).step(nowNs);
        }
        return workCount;
    }

    /** The loop that runs this housekeeping. */
    void loop(final MessageLoop newLoop)
    {
        loop = newLoop;
    }

    /** The listener begins with all that are available. */
    void upListener(final Consumer<NodeInfo> newListener)
    {
        watch.forgetUp();
        upListener = node ->
        {
            try
            {
                newListener.accept(node);
            }
            catch (final Throwable ex)
            {
                errors.onError(ex, "nodes that are up");
            }
        };
    }

    void listener(final Endpoint.NodeGoneListener newListener)
    {
        listener = new GuardedListener(newListener, errors, requests, handlers == null ? null : counters,
            directory.self());
    }

    /** Shows others what messages this endpoint has sent and received. Thread: the owner; any after that. */
    void publishCounters()
    {
        for (final int channel : channels)
        {
            counters.channel(channel).publish();
        }
    }

    /** Counters go on where the last endpoint on these channels ended. */
    private void countPolls()
    {
        final long pollCount = loop.pollCount();
        final long emptyPollCount = loop.emptyPollCount();
        counters.channel(channels[0]).polled(pollCount - pollCountSeen, emptyPollCount - emptyPollCountSeen);
        pollCountSeen = pollCount;
        emptyPollCountSeen = emptyPollCount;
    }

    private int flushPending()
    {
        int count = state.isRefusalDue() ? refusals.drain() : 0;
        count += state.hasNoticesWaiting() ? arrivals.flush() : 0;
        return count + links.flush();
    }

    /** Reports that this host was fenced: all links say that their peers are gone, and this says why. */
    private void reportIfFenced()
    {
        if (!isFenceReported && directory.isFenced())
        {
            isFenceReported = true;
            reports.report(directory.conviction(), "fence", () -> "this node is out of the cluster");
        }
    }

    private void reportFault(final GrimException fault)
    {
        if (fault != null)
        {
            reports.report(fault, "files", () -> "files of this node's cluster were touched");
        }
    }

    private int checkLiveness(final long nowNs)
    {
        final long epochMs = SystemEpochClock.INSTANCE.time();
        directory.heartbeat(epochMs);
        reportFault(directory.findFault(epochMs));
        reportIfFenced();
        probe.probe();
        links.releaseIfIdle();
        links.shutGoneDevices();
        int workCount = watch.settle(links, loop.table(), listener, nowNs) + links.closeOver() + arrivals.housekeep();
        workCount += upListener == null ? 0 : watch.reportUp(upListener);
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

    /**
     * The application's listener, of which nothing keeps the other nodes from being looked after. Requests end first.
     *
     * @param counters of the node; null if this is not the host endpoint, which notices for all.
     */
    private record GuardedListener(
        Endpoint.NodeGoneListener listener, HandlerErrors errors, Requests requests, NodeCounters counters, int self)
        implements Endpoint.NodeGoneListener
    {
        private static final String NAME = "nodes that are gone";

        @Override
        public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
        {
            if (counters != null)
            {
                counters.node(CounterKind.NODES_GONE).increment();
                FlightEvents.gone(false, self, node, undelivered, unknown);
            }
            requests.onLinksLost(node.number());
            try
            {
                listener.onNodeGone(node, undelivered, unknown);
            }
            catch (final Throwable ex)
            {
                errors.onError(ex, NAME);
            }
        }

        @Override
        public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
        {
            FlightEvents.gone(true, self, node, undelivered, unknown);
            requests.onLinksLost(node.number());
            try
            {
                listener.onPathLost(node, undelivered, unknown);
            }
            catch (final Throwable ex)
            {
                errors.onError(ex, NAME);
            }
        }
    }
}
