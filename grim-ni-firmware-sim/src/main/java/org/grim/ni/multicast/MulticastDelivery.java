// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.multicast;

import org.agrona.DirectBuffer;
import org.grim.ni.board.Action;
import org.grim.ni.board.ActionMeter;
import org.grim.ni.board.Routes;
import org.grim.ni.event.NiListener;
import org.grim.ni.memory.ActiveMessageDelivery;
import org.grim.ni.memory.Delivery;
import org.grim.ni.memory.MessageSink;
import org.grim.ni.memory.RefuseCounters;
import org.grim.ni.memory.RefuseReason;
import org.grim.ni.memory.ServedChannels;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.wire.MulticastFormat.INJECTION_CHANNEL;
import static org.grim.wire.MulticastFormat.NO_FORWARDER;

/**
 * Delivers multicasts and tree updates: as root gives each its ticket, hands it to the local subscribers and, once for
 * all children, to the NI's multicast channel. It takes a message only if every local subscriber and the channel have
 * room for it. A message that does not fit the tree's epoch is refused for good or dropped, and never waited for: a
 * message that waited for another one in the queue would stop other trees, which may hold that other one up.
 * <p>Thread: the board's stepper. The packet has arrived whole. Allocates when an update comes, and never else.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public final class MulticastDelivery implements Delivery
{
    private static final int NODE_SHIFT = 4;

    private final MessageSink sink;
    private final Trees trees;
    private final ActiveMessageDelivery arrivals;
    private final ServedChannels channels;
    private final Routes routes;
    private final int ownNi;
    private final RefuseCounters refusals;
    private final NiListener listener;
    private final ActionMeter meter;
    private final int[] targets;        // Channels of local subscribers that get the message.
    private int targetCount;
    private int givenCount;
    private DirectBuffer packet;
    private int offset;
    private int length;
    private int index;
    private int number;                 // Of the tree.
    private Tree tree;
    private int ticket;
    private boolean isInjected;
    private Progress progress = Progress.BEGUN;

    /** Steps of one message. */
    private enum Progress
    {
        /** Judged, not copied. */
        BEGUN,
        /** It stands in the multicast channel's queue, and local subscribers get it from there. */
        COPIED,
        /** Children get it, too, if there are any. */
        PUBLISHED,
        /** It came too late: nobody gets it. */
        DROPPED;

        private boolean canBecome(final Progress next)
        {
            return switch (this)
            {
                case BEGUN -> next == COPIED || next == DROPPED;
                case COPIED -> next == PUBLISHED;
                case PUBLISHED, DROPPED -> false;
            };
        }
    }

    /**
     * Knows no tree.
     *
     * @param sink     the NI's multicast channel.
     * @param trees    of the NI.
     * @param arrivals hands messages to hosts.
     * @param channels that take messages.
     * @param routes   of all nodes.
     * @param ownNi    number of this NI.
     * @param refusals to count in.
     * @param listener of the events.
     * @param meter    to charge.
     */
    public MulticastDelivery(
        final MessageSink sink, final Trees trees, final ActiveMessageDelivery arrivals, final ServedChannels channels,
        final Routes routes, final int ownNi, final RefuseCounters refusals, final NiListener listener,
        final ActionMeter meter)
    {
        this.sink = sink;
        this.trees = trees;
        this.arrivals = arrivals;
        this.channels = channels;
        this.routes = routes;
        this.ownNi = ownNi;
        this.refusals = refusals;
        this.listener = listener;
        this.meter = meter;
        targets = new int[MulticastFormat.INJECTION_CHANNEL + 1];       // A subscriber of each channel at most.
    }

    @Override
    public Verdict begin(
        final int channel, final DirectBuffer newPacket, final int newOffset, final int newLength)
    {
        packet = newPacket;
        offset = newOffset;
        length = newLength;
        progress = Progress.BEGUN;
        targetCount = 0;
        givenCount = 0;
        final long first = packet.getLong(offset, BIG_ENDIAN);
        final RefuseReason malformed = malformed(first, channel);
        final RefuseReason reason = malformed != null ? malformed :
            MulticastFormat.kind(packet, offset) == MulticastFormat.OPEN ? judgeOpen(first) : judge(first);
        if (reason != null)
        {
            return refusals.refuse(reason);
        }
        return progress == Progress.DROPPED || claim() ? Verdict.TAKE : Verdict.NO_ROOM;
    }

    @Override
    public void advance(final int arrivedLength)
    {
        if (progress == Progress.DROPPED)
        {
            return;
        }
        if (progress == Progress.BEGUN)
        {
            transition(Progress.COPIED);
            recycle();
            give();
            return;                     // To forward it is the next piece of work.
        }
        if (progress == Progress.COPIED)
        {
            transition(Progress.PUBLISHED);
            publish();
        }
        while (givenCount < targetCount)
        {
            arrivals.advance(length);
            if (!arrivals.isComplete())
            {
                return;
            }
            trees.count(MulticastCount.DELIVERED);
            listener.onMulticastDelivered(targets[givenCount]);
            givenCount++;
            assert givenCount <= targetCount : targetCount;
            give();
        }
    }

    @Override
    public boolean isComplete()
    {
        return progress == Progress.DROPPED || (progress == Progress.PUBLISHED && givenCount == targetCount);
    }

    @Override
    public void cancel()
    {
        if (progress != Progress.DROPPED)
        {
            sink.abort();
        }
    }

    private RefuseReason malformed(final long first, final int destinationChannel)
    {
        number = MulticastFormat.tree(first);
        isInjected = destinationChannel == INJECTION_CHANNEL;
        if (trees.channel() == Trees.NO_CHANNEL || number < MulticastFormat.TREE_MIN ||
            number > MulticastFormat.TREE_MAX || (!isInjected && destinationChannel != number))
        {
            return RefuseReason.NO_TREE;
        }
        if (length < MulticastFormat.DATA_OFFSET)
        {
            return RefuseReason.TRUNCATED;
        }
        final int kind = MulticastFormat.kind(packet, offset);
        final boolean isData = MessageHeader.typeCode(first) == MessageType.MULTICAST_DATA.code();
        if (kind > MulticastFormat.OPEN || isData != (kind == MulticastFormat.DATA))
        {
            return RefuseReason.BAD_UPDATE;
        }
        return length > sink.messageLengthMax() ? RefuseReason.TOO_LONG : null;
    }

    /** Data, or the end of an epoch. */
    private RefuseReason judge(final long first)
    {
        tree = trees.tree(number);
        if (tree == null)
        {
            return RefuseReason.NO_TREE;
        }
        final int ahead = MulticastFormat.epoch(packet, offset) - tree.epoch;
        if (isInjected)
        {
            ticket = trees.rule().ticket(tree.ticket);
            return !tree.isRoot() || ahead != 0 || tree.isClosed ? RefuseReason.OTHER_EPOCH : null;
        }
        ticket = MulticastFormat.ticket(packet, offset);
        if (ahead < 0 || (ahead == 0 && ticket - tree.ticket < 0))
        {
            drop();
            return null;
        }
        if (ahead > 0 || sourceNi(first) != tree.parent)
        {
            return RefuseReason.OTHER_EPOCH;
        }
        return ticket == tree.ticket && !tree.isClosed ? null : RefuseReason.WRONG_TICKET;
    }

    /** The beginning of an epoch. */
    private RefuseReason judgeOpen(final long first)
    {
        final Tree before = trees.tree(number);
        final int ahead = before == null ? 1 : MulticastFormat.epoch(packet, offset) - before.epoch;
        if (ahead <= 0)
        {
            if (!isInjected)
            {
                drop();
            }
            return isInjected ? RefuseReason.OTHER_EPOCH : null;
        }
        final long second = packet.getLong(offset + SIZE_OF_LONG, BIG_ENDIAN);
        final int listLength = MessageHeader.payloadLength(first, second) - MulticastFormat.EXTENSION_LENGTH;
        tree = Tree.read(packet, offset, listLength / MulticastFormat.SUBSCRIBER_LENGTH, ownNi, trees.rule());
        if (tree == null || isInjected != tree.isRoot() || (!isInjected && sourceNi(first) != tree.parent))
        {
            return RefuseReason.BAD_UPDATE;
        }
        ticket = 0;
        // Missing messages of the previous epoch may still come, and would be late.
        return before == null || ahead > 1 || before.isClosed || tree.isJump ? null : RefuseReason.WRONG_TICKET;
    }

    private void drop()
    {
        transition(Progress.DROPPED);
        trees.count(MulticastCount.LATE);
    }

    private void transition(final Progress next)
    {
        if (!progress.canBecome(next))
        {
            throw new IllegalStateException(
                "multicast of tree=" + number + " cannot be " + next + ": it is " + progress);
        }
        progress = next;
    }

    /** Room for the message at all local subscribers, and in the channel; nothing has happened if there is none. */
    private boolean claim()
    {
        for (int i = 0; i < tree.channels.length; i++)
        {
            final int channel = tree.channels[i];
            final Verdict verdict = channels.whyRefused(channel, tree.addresses[i]) == null ?
                arrivals.judge(channel, length) : Verdict.REFUSE;
            switch (verdict)
            {
                case TAKE -> targets[targetCount++] = channel;
                case REFUSE -> trees.count(MulticastCount.UNDELIVERED);
                case NO_ROOM ->
                {
                    return false;
                }
            }
        }
        index = sink.claim(length);
        return index != MessageSink.NO_ROOM;
    }

    /** The message stands in the channel's queue: hosts get it from there, and children. */
    private void recycle()
    {
        meter.spend(Action.SET_HEADER);
        meter.spendCopy(length);
        sink.buffer().putBytes(index, packet, offset, length);
        if (isInjected)
        {
            final long first = packet.getLong(offset, BIG_ENDIAN);
            final long second = packet.getLong(offset + SIZE_OF_LONG, BIG_ENDIAN);
            MulticastFormat.putLabel(sink.buffer(), index, MessageHeader.sourceAddress(first),
                MessageHeader.sourceChannel(second), ticket);
            trees.count(MulticastCount.TICKETS);
            listener.onTicket(number, tree.epoch, ticket);
        }
        if (tree != trees.tree(number))
        {
            trees.put(number, tree);
        }
        tree.ticket = ticket + 1;
        tree.isClosed = MulticastFormat.kind(packet, offset) == MulticastFormat.CLOSE;
        MulticastFormat.putStep(sink.buffer(), index, routes.nodeOf(ownNi) << NODE_SHIFT, sink.channel(), number);
        MulticastFormat.putForwarding(sink.buffer(), index, tree.child(0), tree.child(1));
    }

    private void publish()
    {
        if (tree.hasChildren())
        {
            trees.count(MulticastCount.RECYCLED);
            sink.publish();
        }
        else
        {
            sink.abort();               // Nothing is claimed before the hosts have the bytes: one message at a time.
        }
    }

    /** Begins to hand the message to the next local subscriber that takes it. */
    private void give()
    {
        while (givenCount < targetCount &&
            arrivals.begin(targets[givenCount], sink.buffer(), index, length) != Verdict.TAKE)
        {
            trees.count(MulticastCount.UNDELIVERED);        // Its host has spoilt its queue meanwhile.
            targets[givenCount] = targets[--targetCount];
        }
    }

    private int sourceNi(final long first)
    {
        final int ni = routes.sourceNiOf(MessageHeader.sourceAddress(first) >>> NODE_SHIFT);
        return ni == Routes.NONE ? NO_FORWARDER : ni;
    }
}
