// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.grim.board.QueueFormat;
import org.grim.board.StopReason;
import org.grim.board.counters.NiCounterKind;
import org.grim.tools.report.Age;

/**
 * Finds, from two looks at a cluster's boards, the queues of NI channels that stand still, in SRAM and of arrivals, and
 * the nearest cause of each with its details.
 * <p>Thread: any. Sans-io.
 */
final class NiDiagnosis
{
    /** Kind of a queue in SRAM. */
    private static final String SRAM_KIND = "ni";
    /** Kind of an arrival queue. */
    private static final String ARRIVAL_KIND = "arrival";

    private final NiSample before;
    private final NiSample now;
    private final Findings findings;
    /** Arrival queues that a stalled queue in SRAM names already. */
    private final Set<ChannelSample> named = Collections.newSetFromMap(new IdentityHashMap<>());

    private NiDiagnosis(final NiSample before, final NiSample now, final Findings findings)
    {
        this.before = before;
        this.now = now;
        this.findings = findings;
    }

    /** Enters the queues that stand still, and those that flow, in the order of boards and channels. */
    static void find(final NiSample before, final NiSample now, final Findings findings)
    {
        final NiDiagnosis boards = new NiDiagnosis(before, now, findings);
        final List<Pair> pairs = boards.pairs();
        pairs.forEach(boards::examineSram);
        pairs.forEach(boards::examineArrivals);
        pairs.forEach(boards::countIdle);
    }

    /** A channel at both looks. */
    private record Pair(BoardSample board, ChannelSample old, ChannelSample channel)
    {
        boolean isMoving()
        {
            return old.front() != channel.front();
        }

        boolean isStanding()
        {
            return !isMoving() && old.isStanding() && channel.isStanding() &&
                (!channel.isIncomplete() || old.filled() == channel.filled());
        }
    }

    private List<Pair> pairs()
    {
        final List<Pair> pairs = new ArrayList<>();
        for (final BoardSample board : now.boards())
        {
            final BoardSample earlier = before.board(board.ni());
            if (board.isSameIncarnation(earlier))
            {
                for (final ChannelSample channel : board.channels())
                {
                    final ChannelSample old = earlier.channel(channel.number());
                    if (old != null && isSameOwner(old.context(), channel.context()))
                    {
                        pairs.add(new Pair(board, old, channel));
                    }
                }
            }
        }
        return pairs;
    }

    private static boolean isSameOwner(final ContextSample old, final ContextSample context)
    {
        return old == null ? context == null : context != null && old.number() == context.number() &&
            old.ownerNode() == context.ownerNode() && old.ownerIncarnation() == context.ownerIncarnation();
    }

    private void examineSram(final Pair pair)
    {
        final ChannelSample channel = pair.channel();
        if (!channel.isStopped() && !pair.isMoving() && !pair.isStanding())
        {
            return;
        }
        final NiPath path = new NiPath(before, now, pair.board(), channel);
        final WhyCause cause = channel.isStopped() || !pair.isMoving() ? path.cause() : WhyCause.FLOWS;
        final SeenNode culprit = path.culprit(cause);
        if (cause != WhyCause.FLOWS && path.farChannel != null)
        {
            named.add(path.farChannel);
        }
        final SeenNode owner = now.ownerOf(channel);
        findings.queue(new Stall.Facts(now.ownerName(channel), path.message == null ? "" :
            now.nameOf(path.message.destination()), path.destinationChannel(), channel.number(), SRAM_KIND,
            channel.queue().messageCount(), channel.queueLength() / QueueFormat.MESSAGE_LENGTH_MIN), cause,
            sinceMs(cause, culprit), culprit, channel.isFull(), owner == null ? List.of() : List.of(new Stall.Sender(
            owner.number(), owner.incarnation(), channel.ownerChannel(), false)), head(path), subject(path, cause));
    }

    private void examineArrivals(final Pair pair)
    {
        final ChannelSample channel = pair.channel();
        final ArrivalSample arrivals = channel.arrivals();
        final boolean isMoving = pair.old().arrivals().front() != arrivals.front();
        final boolean isStanding = pair.old().arrivals().unread() > 0 && arrivals.unread() > 0;
        if (channel.context() == null || named.contains(channel) || (!isMoving && !isStanding))
        {
            return;
        }
        final SeenNode owner = now.ownerOf(channel);
        final WhyCause cause = isMoving ? WhyCause.FLOWS : Findings.ofReceiver(
            owner, arrivals.isCorrupt() ? WhyCause.QUEUE_CORRUPT :
            owner == null ? WhyCause.RECEIVER_DEAD : owner.unread(channel.ownerChannel()));
        findings.queue(new Stall.Facts(sources(channel), now.ownerName(channel),
            channel.ownerChannel(), channel.number(), ARRIVAL_KIND, arrivals.messageCount(), arrivals.slots()), cause,
            sinceMs(cause, owner), owner, false, List.of(), arrivalHead(pair.board(), channel),
            arrivalSubject(owner, channel, cause));
    }

    private void countIdle(final Pair pair)
    {
        final ArrivalSample arrivals = pair.channel().arrivals();
        if (pair.channel().isEnabled() && !pair.channel().isStopped() && !pair.isMoving() && !pair.isStanding() &&
            pair.old().arrivals().front() == arrivals.front() && arrivals.unread() <= 0)
        {
            findings.idle();
        }
    }

    /** Since the one who does nothing was last seen at work. */
    private long sinceMs(final WhyCause cause, final SeenNode culprit)
    {
        return !cause.isOfProcess() || culprit == null ? 0 :
            Age.sinceMs(culprit.info().heartbeatMs(), now.epochMs());
    }

    /** From whom to whom, how full. */
    private String head(final NiPath path)
    {
        final ChannelSample channel = path.channel;
        final StringBuilder text = new StringBuilder(now.ownerName(channel)).append(" -> ");
        if (path.message == null)
        {
            text.append("unknown");
        }
        else
        {
            text.append(now.nameOf(path.message.destination())).append(" channel ").append(path.destinationChannel());
        }
        return text.append(" (NI ").append(path.board.ni()).append(" channel ").append(channel.number()).append("): ")
            .append(channel.isFull() ? "full, " : "").append(count(channel.queue().messageCount(), "message"))
            .append(", ").append(channel.queuedLength()).append(" of ").append(channel.queueLength()).append(" bytes")
            .toString();
    }

    /** From whom to whom, how full. */
    private String arrivalHead(final BoardSample board, final ChannelSample channel)
    {
        return sources(channel) + " -> " + now.ownerName(channel) + " channel " + channel.ownerChannel() +
            " (arrival queue of NI " + board.ni() + " channel " + channel.number() + "): " +
            channel.arrivals().fillText();
    }

    /** Names of those whose messages stand in an arrival queue. */
    private String sources(final ChannelSample channel)
    {
        final String names = channel.arrivals().sources().stream().map(now::nameOf).collect(Collectors.joining(", "));
        return names.isEmpty() ? "unknown" : names;
    }

    /** Whom or what the cause of a queue in SRAM is about. */
    private String subject(final NiPath path, final WhyCause cause)
    {
        return switch (cause)
        {
            case RECEIVER_DEAD -> path.destination == null ? now.nameOf(path.message.destination()) :
                path.destination.processText();
            case RECEIVER_STOPPED, CHANNEL_PAUSED -> path.destination.processText();
            case RECEIVER_NOT_POLLING -> path.destination.processText() + arrivals(path);
            case CHANNEL_NOT_OPENED -> path.destination.name();
            case BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD -> path.culprit(cause).processText();
            case CHANNEL_STOPPED -> stopped(path.isFarStopped() ? path.farBoard : path.board,
                path.isFarStopped() ? path.farChannel : path.channel);
            case MESSAGE_INCOMPLETE -> path.channel.filled() + " bytes by " +
                processText(now.ownerOf(path.channel), path.channel) + " are there";
            case NI_WAITING -> waiting(path);
            default -> "";                          // Not found in a queue of a board.
        };
    }

    /** Describes the process that has to take the messages of an arrival queue. */
    private String arrivalSubject(final SeenNode owner, final ChannelSample channel, final WhyCause cause)
    {
        return processText(owner, channel) + (cause == WhyCause.RECEIVER_NOT_POLLING && channel.isUntouched() ?
            " (nothing was ever taken)" : "");
    }

    /** The process that has a channel; its name if that is over. */
    private String processText(final SeenNode owner, final ChannelSample channel)
    {
        return owner == null ? now.ownerName(channel) : owner.processText();
    }

    private static String arrivals(final NiPath path)
    {
        return path.farChannel == null ? "" : " (arrival queue of channel " + path.destinationChannel() + ": " +
            (path.farChannel.arrivals().isFullFor(path.message.length()) ? "full, " : "") +
            path.farChannel.arrivals().fillText() + untouched(path.farChannel) + ")";
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

    private static String waiting(final NiPath path)
    {
        if (path.message == null)
        {
            return "what stands at its front is no message; its board has not stopped the channel yet";
        }
        if (path.farBoard == null)
        {
            return path.destination.name() + " is reached through no NI: it left its board, or that is gone";
        }
        return "since the first look its triple got " + count(path.trouble(NiCounterKind.TRIPLE_NACKS), "NACK") +
            ", " + count(path.trouble(NiCounterKind.TRIPLE_ROLLBACKS), "rollback") + ", " +
            count(path.trouble(NiCounterKind.TRIPLE_REPEATS), "repetition");
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

    private static String count(final long count, final String what)
    {
        return count + " " + what + (count == 1 ? "" : "s");
    }
}
