// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe.ni;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.grim.bench.observe.stall.Age;
import org.grim.bench.observe.stall.SeenNode;
import org.grim.bench.observe.stall.WhyCause;
import org.grim.board.StopReason;

/**
 * What there is to say of an NI channel whose queue stands still, in sentences with figures.
 * <p>Thread: any. Sans-io.
 */
final class NiSentences
{
    private static final String BUSY = "does not poll, or is busy in a handler";

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

    /** Why a queue in SRAM stands still. */
    List<String> cause(final NiWay way, final WhyCause cause)
    {
        final List<String> chain = new ArrayList<>();
        switch (cause)
        {
            case CHANNEL_STOPPED -> addStoppedChannel(way, chain);
            case BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD -> addBoard(way, cause, chain);
            case MESSAGE_INCOMPLETE -> addIncomplete(way, chain);
            case RECEIVER_DEAD -> addDead(way.destination, way.message.destination(), chain);
            case RECEIVER_STOPPED -> addStopped(way, chain);
            case RECEIVER_NOT_POLLING -> addNotPolling(way, chain);
            case CHANNEL_NOT_OPENED -> chain.add(way.destination.name() + " has set up no channel there: NI " +
                way.farBoard.ni() + " channel " + way.message.channel() + " is nobody's");
            case NI_WAITING -> addWaiting(way, chain);
            case SENDER_STOPPED, SENDER_DEAD, OVERFLOW_CEILING, QUEUE_CORRUPT, FRAMES_EXHAUSTED, CYCLE, FLOWS ->
            {
                // Not found in a queue in SRAM.
            }
        }
        return chain;
    }

    /** Why an arrival queue stands still. */
    List<String> arrivalCause(final ChannelSample channel, final SeenNode owner, final WhyCause cause)
    {
        final List<String> chain = new ArrayList<>();
        switch (cause)
        {
            case RECEIVER_DEAD ->
            {
                addDead(owner, channel.context().ownerNode(), chain);
                chain.add(count(channel.arrivals().messageCount(), "message") + " remain unread and go with its files");
            }
            case RECEIVER_STOPPED -> chain.add(owner.stoppedText());
            case QUEUE_CORRUPT -> chain.add("what stands at its front is no message: " + owner.name() +
                " takes nothing more from it (./grim stat shows its errors)");
            case RECEIVER_NOT_POLLING -> chain.add(owner.aliveText(now.epochMs()) + idle(channel));
            case BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD, CHANNEL_STOPPED, MESSAGE_INCOMPLETE, NI_WAITING,
                SENDER_STOPPED, SENDER_DEAD, OVERFLOW_CEILING, FRAMES_EXHAUSTED, CHANNEL_NOT_OPENED, CYCLE, FLOWS ->
            {
                // Not found in an arrival queue.
            }
        }
        return chain;
    }

    private static void addStoppedChannel(final NiWay way, final List<String> chain)
    {
        final boolean isFar = way.isFarStopped();
        final BoardSample board = isFar ? way.farBoard : way.board;
        final ChannelSample channel = isFar ? way.farChannel : way.channel;
        chain.add(board.node().name() + "'s board, NI " + board.ni() + ", stopped channel " + channel.number() + ": " +
            channel.statusText() + ", " + reason(StopReason.ofCode(channel.status())));
    }

    private void addBoard(final NiWay way, final WhyCause cause, final List<String> chain)
    {
        final SeenNode node = way.culprit(cause);
        final BoardSample board = node.number() == way.board.ni() ? way.board : way.farBoard;
        final String what = "its board, NI " + board.ni() + ", ";
        switch (cause)
        {
            case BOARD_DEAD -> chain.add(node.processText() +
                " is dead: nobody holds its liveness byte; what stands in " + what + "goes with it");
            case BOARD_STOPPED ->
            {
                chain.add(node.stoppedText());
                chain.add(what + "stands still with it");
            }
            default -> chain.add(node.aliveText(now.epochMs()) + what + "made no step: the thread that steps it " +
                (board.isAsleep() ? "sleeps on its doorbell" : BUSY));
        }
    }

    private void addIncomplete(final NiWay way, final List<String> chain)
    {
        final ChannelSample channel = way.channel;
        chain.add("a message" + (channel.begun() == null ? "" : " of " + channel.begun().length() + " bytes") +
            " was begun and not completed: " + channel.filled() + " bytes of it are there");
        final SeenNode owner = now.ownerOf(channel);
        if (owner == null || !owner.isAlive())
        {
            chain.add((owner == null ? now.ownerName(channel) : owner.processText()) + " is dead: " +
                way.board.node().name() + "'s board takes the channel back");
        }
        else
        {
            chain.add(owner.isStopped() ? owner.stoppedText() : owner.aliveText(now.epochMs()) +
                "its thread was interrupted while it wrote, or has left the message");
        }
    }

    private void addDead(final SeenNode node, final int number, final List<String> chain)
    {
        chain.add((node == null ? now.nameOf(number) : node.processText()) +
            " is dead: nobody holds its liveness byte; senders get PEER_GONE");
    }

    private static void addStopped(final NiWay way, final List<String> chain)
    {
        addArrivals(way, chain);
        chain.add(way.destination.stoppedText());
        if (way.isFarBoardOwn())
        {
            chain.add("its board, NI " + way.farBoard.ni() + ", stands still with it");
        }
    }

    private void addNotPolling(final NiWay way, final List<String> chain)
    {
        addArrivals(way, chain);
        if (way.isFarBoardStill() && way.isFarBoardOwn())
        {
            chain.add(way.destination.aliveText(now.epochMs()) + "its board, NI " + way.farBoard.ni() +
                ", made no step: the thread that steps it " +
                (way.farBoard.isAsleep() ? "sleeps on its doorbell" : BUSY));
            return;
        }
        chain.add(way.destination.aliveText(now.epochMs()) + idle(way.farChannel));
        for (final ChannelSample neighbour : way.farBoard.channels())
        {
            if (neighbour.number() != way.farChannel.number() && neighbour.context() != null &&
                neighbour.context().equals(way.farChannel.context()) && way.isTaken(neighbour))
            {
                chain.add("its neighbour, channel " + neighbour.ownerChannel() + " of " + way.destination.name() +
                    ", flows");
            }
        }
    }

    private static String idle(final ChannelSample channel)
    {
        return "the thread that owns channel " + channel.ownerChannel() + " " + BUSY + (channel.isUntouched() ?
            "; it never took a message: perhaps no endpoint was opened on the channel" : "");
    }

    private static void addArrivals(final NiWay way, final List<String> chain)
    {
        if (way.farChannel != null)
        {
            final ArrivalSample arrivals = way.farChannel.arrivals();
            chain.add(way.destination.name() + "'s arrival queue of channel " + way.destinationChannel() + ": " +
                (arrivals.isFullFor(way.message.length()) ? "full, " : "") + arrivals.fillText());
        }
    }

    private static void addWaiting(final NiWay way, final List<String> chain)
    {
        if (way.message == null)
        {
            chain.add("what stands at its front is no message; its board has not stopped the channel yet");
        }
        else if (way.farBoard == null)
        {
            chain.add(way.destination.name() + " is reached through no NI: it left its board, or that is gone");
        }
        else
        {
            final NiCountersSample.Triple trouble = way.trouble();
            chain.add("both boards step, and " + way.destination.name() +
                " has room: since the first look its triple got " +
                count(trouble.nacks(), "NACK") + ", " + count(trouble.rollbacks(), "rollback") + ", " +
                count(trouble.repeats(), "repetition"));
        }
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
