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
import org.grim.counters.CounterKind;
import org.grim.counters.NodeCounters;
import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.EndpointState;
import org.grim.endpoint.HandlerErrors;
import org.grim.endpoint.LinkTable;
import org.grim.extension.ExtensibleNode;
import org.grim.memory.MemoryPeers;
import org.grim.memory.NodeMemory;
import org.grim.multicast.MulticastOutboxes;
import org.grim.multicast.TreeNumbers;
import org.grim.transport.MulticastTrees;
import org.grim.transport.Transport;
import org.grim.wire.MessageType;

/**
 * Sends and waits for groups: built-in messages over the host endpoint's links.
 * <p>Thread: the host endpoint's owner.
 */
final class GroupTraffic
{
    /** Membership of a group: one of {@link RosterMessages}. */
    static final int ROSTER = 12;
    /** A part of a collective operation. */
    static final int PART = 13;
    /** A multicast. */
    static final int MULTICAST = 14;

    /** Bytes of an offer: u64 physical address, u32 length. Native byte order. */
    static final int OFFER_LENGTH = 12;

    /** A multiple of all elements that are powers of two, and below the MTU. */
    private static final int PART_LENGTH_MAX = 61_440;
    /** Where {@link EndpointId#key()} has the node; with the host's device and channel 0 nothing is below. */
    private static final int KEY_SHIFT = Integer.numberOfTrailingZeros(EndpointId.of(1, 0, 0).key());
    private static final int SPIN_COUNT = 200;
    private static final int YIELD_COUNT = 200;
    private static final long PARK_NS_MIN = TimeUnit.MICROSECONDS.toNanos(1);
    private static final long PARK_NS_MAX = TimeUnit.MICROSECONDS.toNanos(100);

    private final ClusterDirectory directory;
    private final EndpointState state;
    private final LinkTable links;
    private final IntSupplier poll;
    private final TreeNumbers numbers;
    private final MulticastOutboxes outboxes;
    private final NodeMemory memory;
    private final MemoryPeers peers;
    private final HandlerErrors errors;
    private final NodeCounters counters;
    private final IdleStrategy idle =
        new BackoffIdleStrategy(SPIN_COUNT, YIELD_COUNT, PARK_NS_MIN, PARK_NS_MAX);

    GroupTraffic(final ExtensibleNode node, final MulticastOutboxes outboxes)
    {
        this.outboxes = outboxes;
        directory = node.directory();
        memory = node.memory();
        peers = node.peers();
        counters = node.counters();
        state = node.host().state();
        links = node.host().links();
        poll = node.host().poll();
        errors = node.host().errors();
        numbers = new TreeNumbers(directory);
    }

    ClusterDirectory directory()
    {
        return directory;
    }

    TreeNumbers numbers()
    {
        return numbers;
    }

    /** The carrier of multicasts along trees; null if nothing does. */
    MulticastTrees trees()
    {
        return links.trees();
    }

    MulticastOutboxes outboxes()
    {
        return outboxes;
    }

    /** Whether a node maps files of this one. */
    boolean sharesMemory(final int node)
    {
        final Transport transport = links.transportTo(node);
        return transport != null && transport.sharesMemory(node);
    }

    /** Physical address of memory that nodes of this host can read where it stands; 0 if they cannot. */
    long readableAddress(final DirectBuffer place, final int offset, final int length)
    {
        return memory.readableAddress(place, offset, length);
    }

    /** Begins to read a node's memory where it stands; null if that cannot be. */
    MemoryPeers.Reader tryRead(final int node)
    {
        try
        {
            return sharesMemory(node) ? peers.reader(node) : null;
        }
        catch (final GrimException ex)
        {
            return null;                                // It sends its bytes instead.
        }
    }

    /** Whether a link to a node leads through forwarders; to this node none has to. */
    boolean isForwarded(final int node)
    {
        final Transport transport = node == self() ? null : links.transportTo(node);
        return node == self() || (transport != null && transport.extension(MulticastTrees.class) != null);
    }

    /** Makes what sends to a tree's root; null if that has gone. */
    TreeTraffic tryConnect(
        final GroupTree tree, final int treeKind, final MessageType type, final int groupId, final int kind)
    {
        try
        {
            return new TreeTraffic(trees().connectTree(0, tree.root(), treeKind), tree, type, self(), groupId, kind);
        }
        catch (final GrimException ex)
        {
            return null;                                // Its node's death is about to be an epoch of the group.
        }
    }

    int self()
    {
        return directory.self();
    }

    boolean isClosed()
    {
        return state.isClosed();
    }

    /** False for another thread than the owner, and if the node has left: {@link #requireOwner} says what is wrong. */
    boolean isOpenToCaller()
    {
        return state.isOpenToCaller();
    }

    /** Refuses another thread, and a node that has left. */
    void requireOwner()
    {
        state.checkOwner();
        state.requireOpen();
    }

    boolean isInHandler()
    {
        return state.isInHandler();
    }

    /** Refuses handlers, too. */
    void requireOutsideHandler(final String verb)
    {
        requireOwner();
        state.requireOutsideHandler(verb);
    }

    /** {@link EndpointId#key()} of a node's host endpoint. */
    static int key(final int node)
    {
        return node << KEY_SHIFT;
    }

    /** Most bytes of a part over a link. */
    static int partLengthMax(final EndpointLink link)
    {
        return Math.min(PART_LENGTH_MAX, link.payloadLengthMax());
    }

    /** Most payload bytes of one message to each of some nodes; those that cannot be reached do not count. */
    int payloadLengthMax(final int... nodes)
    {
        int least = Integer.MAX_VALUE;
        for (final int node : nodes)
        {
            final EndpointLink link = linkTo(node);
            least = link == null ? least : Math.min(least, link.payloadLengthMax());
        }
        return least;
    }

    /** Sends a built-in message that may wait in the overflow queue. */
    SendStatus send(
        final int node, final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        return send(node, handler, arguments01, arguments23, source, offset, length, true);
    }

    /**
     * Sends a built-in message; says {@link SendStatus#PEER_GONE} of a node that is gone, and {@link
     * SendStatus#BACK_PRESSURED} of one to which no path can be made now: it may have no receive queue left.
     *
     * @param mayQueue false if the sender itself keeps what finds no room.
     */
    SendStatus send(
        final int node, final int handler, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length, final boolean mayQueue)
    {
        if (state.isClosed())
        {
            return SendStatus.CLOSED;
        }
        final EndpointLink link = linkTo(node);
        return link == null ? refusal(node) :
            link.sendBuiltIn(handler, arguments01, arguments23, source, offset, length, mayQueue);
    }

    /** Counts multicasts that were accepted, and may not have reached all members. */
    void lostMulticasts(final int count)
    {
        if (count > 0)
        {
            counters.node(CounterKind.MULTICASTS_LOST).getAndAdd(count);
        }
    }

    /** Sends what is for another endpoint of this node; the sender keeps what finds no room. */
    SendStatus sendTo(
        final EndpointId receiver, final long arguments01, final long arguments23, final DirectBuffer source,
        final int offset, final int length)
    {
        final EndpointLink link = linkToKey(receiver.key());
        return state.isClosed() ? SendStatus.CLOSED : link == null ? SendStatus.PEER_GONE :
            link.sendBuiltIn(MULTICAST, arguments01, arguments23, source, offset, length, false);
    }

    /** Most payload bytes of a message to another endpoint of this node; of any if it is gone. */
    int payloadLengthMax(final EndpointId receiver)
    {
        final EndpointLink link = linkToKey(receiver.key());
        return link == null ? Integer.MAX_VALUE : link.payloadLengthMax();
    }

    /** The link to a node; null if it cannot be reached, or this node has left. */
    EndpointLink linkTo(final int node)
    {
        return linkToKey(key(node));
    }

    private SendStatus refusal(final int node)
    {
        return directory.isUp(node) && links.transportTo(node) != null ? SendStatus.BACK_PRESSURED :
            SendStatus.PEER_GONE;
    }

    private EndpointLink linkToKey(final int key)
    {
        try
        {
            return state.isClosed() ? null : links.get(0, key);
        }
        catch (final GrimException ex)
        {
            return null;                                // It is gone, or has no queue for one more sender.
        }
    }

    /** The application's code threw: its error handler and the node's counters learn of it. */
    void onHandlerError(final Throwable ex)
    {
        errors.onError(ex, "collective operations");
    }

    /** Something has ended that the caller of the poll may wait for. */
    void endPoll()
    {
        state.endPoll();
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
