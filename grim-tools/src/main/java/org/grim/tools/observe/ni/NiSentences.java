// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.util.stream.Collectors;

import org.grim.board.StopReason;
import org.grim.counters.CounterKind;
import org.grim.tools.observe.stall.Age;
import org.grim.tools.observe.stall.SeenNode;
import org.grim.tools.observe.stall.WhyCause;

/**
 * What there is to say of an NI channel whose queue stands still, in sentences with figures.
 * <p>Thread: any. Sans-io.
 */
final class NiSentences
{
    private final NiSample now;

    NiSentences(final NiSample now)
    {
        this.now = now;
    }

    /** From whom to whom, how full, how long. */
    String head(final NiWay way, final boolean isWaiting, final long stuckMs)
    {
        final ChannelSample channel = way.channel;
        final StringBuilder text = new StringBuilder(now.ownerName(channel)).append(" -> ");
        if (way.message == null)
        {
            text.append("somebody");
        }
        else
        {
            text.append(now.nameOf(way.message.destination())).append(" channel ").append(way.destinationChannel());
        }
        text.append(" (NI ").append(way.board.ni()).append(" channel ").append(channel.number()).append("): ")
            .append(channel.isFull() ? "full, " : "").append(count(channel.queue().messageCount(), "message"))
            .append(", ").append(channel.queuedLength()).append(" of ").append(channel.queueLength()).append(" bytes");
        return ended(text, isWaiting, stuckMs);
    }

    /** From whom to whom, how full, how long. */
    String arrivalHead(
        final BoardSample board, final ChannelSample channel, final boolean isWaiting, final long stuckMs)
    {
        final StringBuilder text = new StringBuilder(sources(channel)).append(" -> ").append(now.ownerName(channel))
            .append(" channel ").append(channel.ownerChannel()).append(" (arrival queue of NI ").append(board.ni())
            .append(" channel ").append(channel.number()).append("): ").append(channel.arrivals().fillText());
        return ended(text, isWaiting, stuckMs);
    }

    /** Names of those whose messages stand in an arrival queue. */
    String sources(final ChannelSample channel)
    {
        final String names = channel.arrivals().sources().stream().map(now::nameOf).collect(Collectors.joining(", "));
        return names.isEmpty() ? "somebody" : names;
    }

    /** Whom or what the cause of a queue in SRAM is about. */
    String subject(final NiWay way, final WhyCause cause)
    {
        return switch (cause)
        {
            case RECEIVER_DEAD -> way.destination == null ? now.nameOf(way.message.destination()) :
                way.destination.processText();
            case RECEIVER_STOPPED -> way.destination.processText();
            case RECEIVER_NOT_POLLING -> way.destination.processText() + arrivals(way);
            case CHANNEL_NOT_OPENED -> way.destination.name();
            case BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD -> way.culprit(cause).processText();
            case CHANNEL_STOPPED -> stopped(way.isFarStopped() ? way.farBoard : way.board,
                way.isFarStopped() ? way.farChannel : way.channel);
            case MESSAGE_INCOMPLETE -> way.channel.filled() + " bytes by " +
                processText(now.ownerOf(way.channel), way.channel) + " are there";
            case NI_WAITING -> waiting(way);
            case SENDER_STOPPED, SENDER_DEAD, OVERFLOW_CEILING, QUEUE_CORRUPT, FRAMES_EXHAUSTED, CYCLE, FLOWS -> "";
        };
    }

    /** Who would have to take what stands in an arrival queue. */
    String arrivalSubject(final SeenNode owner, final ChannelSample channel, final WhyCause cause)
    {
        return processText(owner, channel) + (cause == WhyCause.RECEIVER_NOT_POLLING && channel.isUntouched() ?
            " (nothing was ever taken)" : "");
    }

    /** The process that has a channel; its name if that is over. */
    private String processText(final SeenNode owner, final ChannelSample channel)
    {
        return owner == null ? now.ownerName(channel) : owner.processText();
    }

    private static String arrivals(final NiWay way)
    {
        return way.farChannel == null ? "" : " (arrival queue of channel " + way.destinationChannel() + ": " +
            (way.farChannel.arrivals().isFullFor(way.message.length()) ? "full, " : "") +
            way.farChannel.arrivals().fillText() + untouched(way.farChannel) + ")";
    }

    private static String untouched(final ChannelSample channel)
    {
        return channel.isUntouched() ? ", nothing was ever taken" : "";
    }

    private static String stopped(final BoardSample board, final ChannelSample channel)
    {
        return board.node().name() + "'s board, NI " + board.ni() + ", stopped channel " + channel.number() + ": " +
            channel.statusText() + ", " + reason(StopReason.ofCode(channel.status()));
    }

    private static String waiting(final NiWay way)
    {
        if (way.message == null)
        {
            return "what stands at its front is no message; its board has not stopped the channel yet";
        }
        if (way.farBoard == null)
        {
            return way.destination.name() + " is reached through no NI: it left its board, or that is gone";
        }
        return "since the first look its triple got " + count(way.trouble(CounterKind.NI_TRIPLE_NACKS), "NACK") + ", " +
            count(way.trouble(CounterKind.NI_TRIPLE_ROLLBACKS), "rollback") + ", " +
            count(way.trouble(CounterKind.NI_TRIPLE_REPEATS), "repetition");
    }

    private static String reason(final StopReason reason)
    {
        return reason == null ? "which means nothing" : switch (reason)
        {
            case BAD_ARRIVAL_QUEUE -> "its arrival queue cannot be, or lies outside its context's memory";
            case BAD_ARRIVAL_FRONT -> "its receiver's front is behind what it released, or ahead of what was delivered";
            case BAD_ARRIVAL_POINTER -> "the pointer in host memory did not fit the receiver's front at start";
            case BAD_BACK -> "its back does not lie in the queue";
            case BAD_HEADER -> "what stands in the queue is no message, or reaches beyond what was published";
            case BAD_FILLED -> "more was written of a message than it has";
            case BAD_PULL -> "it asked to pull what its context may not read, or to where the queue is not";
        };
    }

    private static String ended(final StringBuilder text, final boolean isWaiting, final long stuckMs)
    {
        return isWaiting ? text.append(", for ").append(Age.duration(stuckMs)).toString() :
            text.append(", moves").toString();
    }

    private static String count(final long count, final String what)
    {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
