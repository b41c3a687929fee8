// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.StopReason;
import org.grim.ni.deadline.DeadlineHeap;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.event.PeerState;
import org.grim.ni.multicast.Trees;
import org.grim.ni.window.SendWindow;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

/**
 * The sending half of reliable delivery: takes messages from channels, gives them sequence and token, and settles them
 * when they are answered. Optimistic go-back-N for each (source channel, destination NI, destination channel); what
 * one triple cannot send does not stop the others of its channel, as long as the channel has room and quota.
 * <p>Thread: the board's stepper. Allocates only when a peer or triple is used for the first time.
 */
public final class ReliableSender
{
    private static final int MULTICAST_QUOTA_MIN = 2;

    private final AtomicBuffer sram;
    private final DeliveryLimits limits;
    private final NiListener listener;
    private final ReadyChannels ready;
    private final Scoreboard scoreboard;
    private final DeadlineHeap deadlines;
    private final ChannelWindow[] windows;
    private final Trees trees;
    private final MessageHeader header = new MessageHeader();
    private Synchroniser synchroniser;
    private MessageIntake intake;
    private PartialMessages partials;

    ReliableSender(
        final AtomicBuffer sram, final BoardGeometry geometry, final DeliveryState state,
        final IntakeLimits intakeLimits, final ReadyChannels ready)
    {
        this.sram = sram;
        this.ready = ready;
        limits = state.limits();
        listener = state.listener();
        scoreboard = state.scoreboard();
        deadlines = state.deadlines();
        trees = intakeLimits.trees();
        final int quota = intakeLimits.quota();
        windows = new ChannelWindow[geometry.channelCount()];
        for (int channel = 0; channel < windows.length; channel++)
        {
            // A multicast has a record for each of two children.
            windows[channel] = new ChannelWindow(sram, geometry, channel,
                channel == trees.channel() ? Math.max(quota, MULTICAST_QUOTA_MIN) : quota,
                channel < intakeLimits.firstOwnChannel(), listener);
        }
    }

    ChannelWindow window(final int channel)
    {
        return windows[channel];
    }

    void attach(final Synchroniser newSynchroniser, final DeliveryState state, final IntakeLimits intakeLimits)
    {
        synchroniser = newSynchroniser;
        intake = new MessageIntake(state, this, synchroniser, windows, intakeLimits, sram);
        partials = new PartialMessages(state, this);
    }

    /** Goes on where an earlier firmware ended. */
    public void recover()
    {
        for (final ChannelWindow window : windows)
        {
            if (window.registers().isEnabledAcquire())
            {
                window.recover();
                ready.onReady(window.channel());
            }
        }
    }

    /** Asks every channel again for what it may send: an NI was settled whose next life messages may wait for. */
    public void resume()
    {
        for (final ChannelWindow window : windows)
        {
            if (window.registers().isEnabledAcquire())
            {
                ready.onReady(window.channel());
            }
        }
    }

    /**
     * Returns the message that a channel may send now; null if there is none, and {@link #hasMore()} then says whether
     * to ask again. Takes messages from the channel's queue as needed; messages that cannot leave wait in their
     * triples.
     */
    public MessageRecord next(final int channel, final long nowNs)
    {
        return intake.next(channel, nowNs);
    }

    /**
     * Returns whether {@link #next} found nothing only because it looks at a limited number of messages at a time. If
     * true, ask the channel again.
     */
    public boolean hasMore()
    {
        return intake.hasMore();
    }

    /**
     * Whether a message can get a token. While none can, those that have one may still be sent again. False while too
     * many are in flight.
     */
    public boolean canSend()
    {
        return scoreboard.hasFree();
    }

    /**
     * A message begins to leave: gives it its token and sequence and writes them into its header.
     *
     * @param record from {@link #next}.
     * @param nowNs  time.
     */
    public void begin(final MessageRecord record, final long nowNs)
    {
        final SendTriple triple = record.triple;
        final boolean isRepeated = record.transmissionCount > 0;
        final boolean isFirstOfToken = record.token == MessageRecord.NO_TOKEN;
        if (isFirstOfToken)
        {
            scoreboard.enter(record);
        }
        record.sent(++triple.peer.transmissionCount, triple.window.nextSequence(), nowNs, isFirstOfToken);
        triple.sent();
        header.wrap(sram, record.index).identity(record.token, record.sequence);
        if (record.channel() == trees.channel())
        {
            MulticastFormat.putDestination(sram, record.index, triple.peer.address);    // It goes to several NIs.
        }
        if (!triple.isScheduled())
        {
            deadlines.schedule(triple, nowNs + limits.timeOutNs(triple.peer.roundTrip, triple.timeOutCount));
        }
        record.channel.ready.rotate();
        listener.onTransmitted(record.channel(), record.position, triple.peer.ni, triple.destinationChannel,
            record.sequence, record.token, isRepeated);
    }

    /** {@return messages that are begun while their hosts still write them; always the same} */
    public PartialMessages partials()
    {
        return partials;
    }

    /**
     * An answer has come.
     *
     * @param words  of the control message, both, which were judged.
     * @param fromNi that answers.
     * @param nowNs  time.
     * @return false if it answers nothing that is in flight.
     */
    public boolean onAnswer(final long words, final int fromNi, final long nowNs)
    {
        final MessageRecord record = scoreboard.answered(words, fromNi);
        if (record == null || record.triple.peer.state != PeerState.SYNCHRONISED)
        {
            return false;
        }
        final SendTriple triple = record.triple;
        final Peer peer = triple.peer;
        final MessageType type = MessageType.ofCode(MessageHeader.typeCode(words));
        listener.onAnswered(type, record.channel(), peer.ni, triple.destinationChannel, MessageHeader.sequence(words),
            record.token);
        peer.heard();
        peer.onAnswered(record.firstTransmission);
        if (type == MessageType.NACK)
        {
            onRefused(triple, record.sequence, nowNs);
        }
        else
        {
            onAccepted(record, type == MessageType.REFUSED, nowNs);
        }
        endQuarantine(peer, nowNs);
        return true;
    }

    void onTripleDue(final SendTriple triple, final long nowNs)
    {
        if (triple.isWaiting)
        {
            triple.isWaiting = false;
            announceReady(triple);
            return;
        }
        final int inFlightCount = triple.window.inFlightCount();
        if (inFlightCount == 0)
        {
            return;
        }
        if (!limits.isWireLossy())
        {
            // It is late, not lost: the peer is asked whether it is alive.
            synchroniser.askIfSilent(triple.peer, nowNs);
            deadlines.schedule(triple, nowNs + limits.timeOutNsMax());
            return;
        }
        triple.timeOutCount++;
        if (limits.isConvicted(triple.timeOutCount))
        {
            synchroniser.giveUp(triple.peer, nowNs);
        }
        else
        {
            triple.window.timeOut();
            triple.rewind();
            listener.onRolledBack(triple.channel.channel(), triple.peer.ni, triple.destinationChannel, inFlightCount,
                true);
            announceReady(triple);
        }
    }

    /** A peer is synchronised: what waits for it may leave. */
    void onSynchronised(final Peer peer)
    {
        for (SendTriple triple = peer.sendTriples; triple != null; triple = triple.followingOfPeer)
        {
            announceReady(triple);
        }
    }

    /** A peer has forgotten what was under way, or this NI does: reports each message's outcome. */
    void discard(final Peer peer)
    {
        for (SendTriple triple = peer.sendTriples; triple != null; triple = triple.followingOfPeer)
        {
            deadlines.cancel(triple);
            triple.cursor = null;
            peer.answeredTransmission = peer.transmissionCount;
            while (triple.head != null)
            {
                final MessageRecord record = triple.removeHead();
                triple.cursor = null;
                settle(record, record.mayHaveArrived() ? Outcome.UNKNOWN : Outcome.UNDELIVERED);
            }
        }
    }

    /** Tokens that no answer can name any more are free again; for the others, the peer is asked in time. */
    void endQuarantine(final Peer peer, final long nowNs)
    {
        scoreboard.endQuarantine(peer);
        if (peer.quarantineHead != MessageRecord.NO_TOKEN && !peer.isScheduled())
        {
            deadlines.schedule(peer, nowNs + limits.timeOutNsMax());
        }
    }

    /** Takes nothing more from a channel. */
    public void stop(final int channel, final StopReason reason)
    {
        windows[channel].stop(reason);
    }

    /**
     * Messages of a channel that were taken and are not settled.
     *
     * @param channel its number.
     * @return 0 to the quota.
     */
    public int unsettledCount(final int channel)
    {
        return windows[channel].unsettledCount();
    }

    private void onAccepted(final MessageRecord record, final boolean isDenied, final long nowNs)
    {
        final SendTriple triple = record.triple;
        if (record.transmissionCount == 1)
        {
            triple.peer.roundTrip.sample(nowNs - record.sentNs);
        }
        final int inFlightCount = triple.window.inFlightCount();
        final int settledCount = isDenied ? triple.window.deny(record.sequence) :
            triple.window.acknowledge(record.sequence);
        if (settledCount == 0)
        {
            throw new IllegalStateException("token " + record.token + " is in flight, and its sequence " +
                record.sequence + " is not");
        }
        settleOldest(triple, settledCount - 1, Outcome.ACKNOWLEDGED);
        settleOldest(triple, 1, isDenied ? Outcome.REFUSED : Outcome.ACKNOWLEDGED);
        if (isDenied)
        {
            rewind(triple);
            listener.onRolledBack(triple.channel.channel(), triple.peer.ni, triple.destinationChannel,
                Math.max(inFlightCount - settledCount, 0), false);
        }
        triple.timeOutCount = 0;
        triple.retryDelayNs = limits.retryDelayNsMin();
        triple.isWaiting = false;
        if (triple.window.inFlightCount() > 0)
        {
            deadlines.schedule(triple, nowNs + limits.timeOutNs(triple.peer.roundTrip, 0));
        }
        else
        {
            deadlines.cancel(triple);
        }
        announceReady(triple);
    }

    private void onRefused(final SendTriple triple, final int sequence, final long nowNs)
    {
        final int inFlightCount = triple.window.inFlightCount();
        final int settledCount = triple.window.refuse(sequence);
        if (settledCount == SendWindow.STALE)
        {
            return;
        }
        settleOldest(triple, settledCount, Outcome.ACKNOWLEDGED);
        rewind(triple);
        triple.timeOutCount = 0;
        triple.isWaiting = true;
        deadlines.schedule(triple, nowNs + triple.retryDelayNs);
        triple.retryDelayNs = limits.retryDelayNsAfter(triple.retryDelayNs);
        listener.onRolledBack(triple.channel.channel(), triple.peer.ni, triple.destinationChannel,
            inFlightCount - settledCount, false);
    }

    /** Messages of a triple will be sent again: what answers their earlier transmissions finds no token. */
    private void rewind(final SendTriple triple)
    {
        triple.rewind();
        for (MessageRecord record = triple.cursor; record != null && record.token != MessageRecord.NO_TOKEN;
            record = record.following)
        {
            scoreboard.release(record);
        }
    }

    private void settleOldest(final SendTriple triple, final int count, final Outcome outcome)
    {
        for (int i = 0; i < count; i++)
        {
            settle(triple.removeHead(), outcome);
        }
    }

    void settle(final MessageRecord record, final Outcome outcome)
    {
        scoreboard.release(record);
        record.outcome = outcome;
        final ChannelWindow window = record.channel;
        listener.onSettled(window.channel(), record.position, outcome);
        if (window.channel() == trees.channel() && record.triple != null)
        {
            trees.settled(sram, record.index, record.destinationNi(), outcome);
        }
        if (window.free())
        {
            ready.onReady(window.channel());        // Its quota may have kept messages from being taken.
        }
    }

    void announceReady(final SendTriple triple)
    {
        if (triple.isSendable())
        {
            triple.channel.ready.add(triple);
            ready.onReady(triple.channel.channel());
        }
    }
}
