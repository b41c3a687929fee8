// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.stream.Collectors;

import org.grim.queue.QueueOwner;
import org.grim.tools.observe.stall.Age;
import org.grim.tools.observe.stall.Stall;
import org.grim.tools.observe.stall.WhyCause;

/**
 * A queue of an inbox that stands still, or flows, in words.
 * <p>Thread: any. Sans-io.
 */
final class WhySentences
{
    /** A channel that was polled so short a time ago is being polled. */
    private static final long FRESH_MS = 150;

    private final ClusterSample now;

    WhySentences(final ClusterSample now)
    {
        this.now = now;
    }

    Stall stall(
        final ClusterSample.Node receiver, final ClusterSample.Queue queue, final WhyCause cause, final long stuckMs)
    {
        final String senders = queue.owners().stream().map(now::nameOf).distinct().collect(Collectors.joining(", "));
        final boolean refuses = queue.refusedSinceMs() != 0;
        final String room = queue.isFull() ? "full, " :
            cause != WhyCause.FLOWS && refuses ? "no room for a larger payload, " : "";
        final String head = senders + " -> " + receiver.name() + " channel " + queue.channel() + " (" + queue.kind() +
            " queue " + queue.number() + "): " + room + queue.unread() + " of " + queue.slotCount() + " unread" +
            (cause == WhyCause.FLOWS ? ", moves" : ", for " + Age.duration(stuckMs));
        return new Stall(new Stall.Facts(senders, receiver.name(), queue.channel(), queue.number(), queue.kind(),
            queue.unread(), queue.slotCount()), cause, stuckMs, receiver.seen(), refuses, queue.owners().stream()
            .map(owner -> new Stall.Sender(QueueOwner.node(owner), QueueOwner.incarnation(owner),
                QueueOwner.channel(owner), QueueOwner.isDetached(owner))).toList(), head,
            subject(receiver, queue, cause));
    }

    /** Tells whether a channel is being polled. */
    boolean isFresh(final ClusterSample.Channel channel)
    {
        return channel.lastPollMs() > 0 && Age.sinceMs(channel.lastPollMs(), now.epochMs()) < FRESH_MS;
    }

    static String overflow(final ClusterSample.Node node, final ClusterSample.Overflow overflow)
    {
        return WhyCause.OVERFLOW_CEILING.sentence(node.name() + "'s overflow queues of the endpoint on channel " +
            overflow.channel() + " hold " + overflow.length() + " of " + overflow.lengthMax() + " bytes, " +
            node.overflowDepth() + " messages");
    }

    private String subject(
        final ClusterSample.Node receiver, final ClusterSample.Queue queue, final WhyCause cause)
    {
        return switch (cause)
        {
            case RECEIVER_STOPPED, RECEIVER_DEAD -> receiver.seen().processText();
            case RECEIVER_NOT_POLLING -> receiver.seen().processText() + " (last poll " + Age.text(Age.sinceMs(
                receiver.channels().get(queue.channel()).lastPollMs(), now.epochMs())) + ")";
            case SENDER_STOPPED, SENDER_DEAD -> holder(queue.claimOwner());
            case FRAMES_EXHAUSTED -> receiver.name() + "'s free list, " + receiver.frames().holders().entrySet()
                .stream().map(entry -> entry.getValue() + " by " + holder(entry.getKey()))
                .collect(Collectors.joining(", ")) + ",";
            case QUEUE_CORRUPT, CHANNEL_NOT_OPENED -> receiver.name();
            case OVERFLOW_CEILING, BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD, CHANNEL_STOPPED, MESSAGE_INCOMPLETE,
                NI_WAITING, CYCLE, FLOWS -> "";     // Not found in one queue of an inbox.
        };
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
