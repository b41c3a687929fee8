// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;

import org.grim.counters.CounterKind;

/**
 * Follows who waits for whom from queue to queue: a receiver that does not poll may itself wait for room elsewhere, and
 * so on, perhaps in a circle.
 * <p>Thread: any. Sans-io.
 */
final class WaitChain
{
    private final ClusterSample before;
    private final ClusterSample now;
    private final Findings findings;

    WaitChain(final ClusterSample before, final ClusterSample now, final Findings findings)
    {
        this.before = before;
        this.now = now;
        this.findings = findings;
    }

    WhyReport.Entry entry(final Stall stall)
    {
        final List<String> chain = new ArrayList<>();
        chain.add(stall.head());
        WhyCause cause = stall.cause();
        if (cause != WhyCause.FLOWS)
        {
            chain.add(stall.sentence());
            if (stall.isWaiting() && follow(stall, chain))
            {
                cause = WhyCause.CYCLE;
            }
        }
        return new WhyReport.Entry(stall.facts(), stall.stuckMs(), cause, chain);
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

    /** Endpoints that cannot keep further messages, or soon will not be able to: their senders may have to wait. */
    List<WhyReport.Entry> keptEntries()
    {
        final List<WhyReport.Entry> entries = new ArrayList<>();
        for (final ClusterSample.Node node : now.nodes())
        {
            final ClusterSample.Node earlier = before.node(node.info().number());
            for (final ClusterSample.Kept kept : node.kept())
            {
                if (node.isAlive() && kept.isNearCeiling() && earlier != null &&
                    earlier.info().incarnation() == node.info().incarnation() && earlier.kept().stream()
                    .anyMatch(old -> old.channel() == kept.channel() && old.isNearCeiling()))
                {
                    entries.add(new WhyReport.Entry(new Stall.Facts("", node.name(), kept.channel(), -1, "kept",
                        (int)kept.count(), 0), findings.betweenMs(), WhyCause.KEPT_CEILING, List.of(kept(node, kept))));
                }
            }
        }
        return entries;
    }

    private static String kept(final ClusterSample.Node node, final ClusterSample.Kept kept)
    {
        return WhyCause.KEPT_CEILING.sentence(node.name() + "'s handlers of the endpoint on channel " +
            kept.channel() + " keep " + kept.count() + " messages, which take " + kept.length() + " of " +
            kept.lengthMax() + " bytes, and found no room for " +
            node.counters().values(CounterKind.KEPT_REFUSED).getOrDefault(kept.channel(), 0L));
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
        chain.add(overflow(node, overflow));
        final Stall next = queueThatRefuses(node.seen(), null, channel -> false);
        if (next == null)
        {
            return new WhyReport.Entry(new Stall.Facts(node.name(), "", overflow.channel(), -1, "exclusive", 0, 0),
                findings.betweenMs(), WhyCause.OVERFLOW_CEILING, chain);
        }
        chain.addAll(entry(next).chain());
        final Stall.Facts facts = next.facts();
        return new WhyReport.Entry(new Stall.Facts(node.name(), facts.to(), facts.channel(), facts.queue(),
            facts.kind(), facts.unread(), facts.slots()), next.stuckMs(), WhyCause.OVERFLOW_CEILING, chain);
    }

    private static String overflow(final ClusterSample.Node node, final ClusterSample.Overflow overflow)
    {
        return WhyCause.OVERFLOW_CEILING.sentence(node.name() + "'s overflow queues of the endpoint on channel " +
            overflow.channel() + " hold " + overflow.length() + " of " + overflow.lengthMax() + " bytes, " +
            node.counters().values(CounterKind.OVERFLOW_DEPTH).values().stream().mapToLong(Long::longValue).sum() +
            " messages");
    }

    /** Adds what the receiver itself waits for. True: it waits, in the end, for itself. */
    private boolean follow(final Stall first, final List<String> chain)
    {
        final List<SeenNode> path = new ArrayList<>();
        Stall stall = first;
        while (isAboutPolling(stall.cause()))
        {
            final SeenNode culprit = stall.culprit();
            path.add(culprit);
            final Stall next = queueThatRefuses(culprit, stall, channel -> isPolled(culprit, channel));
            if (next == null)
            {
                return false;
            }
            chain.add(culprit.name() + " itself waits: " + next.head());
            final int index = path.indexOf(next.culprit());
            if (index >= 0)
            {
                chain.add(WhyCause.CYCLE.sentence(circle(path.subList(index, path.size())) +
                    ", and none of them polls"));
                return true;
            }
            chain.add(next.sentence());
            stall = next;
        }
        return false;
    }

    /** Whether a node's thread does nothing, perhaps because it waits elsewhere. */
    private static boolean isAboutPolling(final WhyCause cause)
    {
        return cause == WhyCause.RECEIVER_NOT_POLLING || cause == WhyCause.BOARD_NOT_STEPPED;
    }

    /** A queue that stands still, other than the given one, in which a node wants to send, and waits for another. */
    private Stall queueThatRefuses(final SeenNode node, final Stall except, final IntPredicate isPolled)
    {
        return findings.stalls().stream().filter(stall -> !stall.equals(except) && stall.isWaiting() &&
            stall.refuses() && stall.isOnlyFrom(node, isPolled) && !(stall.cause() == WhyCause.BOARD_NOT_STEPPED &&
            node.equals(stall.culprit()))).findFirst().orElse(null);
    }

    /**
     * Returns whether a channel is polled. A node whose thread polls one channel does not wait there for room: another
     * of its threads does not poll.
     */
    private boolean isPolled(final SeenNode node, final int channel)
    {
        return now.node(node.number()).channels().stream().anyMatch(candidate ->
            candidate.number() == channel && (candidate.isAsleep() || Diagnosis.isFresh(now, candidate)));
    }

    static String circle(final List<SeenNode> nodes)
    {
        final List<String> names = nodes.stream().map(SeenNode::name).collect(Collectors.toList());
        names.add(names.get(0));
        return String.join(" waits for ", names);
    }
}
