// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.board.NiRecord;
import org.grim.board.NiRoute;
import org.grim.board.SleepBell;
import org.grim.buffer.Buffers;
import org.grim.buffer.Cleanup;
import org.grim.myrinet.extension.NetworkInterface;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.MemoryHop;
import org.grim.transport.MulticastTrees;
import org.grim.transport.PinnedArena;
import org.grim.transport.RegisteredPages;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TreePlace;
import org.grim.wire.MessageHeader;
import org.grim.wire.MulticastFormat;
import org.grim.wire.RemoteMemoryFormat;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.UNAVAILABLE;
import static org.grim.GrimException.Reason.UNREACHABLE;

/**
 * One node's side of Myrinet: its logical channels are NI channels of a board, its own or another node's.
 * <p>Owns: the attachment to the board, and an own board.
 */
final class MyrinetTransport implements Transport, NetworkInterface, MulticastTrees
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MyrinetTransport.class);
    /** The time for which a network interface may still bring messages of a node that has gone. */
    private static final long LATE_ARRIVAL_NS = TimeUnit.SECONDS.toNanos(1);
    private static final int GONE_COUNT_MAX = 4096;

    private final Membership membership;
    private final MyrinetConfig config;
    private final LanaiDriver driver;
    private final ChannelBinding[] bindings;
    private final BitSet leftChannels = new BitSet();
    private final List<LanaiSession> ended = new ArrayList<>();
    private final Map<Long, Long> goneSinceNs = new ConcurrentHashMap<>();      // by node and incarnation
    private volatile LanaiSession session;
    private boolean isClosed;

    MyrinetTransport(final TransportContext context)
    {
        membership = context.membership();
        config = MyrinetConfig.of(context.settings());
        driver = new LanaiDriver(context, config);
        bindings = new ChannelBinding[config.channelCount()];
        try
        {
            begin(driver.attach());
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, driver);
            throw ex;
        }
    }

    @Override
    public String name()
    {
        return MyrinetTransportProvider.NAME;
    }

    @Override
    public boolean reaches(final int node)
    {
        if (!membership.isUp(node) || !membership.hasTransport(node, MyrinetTransportProvider.NAME))
        {
            return false;
        }
        final NiRecord far = NiRecord.of(membership, node);
        final int route = far.route();
        return isCurrent(far, route) && membership.isUp(NiRoute.ni(route)) && !session.isGone(membership);
    }

    @Override
    public Hop connect(final int sourceChannel, final EndpointId destination)
    {
        final LanaiSession current = session;
        final int node = destination.node();
        final int status = membership.status(node);
        final NiRecord far = NiRecord.of(membership, node);
        final int route = far.route();
        final PathStatus path = route == NiRoute.NONE ? null :
            new PathStatus(membership, node, NiRoute.ni(route), current.board());
        if (path == null || !isCurrent(far, route) || membership.status(node) != status || path.isGone())
        {
            throw new GrimException(UNREACHABLE,
                destination + " cannot be reached through a network interface: its node or the " +
                "board that serves it has gone");
        }
        final BoardAttachment attachment = current.attachment();
        return new MyrinetHop(attachment.sram(), current.sender(sourceChannel), current.runner(), path,
            NiHeader.incarnationWord(membership.incarnationOf(status), sourceChannel),
            attachment.firstChannel() + sourceChannel,
            NiRoute.firstChannel(route) + destination.channel(), payloadLengthMax(current, route),
            far.arrivalCountMax());
    }

    @Override
    public Hop connectTree(final int sourceChannel, final int ni, final int kind)
    {
        final LanaiSession current = session;
        if (!membership.isUp(ni))
        {
            throw new GrimException(UNREACHABLE, "network interface number=" + ni + " has gone: no root of a tree");
        }
        final BoardAttachment attachment = current.attachment();
        final ChannelSender sender = current.sender(sourceChannel);
        // The kind stands where other messages name an incarnation.
        return new MyrinetHop(attachment.sram(), sender, current.runner(),
            new PathStatus(membership, ni, ni, current.board()), kind, attachment.firstChannel() + sourceChannel,
            MulticastFormat.INJECTION_CHANNEL, sender.messageLengthMax() - NiHeader.LENGTH, 0);
    }

    @Override
    public MemoryHop connectMemory(final int sourceChannel, final EndpointId destination, final Hop hop)
    {
        return ((MyrinetHop)hop).memoryHop(
            driver.arena(), session.attachment().ownerAddress(), destination.address(),
            NiRecord.of(membership, destination.node()).replyLengthMax());
    }

    /** Until every channel's arrival queue was seen empty, a while after the node went. */
    @Override
    public boolean mayHoldMessagesOf(final int node, final int incarnation)
    {
        if (goneSinceNs.size() >= GONE_COUNT_MAX)
        {
            goneSinceNs.clear();                // Nodes that are still asked for wait once more.
        }
        final long sinceNs = goneSinceNs.computeIfAbsent((long)node << Integer.SIZE | incarnation,
            ignored -> System.nanoTime());
        for (final ChannelBinding binding : bindings)
        {
            if (binding != null && binding.lastEmptyNs() - sinceNs < LATE_ARRIVAL_NS)
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public PinnedArena pinnedArena()
    {
        return driver.arena().memory().capacity() == 0 ? null : driver.arena();
    }

    @Override
    public void memoryReady(final RegisteredPages pages)
    {
        driver.arena().ready(pages);
    }

    @Override
    public void attach(final int channel, final ArrivalQueues queues)
    {
        bindings[channel] = new ChannelBinding(membership, channel, queues, session);
    }

    @Override
    public void asleep(final int channel, final int bell)
    {
        final LanaiSession current = bindings[channel].session();
        final BoardAttachment attachment = current.attachment();
        SleepBell.ofChannel(attachment.sram(), attachment.geometry(), attachment.firstChannel() + channel).bell(bell);
        current.runner().asleep(channel, bell);
    }

    @Override
    public int housekeep(final int channel, final long epochMs)
    {
        final ChannelBinding binding = bindings[channel];
        binding.housekeep();                // Steps of the firmware take nothing back.
        int workCount = 0;
        if (session.isGone(membership))
        {
            attachAgain();
        }
        if (binding.session() != session)
        {
            workCount += binding.follow(session);
            closeEnded();
        }
        return workCount;
    }

    @Override
    public <T> T extension(final Class<T> type)
    {
        return type == NetworkInterface.class || type == MulticastTrees.class ? type.cast(this) : null;
    }

    @Override
    public AtomicBuffer memory()
    {
        final LanaiSession current = session;
        final BoardGeometry geometry = current.attachment().geometry();
        if (!config.hasOwnBoard() || config.reservedLength() == 0)
        {
            throw new GrimException(UNAVAILABLE, "no memory of the board is reserved: grim.ni.reserved-length=" +
                config.reservedLength() + " grim.myrinet.board=" + config.boardName());
        }
        return Buffers.wrap(current.attachment().sram(), geometry.reservedOffset(), geometry.reservedLength());
    }

    @Override
    public int number()
    {
        return session.board().node();
    }

    @Override
    public int firstChannel()
    {
        return session.attachment().firstChannel();
    }

    /** Sends what was accepted, for a bounded time, and leaves the board. */
    @Override
    public void close()
    {
        final long deadlineNs = System.nanoTime() + config.lingerNs();
        while (session.unsettledCount() > 0 && deadlineNs - System.nanoTime() > 0 && !session.isGone(membership))
        {
            session.runner().advance();
        }
        if (leftChannels.cardinality() == bindings.length)
        {
            publishUnread(deadlineNs);
        }
        closeSessions();
        driver.close();
    }

    @Override
    public void leave(final int channel)
    {
        leftChannels.set(channel);
        if (bindings[channel] != null)
        {
            bindings[channel].arrivals().end();
        }
    }

    /**
     * Lets the board forget this process, which ends what is under way and has later messages refused, and then says
     * how much stands unread. If the board is not stepped in time, or its registers are corrupt, others go on expecting
     * the most.
     */
    private void publishUnread(final long deadlineNs)
    {
        final LanaiSession current = session;
        final BoardAttachment attachment = current.attachment();
        final List<ChannelArrivals> unread = tryListUnread(attachment);
        current.detach();
        while (!attachment.isForgotten() && deadlineNs - System.nanoTime() > 0 && !current.isGone(membership))
        {
            current.runner().advance();
        }
        if (attachment.isForgotten() && unread != null)
        {
            NiRecord.of(membership, membership.self())
                .unread(unread.stream().mapToInt(ChannelArrivals::countUnread).sum());
        }
    }

    /** Returns the arrival queues of all channels, also of those that no endpoint opened; null if one is corrupt. */
    private List<ChannelArrivals> tryListUnread(final BoardAttachment attachment)
    {
        final List<ChannelArrivals> unread = new ArrayList<>();
        for (int channel = 0; channel < bindings.length; channel++)
        {
            final ChannelBinding binding = bindings[channel];
            if (binding != null)
            {
                unread.add(binding.arrivals());
            }
            if (binding == null || binding.session() != session)
            {
                try
                {
                    unread.add(new ChannelArrivals(
                        attachment.region().buffer(), attachment.channelRegisters(channel), membership, channel));
                }
                catch (final IllegalArgumentException ex)
                {
                    LOGGER.warn("channel={} of the board cannot be read: what stands there unread is not known",
                        channel, ex);
                    return null;
                }
            }
        }
        return unread;
    }

    /** The present attachment to a board: for tests. */
    LanaiSession sessionForTest()
    {
        return session;
    }

    private void begin(final LanaiSession next)
    {
        session = next;
        final BoardAttachment attachment = next.attachment();
        // The board that serves this node makes the replies to those that read its memory, in a queue like the others.
        final int replyLengthMax = Math.min(next.sender(0).messageLengthMax() - RemoteMemoryFormat.DATA_OFFSET,
            RemoteMemoryFormat.COUNT_MAX);
        final int route = NiRoute.of(next.board().node(), attachment.firstChannel(),
            Math.min(attachment.arrivalPayloadMax(), MessageHeader.PAYLOAD_LENGTH_MAX));
        new TreePlace(NiRoute.ni(route), NiRoute.firstChannel(route),
            Math.min(NiRoute.payloadLengthMax(route), replyLengthMax)).publish(membership);
        NiRecord.of(membership, membership.self())
            .publish(route, next.board().incarnation(), attachment.arrivalCountMax(), replyLengthMax);
    }

    /** A node whose board came again has other channels there, or none yet: others may have those of its last life. */
    private boolean isCurrent(final NiRecord far, final int route)
    {
        return route != NiRoute.NONE &&
            far.incarnation() == membership.incarnationOf(membership.status(NiRoute.ni(route))) &&
            far.route() == route;
    }

    /** Attaches again after another node's board has gone: until that node comes again, this one is not reached. */
    private synchronized void attachAgain()
    {
        // The new life takes the place of the one before the last in the DMA region.
        if (!isClosed && session.isGone(membership) && ended.isEmpty() && driver.canAttachAgain())
        {
            final LanaiSession old = session;
            try
            {
                begin(driver.attach());
                ended.add(old);
            }
            catch (final GrimException ex)
            {
                // The board may go again, or be full, at any moment; who polls is not to suffer from it.
                LOGGER.warn("not attached to the board of node {} again yet: {}", config.boardName(), ex.getMessage());
            }
        }
    }

    private synchronized void closeSessions()
    {
        isClosed = true;
        ended.forEach(LanaiSession::close);
        ended.clear();
        session.close();
    }

    private synchronized void closeEnded()
    {
        ended.removeIf(LanaiSession::tryClose);
    }

    private static int payloadLengthMax(final LanaiSession session, final int route)
    {
        final int messageLengthMax = session.sender(0).messageLengthMax();
        final int niLengthMax = Math.min(messageLengthMax - MessageHeader.LENGTH, NiRoute.payloadLengthMax(route));
        return niLengthMax - Integer.BYTES;             // That of the destination's incarnation.
    }
}
