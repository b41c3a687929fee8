// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.IntSupplier;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.agrona.concurrent.IdleStrategy;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.cluster.ClusterDirectory;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.LinkTable;

/**
 * What groups send and how they wait: built-in messages over the host endpoint's links.
 * <p>Thread: the host endpoint's owner.
 */
final class GroupTraffic
{
    /** Who belongs to a group: one of {@link RosterMessages}. */
    static final int ROSTER = 12;
    /** A part of a collective operation. */
    static final int PART = 13;
    /** A multicast. */
    static final int MULTICAST = 14;

    /** In the last argument of a part: the member is ready to receive a long one. */
    static final int READY = 1 << 31;
    /** The whole of that argument: members do different things. */
    static final int MISMATCH = 1 << 30;
    /** Both; all other bits are the operation's signature. */
    static final int FLAGS = READY | MISMATCH;

    /** A multiple of all elements that are powers of two, and below the MTU. */
    private static final int PART_LENGTH_MAX = 61_440;
    /** In {@link EndpointId#key()}, of the node's number; that of the host's device and channel 0 has nothing below. */
    private static final int KEY_SHIFT = Integer.numberOfTrailingZeros(EndpointId.of(1, 0, 0).key());
    private static final int SPIN_COUNT = 200;
    private static final int YIELD_COUNT = 200;
    private static final long PARK_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long PARK_NS_MAX = TimeUnit.MICROSECONDS.toNanos(100);

    private final ClusterDirectory directory;
    private final EndpointState state;
    private final LinkTable links;
    private final IntSupplier poll;
    private final IdleStrategy idle =
        new BackoffIdleStrategy(SPIN_COUNT, YIELD_COUNT, PARK_NS_MIN, PARK_NS_MAX);

    GroupTraffic(
        final ClusterDirectory directory, final EndpointState state, final LinkTable links, final IntSupplier poll)
    {
        this.directory = directory;
        this.state = state;
        this.links = links;
        this.poll = poll;
    }

    ClusterDirectory directory()
    {
        return directory;
    }

    int self()
    {
        return directory.self();
    }

    boolean isClosed()
    {
        return state.isClosed();
    }

    /** Refuses another thread, and a node that has left. */
    void requireOwner()
    {
        state.checkOwner();
        state.requireOpen();
    }

    /** Refuses handlers, too. */
    void requireOutsideHandler(final String verb)
    {
        requireOwner();
        state.requireOutsideHandler(verb);
    }

    /** Most bytes of a part over a link. */
    static int partLengthMax(final EndpointLink link)
    {
        return Math.min(PART_LENGTH_MAX, link.payloadLengthMax());
    }

    /** Sends a built-in message; says {@link SendStatus#PEER_GONE} of a node that cannot be reached. */
    SendStatus send(
        final int node, final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        final EndpointLink link = linkTo(node);
        return link == null ? SendStatus.PEER_GONE :
            link.sendBuiltIn(handler, arguments01, arguments23, source, offset, length);
    }

    /** The link to a node; null if it cannot be reached, or this node has left. */
    EndpointLink linkTo(final int node)
    {
        try
        {
            return state.isClosed() ? null : links.get(0, node << KEY_SHIFT);
        }
        catch (final GrimException ex)
        {
            return null;                                // It is gone, or about to be taken for gone.
        }
    }

    /** Polls once; true if something was found. */
    boolean pollOnce()
    {
        return poll.getAsInt() > 0;
    }

    /** Polls once, and idles if nothing was found; false if the node has left. */
    boolean poll()
    {
        idle.idle(poll.getAsInt());
        return !state.isClosed();
    }

    /** Polls until something is so; false if it is not in time. */
    boolean pollUntil(final BooleanSupplier isSo, final Duration timeout)
    {
        final long beginNs = System.nanoTime();
        final long timeoutNs = TimeUnit.NANOSECONDS.convert(timeout);
        while (!isSo.getAsBoolean())
        {
            if (System.nanoTime() - beginNs > timeoutNs)
            {
                return false;
            }
            if (!poll())
            {
                state.requireOpen();
            }
        }
        return true;
    }
}
