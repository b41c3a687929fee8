// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.LongPredicate;
import java.util.stream.Collectors;

import org.grim.queue.QueueOwner;

/**
 * Follows who waits for whom from queue to queue: a receiver that does not poll may itself wait for room elsewhere, and
 * so on, perhaps in a circle.
 * <p>Thread: any. Sans-io.
 */
final class WaitChain
{
    private final ClusterSample before;
    private final ClusterSample now;
    private final List<StuckQueue> queues;
    private final WhySentences sentences;

    WaitChain(final ClusterSample before, final ClusterSample now, final List<StuckQueue> queues)
    {
        this.before = before;
        this.now = now;
        this.queues = queues;
        sentences = new WhySentences(now);
    }

    WhyReport.Entry entry(final StuckQueue stuck)
    {
        final List<String> chain = new ArrayList<>();
        chain.add(sentences.head(stuck));
        WhyCause cause = stuck.cause();
        if (stuck.isWaiting())
        {
            sentences.addCause(stuck, chain);
            if (follow(stuck, chain))
            {
                cause = WhyCause.CYCLE;
            }
        }
        final ClusterSample.Queue queue = stuck.queue();
        return new WhyReport.Entry(sentences.senders(queue), stuck.receiver().name(), queue.channel(), queue.number(),
            queue.kind(), queue.unread(), queue.slotCount(), stuck.stuckMs(), cause, chain);
    }

    /** Endpoints whose handlers cannot send, or soon will not be able to. */
    List<WhyReport.Entry> overflowEntries()
    {
        final List<WhyReport.Entry> entries = new ArrayList<>();
        for (final ClusterSample.Node node : now.nodes())
        {
            for (final ClusterSample.Overflow overflow : node.overflows())
            {
                if (node.isAlive() && overflow.isNearCeiling() && wasNearCeiling(node, overflow.channel()))
                {
                    entries.add(overflowEntry(node, overflow));
                }
            }
        }
        return entries;
    }

    private boolean wasNearCeiling(final ClusterSample.Node node, final int channel)
    {
        final ClusterSample.Node earlier = before.node(node.info().number());
        return earlier != null && earlier.info().incarnation() == node.info().incarnation() &&
            earlier.overflows().stream().anyMatch(old -> old.channel() == channel && old.isNearCeiling());
    }

    private WhyReport.Entry overflowEntry(final ClusterSample.Node node, final ClusterSample.Overflow overflow)
    {
        final List<String> chain = new ArrayList<>();
        chain.add(sentences.overflow(node, overflow));
        final StuckQueue next = queueThatRefuses(owner -> isOf(owner, node));
        if (next == null)
        {
            final long betweenMs = Math.max(0, now.epochMs() - before.epochMs());
            return new WhyReport.Entry(node.name(), "", overflow.channel(), -1, "exclusive", 0, 0, betweenMs,
                WhyCause.OVERFLOW_CEILING, chain);
        }
        final WhyReport.Entry cause = entry(next);
        chain.addAll(cause.chain());
        return new WhyReport.Entry(node.name(), cause.to(), cause.channel(), cause.queue(), cause.kind(),
            cause.unread(), cause.slots(), cause.stuckMs(), WhyCause.OVERFLOW_CEILING, chain);
    }

    /** Adds what the receiver itself waits for. True: it waits, in the end, for itself. */
    private boolean follow(final StuckQueue first, final List<String> chain)
    {
        final List<ClusterSample.Node> path = new ArrayList<>();
        StuckQueue stuck = first;
        while (stuck.cause() == WhyCause.RECEIVER_NOT_POLLING)
        {
            final ClusterSample.Node receiver = stuck.receiver();
            path.add(receiver);
            final StuckQueue next =
                queueThatRefuses(owner -> isOf(owner, receiver) && !isPolled(receiver, QueueOwner.channel(owner)));
            if (next == null)
            {
                return false;
            }
            chain.add(receiver.name() + " itself waits: " + sentences.head(next));
            final int index = path.indexOf(next.receiver());
            if (index >= 0)
            {
                chain.add("this is a cycle: " + circle(path.subList(index, path.size())));
                return true;
            }
            sentences.addCause(next, chain);
            stuck = next;
        }
        return false;
    }

    /** A queue that stands still in which somebody wants to send; of a shared one only if all its senders are his. */
    private StuckQueue queueThatRefuses(final LongPredicate isHis)
    {
        return queues.stream().filter(queue -> queue.isWaiting() && queue.refuses() &&
            queue.queue().owners().stream().allMatch(isHis::test)).findFirst().orElse(null);
    }

    /** Whose thread polls one channel does not wait there for room: it is another thread that does not poll. */
    private boolean isPolled(final ClusterSample.Node node, final int channel)
    {
        return node.channels().stream().anyMatch(candidate ->
            candidate.number() == channel && (candidate.isAsleep() || sentences.isFresh(candidate)));
    }

    private static boolean isOf(final long owner, final ClusterSample.Node node)
    {
        return QueueOwner.node(owner) == node.info().number() &&
            QueueOwner.incarnation(owner) == node.info().incarnation() && !QueueOwner.isDetached(owner);
    }

    private static String circle(final List<ClusterSample.Node> nodes)
    {
        final List<String> names = nodes.stream().map(ClusterSample.Node::name).collect(Collectors.toList());
        names.add(names.get(0));
        return String.join(" waits for ", names) + ", and none of them polls";
    }
}
