// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;

import org.agrona.collections.Int2ObjectHashMap;
import org.grim.cluster.ClusterDirectory;
import org.grim.counters.ChannelCounters;
import org.grim.counters.NodeCounters;
import org.grim.fragment.OutboxFiles;
import org.grim.queue.OverflowQueue;
import org.grim.transport.SharedLink;
import org.grim.transport.Transport;

/**
 * The links of one endpoint, made when they are first asked for.
 * <p>Thread: the endpoint's owner, but for {@link #openShared}, {@link #closeShared()} and closing a shared link.
 */
final class LinkTable
{
    private final Endpoint endpoint;
    private final int[] channels;
    private final ClusterDirectory directory;
    private final List<Transport> transports;
    private final NodeCounters counters;
    private final OverflowQueue.Ceiling ceiling;
    private final LossAccounts accounts;
    private final LargeSends sends;
    private final Int2ObjectHashMap<Int2ObjectHashMap<EndpointLink>> linksByChannel = new Int2ObjectHashMap<>();
    private final List<EndpointLink> links = new ArrayList<>();
    private final List<GuardedLink> sharedLinks = new ArrayList<>();

    LinkTable(
        final Endpoint endpoint, final int[] channels, final ClusterDirectory directory,
        final List<Transport> transports, final NodeCounters counters, final OverflowQueue.Ceiling ceiling,
        final MessageLimits limits, final OutboxFiles outboxes)
    {
        this.endpoint = endpoint;
        this.channels = channels;
        this.directory = directory;
        this.transports = transports;
        this.counters = counters;
        this.ceiling = ceiling;
        accounts = new LossAccounts(directory.nodeCountMax());
        sends = new LargeSends(limits, counters, outboxes, directory.incarnation());
        for (final int channel : channels)
        {
            linksByChannel.put(channel, new Int2ObjectHashMap<>());
        }
    }

    /** The channel that messages to a destination leave from unless the caller says otherwise. */
    int sourceChannelTo(final EndpointId destination)
    {
        return linksByChannel.containsKey(destination.channel()) ? destination.channel() : channels[0];
    }

    /**
     * The link from a channel to an endpoint; a new one if the peer is another incarnation than that of the old one.
     */
    EndpointLink get(final int sourceChannel, final int destinationKey)
    {
        final Int2ObjectHashMap<EndpointLink> byDestination = linksByChannel.get(sourceChannel);
        if (byDestination == null)
        {
            throw new IllegalArgumentException("channel=" + sourceChannel + " does not belong to " + endpoint.id());
        }
        final EndpointLink link = byDestination.get(destinationKey);
        return link != null && link.isUsable() ? link : replace(link, sourceChannel, destinationKey, byDestination);
    }

    /** Remote memory's half of the same link, made when it is first asked for. */
    EndpointRemoteLink remote(final int sourceChannel, final int destinationKey, final RemoteMemory memory)
    {
        return get(sourceChannel, destinationKey).remote(ceiling, memory);
    }

    /** The link from a channel to an endpoint if there is one, usable or not; else null. */
    EndpointLink find(final int sourceChannel, final int destinationKey)
    {
        final Int2ObjectHashMap<EndpointLink> byDestination = linksByChannel.get(sourceChannel);
        return byDestination == null ? null : byDestination.get(destinationKey);
    }

    /**
     * A receiver on a node answered a transfer. Answers come from the node's host CPU, whatever device they are about;
     * the name is unique among this endpoint's links.
     *
     * @return false if no link asked that.
     */
    boolean onVerdict(final int node, final long transfer, final int verdict)
    {
        for (int i = 0; i < links.size(); i++)
        {
            final EndpointLink link = links.get(i);
            if (link.destination().node() == node && link.large().parts().onVerdict(transfer, verdict))
            {
                return true;
            }
        }
        return false;
    }

    /** A receiver on a node cannot look at a message in place; false if no link has sent it. */
    boolean onNotInPlace(final int node, final int incarnation, final int sequence)
    {
        for (int i = 0; i < links.size(); i++)
        {
            final EndpointLink link = links.get(i);
            if (link.destination().node() == node && link.large().onNotInPlace(incarnation, sequence))
            {
                return true;
            }
        }
        return false;
    }

    /** A link of its own for several threads. */
    SharedLink openShared(final EndpointId destination)
    {
        final EndpointLink link = connect(channels[0], destination, counters.sharedLinks(), null);
        final GuardedLink guarded = new GuardedLink(link);
        synchronized (sharedLinks)
        {
            sharedLinks.add(guarded);
        }
        return new SharedLink(guarded, () -> closeShared(guarded));
    }

    /** What was lost with links that are no more. */
    LossAccounts accounts()
    {
        return accounts;
    }

    /** All links of the owner, live. */
    List<EndpointLink> links()
    {
        return links;
    }

    /**
     * Settles the accounts of links whose peers are gone.
     *
     * @param isNode says whose.
     * @return false if a thread is in one of the shared links: then ask again.
     */
    boolean trySettle(final IntPredicate isNode)
    {
        for (int i = 0; i < links.size(); i++)
        {
            final EndpointLink link = links.get(i);
            if (link.isPeerGone() && isNode.test(link.destination().node()))
            {
                link.settle(accounts);
            }
        }
        boolean isSettled = true;
        synchronized (sharedLinks)
        {
            for (int i = 0; i < sharedLinks.size(); i++)
            {
                final GuardedLink link = sharedLinks.get(i);
                isSettled &= !isNode.test(link.destination().node()) || link.trySettle(accounts);
            }
        }
        return isSettled;
    }

    /**
     * Closes the links whose accounts are settled, after the listener was told: dead peers' memory does not stay.
     * Whoever keeps such a link still learns from it that the peer is gone.
     *
     * @return links closed.
     */
    int closeOver()
    {
        int count = 0;
        for (int i = links.size() - 1; i >= 0; i--)
        {
            final EndpointLink link = links.get(i);
            if (link.isOver())
            {
                links.remove(i);
                link.close();
                count++;
            }
        }
        return count + closeSharedOver();
    }

    /** Ends the owner's links, and its outbox. */
    void close()
    {
        links.forEach(EndpointLink::close);
        sends.close();
    }

    /** Ends the shared links. Waits for sends that are under way. */
    void closeShared()
    {
        synchronized (sharedLinks)
        {
            sharedLinks.forEach(GuardedLink::close);
            sharedLinks.clear();
        }
    }

    /** What the peer has not taken yet stays in the accounts. */
    private void closeShared(final GuardedLink link)
    {
        link.refuse();
        closeSharedOver();
    }

    private int closeSharedOver()
    {
        synchronized (sharedLinks)
        {
            final int count = sharedLinks.size();
            sharedLinks.removeIf(GuardedLink::tryCloseOver);
            return count - sharedLinks.size();
        }
    }

    private EndpointLink replace(
        final EndpointLink old, final int sourceChannel, final int destinationKey,
        final Int2ObjectHashMap<EndpointLink> byDestination)
    {
        final EndpointId destination = EndpointId.ofKey(destinationKey);
        if (old != null)
        {
            if (endpoint.isClosed() || directory.reasonUnreachable(destination) != null)
            {
                return old;                 // This node or the peer is gone: the old link says so.
            }
            links.remove(old);
            byDestination.remove(destinationKey);       // If no new link can be made, nobody closes this one twice.
            // Before its hop is unmapped; the listener learns of it when it learns of the node.
            old.settle(accounts);
            old.close();
        }
        final EndpointLink link =
            connect(sourceChannel, destination, counters.channel(sourceChannel), new OverflowQueue(ceiling));
        byDestination.put(destinationKey, link);
        links.add(link);
        return link;
    }

    /** A link and the incarnation that it leads to: none if it changes while the link is made. */
    private EndpointLink connect(
        final int sourceChannel, final EndpointId destination, final ChannelCounters channelCounters,
        final OverflowQueue overflow)
    {
        while (true)
        {
            final Transport transport = transportTo(destination);
            final int status = directory.status(destination.node());
            final EndpointLink link = new EndpointLink(endpoint, sourceChannel, destination, transport,
                directory.incarnationOf(status), channelCounters, overflow, overflow == null ? null : sends);
            if (directory.status(destination.node()) == status)
            {
                return link;
            }
            link.close();
        }
    }

    private Transport transportTo(final EndpointId destination)
    {
        endpoint.requireOpen();
        final String reason = directory.reasonUnreachable(destination);
        if (reason != null)
        {
            throw new GrimException(destination + " is unknown: " + reason);
        }
        for (final Transport transport : transports)
        {
            if (transport.reaches(destination.node()))
            {
                return transport;
            }
        }
        throw new GrimException(destination + " cannot be reached: this node has transports=" +
            transports.stream().map(Transport::name).toList() + ", that one has " +
            directory.info(destination.node()).transports());
    }
}
