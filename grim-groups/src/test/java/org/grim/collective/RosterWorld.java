// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.collective.GroupRole.State;
import org.grim.transport.HandMadeMembership;

/**
 * Nodes of one or two hosts that join and leave one group while messages wait as long as one likes. Each host hears of
 * nodes of the other one late, in order. Every roster that anybody sends or has is checked.
 */
final class RosterWorld
{
    private static final int ID = 7;
    private static final int UP = 1;
    private static final int GONE = 2;
    private static final int STATE_BITS = 4;
    private static final int LINK_CAPACITY_MAX = 3;
    private static final long QUIET_NS = TimeUnit.SECONDS.toNanos(8);
    private static final int ROUND_COUNT_MAX = 2_000;

    private final Parts parts;
    private final Random random;
    private final int nodeCount;
    private final int linkCapacity;
    private final List<Host> hosts = new ArrayList<>();
    private final Node[] nodes;
    private final int[] incarnations;
    private final Map<Integer, Epoch> epochs = new HashMap<>();
    private long nowNs = 1;
    private int sentCount;
    private int traceHash;

    /** The deciding parts, so that a test may replace them. */
    interface Parts
    {
        default EpochNumbers epochs(final int self, final int nodeCount)
        {
            return new MakerEpochNumbers(self, nodeCount);
        }

        default RosterSink sink(final RosterSink sink)
        {
            return sink;
        }
    }

    RosterWorld(final Random random, final Parts parts)
    {
        this(random, parts, 2 + random.nextInt(4), 1 + random.nextInt(2), 1 + random.nextInt(LINK_CAPACITY_MAX));
    }

    RosterWorld(
        final Random random, final Parts parts, final int nodeCount, final int hostCount, final int linkCapacity)
    {
        this.random = random;
        this.parts = parts;
        this.nodeCount = nodeCount;
        this.linkCapacity = linkCapacity;
        for (int i = 0; i < hostCount; i++)
        {
            hosts.add(new Host());
        }
        nodes = new Node[nodeCount];
        incarnations = new int[nodeCount];
        IntStream.range(0, nodeCount).forEach(this::start);
    }

    /** All become members. */
    void gather()
    {
        for (final Node node : nodes)
        {
            node.role.join(nowNs, node.self() % 2 == 1);
        }
        settle();
    }

    /** One thing that may happen. */
    void disturb(final boolean isFaulty)
    {
        final int number = random.nextInt(nodeCount);
        final Node node = nodes[number];
        final int what = random.nextInt(100);
        if (what < 42)
        {
            step(node);
        }
        else if (what < 84)
        {
            deliverOne(number);
        }
        else if (what < 88)
        {
            hosts.get(random.nextInt(hosts.size())).hearOne();
        }
        else if (what < 92)
        {
            nowNs += TimeUnit.MILLISECONDS.toNanos(random.nextInt(6) == 0 ? 700 : random.nextInt(40));
        }
        else if (what < 97)
        {
            decide(node);
        }
        else if (isFaulty && what < 99)
        {
            disturbNode(number);
        }
        check();
    }

    /** A node that is gone comes back; another one stops, goes on, or dies. */
    private void disturbNode(final int number)
    {
        if (nodes[number] == null)
        {
            start(number);
        }
        else if (random.nextInt(3) == 0)
        {
            kill(number);
        }
        else
        {
            nodes[number].isStopped = !nodes[number].isStopped && random.nextInt(3) == 0;
        }
    }

    /** Hands a node the oldest message of one of its links. */
    private void deliverOne(final int to)
    {
        final int first = random.nextInt(nodeCount);
        for (int i = 0; i < nodeCount && !deliver((first + i) % nodeCount, to); i++)
        {
            // Its link is empty.
        }
    }

    /** A user joins, gives up joining, or leaves. */
    private void decide(final Node node)
    {
        if (node == null || node.isStopped)
        {
            return;
        }
        if (node.role.state() == State.OUTSIDE || (node.role.state() == State.LEAVING && random.nextBoolean()))
        {
            node.role.join(nowNs, node.self() % 2 == 1);
        }
        else if (random.nextInt(4) == 0)
        {
            node.role.leave(nowNs);
        }
    }

    Node node(final int number)
    {
        return nodes[number];
    }

    long nowNs()
    {
        return nowNs;
    }

    void pass(final long ns)
    {
        nowNs += ns;
    }

    /** Begins the next incarnation of a node. */
    void start(final int number)
    {
        incarnations[number]++;
        publish(number, incarnations[number] << STATE_BITS | UP);
        final Host host = host(number);
        nodes[number] = new Node(number, host);
    }

    void kill(final int number)
    {
        if (nodes[number] != null)
        {
            publish(number, incarnations[number] << STATE_BITS | GONE);
            final Node node = nodes[number];
            nodes[number] = null;
            epochs.values().removeIf(epoch -> epoch.isForgottenWithout(node));
        }
    }

    private void publish(final int number, final int status)
    {
        for (final Host host : hosts)
        {
            if (host == host(number))
            {
                host.hear(number, status);
            }
            else
            {
                host.rumours.add(new int[] {number, status});
            }
        }
    }

    private Host host(final int number)
    {
        return hosts.get(number % hosts.size());
    }

    void step(final Node node)
    {
        if (node != null && !node.isStopped)
        {
            node.role.step(nowNs);
        }
    }

    /** Hands the oldest message of a link to its receiver. */
    boolean deliver(final int from, final int to)
    {
        final Node node = nodes[to];
        final Letter letter = node == null || node.isStopped ? null : node.arrivals.get(from).poll();
        if (letter == null)
        {
            return false;
        }
        traceHash = 31 * traceHash + letter.message.kind().number() * 97 + letter.message.epoch() * 7 + from + to;
        if (letter.message.members() != null)
        {
            observe(node, letter.message.members());
        }
        node.role.onMessage(from, letter.message, nowNs);
        return true;
    }

    /** Steps all, and delivers everything, until all agree. */
    void settle()
    {
        hosts.forEach(host ->
        {
            while (!host.rumours.isEmpty())
            {
                host.hearOne();
            }
        });
        for (final Node node : nodes)
        {
            if (node != null)
            {
                node.isStopped = false;
            }
        }
        for (int round = 0; round < ROUND_COUNT_MAX; round++)
        {
            final int sentBefore = sentCount;
            pump();
            if (sentCount == sentBefore)
            {
                if (hasAgreed())
                {
                    nowNs += QUIET_NS;
                    pump();
                    requireAgreement();
                    return;
                }
                nowNs += TimeUnit.MILLISECONDS.toNanos(250);
            }
            nowNs += TimeUnit.MILLISECONDS.toNanos(5);
        }
        throw new AssertionError("no agreement: " + this);
    }

    private void pump()
    {
        for (final Node node : nodes)
        {
            step(node);
        }
        for (int to = 0; to < nodeCount; to++)
        {
            for (int from = 0; from < nodeCount; from++)
            {
                while (deliver(from, to))
                {
                    check();
                }
            }
        }
        check();
    }

    private boolean hasAgreed()
    {
        Roster roster = null;
        int count = 0;
        for (final Node node : nodes)
        {
            if (node != null && !node.role.isOutside())
            {
                if (node.role.roster() == null || (roster != null && roster.epoch() != node.role.roster().epoch()))
                {
                    return false;
                }
                roster = node.role.roster();
                count++;
            }
        }
        return roster == null || (roster.size() == count && owner() >= 0);
    }

    private void requireAgreement()
    {
        if (!hasAgreed())
        {
            throw new AssertionError("agreement did not last: " + this);
        }
        for (final Node node : nodes)
        {
            final Roster roster = node == null ? null : node.role.roster();
            for (int rank = 0; roster != null && rank < roster.size(); rank++)
            {
                final Node member = nodes[roster.nodes()[rank]];
                if (member == null || member.role.roster() == null || !roster.isUp(member, rank))
                {
                    throw new AssertionError("a member that is none: " + this);
                }
            }
        }
    }

    /** The node that owns the group; -1 if none does. */
    int owner()
    {
        for (final Node node : nodes)
        {
            if (node != null && node.role.isOwner())
            {
                return node.self();
            }
        }
        return -1;
    }

    private void check()
    {
        int ownerCount = 0;
        for (final Node node : nodes)
        {
            final Roster roster = node == null ? null : node.role.roster();
            if (roster != null)
            {
                final Epoch epoch = observe(node, roster);
                node.follow(roster);
                if (node.role.isOwner())
                {
                    ownerCount++;
                    require(epoch.owner == null || epoch.owner == node, "two owners of", roster);
                    epoch.owner = node;
                }
            }
        }
        require(ownerCount <= 1 || hosts.size() > 1, "two owners at a time of", null);
    }

    private Epoch observe(final Node node, final Roster roster)
    {
        final Epoch epoch = epochs.computeIfAbsent(roster.epoch(), number -> new Epoch(roster));
        require(epoch.isOf(roster), "two rosters of", roster);
        epoch.witnesses.add(node);
        return epoch;
    }

    private void require(final boolean isSo, final String what, final Roster roster)
    {
        if (!isSo)
        {
            throw new AssertionError(what + (roster == null ? "" : " epoch=" + roster.epoch()) + ": " + this);
        }
    }

    int traceHash()
    {
        return traceHash;
    }

    @Override
    public String toString()
    {
        final StringBuilder text = new StringBuilder("hosts=" + hosts.size() + " linkCapacity=" + linkCapacity);
        for (int number = 0; number < nodeCount; number++)
        {
            text.append("; node=").append(number).append(' ').append(
                nodes[number] == null ? "gone" : nodes[number].role.toString());
        }
        return text.toString();
    }

    private record Letter(RosterMessage message)
    {
    }

    /** The roster of an epoch, and the living nodes that know of it. */
    private static final class Epoch
    {
        private final Set<Node> witnesses = new HashSet<>();
        private final Roster roster;
        private Node owner;

        Epoch(final Roster roster)
        {
            this.roster = roster;
        }

        boolean isOf(final Roster other)
        {
            boolean isEqual = roster.size() == other.size();
            for (int rank = 0; isEqual && rank < roster.size(); rank++)
            {
                isEqual = roster.nodes()[rank] == other.nodes()[rank] &&
                    roster.names(other.nodes()[rank], other.incarnation(rank), other.session(rank));
            }
            return isEqual;
        }

        boolean isForgottenWithout(final Node node)
        {
            return witnesses.remove(node) && witnesses.isEmpty();
        }
    }

    /** Nodes of a host know the same at a time. */
    private final class Host
    {
        private final AtomicBuffer words = Buffers.allocate(nodeCount * Integer.BYTES);
        private final Queue<int[]> rumours = new ArrayDeque<>();

        Host()
        {
            for (int number = 0; number < nodeCount; number++)
            {
                words.putIntVolatile(number * Integer.BYTES, GONE);
            }
        }

        void hearOne()
        {
            final int[] rumour = rumours.poll();
            if (rumour != null)
            {
                hear(rumour[0], rumour[1]);
            }
        }

        void hear(final int number, final int status)
        {
            words.putIntVolatile(number * Integer.BYTES, status);
        }
    }

    /** An incarnation of a node. */
    final class Node extends HandMadeMembership
    {
        private final List<Queue<Letter>> arrivals = new ArrayList<>();
        private final GroupRole role;
        private boolean isStopped;
        private Roster known;

        Node(final int self, final Host host)
        {
            super(self, host.words);
            for (int from = 0; from < nodeCount; from++)
            {
                arrivals.add(new ArrayDeque<>());
            }
            role = new GroupRole("group", ID, this, this::isUp, new NodeSessions(), parts.epochs(self, nodeCount),
                new Agreement(Map.of("key", 1)), parts.sink(this::trySend));
        }

        GroupRole role()
        {
            return role;
        }

        void stop(final boolean newIsStopped)
        {
            isStopped = newIsStopped;
        }

        @Override
        public boolean convictIfDead(final int node)
        {
            return !isUp(node);
        }

        private void follow(final Roster roster)
        {
            require(known == null || roster == known || roster.epoch() > known.epoch(), "after a later one", roster);
            require(roster.rankOf(self(), incarnation()) >= 0, "a member is not named by", roster);
            known = roster;
        }

        private boolean trySend(final int to, final RosterMessage message)
        {
            final Node receiver = nodes[to];
            if (receiver == null || receiver.incarnation() != incarnationOf(status(to)))
            {
                return true;
            }
            final Queue<Letter> link = receiver.arrivals.get(self());
            if (link.size() >= linkCapacity)
            {
                return false;
            }
            sentCount++;
            link.add(new Letter(message));
            return true;
        }
    }
}
