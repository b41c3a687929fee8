// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.grim.NodeInfo;
import org.grim.counters.CounterKind;
import org.grim.queue.InboxView;
import org.grim.queue.QueueOwner;
import org.grim.tools.connections.ConnectionSample;
import org.grim.tools.report.Counters;

/**
 * Result of one look at a cluster's files.
 *
 * @param epochMs when.
 * @param nodes   by number.
 * @param boards  of the nodes.
 * @param hops    between hosts.
 * @param sockets connections of programs, of this host's nodes.
 */
record ClusterSample(long epochMs, List<Node> nodes, NiSample boards, HopSample hops, ConnectionSample sockets)
{
    /**
     * One node.
     *
     * @param seen     what is known of any node.
     * @param counters in its file.
     * @param inbox    {@link Inbox#NONE} if it has none.
     * @param missing  what could not be read, in words.
     */
    record Node(SeenNode seen, Counters counters, Inbox inbox, List<String> missing)
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

        List<Channel> channels()
        {
            return inbox.channels();
        }

        Frames frames()
        {
            return inbox.frames();
        }

        /** Overflow queues of its endpoints. */
        List<Overflow> overflows()
        {
            final Map<Integer, Long> ceilings = counters.values(CounterKind.OVERFLOW_CEILING);
            return counters.values(CounterKind.OVERFLOW_LENGTH).entrySet().stream().map(entry ->
                new Overflow(entry.getKey(), entry.getValue(), ceilings.getOrDefault(entry.getKey(), 0L))).toList();
        }

        /** Messages that handlers of its endpoints kept. */
        List<Kept> kept()
        {
            final Map<Integer, Long> lengths = counters.values(CounterKind.KEPT_LENGTH);
            final Map<Integer, Long> ceilings = counters.values(CounterKind.KEPT_CEILING);
            return counters.values(CounterKind.KEPT_MESSAGES).entrySet().stream().map(entry ->
                new Kept(entry.getKey(), entry.getValue(), lengths.getOrDefault(entry.getKey(), 0L),
                ceilings.getOrDefault(entry.getKey(), 0L))).toList();
        }

        Queue queue(final int channel, final int number)
        {
            return inbox.queues().stream()
                .filter(queue -> queue.channel() == channel && queue.number() == number).findFirst().orElse(null);
        }
    }

    /** An inbox: when its node last did housekeeping, its channels, its queues with a sender, and its frames. */
    record Inbox(long lastPollMs, List<Channel> channels, List<Queue> queues, Frames frames)
    {
        static final Inbox NONE = ofRemote(0);

        /** Of a node of another host: its queues stand in that host's memory. */
        static Inbox ofRemote(final long lastPollMs)
        {
            return new Inbox(lastPollMs, List.of(), List.of(), new Frames(0, 0, Map.of()));
        }
    }

    /** Overflow queues of the endpoint with this first channel: bytes that they hold, and may hold. */
    record Overflow(int channel, long length, long lengthMax)
    {
        boolean isNearCeiling()
        {
            return isNear(length, lengthMax);
        }

        private static boolean isNear(final long length, final long lengthMax)
        {
            return length > 0 && lengthMax > 0 && length >= lengthMax - lengthMax / 10;
        }
    }

    /** Messages that handlers of the endpoint with this first channel kept: bytes that they take, and may take. */
    record Kept(int channel, long count, long length, long lengthMax)
    {
        boolean isNearCeiling()
        {
            return Overflow.isNear(length, lengthMax);
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

    /**
     * Describes the unreadable parts of live nodes and of boards: once for all nodes with the same problem, such as
     * those of a host that does not answer.
     *
     * @param later look, which says it of its nodes itself; null for none.
     */
    Set<String> missing(final ClusterSample later)
    {
        final Map<String, List<String>> numbers = new LinkedHashMap<>();
        nodes.stream().filter(node -> node.info().state() != NodeInfo.State.GONE &&
            (later == null || !later.hasMissing(node.info().number()))).forEach(node ->
            node.missing().forEach(what -> numbers.computeIfAbsent(what, key -> new ArrayList<>())
            .add(Integer.toString(node.info().number()))));
        final Set<String> missing = new LinkedHashSet<>();
        numbers.forEach((what, nodesOfIt) -> missing.add((nodesOfIt.size() == 1 ? "node " : "nodes ") +
            String.join(", ", nodesOfIt) + ": " + what));
        missing.addAll(boards.missing());
        missing.addAll(hops.all().missing());
        return missing;
    }

    private boolean hasMissing(final int number)
    {
        final Node node = node(number);
        return node != null && !node.missing().isEmpty();
    }

    /** A node by its number, or null. */
    Node node(final int number)
    {
        return nodes.stream().filter(node -> node.info().number() == number).findFirst().orElse(null);
    }

    /** A node's name; its number if it is not known. */
    String nameOfNode(final int number)
    {
        final Node node = node(number);
        return node == null ? "node " + number : node.name();
    }

    /** The node of an owner, if it is the incarnation that the directory has; else null. */
    Node nodeOf(final long owner)
    {
        final Node node = owner == 0 ? null : node(QueueOwner.node(owner));
        return node != null && node.info().incarnation() == QueueOwner.incarnation(owner) ? node : null;
    }

    /** Returns the name of any owner. */
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
