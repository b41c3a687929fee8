// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.grim.counters.CounterKind;
import org.grim.counters.CountersView;
import org.grim.tools.report.Age;

/**
 * Waits that nodes have reported, such as those of an MPI process for a message: each is followed from node to node,
 * perhaps in a circle.
 * <p>Thread: any. Sans-io.
 */
final class ThreadWaits
{
    private final ClusterSample now;

    ThreadWaits(final ClusterSample now)
    {
        this.now = now;
    }

    /** By node. */
    List<WhyReport.Entry> entries()
    {
        final List<WhyReport.Entry> entries = new ArrayList<>();
        for (final ClusterSample.Node node : now.nodes())
        {
            if (node.isAlive())
            {
                waits(node).forEach(wait -> entries.add(entry(node, wait)));
            }
        }
        return entries;
    }

    /** The longest first. One that is being written has no time yet. */
    private static List<CountersView.Reading> waits(final ClusterSample.Node node)
    {
        return node.counters().readings().stream()
            .filter(reading -> reading.kind() == CounterKind.THREAD_WAITS && reading.value() != 0)
            .sorted(Comparator.comparingLong(CountersView.Reading::value)).toList();
    }

    private WhyReport.Entry entry(final ClusterSample.Node waiter, final CountersView.Reading first)
    {
        final List<SeenNode> path = new ArrayList<>(List.of(waiter.seen()));
        final List<String> chain = new ArrayList<>(List.of(waiter.name() + " waits" + inWords(first)));
        WhyCause cause = WhyCause.THREAD_WAITS;
        ClusterSample.Node peer = now.node(first.key());
        boolean isOver = peer == null;
        while (!isOver)
        {
            final SeenNode seen = peer.seen();
            final List<CountersView.Reading> next = waits(peer);
            final WhyCause ofPeer = Findings.ofReceiver(seen, null);
            isOver = true;
            if (path.contains(seen))
            {
                cause = WhyCause.CYCLE;
                chain.add(cause.sentence(WaitChain.circle(path.subList(path.indexOf(seen), path.size()))));
            }
            else if (ofPeer != null || next.isEmpty())
            {
                cause = ofPeer == null ? cause : ofPeer;
                chain.add(cause.sentence(seen.processText()));
            }
            else
            {
                path.add(seen);
                chain.add(peer.name() + " itself waits" + inWords(next.get(0)));
                peer = now.node(next.get(0).key());
                isOver = peer == null;
            }
        }
        return new WhyReport.Entry(new Stall.Facts(nameOfNode(first.key()), waiter.name(), -1, -1, "thread", 0, 0),
            Math.max(0, now.epochMs() - first.value()), cause, chain);
    }

    private String inWords(final CountersView.Reading wait)
    {
        return (wait.key() < 0 ? "" : " for " + nameOfNode(wait.key())) + ", for " +
            Age.duration(Math.max(0, now.epochMs() - wait.value())) + ": " +
            wait.label().replaceFirst(CounterKind.THREAD_WAITS.label() + ' ', "");
    }

    private String nameOfNode(final int number)
    {
        return number < 0 ? "" : now.nameOfNode(number);
    }
}
