// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.grim.tools.observe.ni.NiDiagnosis;
import org.grim.tools.observe.stall.Age;
import org.grim.tools.observe.stall.Stall;
import org.grim.tools.observe.stall.WhyCause;

/**
 * Tells from two looks at a cluster which queues stand still, and finds for each the nearest cause. What only the other
 * queues explain is {@link WaitChain}'s.
 * <p>Thread: any. Sans-io.
 */
final class Diagnosis
{
    private final ClusterSample before;
    private final ClusterSample now;
    private final WhySentences sentences;
    private final List<Stall> stalls = new ArrayList<>();
    private int idleCount;

    Diagnosis(final ClusterSample before, final ClusterSample now)
    {
        this.before = before;
        this.now = now;
        sentences = new WhySentences(now);
        for (final ClusterSample.Node node : now.nodes())
        {
            final ClusterSample.Node earlier = before.node(node.info().number());
            if (earlier != null && earlier.info().incarnation() == node.info().incarnation())
            {
                node.queues().forEach(queue -> examine(earlier, node, queue));
            }
        }
        final NiDiagnosis boards = new NiDiagnosis(before.boards(), now.boards());
        stalls.addAll(boards.stalls());
        idleCount += boards.idleCount();
    }

    WhyReport report(final String directory, final List<String> missing)
    {
        final List<WhyReport.Entry> waiting = new ArrayList<>();
        final List<WhyReport.Entry> flowing = new ArrayList<>();
        final WaitChain chain = new WaitChain(before, now, stalls);
        for (final Stall stall : stalls)
        {
            (stall.isWaiting() ? waiting : flowing).add(chain.entry(stall));
        }
        waiting.addAll(chain.overflowEntries());
        waiting.sort(Comparator.comparingLong(WhyReport.Entry::stuckMs).reversed());
        waiting.addAll(flowing);
        return new WhyReport(directory, waiting, idleCount, missing);
    }

    private void examine(
        final ClusterSample.Node earlier, final ClusterSample.Node receiver, final ClusterSample.Queue queue)
    {
        final ClusterSample.Queue old = earlier.queue(queue.channel(), queue.number());
        final boolean isSame = old != null && (queue.isShared() || old.owners().equals(queue.owners()));
        final WhyCause cause = isSame ? cause(earlier, receiver, old, queue) : null;
        if (cause == null)
        {
            idleCount++;
        }
        else
        {
            stalls.add(sentences.stall(
                receiver, queue, cause, cause == WhyCause.FLOWS ? 0 : stuckMs(receiver, queue, cause)));
        }
    }

    /** Why a queue does not move; null if nothing stands in it. */
    private WhyCause cause(
        final ClusterSample.Node earlier, final ClusterSample.Node receiver, final ClusterSample.Queue old,
        final ClusterSample.Queue queue)
    {
        if (queue.isStopped())
        {
            return WhyCause.QUEUE_CORRUPT;
        }
        final boolean hasMoved = old.slots().head() != queue.slots().head();
        final boolean isClaimStuck = !hasMoved && queue.hasClaim() &&
            old.slots().firstClaim() == queue.slots().firstClaim() && old.claimOwner() == queue.claimOwner();
        if (hasMoved || (!isClaimStuck && Math.min(old.unread(), queue.unread()) == 0))
        {
            final boolean lacksFrames = queue.isShared() && queue.refusedSinceMs() != 0 &&
                earlier.frames().isExhausted() && receiver.frames().isExhausted() &&
                earlier.frames().holders().equals(receiver.frames().holders());
            return lacksFrames ? WhyCause.FRAMES_EXHAUSTED : hasMoved ? WhyCause.FLOWS : null;
        }
        if (!receiver.isAlive())
        {
            return WhyCause.RECEIVER_DEAD;
        }
        if (isClaimStuck && queue.slots().firstClaim() == 0)
        {
            final ClusterSample.Node sender = now.nodeOf(queue.claimOwner());
            return sender != null && sender.isAlive() ? WhyCause.SENDER_STOPPED : WhyCause.SENDER_DEAD;
        }
        if (receiver.isStopped())
        {
            return WhyCause.RECEIVER_STOPPED;
        }
        return receiver.channels().get(queue.channel()).lastPollMs() == 0 ?
            WhyCause.CHANNEL_NOT_OPENED : WhyCause.RECEIVER_NOT_POLLING;
    }

    /** Since a sender was refused, else since the receiver was last seen at work, but at least between the looks. */
    private long stuckMs(
        final ClusterSample.Node receiver, final ClusterSample.Queue queue, final WhyCause cause)
    {
        final long betweenMs = Math.max(0, now.epochMs() - before.epochMs());
        final long refusedMs = Age.sinceMs(queue.refusedSinceMs(), now.epochMs());
        if (refusedMs != Age.NEVER_MS)
        {
            return Math.max(betweenMs, refusedMs);
        }
        final long pollMs = Age.sinceMs(receiver.channels().get(queue.channel()).lastPollMs(), now.epochMs());
        final boolean isReceivers = switch (cause)
        {
            case RECEIVER_STOPPED, RECEIVER_NOT_POLLING, RECEIVER_DEAD -> true;
            case SENDER_STOPPED, SENDER_DEAD, OVERFLOW_CEILING, QUEUE_CORRUPT, FRAMES_EXHAUSTED, CHANNEL_NOT_OPENED,
                BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD, CHANNEL_STOPPED, MESSAGE_INCOMPLETE, NI_WAITING, CYCLE,
                FLOWS -> false;
        };
        return isReceivers ? Math.max(betweenMs, pollMs) : betweenMs;
    }
}
