// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.network.registry.ConsensusMessage.Verb;

/**
 * Hosts that propose against each other, members or not, while messages are lost, repeated and late, links are cut,
 * stores fail, and agents die between any two steps: before and after each store, and between any two messages. Every
 * decision that a majority agreed to, and every one that a host knows or has stored, is checked.
 */
final class ConsensusWorld
{
    private static final int HOST_COUNT_MIN = 2;
    private static final int HOST_COUNT_MAX = 5;
    private static final int NUMBER_COUNT = 5;
    private static final int SEAM_COUNT_MAX = 12;
    private static final int NETWORK_COUNT_MAX = 200;
    private static final int ROUND_COUNT_MAX = 400;

    private final Random random;
    private final Parts parts;
    private final List<Host> hosts = new ArrayList<>();
    private final List<Letter> network = new ArrayList<>();
    private final Map<Long, Decision> known = new HashMap<>();
    private final Map<Attempt, Decision> asked = new HashMap<>();
    private final Map<Attempt, Set<String>> agreed = new HashMap<>();
    private final Map<Long, Decision> chosen = new HashMap<>();
    private final Map<String, Ballot> latestBallots = new HashMap<>();
    private long nowNs = 1;
    private int requestCount;
    private int traceHash;
    private int crashCount;
    private int failureCount;

    /** Points at which a test may interfere. */
    interface Parts
    {
        /** Part of a new pledge that the store keeps. */
        default Pledge stored(final String host, final Pledge before, final Pledge next)
        {
            return next;
        }

        /** Whether a store that fails says so. */
        default boolean isFailureSaid()
        {
            return true;
        }

        /** Outcome of a message. */
        default ConsensusMessage sent(final ConsensusMessage message, final Ballot latestOfReceiver)
        {
            return message;
        }

        /** Whom an answer is taken to be of. */
        default String voter(final String from, final List<String> members)
        {
            return from;
        }
    }

    private record Letter(String from, String to, int incarnationOfSelf, ConsensusMessage message)
    {
    }

    private record Attempt(long epoch, Ballot ballot)
    {
    }

    /** The agent's process dies here. */
    private static final class Crash extends RuntimeException
    {
        private static final long serialVersionUID = 1L;

        Crash()
        {
            super("crash", null, false, false);
        }
    }

    private final class Host
    {
        private final String name;
        private Consensus agent;
        private Decision storedSnapshot;
        private Pledge storedPledge = Pledge.NONE;
        private boolean isStoreFull;
        private int seamCount = -1;
        private int life;
        private int part;
        private long observedEpoch;
        private Decision observedSnapshot;

        Host(final String name)
        {
            this.name = name;
            start();
        }

        private void start()
        {
            life++;
            seamCount = -1;
            observedEpoch = 0;
            final Registry registry = new Registry();
            if (storedSnapshot != null && storedSnapshot.epoch() != 0)
            {
                registry.apply(storedSnapshot);
            }
            agent = new Consensus(name, registry, storedPledge, this::save, this::send);
        }

        private void seam()
        {
            if (seamCount == 0)
            {
                throw new Crash();
            }
            seamCount = Math.max(-1, seamCount - 1);
        }

        private void save(final Decision snapshot, final Pledge pledge)
        {
            seam();
            final boolean isFailing = isStoreFull && random.nextInt(4) != 0;
            if (!isFailing || random.nextBoolean())         // The system may refuse after the file was replaced.
            {
                storedPledge = parts.stored(name, storedPledge, pledge);
                storedSnapshot = snapshot;
            }
            if (isFailing)
            {
                failureCount++;
                if (parts.isFailureSaid())
                {
                    throw new GrimException(GrimException.Reason.SYSTEM_REFUSED, "no space");
                }
            }
            seam();
        }

        private void send(final String to, final ConsensusMessage message)
        {
            for (final Host host : hosts)
            {
                if (to == null ? host != this : host.name.equals(to))
                {
                    seam();
                    note(message);
                    network.add(new Letter(name, host.name, host == this ? life : 0, message));
                }
            }
        }

        /** A ballot asks for one decision; what a majority agreed to is decided. */
        private void note(final ConsensusMessage message)
        {
            final Attempt attempt = new Attempt(message.epoch(), message.ballot());
            if (message.verb() == Verb.PREPARE)
            {
                latestBallots.put(name, message.ballot());
            }
            else if (message.verb() == Verb.ACCEPT)
            {
                final Decision before = asked.putIfAbsent(attempt, message.decision());
                require(before == null || before.equals(message.decision()), "one ballot for two decisions", attempt);
            }
            else if (message.verb() == Verb.ACCEPTED && known.containsKey(message.epoch() - 1))
            {
                final Set<String> voters = agreed.computeIfAbsent(attempt, key -> new HashSet<>());
                voters.add(name);
                if (Decision.isMajority(known.get(message.epoch() - 1).members(), voters))
                {
                    final Decision decision = asked.get(attempt);
                    final Decision other = chosen.putIfAbsent(message.epoch(), decision);
                    require(other == null || other.equals(decision), "two majorities agreed to two decisions", attempt);
                }
            }
        }
    }

    ConsensusWorld(final Random random, final Parts parts)
    {
        this.random = random;
        this.parts = parts;
        final int count = HOST_COUNT_MIN + random.nextInt(HOST_COUNT_MAX - HOST_COUNT_MIN + 1);
        for (int i = 0; i < count; i++)
        {
            hosts.add(new Host(String.valueOf((char)('a' + i))));
        }
        act(hosts.get(0), () -> hosts.get(0).agent.begin("cluster"));
    }

    /** One thing that may happen. */
    void disturb()
    {
        final int what = random.nextInt(100);
        final Host host = any();
        if (what < 66)
        {
            deliver(true);
        }
        else if (what < 78)
        {
            nowNs += TimeUnit.MILLISECONDS.toNanos(random.nextInt(8) == 0 ? 600 : 20);
            act(host, () -> host.agent.step(nowNs));
        }
        else if (what < 87)
        {
            proposeIfIdle(host);
        }
        else if (what < 89)
        {
            act(host, host.agent::abandon);         // As a coordinator that sees no majority.
        }
        else if (what < 92)
        {
            act(host, () -> host.agent.teach(any().name));
        }
        else if (what < 95)
        {
            host.seamCount = random.nextInt(SEAM_COUNT_MAX);
        }
        else if (what < 97)
        {
            crash(host);
        }
        else if (what < 98)
        {
            host.isStoreFull = !host.isStoreFull;
        }
        else
        {
            final boolean isCut = random.nextBoolean();
            hosts.forEach(each -> each.part = isCut ? random.nextInt(2) : 0);
        }
    }

    /** All is well again: a host of any rank coordinates, and all agree soon. */
    void settle()
    {
        hosts.forEach(host ->
        {
            host.isStoreFull = false;
            host.seamCount = -1;
            host.part = 0;
            host.agent.abandon();
        });
        final Host coordinator = any();
        boolean isDecided = false;
        for (int round = 0; round < ROUND_COUNT_MAX; round++)
        {
            nowNs += TimeUnit.MILLISECONDS.toNanos(20);
            final long latest = hosts.stream().mapToLong(host -> host.agent.registry().epoch()).max().orElseThrow();
            if (network.isEmpty())
            {
                greet(coordinator);
            }
            final boolean isUpToDate = coordinator.agent.registry().epoch() == latest;
            if (!isDecided && isUpToDate && coordinator.agent.isIdle())
            {
                propose(coordinator);
                isDecided = true;
            }
            hosts.forEach(host -> act(host, () -> host.agent.step(nowNs)));
            for (int i = network.size(); i > 0; i--)
            {
                deliver(false);
            }
            if (isDecided && network.isEmpty() && hosts.stream().allMatch(host -> host.agent.isIdle() &&
                host.agent.storeFailure() == null && host.agent.registry().epoch() == latest))
            {
                return;
            }
        }
        throw new AssertionError("no agreement: " + hosts.stream().map(host -> host.name + " epoch=" +
            host.agent.registry().epoch() + " idle=" + host.agent.isIdle()).toList() + " coordinator=" +
            coordinator.name);
    }

    int traceHash()
    {
        return traceHash;
    }

    /** {@return decisions, crashes, failed stores} */
    long[] counts()
    {
        return new long[] {known.size(), crashCount, failureCount};
    }

    /** As after hellos: hosts that know less get the decisions, hosts that know more are asked. */
    private void greet(final Host coordinator)
    {
        for (final Host host : hosts)
        {
            final long epoch = coordinator.agent.registry().epoch();
            if (host.agent.registry().epoch() > epoch)
            {
                coordinator.agent.fetch(host.name);
            }
            else if (host.agent.registry().epoch() < epoch)
            {
                coordinator.agent.teach(host.name);
            }
        }
    }

    private void deliver(final boolean isFaulty)
    {
        if (network.isEmpty())
        {
            return;
        }
        final Letter letter = network.remove(random.nextInt(network.size()));
        final Host to = host(letter.to());
        final boolean isDead = letter.incarnationOfSelf() != 0 && letter.incarnationOfSelf() != to.life;
        final boolean isLost = isFaulty && (host(letter.from()).part != to.part || random.nextInt(8) == 0);
        if (isDead || (isLost && !letter.from().equals(letter.to())))
        {
            return;
        }
        if (isFaulty && network.size() < NETWORK_COUNT_MAX && random.nextInt(10) == 0)
        {
            network.add(letter);
        }
        final ConsensusMessage message = parts.sent(letter.message(),
            latestBallots.getOrDefault(letter.to(), Ballot.NONE));
        final boolean isAnswer = message.verb() == Verb.PROMISE || message.verb() == Verb.ACCEPTED;
        final String from = isAnswer ? parts.voter(letter.from(), to.agent.registry().members()) : letter.from();
        traceHash = (traceHash * 31 + message.verb().name().hashCode()) * 31 + message.ballot().round() * 7 +
            (int)message.epoch();
        act(to, () -> to.agent.onMessage(from, message));
    }

    private void proposeIfIdle(final Host host)
    {
        if (host.agent.registry().epoch() != 0 && host.agent.isIdle())
        {
            propose(host);
        }
    }

    private void propose(final Host host)
    {
        final Registry registry = host.agent.registry();
        requestCount++;
        final int number = requestCount % NUMBER_COUNT;
        final Grant before = registry.grant(number);
        final List<HandlerName> handlers = random.nextInt(4) != 0 ? List.of() :
            List.of(new HandlerName("h" + requestCount, registry.nextHandler()));
        final Decision decision = new Decision(registry.cluster(), registry.epoch(), registry.epoch() + 1,
            members(registry.members()), List.of(new Grant(number, before == null ? 1 : before.incarnation() + 1,
            "n" + number, host.name, requestCount)), handlers);
        act(host, () -> host.agent.propose(decision, nowNs));
    }

    /** Now and then others, in any order: some come, some go. */
    private List<String> members(final List<String> members)
    {
        if (random.nextInt(3) != 0)
        {
            return members;
        }
        final List<String> changed = new ArrayList<>(members);
        final String host = any().name;
        if (!changed.remove(host) || changed.isEmpty())
        {
            changed.add(host);
        }
        return changed;
    }

    private void act(final Host host, final Runnable action)
    {
        try
        {
            action.run();
        }
        catch (final Crash ex)
        {
            crash(host);
        }
        if (host.observedEpoch != host.agent.registry().epoch())
        {
            host.observedEpoch = host.agent.registry().epoch();
            observe(host.agent.registry().snapshot());
        }
        if (!Objects.equals(host.observedSnapshot, host.storedSnapshot))
        {
            host.observedSnapshot = host.storedSnapshot;
            observe(host.storedSnapshot);
        }
    }

    private void crash(final Host host)
    {
        crashCount++;
        host.start();
    }

    /** At each epoch there is one decision. */
    private void observe(final Decision snapshot)
    {
        if (snapshot.epoch() != 0)
        {
            final Decision before = known.putIfAbsent(snapshot.epoch(), snapshot);
            require(before == null || before.equals(snapshot), "two decisions of one epoch", snapshot);
        }
    }

    private Host any()
    {
        return hosts.get(random.nextInt(hosts.size()));
    }

    private Host host(final String name)
    {
        return hosts.get(name.charAt(0) - 'a');
    }

    private static void require(final boolean isSo, final String what, final Object where)
    {
        if (!isSo)
        {
            throw new AssertionError(what + ": " + where);
        }
    }
}
