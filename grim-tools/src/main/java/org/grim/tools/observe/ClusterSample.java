// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.List;
import java.util.Map;

import org.grim.NodeInfo;
import org.grim.queue.InboxView;
import org.grim.queue.QueueOwner;
import org.grim.tools.observe.ni.NiSample;
import org.grim.tools.observe.stall.SeenNode;

/**
 * What one look at a cluster's files found.
 *
 * @param epochMs when.
 * @param nodes   by number.
 * @param boards  of the nodes.
 */
record ClusterSample(long epochMs, List<Node> nodes, NiSample boards)
{
    /**
     * One node; without an inbox its channels and queues are empty.
     *
     * @param seen          what is known of any node.
     * @param overflowDepth messages that wait in its overflow queues.
     * @param overflows     of its endpoints.
     * @param rejected      refused bytes by reason, those that are not zero.
     * @param channels      of its inbox.
     * @param queues        of its inbox, those with a sender.
     * @param frames        of its inbox.
     */
    record Node(
        SeenNode seen, long overflowDepth, List<Overflow> overflows, Map<String, Long> rejected,
        List<Channel> channels, List<Queue> queues, Frames frames)
    {
        NodeInfo info()
        {
            return seen.info();
        }

        boolean isAlive()
        {
            return seen.isAlive();
        }

        String name()
        {
            return seen.name();
        }

        boolean isStopped()
        {
            return seen.isStopped();
        }

        Queue queue(final int channel, final int number)
        {
            return queues.stream().filter(queue -> queue.channel() == channel && queue.number() == number)
                .findFirst().orElse(null);
        }
    }

    /** Overflow queues of the endpoint with this first channel: bytes that they hold, and may hold. */
    record Overflow(int channel, long length, long lengthMax)
    {
        boolean isNearCeiling()
        {
            return length > 0 && lengthMax > 0 && length >= lengthMax - lengthMax / 10;
        }
    }

    /** A channel of an inbox. */
    record Channel(int number, long lastPollMs, boolean isAsleep)
    {
    }

    /** Frames of a free list; how many each holder has. */
    record Frames(int count, int usedCount, Map<Long, Integer> holders)
    {
        boolean isExhausted()
        {
            return count > 0 && usedCount == count;
        }
    }

    /**
     * One receive queue.
     *
     * @param channel        that it belongs to.
     * @param number         within the channel.
     * @param isShared       whether several nodes may send through it.
     * @param owners         who does, {@link QueueOwner}s; unchecked.
     * @param slots          what stands in it.
     * @param slotCount      messages that it holds.
     * @param room           messages after which senders find it full.
     * @param isStopped      whether the receiver stopped it.
     * @param refusedSinceMs since when a sender finds no room; 0 for not.
     * @param claimOwner     who claimed the first slot that is claimed; 0 for nobody known.
     */
    record Queue(
        int channel, int number, boolean isShared, List<Long> owners, InboxView.Slots slots, int slotCount, int room,
        boolean isStopped, long refusedSinceMs, long claimOwner)
    {
        String kind()
        {
            return isShared ? "shared" : "exclusive";
        }

        int unread()
        {
            return slots.publishedCount();
        }

        boolean hasClaim()
        {
            return slots.firstClaim() >= 0;
        }

        boolean isFull()
        {
            return unread() + (hasClaim() ? 1 : 0) >= room;
        }
    }

    /** A node by its number, or null. */
    Node node(final int number)
    {
        return nodes.stream().filter(node -> node.info().number() == number).findFirst().orElse(null);
    }

    /** The node of an owner, if it is the incarnation that the directory has; else null. */
    Node nodeOf(final long owner)
    {
        final Node node = owner == 0 ? null : node(QueueOwner.node(owner));
        return node != null && node.info().incarnation() == QueueOwner.incarnation(owner) ? node : null;
    }

    /** The name of an owner, whoever it is. */
    String nameOf(final long owner)
    {
        if (owner == 0)
        {
            return "an unknown sender";
        }
        final Node node = nodeOf(owner);
        return node != null ? node.name() :
            "node " + QueueOwner.node(owner) + " incarnation " + QueueOwner.incarnation(owner);
    }
}
