// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;

import org.grim.board.QueueFormat;
import org.grim.tools.observe.stall.Age;
import org.grim.tools.observe.stall.SeenNode;
import org.grim.tools.observe.stall.Stall;
import org.grim.tools.observe.stall.WhyCause;

/**
 * Tells from two looks at a cluster's boards which queues of NI channels stand still, those in SRAM and those of
 * arrivals, and finds for each the nearest cause.
 * <p>Thread: any. Sans-io.
 */
public final class NiDiagnosis
{
    /** Kind of a queue in SRAM. */
    public static final String SRAM_KIND = "ni";
    /** Kind of an arrival queue. */
    public static final String ARRIVAL_KIND = "arrival";

    private final NiSample before;
    private final NiSample now;
    private final NiSentences sentences;
    private final List<Stall> stalls = new ArrayList<>();
    /** Arrival queues that a stalled queue in SRAM names already. */
    private final Set<ChannelSample> named = Collections.newSetFromMap(new IdentityHashMap<>());
    private int idleCount;

    /**
     * Compares.
     *
     * @param before the first look.
     * @param now    the second one.
     */
    public NiDiagnosis(final NiSample before, final NiSample now)
    {
        this.before = before;
        this.now = now;
        sentences = new NiSentences(now);
        final List<Pair> pairs = pairs();
        pairs.forEach(this::examineSram);
        pairs.forEach(this::examineArrivals);
        pairs.forEach(this::countIdle);
    }

    /** {@return queues that stand still, and those that flow; in the order of boards and channels} */
    public List<Stall> stalls()
    {
        return stalls;
    }

    /** {@return channels in which nothing stands} */
    public int idleCount()
    {
        return idleCount;
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
            if (board.isSameLife(earlier))
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
        final NiWay way = new NiWay(before, now, pair.board(), channel);
        final WhyCause cause = channel.isStopped() || !pair.isMoving() ? way.cause() : WhyCause.FLOWS;
        final boolean isWaiting = cause != WhyCause.FLOWS;
        final SeenNode culprit = way.culprit(cause);
        final long stuckMs = isWaiting ? stuckMs(cause, culprit) : 0;
        if (isWaiting && way.farChannel != null)
        {
            named.add(way.farChannel);
        }
        final SeenNode owner = now.ownerOf(channel);
        stalls.add(new Stall(new Stall.Facts(now.ownerName(channel), way.message == null ? "" :
            now.nameOf(way.message.destination()), way.destinationChannel(), channel.number(), SRAM_KIND,
            channel.queue().messageCount(), channel.queueLength() / QueueFormat.MESSAGE_LENGTH_MIN), cause, stuckMs,
            culprit, isWaiting && channel.isFull(), owner == null ? List.of() : List.of(new Stall.Sender(
            owner.number(), owner.incarnation(), channel.ownerChannel(), false)),
            sentences.head(way, isWaiting, stuckMs), sentences.subject(way, cause)));
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
        final WhyCause cause = isMoving ? WhyCause.FLOWS : arrivalCause(arrivals, owner);
        final long stuckMs = isMoving ? 0 : stuckMs(cause, owner);
        stalls.add(new Stall(new Stall.Facts(sentences.sources(channel), now.ownerName(channel),
            channel.ownerChannel(), channel.number(), ARRIVAL_KIND, arrivals.messageCount(), arrivals.slots()), cause,
            stuckMs, owner, false, List.of(), sentences.arrivalHead(pair.board(), channel, !isMoving, stuckMs),
            sentences.arrivalSubject(owner, channel, cause)));
    }

    private void countIdle(final Pair pair)
    {
        final ArrivalSample arrivals = pair.channel().arrivals();
        if (pair.channel().isEnabled() && !pair.channel().isStopped() && !pair.isMoving() && !pair.isStanding() &&
            pair.old().arrivals().front() == arrivals.front() && arrivals.unread() <= 0)
        {
            idleCount++;
        }
    }

    private static WhyCause arrivalCause(final ArrivalSample arrivals, final SeenNode owner)
    {
        if (owner == null || !owner.isAlive())
        {
            return WhyCause.RECEIVER_DEAD;
        }
        if (owner.isStopped())
        {
            return WhyCause.RECEIVER_STOPPED;
        }
        return arrivals.isCorrupt() ? WhyCause.QUEUE_CORRUPT : WhyCause.RECEIVER_NOT_POLLING;
    }

    /** Between the looks; longer if the one who does nothing was last seen at work before the first. */
    private long stuckMs(final WhyCause cause, final SeenNode culprit)
    {
        final long betweenMs = Math.max(0, now.epochMs() - before.epochMs());
        return !cause.isOfProcess() || culprit == null ? betweenMs :
            Math.max(betweenMs, Age.sinceMs(culprit.info().heartbeatMs(), now.epochMs()));
    }
}
