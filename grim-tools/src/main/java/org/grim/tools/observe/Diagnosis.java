// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.grim.counters.CounterKind.Scope;
import org.grim.queue.QueueOwner;
import org.grim.tools.connections.ConnectionWait;
import org.grim.tools.report.Age;

/**
 * Finds, from two looks at a cluster, the queues that stand still and the nearest cause of each. {@link WaitChain}
 * finds the causes that lie in other queues.
 * <p>Thread: any. Sans-io.
 */
final class Diagnosis
{
    /** A channel that was polled so short a time ago is being polled. */
    private static final long FRESH_MS = 150;

    private final ClusterSample before;
    private final ClusterSample now;
    private final Findings findings;

    Diagnosis(final ClusterSample before, final ClusterSample now)
    {
        this.before = before;
        this.now = now;
        findings = new Findings(before.epochMs(), now.epochMs());
        for (final ClusterSample.Node node : now.nodes())
        {
            final ClusterSample.Node earlier = before.node(node.info().number());
            if (earlier != null && earlier.info().incarnation() == node.info().incarnation())
            {
                node.inbox().queues().forEach(queue -> examine(earlier, node, queue));
            }
        }
        NiDiagnosis.find(before.boards(), now.boards(), findings);
        HopDiagnosis.find(before, now, findings);
        ConnectionWait.between(before.sockets(), now.sockets()).forEach(this::examine);
    }

    private void examine(final ConnectionWait wait)
    {
        final ClusterSample.Node node = now.node(wait.reader());
        final SeenNode reader = node == null ? null : node.seen();
        final WhyCause cause = wait.isLinkFull() ? WhyCause.LINK_FULL :
            Findings.ofReceiver(reader, WhyCause.CONNECTION_NOT_READ);
        final String from = now.nameOfNode(wait.writer());
        final String to = now.nameOfNode(wait.reader());
        findings.queue(new Stall.Facts(from, to, -1, -1, "connection", (int)wait.unread(), wait.window()), cause, 0,
            null, wait.isFull(), List.of(), from + ' ' + wait.from() + " -> " + to + ' ' + wait.to() +
            " (connection): " + (wait.isFull() ? "full, " : "") + wait.unread() + " bytes not read",
            reader == null ? to : reader.processText());
    }

    WhyReport report()
    {
        final List<WhyReport.Entry> waiting = new ArrayList<>();
        final List<WhyReport.Entry> flowing = new ArrayList<>();
        final WaitChain chain = new WaitChain(before, now, findings);
        for (final Stall stall : findings.stalls())
        {
            (stall.isWaiting() ? waiting : flowing).add(chain.entry(stall));
        }
        waiting.addAll(chain.overflowEntries());
        waiting.addAll(chain.keptEntries());
        waiting.addAll(new ThreadWaits(now).entries());
        waiting.sort(Comparator.comparingLong(WhyReport.Entry::stuckMs).reversed());
        waiting.addAll(flowing);
        final Set<String> missing = new LinkedHashSet<>(before.missing(now));
        missing.addAll(now.missing(null));
        return new WhyReport(waiting, findings.idleCount(), List.copyOf(missing));
    }

    private void examine(
        final ClusterSample.Node earlier, final ClusterSample.Node receiver, final ClusterSample.Queue queue)
    {
        final ClusterSample.Queue old = earlier.queue(queue.channel(), queue.number());
        final boolean isSame = old != null && (queue.isShared() || old.owners().equals(queue.owners()));
        final WhyCause cause = isSame ? cause(earlier, receiver, old, queue) : null;
        if (cause == null)
        {
            findings.idle();
        }
        else
        {
            add(receiver, queue, cause);
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
        if (receiver.isAlive() && isClaimStuck && queue.slots().firstClaim() == 0)
        {
            final ClusterSample.Node sender = now.nodeOf(queue.claimOwner());
            return sender != null && sender.isAlive() ? WhyCause.SENDER_STOPPED : WhyCause.SENDER_DEAD;
        }
        return Findings.ofReceiver(receiver.seen(), receiver.channels().get(queue.channel()).lastPollMs() == 0 ?
            WhyCause.CHANNEL_NOT_OPENED : receiver.seen().unread(queue.channel()));
    }

    /** Since a sender was refused, else since the receiver was last seen at work. */
    private long sinceMs(
        final ClusterSample.Node receiver, final ClusterSample.Queue queue, final WhyCause cause)
    {
        final long refusedMs = Age.sinceMs(queue.refusedSinceMs(), now.epochMs());
        return refusedMs != Age.NEVER_MS || !cause.isOfProcess() ? refusedMs :
            Age.sinceMs(receiver.channels().get(queue.channel()).lastPollMs(), now.epochMs());
    }

    /** Returns whether a channel is being polled. */
    static boolean isFresh(final ClusterSample now, final ClusterSample.Channel channel)
    {
        return channel.lastPollMs() > 0 && Age.sinceMs(channel.lastPollMs(), now.epochMs()) < FRESH_MS;
    }

    private void add(final ClusterSample.Node receiver, final ClusterSample.Queue queue, final WhyCause cause)
    {
        final String senders = queue.owners().stream().map(now::nameOf).distinct().collect(Collectors.joining(", "));
        final boolean refuses = queue.refusedSinceMs() != 0;
        final String room = queue.isFull() ? "full, " :
            cause != WhyCause.FLOWS && refuses ? "no room for a larger payload, " : "";
        final String head = senders + " -> " + receiver.name() + " channel " + queue.channel() + " (" + queue.kind() +
            " queue " + queue.number() + "): " + room + queue.unread() + " of " + queue.slotCount() + " unread";
        findings.queue(new Stall.Facts(senders, receiver.name(), queue.channel(), queue.number(), queue.kind(),
            queue.unread(), queue.slotCount()), cause, sinceMs(receiver, queue, cause), receiver.seen(), refuses,
            queue.owners().stream().map(owner -> new Stall.Sender(QueueOwner.node(owner),
            QueueOwner.incarnation(owner), QueueOwner.channel(owner), QueueOwner.isDetached(owner))).toList(), head,
            subject(receiver, queue, cause));
    }

    /** Whom or what a cause is about. */
    private String subject(
        final ClusterSample.Node receiver, final ClusterSample.Queue queue, final WhyCause cause)
    {
        return switch (cause)
        {
            case RECEIVER_STOPPED, RECEIVER_DEAD, RECEIVER_NOT_POLLING -> receiver.seen().processText() +
                " (last poll " + pollAge(receiver.channels().get(queue.channel())) + neighbours(receiver, queue) + ")";
            case SENDER_STOPPED, SENDER_DEAD -> holder(queue.claimOwner());
            case FRAMES_EXHAUSTED -> receiver.frames().count() + " frames of " + receiver.name() + "'s free list, " +
                receiver.frames().holders().entrySet().stream()
                .map(entry -> entry.getValue() + " by " + holder(entry.getKey())).collect(Collectors.joining(", ")) +
                ",";
            case QUEUE_CORRUPT -> receiver.name() + receiver.counters().reasons(Scope.REJECT_REASON).entrySet()
                .stream().map(entry -> entry.getKey() + " " + entry.getValue())
                .reduce((some, more) -> some + ", " + more).map(refused -> " (refused: " + refused + ")").orElse("");
            case CHANNEL_NOT_OPENED -> receiver.name();
            case CHANNEL_PAUSED -> receiver.seen().processText();
            default -> "";                          // Not found in one queue of an inbox.
        };
    }

    /** Channels beside it that were polled between the looks: another thread owns them, and only this one's stands. */
    private String neighbours(final ClusterSample.Node receiver, final ClusterSample.Queue queue)
    {
        final List<ClusterSample.Channel> old = before.node(receiver.seen().number()).channels();
        return receiver.channels().stream().filter(channel -> channel.number() != queue.channel() &&
            channel.number() < old.size() && channel.lastPollMs() != old.get(channel.number()).lastPollMs())
            .map(channel -> "; its neighbour, channel " + channel.number() + ", " + pollAge(channel))
            .collect(Collectors.joining());
    }

    private String pollAge(final ClusterSample.Channel channel)
    {
        return Age.text(Age.sinceMs(channel.lastPollMs(), now.epochMs()));
    }

    private String holder(final long owner)
    {
        final ClusterSample.Node node = now.nodeOf(owner);
        if (node == null)
        {
            return now.nameOf(owner);
        }
        return node.name() + " (process " + node.info().processId() + " is " +
            (!node.isAlive() ? "dead" : node.isStopped() ? "stopped" : "alive") +
            (QueueOwner.isDetached(owner) ? ", detached)" : ")");
    }
}
