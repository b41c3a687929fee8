// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe;

import java.util.List;
import java.util.stream.Collectors;

import org.grim.bench.observe.stall.Age;
import org.grim.bench.observe.stall.WhyCause;
import org.grim.queue.QueueOwner;

/**
 * What there is to say of a queue that stands still, in sentences with figures.
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

    /** Names of those who send through a queue, each once. */
    String senders(final ClusterSample.Queue queue)
    {
        return queue.owners().stream().map(now::nameOf).distinct().collect(Collectors.joining(", "));
    }

    /** From whom to whom, how full, how long. */
    String head(final StuckQueue stuck)
    {
        final ClusterSample.Queue queue = stuck.queue();
        final StringBuilder text = new StringBuilder(senders(queue)).append(" -> ").append(stuck.receiver().name())
            .append(" channel ").append(queue.channel()).append(" (").append(queue.kind()).append(" queue ")
            .append(queue.number()).append("): ");
        if (queue.isFull())
        {
            text.append("full, ");
        }
        else if (stuck.isWaiting() && stuck.refuses())
        {
            text.append("no room for a larger payload, ");
        }
        text.append(queue.unread()).append(" of ").append(queue.slotCount()).append(" unread");
        return stuck.isWaiting() ?
            text.append(", for ").append(Age.duration(stuck.stuckMs())).toString() : text.append(", moves").toString();
    }

    /** Tells whether a channel is being polled. */
    boolean isFresh(final ClusterSample.Channel channel)
    {
        return channel.lastPollMs() > 0 && Age.sinceMs(channel.lastPollMs(), now.epochMs()) < FRESH_MS;
    }

    /** The nearest cause. */
    void addCause(final StuckQueue stuck, final List<String> chain)
    {
        switch (stuck.cause())
        {
            case RECEIVER_DEAD -> addDead(stuck, chain);
            case RECEIVER_STOPPED -> addStopped(stuck, chain);
            case RECEIVER_NOT_POLLING -> addNotPolling(stuck, chain);
            case CHANNEL_NOT_OPENED -> addNotOpened(stuck, chain);
            case SENDER_STOPPED, SENDER_DEAD -> addClaim(stuck, chain);
            case QUEUE_CORRUPT -> addCorrupt(stuck, chain);
            case FRAMES_EXHAUSTED -> addFrames(stuck.receiver(), chain);
            case OVERFLOW_CEILING, BOARD_STOPPED, BOARD_NOT_STEPPED, BOARD_DEAD, CHANNEL_STOPPED, MESSAGE_INCOMPLETE,
                NI_WAITING, CYCLE, FLOWS ->
            {
                // Not found in one queue of an inbox.
            }
        }
        if (stuck.cause() != WhyCause.FRAMES_EXHAUSTED && stuck.queue().isShared() &&
            stuck.receiver().frames().isExhausted())
        {
            addFrames(stuck.receiver(), chain);
        }
    }

    String overflow(final ClusterSample.Node node, final ClusterSample.Overflow overflow)
    {
        return node.name() + "'s overflow queues of the endpoint on channel " + overflow.channel() + " hold " +
            overflow.length() + " of " + overflow.lengthMax() + " bytes, " + node.overflowDepth() +
            " messages: sends of its handlers fail when no more fits";
    }

    private static void addDead(final StuckQueue stuck, final List<String> chain)
    {
        final ClusterSample.Node receiver = stuck.receiver();
        chain.add(process(receiver) + " is dead: nobody holds its liveness byte; senders get PEER_GONE");
        chain.add(stuck.queue().unread() + " messages remain unread and go with its files when the next node joins");
    }

    private void addStopped(final StuckQueue stuck, final List<String> chain)
    {
        chain.add(lastPoll(stuck));
        chain.add(process(stuck.receiver()) + " is stopped (SIGSTOP or a debugger): kill -CONT " +
            stuck.receiver().info().processId() + " lets it go on");
    }

    private void addNotPolling(final StuckQueue stuck, final List<String> chain)
    {
        final ClusterSample.Node receiver = stuck.receiver();
        final ClusterSample.Channel channel = receiver.channels().get(stuck.queue().channel());
        chain.add(lastPoll(stuck));
        final String who = process(receiver) + " is alive, heartbeat " + age(receiver.info().heartbeatMs()) + ": ";
        if (channel.isAsleep())
        {
            chain.add(who + "the thread that owns channel " + channel.number() + " sleeps on its doorbell");
        }
        else if (isFresh(channel))
        {
            chain.add(who + "it polls the channel and takes nothing from this queue");
        }
        else
        {
            chain.add(who + "the thread that owns channel " + channel.number() +
                " does not poll, or is busy in a handler");
        }
        addNeighbours(stuck, chain);
    }

    private void addNotOpened(final StuckQueue stuck, final List<String> chain)
    {
        final int channel = stuck.queue().channel();
        chain.add(stuck.receiver().name() + " never polled channel " + channel + ": no endpoint was opened on it" +
            (channel == 0 ? ", or its owner has not begun" : " (Grim.openEndpoint), or its owner has not begun"));
        addNeighbours(stuck, chain);
    }

    /** Other channels of the receiver that are polled. */
    private void addNeighbours(final StuckQueue stuck, final List<String> chain)
    {
        for (final ClusterSample.Channel channel : stuck.receiver().channels())
        {
            if (channel.number() != stuck.queue().channel() && (isFresh(channel) || channel.isAsleep()))
            {
                chain.add("its neighbour, channel " + channel.number() + " of " + stuck.receiver().name() +
                    ", flows: last polled " + age(channel.lastPollMs()));
            }
        }
    }

    private void addClaim(final StuckQueue stuck, final List<String> chain)
    {
        final ClusterSample.Queue queue = stuck.queue();
        final ClusterSample.Node sender = now.nodeOf(queue.claimOwner());
        final String name = now.nameOf(queue.claimOwner());
        chain.add("the slot at the head is claimed by " + name + " and not published; published behind it: " +
            queue.unread());
        if (sender == null || !sender.isAlive())
        {
            chain.add((sender == null ? name : process(sender)) + " is dead: " + stuck.receiver().name() +
                " takes the slot back at its next housekeeping");
            if (stuck.receiver().isStopped())
            {
                addStopped(stuck, chain);
            }
            else
            {
                chain.add(lastPoll(stuck));
            }
        }
        else if (sender.isStopped())
        {
            chain.add(process(sender) + " is stopped (SIGSTOP or a debugger): kill -CONT " +
                sender.info().processId() + " lets it go on; nothing of its is taken back while it exists");
        }
        else
        {
            chain.add(process(sender) + " is alive, heartbeat " + age(sender.info().heartbeatMs()) +
                ": its thread was interrupted while it published");
        }
    }

    private void addCorrupt(final StuckQueue stuck, final List<String> chain)
    {
        final ClusterSample.Node receiver = stuck.receiver();
        chain.add(receiver.name() + " stopped the queue after corrupt bytes; senders get CLOSED");
        if (!receiver.rejected().isEmpty())
        {
            chain.add(receiver.name() + " refused bytes: " + receiver.rejected().entrySet().stream()
                .map(entry -> entry.getKey() + " " + entry.getValue()).collect(Collectors.joining(", ")) +
                " (./grim stat shows its errors)");
        }
    }

    private void addFrames(final ClusterSample.Node receiver, final List<String> chain)
    {
        chain.add("all " + receiver.frames().count() + " frames of " + receiver.name() +
            "'s free list are in use (grim.queue.frame-count): " + receiver.frames().holders().entrySet().stream()
            .map(entry -> entry.getValue() + " by " + holder(entry.getKey())).collect(Collectors.joining(", ")));
    }

    private String holder(final long owner)
    {
        final ClusterSample.Node node = now.nodeOf(owner);
        if (node == null)
        {
            return now.nameOf(owner);
        }
        final String detached = QueueOwner.isDetached(owner) ? ", detached" : "";
        return node.name() + " (process " + node.info().processId() + " is " +
            (!node.isAlive() ? "dead" : node.isStopped() ? "stopped" : "alive") + detached + ")";
    }

    private String lastPoll(final StuckQueue stuck)
    {
        final int channel = stuck.queue().channel();
        final long pollMs = stuck.receiver().channels().get(channel).lastPollMs();
        return pollMs == 0 ? stuck.receiver().name() + " never polled channel " + channel :
            stuck.receiver().name() + " last polled channel " + channel + " " + age(pollMs);
    }

    private static String process(final ClusterSample.Node node)
    {
        return node.name() + "'s process " + node.info().processId();
    }

    private String age(final long momentMs)
    {
        return Age.text(Age.sinceMs(momentMs, now.epochMs()));
    }
}
