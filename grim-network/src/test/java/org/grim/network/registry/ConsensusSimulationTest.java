// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Hosts that propose against each other while messages are lost, repeated and reordered, links are cut and agents die:
 * at most one decision follows another, no number and no id is given twice; and when that ends, they agree again.
 */
final class ConsensusSimulationTest
{
    private static final int HOST_COUNT = 5;
    private static final int STEP_COUNT = 6_000;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final List<String> hosts = List.of("a", "b", "c", "d", "e");
    private final Map<String, Consensus> agents = new HashMap<>();
    private final Map<String, Pledge> pledges = new HashMap<>();
    private final Map<String, Decision> snapshots = new HashMap<>();
    private final List<Letter> network = new ArrayList<>();
    private final Map<Long, Set<String>> decidedByEpoch = new TreeMap<>();
    private final Map<String, Integer> part = new HashMap<>();
    private long nowNs;
    private int requestCount;

    private record Letter(String from, String to, ConsensusMessage message)
    {
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    void shouldDecideEachStepOnce(final long seed)
    {
        final Random random = new Random(seed);
        hosts.forEach(this::start);
        agents.get("a").begin("cluster");
        observe("a");

        for (int step = 0; step < STEP_COUNT; step++)
        {
            disturb(random);
            proposeSometimes(random);
            deliver(random, 0.2, 0.05);
        }
        final long epochBefore = agents.values().stream().mapToLong(each -> each.registry().epoch()).max().orElse(0);
        part.clear();
        heal();

        assertTrue(epochBefore > 30, () -> "seed=" + seed + " epochs=" + epochBefore);
        final Decision first = agents.get("a").registry().snapshot();
        hosts.forEach(host -> assertEquals(first, agents.get(host).registry().snapshot(), () -> "seed=" + seed));
        assertTrue(first.epoch() > epochBefore, () -> "seed=" + seed + " " + first);
        requireUnique(seed);
    }

    @Test
    void shouldKeepHalfWithTheOldestAndRefuseTheOtherHalf()
    {
        final List<String> members = List.of("a", "b", "c", "d");

        assertTrue(Decision.isMajority(members, Set.of("a", "c")));
        assertFalse(Decision.isMajority(members, Set.of("b", "d")));
        assertTrue(Decision.isMajority(members, Set.of("b", "c", "d")));
        assertFalse(Decision.isMajority(members, Set.of("a", "x", "y", "z")));
        assertFalse(Decision.isMajority(List.of(), Set.of()));
        assertTrue(Decision.isMajority(List.of("a"), Set.of("a")));
    }

    private void start(final String host)
    {
        final Registry registry = new Registry();
        if (snapshots.get(host) != null)
        {
            registry.apply(snapshots.get(host));
        }
        agents.put(host, new Consensus(host, registry, pledges.getOrDefault(host, Pledge.NONE),
            (snapshot, pledge) ->
            {
                snapshots.put(host, snapshot);
                pledges.put(host, pledge);
            },
            (to, message) ->
            {
                for (final String each : hosts)
                {
                    if (to == null ? !each.equals(host) : each.equals(to))
                    {
                        network.add(new Letter(host, each, message));
                    }
                }
            }));
    }

    private void disturb(final Random random)
    {
        final int what = random.nextInt(1_000);
        if (what < 4)
        {
            hosts.forEach(host -> part.put(host, random.nextInt(2)));
        }
        else if (what < 8)
        {
            part.clear();
        }
        else if (what < 18)
        {
            start(hosts.get(random.nextInt(HOST_COUNT)));          // The agent died; its successor reads what it kept.
        }
    }

    private void proposeSometimes(final Random random)
    {
        nowNs += STEP_NS;
        for (final String host : hosts)
        {
            final Consensus agent = agents.get(host);
            agent.step(nowNs);
            if (agent.registry().epoch() != 0 && agent.isIdle() && random.nextInt(60) == 0)
            {
                propose(agent, host, members(random, agent.registry().members()));
            }
        }
    }

    /** Now and then other members: those that this host can reach, as a coordinator would propose. */
    private List<String> members(final Random random, final List<String> members)
    {
        if (random.nextInt(3) != 0)
        {
            return members;
        }
        final List<String> changed = new ArrayList<>(hosts);
        changed.removeIf(host -> random.nextInt(4) == 0);
        return changed.isEmpty() ? members : changed;
    }

    private void propose(final Consensus agent, final String host, final List<String> members)
    {
        final Registry registry = agent.registry();
        requestCount++;
        final int number = requestCount % 7;
        final Grant before = registry.grant(number);
        agent.propose(new Decision(registry.cluster(), registry.epoch(), registry.epoch() + 1, members,
            List.of(new Grant(number, before == null ? 1 : before.incarnation() + 1, "n" + number, host, requestCount)),
            List.of(new HandlerName("h" + requestCount, registry.nextHandler()))), nowNs);
    }

    private void deliver(final Random random, final double lossShare, final double repeatShare)
    {
        for (int count = Math.min(network.size(), 12); count > 0; count--)
        {
            final Letter letter = network.remove(random.nextInt(network.size()));
            final boolean isCut = !part.getOrDefault(letter.from(), 0).equals(part.getOrDefault(letter.to(), 0));
            if (isCut || random.nextDouble() < lossShare)
            {
                continue;
            }
            if (random.nextDouble() < repeatShare)
            {
                network.add(letter);
            }
            agents.get(letter.to()).onMessage(letter.from(), letter.message());
            observe(letter.to());
        }
    }

    /** Each host's chain must be the same chain: what is known at an epoch is known once. */
    private void observe(final String host)
    {
        final Decision snapshot = agents.get(host).registry().snapshot();
        decidedByEpoch.computeIfAbsent(snapshot.epoch(), key -> new HashSet<>()).add(snapshot.toString());
    }

    private void heal()
    {
        final Random random = new Random(1);
        final String coordinator = agents.entrySet().stream().max((one, two) -> Long.compare(
            one.getValue().registry().epoch(), two.getValue().registry().epoch())).orElseThrow().getKey();
        hosts.stream().filter(host -> !host.equals(coordinator)).forEach(host -> agents.get(host).abandon());
        for (int i = 0; i < 2_000; i++)
        {
            nowNs += STEP_NS;
            final Consensus agent = agents.get(coordinator);
            if (i % 100 == 0 && agent.isIdle())
            {
                propose(agent, coordinator, hosts);
            }
            agent.step(nowNs);
            deliver(random, 0, 0);
        }
        while (!network.isEmpty())
        {
            deliver(random, 0, 0);
        }
    }

    private void requireUnique(final long seed)
    {
        decidedByEpoch.forEach((epoch, decided) ->
            assertTrue(epoch == 0 || decided.size() == 1, () -> "seed=" + seed + " epoch=" + epoch + " " + decided));
    }
}
