// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.StopReason;
import org.grim.ni.board.Routes;
import org.grim.ni.event.Outcome;
import org.grim.ni.event.PeerState;
import org.grim.ni.multicast.Trees;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

/**
 * Takes messages out of the channels' queues, as far as their quotas go, and puts each into its triple, where it waits
 * until it may leave. A message without a route is settled at once.
 * <p>Thread: the board's stepper. Allocates only when a peer or triple is used for the first time.
 */
final class MessageIntake
{
    private static final int NODE_SHIFT = 4;
    private static final int TAKE_LIMIT = 256;

    private final DeliveryState state;
    private final ReliableSender sender;
    private final Synchroniser synchroniser;
    private final ChannelWindow[] windows;
    private final IntakeLimits limits;
    private final AtomicBuffer sram;
    private final Trees trees;
    private boolean isLimited;
    private boolean isOwn;              // The message that was located names its own channel's owner as its source.

    MessageIntake(
        final DeliveryState state, final ReliableSender sender, final Synchroniser synchroniser,
        final ChannelWindow[] windows, final IntakeLimits limits, final AtomicBuffer sram)
    {
        this.state = state;
        this.sender = sender;
        this.synchroniser = synchroniser;
        this.windows = windows;
        this.limits = limits;
        this.sram = sram;
        trees = limits.trees();
    }

    /** The message that a channel may send now; null if there is none, see {@link #hasMore()}. */
    MessageRecord next(final int channel, final long nowNs)
    {
        final ChannelWindow window = windows[channel];
        isLimited = false;
        sender.partials().resume(window);
        for (int i = 0; i < TAKE_LIMIT; i++)
        {
            final boolean hasFreeToken = state.scoreboard().hasFree();
            final SendTriple triple = window.ready.first(hasFreeToken);
            if (triple != null)
            {
                return triple.cursor;
            }
            if (!hasFreeToken || !take(window, nowNs))
            {
                return null;
            }
        }
        isLimited = true;
        return null;
    }

    /** Whether {@link #next} found nothing only because it looks at so many messages at a time. */
    boolean hasMore()
    {
        return isLimited;
    }

    private boolean take(final ChannelWindow window, final long nowNs)
    {
        if (window.channel() == trees.channel())
        {
            return takeMulticast(window, nowNs);
        }
        if (window.isFull() || !window.locate())
        {
            return false;
        }
        final long second = window.headerSecond();
        final int destinationNi = destinationNi(window, second);
        final boolean isPartial = window.isLocatedPartial();
        if (destinationNi == Routes.LATER)
        {
            return false;               // ReliableSender.resume() asks again.
        }
        if (destinationNi == Routes.NONE)
        {
            if (isPartial)
            {
                return false;
            }
            sender.settle(window.take(), Outcome.UNDELIVERED);
            if (!isOwn)
            {
                window.stop(StopReason.BAD_HEADER);         // It would speak for another endpoint or channel.
            }
            return true;
        }
        final Peer peer = synchroniser.peer(destinationNi);
        final SendTriple triple = triple(window, peer, MessageHeader.destinationChannel(second));
        if (isPartial)
        {
            // It is begun only if it can leave at once: what waits in a triple must be complete.
            if (!limits.isCutThrough() || triple.cursor != null || peer.state != PeerState.SYNCHRONISED ||
                triple.isWaiting)
            {
                return false;
            }
        }
        else if (peer.state == PeerState.GONE && !synchroniser.isCallable(peer, nowNs))
        {
            sender.settle(window.take(), Outcome.UNDELIVERED);
            return true;
        }
        triple.append(window.take());
        synchroniser.callIfNeeded(peer, nowNs);
        sender.announceReady(triple);
        return true;
    }

    /** One message in the queue, and a record for each child that it goes to. */
    private boolean takeMulticast(final ChannelWindow window, final long nowNs)
    {
        if (!window.hasRoomFor(2) || !window.locate())
        {
            return false;
        }
        final int index = window.locatedIndex();
        final int first = trees.child(sram, index, 0);
        final int second = trees.child(sram, index, 1);
        final int only = first == MulticastFormat.NO_FORWARDER ? second : first;
        if (only == MulticastFormat.NO_FORWARDER)
        {
            sender.settle(window.take(), Outcome.ACKNOWLEDGED);
            return true;
        }
        if (only != second && second != MulticastFormat.NO_FORWARDER)
        {
            forward(window.takeFirstOfTwo(trees.rule()), first, nowNs);
            forward(window.take(), second, nowNs);
        }
        else
        {
            forward(window.take(), only, nowNs);
        }
        return true;
    }

    private void forward(final MessageRecord record, final int ni, final long nowNs)
    {
        // An update may name an NI that nobody knows: its owner may be wrong, or late.
        final Peer peer = state.routes().nodeOf(ni) == Routes.NONE ? null : synchroniser.peer(ni);
        if (peer == null || (peer.state == PeerState.GONE && !synchroniser.isCallable(peer, nowNs)))
        {
            trees.settled(sram, record.index, ni, Outcome.UNDELIVERED);
            sender.settle(record, Outcome.UNDELIVERED);
            return;
        }
        final SendTriple triple = triple(record.channel, peer, MulticastFormat.tree(sram, record.index));
        triple.append(record);
        synchroniser.callIfNeeded(peer, nowNs);
        sender.announceReady(triple);
    }

    private int destinationNi(final ChannelWindow window, final long second)
    {
        final long first = window.headerFirst();
        final boolean isReply = MessageHeader.typeCode(first) == MessageType.REMOTE_READ_REPLY.code();
        // Only NIs make replies: so a reply goes where the host that is now written has asked for it.
        isOwn = MessageHeader.sourceChannel(second) == window.channel() &&
            (window.channel() >= limits.firstOwnChannel() || (!isReply && isInjection(first, second) &&
            MessageHeader.sourceAddress(first) >>> NODE_SHIFT ==
            limits.owners().address(window.channel()) >>> NODE_SHIFT));        // Any device of the owner's node.
        return isOwn && MessageType.isData(MessageHeader.typeCode(first)) ?
            state.routes().niToSendTo(MessageHeader.destinationAddress(second) >>> NODE_SHIFT) : Routes.NONE;
    }

    private SendTriple triple(final ChannelWindow window, final Peer peer, final int destinationChannel)
    {
        SendTriple triple = state.table().sendTriple(window.channel(), peer.ni, destinationChannel);
        if (triple == null)
        {
            triple = new SendTriple(peer, window, destinationChannel, state.limits().space(), peer.sendTriples);
            triple.retryDelayNs = state.limits().retryDelayNsMin();
            state.table().add(triple);
        }
        return triple;
    }

    /** Returns whether a host may send a message: only NIs forward multicasts; a host sends them to a root. */
    private static boolean isInjection(final long first, final long second)
    {
        return !MulticastFormat.isMulticast(MessageHeader.typeCode(first)) ||
            MessageHeader.destinationChannel(second) == MulticastFormat.INJECTION_CHANNEL;
    }
}
