// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

import org.grim.EndpointId;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.Dispatcher;
import org.grim.endpoint.EndpointState;

/**
 * Refusals of one endpoint's remote-memory operations: gathers them from the links, counts them, and calls the listener
 * at the next poll, outside of other calls.
 * <p>Looks at the links after operations and at housekeeping, so that a silent endpoint pays nothing.
 * <p>Thread: the endpoint's owner. Grows to the most refusals between two polls, then allocates nothing. Bounds:
 * {@value #CAPACITY_MAX}; more refusals are counted, and not reported.
 */
public final class RemoteRefusals
{
    private static final int CAPACITY_FIRST = 16;
    private static final int CAPACITY_MAX = 1 << 16;            // A block of rows can have billions.

    private final Dispatcher dispatcher;
    private final NodeCounters counters;
    private final EndpointState state;
    private final List<Source> links = new ArrayList<>();
    private final List<RemoteMemory.RefusalListener> watchers = new ArrayList<>();
    private RemoteMemory.RefusalListener listener = (destination, remoteAddress, length, reason) ->
    {
    };
    private EndpointId[] destinations = new EndpointId[CAPACITY_FIRST];
    private RemoteRefusal[] reasons = new RemoteRefusal[CAPACITY_FIRST];
    private long[] addresses = new long[CAPACITY_FIRST];
    private long[] lengths = new long[CAPACITY_FIRST];
    private int head;
    private int count;

    /** Source of refusals. */
    @FunctionalInterface
    interface Source
    {
        /** Notes what was refused since the last call. */
        void drainRefusals();
    }

    /**
     * Nothing was refused yet.
     *
     * @param dispatcher that runs the listener.
     * @param counters   of the node.
     * @param state      of the endpoint.
     */
    public RemoteRefusals(final Dispatcher dispatcher, final NodeCounters counters, final EndpointState state)
    {
        this.dispatcher = dispatcher;
        this.counters = counters;
        this.state = state;
    }

    void listener(final RemoteMemory.RefusalListener newListener)
    {
        listener = Objects.requireNonNull(newListener, "listener");
    }

    /** Has a part of the library see what the listener is going to. */
    void watch(final RemoteMemory.RefusalListener watcher)
    {
        watchers.add(watcher);
    }

    void unwatch(final RemoteMemory.RefusalListener watcher)
    {
        watchers.remove(watcher);
    }

    void add(final Source link)
    {
        links.add(link);
    }

    void remove(final Source link)
    {
        links.remove(link);
    }

    /** An operation was accepted: it may be refused. */
    void onOperation()
    {
        state.refusalsDue();
    }

    /** An operation was refused. */
    void onRefused(
        final EndpointId destination, final long remoteAddress, final long length, final RemoteRefusal reason)
    {
        counters.memoryRefused(reason).increment();
        if (count == destinations.length && !tryGrow())
        {
            return;
        }
        final int index = head + count & destinations.length - 1;
        destinations[index] = destination;
        reasons[index] = reason;
        addresses[index] = remoteAddress;
        lengths[index] = length;
        count++;
        state.refusalsDue();
    }

    /**
     * Gathers the known refusals, and calls the listener. Refusals that it causes wait for the next time. Returns the
     * number of reported refusals.
     */
    public int drain()
    {
        state.refusalsTaken();
        for (int i = 0; i < links.size(); i++)
        {
            links.get(i).drainRefusals();
        }
        final int reportedCount = count;
        for (int i = 0; i < reportedCount; i++)
        {
            final int index = head;
            head = head + 1 & destinations.length - 1;
            count--;
            for (int k = 0; k < watchers.size(); k++)
            {
                watchers.get(k).onRefused(destinations[index], addresses[index], lengths[index], reasons[index]);
            }
            dispatcher.tell(listener, destinations[index], addresses[index], lengths[index], reasons[index]);
        }
        return reportedCount;
    }

    private boolean tryGrow()
    {
        final int capacity = destinations.length * 2;
        if (capacity > CAPACITY_MAX)
        {
            return false;
        }
        final EndpointId[] moreDestinations = rotate(destinations, new EndpointId[capacity]);
        final RemoteRefusal[] moreReasons = rotate(reasons, new RemoteRefusal[capacity]);
        final long[] moreAddresses = rotate(addresses, new long[capacity]);
        lengths = rotate(lengths, new long[capacity]);
        addresses = moreAddresses;                      // From here on nothing can fail for lack of memory.
        reasons = moreReasons;
        destinations = moreDestinations;
        head = 0;
        return true;
    }

    /** Copies a full ring so that its oldest entry comes first. */
    @SuppressWarnings("SuspiciousSystemArraycopy")
    private <T> T rotate(final T from, final T to)
    {
        System.arraycopy(from, head, to, 0, count - head);
        System.arraycopy(from, 0, to, count - head, head);
        return to;
    }
}
