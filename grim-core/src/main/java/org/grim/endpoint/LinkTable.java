// SPDX-License-Identifier: Apache-2.0
package org.grim.endpoint;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.function.Supplier;

import org.agrona.collections.Int2ObjectHashMap;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.SharedLink;
import org.grim.buffer.Cleanup;
import org.grim.cluster.ClusterDirectory;
import org.grim.transport.MulticastTrees;
import org.grim.transport.Transport;
import org.grim.wire.FlowKey;

import static org.grim.GrimException.Reason.NOT_FOUND;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * The links of one endpoint, made when they are first asked for.
 * <p>Thread: the endpoint's owner, but for {@link #openShared}, {@link #closeShared()} and closing a shared link.
 */
public final class LinkTable
{
    private final EndpointState state;
    private final int[] channels;
    private final ClusterDirectory directory;
    private final List<Transport> transports;
    private final LinkResources resources;
    private final Function<LinkContext, LargePath> largePaths;
    private final KeptMessages kept;
    private final LossAccounts accounts = new LossAccounts();
    private final Int2ObjectHashMap<Int2ObjectHashMap<EndpointLink>> linksByChannel = new Int2ObjectHashMap<>();
    private final List<EndpointLink> links = new ArrayList<>();
    private final List<GuardedLink> sharedLinks = new ArrayList<>();
    private final Int2ObjectHashMap<EndpointId> ids = new Int2ObjectHashMap<>();

    /**
     * No links yet.
     *
     * @param channels   of the endpoint.
     * @param directory  of the cluster.
     * @param transports that are open, in the order of the configuration.
     * @param resources  that the links share.
     * @param largePaths makes what a link sends large messages with.
     */
    public LinkTable(
        final int[] channels, final ClusterDirectory directory, final List<Transport> transports,
        final LinkResources resources, final Function<LinkContext, LargePath> largePaths)
    {
        this.channels = channels;
        this.directory = directory;
        this.transports = transports;
        this.resources = resources;
        this.largePaths = largePaths;
        state = resources.state();
        kept = new KeptMessages(this::idOf, this::getBack, state, resources.counters().channel(state.id().channel()),
            resources.limits().keptLength());
        for (final int channel : channels)
        {
            linksByChannel.put(channel, new Int2ObjectHashMap<>());
        }
    }

    /**
     * The channel that messages to a destination leave from unless the caller says otherwise. Returns one of this
     * endpoint's.
     */
    public int sourceChannelTo(final EndpointId destination)
    {
        final int channel = Objects.requireNonNull(destination, "destination").channel();
        return hasChannel(channel) ? channel : channels[0];
    }

    /** Whether a channel is this endpoint's. */
    boolean hasChannel(final int channel)
    {
        return linksByChannel.containsKey(channel);
    }

    /**
     * The link from a channel to an endpoint; a new one if the peer is another incarnation than that of the old one.
     *
     * @param sourceChannel  of this endpoint.
     * @param destinationKey of the destination.
     * @return the link.
     * @throws GrimException            if the destination is unknown, gone, or cannot be reached.
     * @throws IllegalArgumentException if the channel is not this endpoint's.
     */
    public EndpointLink get(final int sourceChannel, final int destinationKey)
    {
        final Int2ObjectHashMap<EndpointLink> byDestination = ofChannel(sourceChannel);
        final EndpointLink link = byDestination.get(destinationKey);
        return link != null && link.isUsable() ? link : replace(link, sourceChannel, destinationKey, byDestination);
    }

    /**
     * As {@link #get}, to answer what has come from the destination: a link to a predecessor of the one that sent it is
     * replaced although it has not said yet that nothing can be sent to that any more.
     *
     * @param sourceChannel  of this endpoint, to which it came.
     * @param destinationKey of the sender.
     * @return the link.
     */
    public EndpointLink getBack(final int sourceChannel, final int destinationKey)
    {
        final Int2ObjectHashMap<EndpointLink> byDestination = ofChannel(sourceChannel);
        final EndpointLink link = byDestination.get(destinationKey);
        return link != null && link.isUsable() && !link.isPeerGone() ? link :
            replace(link, sourceChannel, destinationKey, byDestination);
    }

    /** As {@link #getBack(int, int)}, of what has come by a flow. */
    EndpointLink getBack(final long flowKey)
    {
        return getBack(FlowKey.channelTo(flowKey), FlowKey.sourceKey(flowKey));
    }

    private Int2ObjectHashMap<EndpointLink> ofChannel(final int sourceChannel)
    {
        state.checkOwner();
        final Int2ObjectHashMap<EndpointLink> byDestination = linksByChannel.get(sourceChannel);
        if (byDestination == null)
        {
            throw new IllegalArgumentException("channel=" + sourceChannel + " does not belong to " + state.id());
        }
        return byDestination;
    }

    /** The name of an endpoint. Returns the same object each time. */
    EndpointId idOf(final int key)
    {
        EndpointId found = ids.get(key);
        if (found == null)
        {
            found = EndpointId.ofKey(key);
            ids.put(key, found);
        }
        return found;
    }

    /**
     * The link from a channel to an endpoint if there is one, usable or not. Returns the link; null if there is none.
     */
    public EndpointLink find(final int sourceChannel, final int destinationKey)
    {
        final Int2ObjectHashMap<EndpointLink> byDestination = linksByChannel.get(sourceChannel);
        return byDestination == null ? null : byDestination.get(destinationKey);
    }

    /**
     * A receiver answered a transfer. The name is unique among the links that the same answers are for.
     *
     * @param flowKey  that the answer came, as {@link FlowKey}.
     * @param transfer name of the transfer.
     * @param verdict  of the receiver.
     * @return false if no link asked that.
     */
    public boolean onVerdict(final long flowKey, final long transfer, final int verdict)
    {
        for (int i = 0; i < links.size(); i++)
        {
            final EndpointLink link = links.get(i);
            if (link.isAnsweredBy(flowKey) && link.large().onVerdict(transfer, verdict))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * A receiver cannot look at a message in place.
     *
     * @param flowKey     that its answer came, as {@link FlowKey}.
     * @param incarnation that the message names.
     * @param sequence    of the message.
     * @return false if no link has sent it.
     */
    public boolean onNotInPlace(final long flowKey, final int incarnation, final int sequence)
    {
        for (int i = 0; i < links.size(); i++)
        {
            final EndpointLink link = links.get(i);
            if (link.isAnsweredBy(flowKey) && link.large().onNotInPlace(incarnation, sequence))
            {
                return true;
            }
        }
        return false;
    }

    /**
     * Makes a link of its own for several threads.
     *
     * @param destination endpoint and channel.
     * @return the link.
     * @throws GrimException if the destination is unknown, gone, or cannot be reached.
     */
    public SharedLink openShared(final EndpointId destination)
    {
        final GuardedLink link = connect(destination, (transport, incarnation) -> new GuardedLink(resources,
            channels[0], destination, incarnation, transport.connect(channels[0], destination),
            resources.counters().sharedLinks(), this::closeShared));
        synchronized (sharedLinks)
        {
            sharedLinks.add(link);
        }
        return link;
    }

    /** The transport that a link to a node would use now. Returns null if none reaches it. */
    public Transport transportTo(final int node)
    {
        for (final Transport transport : transports)
        {
            if (transport.reaches(node))
            {
                return transport;
            }
        }
        return null;
    }

    /** {@return what carries multicasts along trees; null if no transport does} */
    public MulticastTrees trees()
    {
        for (final Transport transport : transports)
        {
            final MulticastTrees trees = transport.extension(MulticastTrees.class);
            if (trees != null)
            {
                return trees;
            }
        }
        return null;
    }

    /** The requests of the endpoint that have no answer yet. */
    Requests requests()
    {
        return resources.requests();
    }

    /** The messages that handlers of the endpoint kept. */
    KeptMessages kept()
    {
        return kept;
    }

    /** The losses of links that were closed. */
    LossAccounts accounts()
    {
        return accounts;
    }

    /** {@return all links of the owner, live} */
    public List<EndpointLink> links()
    {
        return links;
    }

    /**
     * Settles the accounts of links whose peers are gone.
     *
     * @param isNode says whose.
     * @return false if a thread is in one of the shared links, or a peer's last account may come yet: then ask again.
     */
    boolean trySettle(final IntPredicate isNode)
    {
        boolean isSettled = true;
        for (int i = 0; i < links.size(); i++)
        {
            final EndpointLink link = links.get(i);
            if (link.isPeerGone() && isNode.test(link.destination().node()))
            {
                isSettled &= link.trySettle(accounts);
            }
        }
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

    /** Sends nothing more to devices that are gone while their nodes go on: such links are lost paths. */
    public void shutGoneDevices()
    {
        for (int i = 0; i < links.size(); i++)
        {
            if (isToGoneDevice(links.get(i).destination()))
            {
                links.get(i).shut();
            }
        }
        synchronized (sharedLinks)
        {
            for (int i = 0; i < sharedLinks.size(); i++)
            {
                if (isToGoneDevice(sharedLinks.get(i).destination()))
                {
                    sharedLinks.get(i).shut();
                }
            }
        }
    }

    private boolean isToGoneDevice(final EndpointId destination)
    {
        return destination.device() != 0 && directory.isUp(destination.node()) && !directory.hasDevice(destination);
    }

    /**
     * Closes the links whose accounts are settled, after the listener was called: dead peers' memory does not stay.
     * A caller that keeps such a link still learns from it that the peer is gone. Returns the number of links closed.
     */
    public int closeOver()
    {
        int count = 0;
        for (int i = links.size() - 1; i >= 0; i--)
        {
            final EndpointLink link = links.get(i);
            if (link.isOver())
            {
                links.remove(i);
                link.end();
                count++;
            }
        }
        return count + closeSharedOver();
    }

    /** Moves what waits to the next hops. Returns the number of messages, operations and parts that were moved. */
    public int flush()
    {
        int count = 0;
        for (int i = links.size() - 1; i >= 0 && state.overflowDepth() > 0; i--)
        {
            count += links.get(i).backlog().flush();
        }
        return count;
    }

    /** Has hops give back what they take, if nothing passes. */
    public void releaseIfIdle()
    {
        for (int i = 0; i < links.size(); i++)
        {
            links.get(i).releaseIfIdle();
        }
        synchronized (sharedLinks)
        {
            for (int i = 0; i < sharedLinks.size(); i++)
            {
                sharedLinks.get(i).releaseIfIdle();
            }
        }
    }

    /**
     * Refuses to go on while a claim is open, and aborts open streams.
     *
     * @throws IllegalStateException if a claim is open.
     */
    public void prepareToClose()
    {
        links.forEach(link -> link.backlog().checkUse());
        links.forEach(link -> link.large().abortStream());
    }

    /** Ends the owner's links; all of them, also if the memory of some cannot be written any more. */
    public void close()
    {
        kept.close();
        Cleanup.all(links, EndpointLink::end);
    }

    /** Ends the shared links. Waits for sends that are under way. */
    public void closeShared()
    {
        synchronized (sharedLinks)
        {
            final List<GuardedLink> ended = List.copyOf(sharedLinks);
            sharedLinks.clear();
            Cleanup.all(ended, GuardedLink::end);
        }
    }

    /** Messages that the peer has not taken yet stay in the accounts. */
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
            sharedLinks.removeIf(GuardedLink::tryEndIfOver);
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
            if (old.backlog().isClaimOpen() || state.isClosed() || directory.reasonUnreachable(destination) != null)
            {
                return old;                 // The application writes there; or a node is gone: the old link says so.
            }
            links.remove(old);
            byDestination.remove(destinationKey);       // If no new link can be made, nobody closes this one twice.
            // Before its hop is unmapped; the listener learns of it when it learns of the node.
            old.settle(accounts);
            old.end();
        }
        final EndpointLink link = connect(destination, (transport, incarnation) -> new EndpointLink(resources,
            sourceChannel, destination, transport, incarnation, resources.counters().channel(sourceChannel),
            largePaths));
        byDestination.put(destinationKey, link);
        links.add(link);
        return link;
    }

    /** A link and the incarnation that it leads to: made again if that changes meanwhile. */
    private <T extends OutgoingLink> T connect(final EndpointId destination, final Connector<T> connector)
    {
        while (true)
        {
            final Transport transport = transportTo(destination);
            final int status = directory.status(destination.node());
            final T link = naming(destination.node(),
                () -> connector.connect(transport, directory.incarnationOf(status)));
            if (directory.status(destination.node()) == status)
            {
                return link;
            }
            link.end();
        }
    }

    /**
     * Takes a step on the path to a node, whose failure names the node by its name.
     *
     * @param node the path leads to.
     * @param step that may fail.
     * @param <T>  result of the step.
     * @return the result.
     * @throws GrimException as the step's, with the name in front.
     */
    public <T> T naming(final int node, final Supplier<T> step)
    {
        try
        {
            return step.get();
        }
        catch (final GrimException ex)
        {
            throw new GrimException(ex.reason(), directory.label(node) + ": " + ex.getMessage(), ex);
        }
    }

    private Transport transportTo(final EndpointId destination)
    {
        state.requireOpen();
        final String reason = directory.reasonUnreachable(destination);
        if (reason != null)
        {
            throw new GrimException(
                NOT_FOUND, directory.label(destination.node()) + ": " + destination + " is unknown: " + reason);
        }
        final Transport transport = transportTo(destination.node());
        if (transport == null)
        {
            final List<String> ours = transports.stream().map(Transport::name).toList();
            final List<String> theirs = directory.info(destination.node()).transports();
            throw new GrimException(UNREACHABLE, directory.label(destination.node()) + " cannot be reached" +
                (Collections.disjoint(ours, theirs) ? "" : " at the moment") + ": this node has transports=" + ours +
                ", that one has " + theirs);
        }
        return transport;
    }

    /** Makes a link over a transport. */
    @FunctionalInterface
    private interface Connector<T extends OutgoingLink>
    {
        T connect(Transport transport, int incarnation);
    }
}
