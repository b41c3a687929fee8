// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import java.util.Arrays;

import org.grim.ni.event.DropReason;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.event.PeerState;
import org.grim.ni.simulation.scenario.Probe;
import org.grim.ni.simulation.scenario.Setting;
import org.grim.ni.simulation.scenario.SimulationParameters;
import org.grim.wire.MessageType;

/**
 * Hears what one NI says of itself, and holds it against the ledger and the rules of the protocol: windows, tokens,
 * sequences, and what must never happen on a wire that loses nothing.
 * <p>Thread: the simulation's.
 */
public final class NiObserver implements NiListener
{
    private static final int TOKEN_COUNT = 256;
    private static final int NOBODY = -1;

    private final int ni;
    private final DeliveryLedger ledger;
    private final Trace trace;
    private final Canary canary;
    private final int channelCount;
    private final int window;
    private final int tokenCount;
    private final int sequenceMask;
    private final boolean isUndisturbed;
    private final boolean isCutting;
    private final boolean isMulticasting;
    private final int[] holderChannels = new int[TOKEN_COUNT];
    private final int[] holderOrdinals = new int[TOKEN_COUNT];
    private final boolean[] isGone;

    /**
     * Hears one NI, of which nothing is in flight yet.
     *
     * @param ni         that it hears.
     * @param parameters of the run.
     * @param ledger     to hold the NI's words against.
     * @param trace      that records the NI's reports.
     * @param canary     that may bend what the NI says.
     */
    public NiObserver(
        final int ni, final SimulationParameters parameters, final DeliveryLedger ledger, final Trace trace,
        final Canary canary)
    {
        this.ni = ni;
        this.ledger = ledger;
        this.trace = trace;
        this.canary = canary;
        channelCount = parameters.count(Setting.CHANNEL_COUNT);
        window = parameters.count(Setting.WINDOW);
        tokenCount = parameters.count(Setting.TOKEN_COUNT);
        sequenceMask = (1 << parameters.count(Setting.SEQUENCE_BITS)) - 1;
        isUndisturbed = !parameters.canLosePeers();
        isCutting = parameters.get(Setting.INJECTION_TIME_OUT_NS) < parameters.get(Setting.LIVENESS_NS);
        isMulticasting = parameters.is(Setting.TREE_COUNT);
        isGone = new boolean[parameters.count(Setting.NODE_COUNT)];
        Arrays.fill(holderChannels, NOBODY);
    }

    /** The firmware starts again: nothing is in flight any more. */
    public int onReset()
    {
        int count = 0;
        for (int channel = 0; channel < channelCount; channel++)
        {
            count += ledger.channel(ni, channel).recalled(NOBODY, NOBODY);
        }
        Arrays.fill(holderChannels, NOBODY);
        ledger.multicasts().broken(ni);
        return count;
    }

    @Override
    public void onTransmitted(
        final int channel, final int position, final int destinationNi, final int destinationChannel,
        final int sequence, final int token, final boolean isRepeated)
    {
        trace.transmitted(ni, isRepeated);
        if (!ledger.hasChannel(channel))
        {
            if (isMulticasting && channel == channelCount && destinationNi <= ni)
            {
                throw new ViolationException("direction", "NI " + ni + " forwards a multicast to NI " + destinationNi);
            }
            holderChannels[token] = NOBODY;
            return;
        }
        final ChannelLedger messages = ledger.channel(ni, channel);
        final int ordinal = messages.find(position);
        trace.event(isRepeated ? EventKind.REPEATED : EventKind.TRANSMITTED, null, ni, channel, ordinal,
            destinationNi, destinationChannel, sequence, token);
        final PairLedger pair = messages.pair(ordinal);
        if (pair.destinationNi != destinationNi || pair.destinationChannel != destinationChannel)
        {
            throw violation("misdelivery", messages, ordinal, "goes to NI " + destinationNi + " channel " +
                destinationChannel + " instead of " + pair);
        }
        final int sequenceBefore = messages.sequence(ordinal);
        if (isRepeated != (messages.token(ordinal) != ChannelLedger.NONE) ||
            (sequenceBefore != ChannelLedger.NONE && sequenceBefore != sequence) || (sequence & ~sequenceMask) != 0)
        {
            throw violation("sequence", messages, ordinal, "has sequence " + sequence + ", before " + sequenceBefore +
                ", repeated " + isRepeated);
        }
        checkToken(messages, channel, ordinal, token);
        if (messages.isSequenceUsed(ordinal, sequence))
        {
            throw violation("sequence alias", messages, ordinal, "shares sequence " + sequence);
        }
        messages.transmitted(ordinal, token, sequence);
        checkInFlight(messages, ordinal, pair);
        if (sequence == 0 && pair.nextNumber() > 1)
        {
            trace.reach(Probe.SEQUENCE_WRAPPED);
        }
    }

    @Override
    public void onAnswered(
        final MessageType type, final int channel, final int destinationNi, final int destinationChannel,
        final int sequence, final int token)
    {
        trace.event(EventKind.ANSWERED, type, ni, channel, destinationNi, destinationChannel, sequence, token);
        if (type == MessageType.NACK)
        {
            trace.reach(Probe.NACK_SEEN);
        }
        else if (type == MessageType.REFUSED)
        {
            trace.reach(Probe.OPERATION_REFUSED);
            if (ledger.hasChannel(channel))
            {
                ledger.channel(ni, channel).renumbered(destinationNi, destinationChannel);
            }
        }
    }

    @Override
    public void onRolledBack(
        final int channel, final int destinationNi, final int destinationChannel, final int messageCount,
        final boolean isTimeOut)
    {
        trace.event(isTimeOut ? EventKind.TIMED_OUT : EventKind.ROLLED_BACK, null, ni, channel, destinationNi,
            destinationChannel, messageCount);
        if (isTimeOut)
        {
            trace.reach(Probe.TIME_OUT_SEEN);
            if (isUndisturbed)
            {
                throw new ViolationException("needless time-out", "NI " + ni + " channel " + channel + " to NI " +
                    destinationNi + " channel " + destinationChannel + ", although nothing can be lost");
            }
        }
        if (ledger.hasChannel(channel))
        {
            final ChannelLedger messages = ledger.channel(ni, channel);
            messages.recalled(destinationNi, destinationChannel);
            if (messages.inFlightCount(null) > 0)
            {
                trace.reach(Probe.ROLLBACK_BESIDE_FLOW);
            }
        }
    }

    @Override
    public void onSettled(final int channel, final int position, final Outcome outcome)
    {
        if (ledger.hasChannel(channel))
        {
            ledger.settled(ni, channel, position, canary.onSettled(outcome));
        }
    }

    @Override
    public void onHeld(final int channel, final int position)
    {
        final ChannelLedger messages = ledger.channel(ni, channel);
        final int ordinal = messages.find(position);
        trace.event(EventKind.HELD, null, ni, channel, ordinal);
        trace.reach(Probe.INJECTION_CUT);
        messages.held(ordinal);
    }

    @Override
    public void onAccepted(
        final int sourceNi, final int sourceChannel, final int destinationChannel, final int sequence)
    {
        trace.event(EventKind.ACCEPTED, null, ni, destinationChannel, sourceNi, sourceChannel, sequence);
    }

    @Override
    public void onDropped(final int sourceNi, final DropReason reason)
    {
        trace.event(EventKind.DROPPED, reason, ni, Trace.NONE, sourceNi);
        final boolean isNormal = switch (reason)
        {
            case LATER, NO_ROOM, NOT_SYNCHRONISED -> true;
            case CUT, STALE_ANSWER, COPY -> isCutting;
            default -> false;
        };
        if (isUndisturbed && !isNormal)
        {
            throw new ViolationException("needless drop", "NI " + ni + " drops a packet of NI " + sourceNi + ": " +
                reason + ", although nothing can be lost");
        }
        switch (reason)
        {
            case LATER -> trace.reach(Probe.LATER_DROPPED);
            case COPY -> trace.reach(Probe.COPY_DROPPED);
            case STALE_ANSWER -> trace.reach(Probe.STALE_ANSWER_DROPPED);
            case NOT_SYNCHRONISED -> trace.reach(Probe.UNSYNCHRONISED_DROPPED);
            default ->
            {
            }
        }
    }

    @Override
    public void onPeer(final int peer, final PeerState state)
    {
        trace.event(EventKind.PEER, state, ni, Trace.NONE, peer);
        if (state == PeerState.GONE)
        {
            isGone[peer] = true;
            trace.reach(Probe.PEER_GONE);
            if (isUndisturbed)
            {
                throw new ViolationException("needless end", "NI " + ni + " gives up NI " + peer +
                    ", although nothing can be lost");
            }
        }
        else if (state == PeerState.SYNCHRONISED && isGone[peer])
        {
            isGone[peer] = false;
            trace.reach(Probe.PEER_RESUMED);
        }
    }

    @Override
    public void onChannelStopped(final int channel, final int reason)
    {
        trace.event(EventKind.STOPPED, null, ni, channel, reason);
        throw new ViolationException("channel stopped", "NI " + ni + " channel " + channel + " for reason " + reason +
            ", although its host behaves");
    }

    @Override
    public void onTicket(final int tree, final int epoch, final int ticket)
    {
        trace.event(EventKind.TICKETED, null, ni, Trace.NONE, tree, epoch, ticket);
        ledger.multicasts().labelled(tree, epoch);
    }

    @Override
    public void onChildCut(final int tree, final int epoch, final int child)
    {
        trace.event(EventKind.CHILD_CUT, null, ni, Trace.NONE, tree, epoch, child);
        trace.reach(Probe.CHILD_CUT);
        if (isUndisturbed)
        {
            throw new ViolationException("needless cut", "NI " + ni + " cuts out NI " + child + " of tree " + tree +
                " epoch " + epoch + ", although nothing can be lost");
        }
        ledger.multicasts().broken(tree, epoch, child);
    }

    private void checkToken(final ChannelLedger messages, final int channel, final int ordinal, final int token)
    {
        final int holderChannel = holderChannels[token];
        final int holderOrdinal = holderOrdinals[token];
        if (token >= tokenCount)
        {
            throw violation("token", messages, ordinal, "has token " + token + " of " + tokenCount);
        }
        if (holderChannel != NOBODY && (holderChannel != channel || holderOrdinal != ordinal))
        {
            trace.reach(Probe.TOKEN_REUSED);
            final ChannelLedger holders = ledger.channel(ni, holderChannel);
            if (holders.isInFlight(holderOrdinal) && holders.token(holderOrdinal) == token)
            {
                throw violation("token alias", messages, ordinal, "shares token " + token + " with " + holders +
                    " message " + holderOrdinal);
            }
        }
        holderChannels[token] = channel;
        holderOrdinals[token] = ordinal;
    }

    private void checkInFlight(final ChannelLedger messages, final int ordinal, final PairLedger pair)
    {
        final int count = messages.inFlightCount(pair);
        if (count > window)
        {
            throw violation("window", messages, ordinal, "is number " + count + " in flight of " + window);
        }
        int niCount = 0;
        for (int i = 0; i < channelCount; i++)
        {
            niCount += ledger.channel(ni, i).inFlightCount(null);
        }
        if (niCount > tokenCount)
        {
            throw violation("tokens", messages, ordinal, "is number " + niCount + " in flight of " + tokenCount);
        }
        if (count == window)
        {
            trace.reach(Probe.WINDOW_FULL);
        }
        if (niCount == tokenCount)
        {
            trace.reach(Probe.TOKENS_EXHAUSTED);
        }
    }

    private static ViolationException violation(
        final String promise, final ChannelLedger messages, final int ordinal, final String text)
    {
        return new ViolationException(promise, messages + " message " + ordinal + " " + text);
    }
}
