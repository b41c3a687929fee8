// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.grim.death.ShmDirectory;
import org.grim.network.registry.Registry;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Three hosts, one of which loses its power, its agent, its join or its cable again and again, then another one; or two
 * of which lose their power at a time and come back with nothing. No label has two members, and when it ends all three
 * are members of one cluster, each with its number.
 * {@code -Dreturns.seeds=1000} takes as many seeds.
 */
@Timeout(180)
final class HostReturnSimulationTest
{
    private static final int SEED_COUNT = Integer.getInteger("returns.seeds", 10);
    private static final int ROUND_COUNT = 3;
    private static final int RETURN_COUNT_MAX = 6;
    private static final long STEP_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(30);
    private static final long JOIN_NS = TimeUnit.SECONDS.toNanos(8);        // No node takes its number here.
    private static final List<String> LABELS = List.of("a", "b", "c");

    private final Path base = ShmDirectory.create();
    private HandMadeNetwork network;
    private Random random;
    private final Map<String, HandMadeHost> hosts = new TreeMap<>();
    private final List<HandMadeHost> all = new ArrayList<>();
    private int directoryCount;
    private long nowNs = SETTLE_NS;

    @AfterEach
    void delete()
    {
        ShmDirectory.delete(base);
    }

    @Test
    void shouldBeOneClusterOfAllHostsThatCameBack()
    {
        runSeeds(this::disturbOne);
    }

    @Test
    void shouldBeOneClusterOfAllHostsWhenTwoLosePowerAtATime()
    {
        runSeeds(this::disturbTwo);
    }

    private void runSeeds(final Runnable round)
    {
        for (long seed = 0; seed < SEED_COUNT; seed++)
        {
            try
            {
                run(seed, round);
            }
            catch (final AssertionError | RuntimeException ex)
            {
                throw new AssertionError("seed=" + seed + ": " + ex.getMessage(), ex);
            }
            finally
            {
                all.forEach(HandMadeHost::close);
                all.clear();
                hosts.clear();
            }
        }
    }

    private void run(final long seed, final Runnable round)
    {
        network = new HandMadeNetwork();
        random = new Random(seed);
        LABELS.forEach(label ->
        {
            startFresh(label);
            steps(TimeUnit.SECONDS.toNanos(1));
        });
        settle();
        for (int i = 0; i < ROUND_COUNT; i++)
        {
            round.run();
            settle();
        }
    }

    private void disturbOne()
    {
        final String label = LABELS.get(random.nextInt(LABELS.size()));
        for (int i = 1 + random.nextInt(RETURN_COUNT_MAX); i > 0; i--)
        {
            disturb(label);
            steps(random.nextInt(3) * TimeUnit.MILLISECONDS.toNanos(random.nextInt(4_000)));
        }
    }

    /** The third one, which alone has no majority, may lose its cable meanwhile; and what came back may die again. */
    private void disturbTwo()
    {
        for (int i = 1 + random.nextInt(RETURN_COUNT_MAX); i > 0; i--)
        {
            final List<String> victims = new ArrayList<>(LABELS);
            Collections.shuffle(victims, random);
            final String survivor = victims.remove(0);
            for (final String victim : victims)
            {
                hosts.get(victim).killAgent();
                steps(random.nextInt(2) * pauseNs());
            }
            steps(random.nextInt(2) * pauseNs());
            final boolean isCut = random.nextInt(3) == 0;
            HandMadeNetwork.part(hosts.get(survivor).group(), isCut ? 1 : 0);
            network.install();
            for (final String victim : victims)
            {
                startFresh(victim);
                steps(random.nextInt(2) * pauseNs());
            }
            HandMadeNetwork.part(hosts.get(survivor).group(), 0);
            network.install();
            steps(random.nextInt(2) * pauseNs());
        }
    }

    private long pauseNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(random.nextBoolean() ? random.nextInt(300) : random.nextInt(6_000));
    }

    private void disturb(final String label)
    {
        final HandMadeHost host = hosts.get(label);
        final long pauseNs = pauseNs();
        switch (random.nextInt(4))
        {
            case 0 ->
            {
                host.killAgent();
                steps(pauseNs);
                startFresh(label);
            }
            case 1 ->
            {
                host.killAgent();
                steps(pauseNs);
                host.beginAgent(network);
            }
            case 2 ->
            {
                host.agent().beginLeave();
                steps(random.nextBoolean() ? 0 : TimeUnit.SECONDS.toNanos(1));
                restart(label);
            }
            default ->
            {
                HandMadeNetwork.part(host.group(), 1);
                network.install();
                steps(pauseNs);
                HandMadeNetwork.part(hosts.get(label).group(), 0);
                network.install();
            }
        }
    }

    /** The next node of a fenced host makes its directory again. */
    private void restart(final String label)
    {
        final HandMadeHost host = hosts.get(label);
        final boolean isFenced = host.agent().endReason() != null;
        host.killAgent();
        if (isFenced)
        {
            startFresh(label);
        }
        else
        {
            host.beginAgent(network);
        }
    }

    private void startFresh(final String label)
    {
        try
        {
            final HandMadeHost host =
                new HandMadeHost(Files.createDirectory(base.resolve("life-" + directoryCount++)), label);
            hosts.put(label, host);
            all.add(host);
            host.joinTimeoutNs(JOIN_NS);
            host.makeDirectory();
            host.beginAgent(network);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private void settle()
    {
        for (final long endNs = nowNs + SETTLE_NS; nowNs < endNs && !isSettled();)
        {
            step();
        }
        hosts.forEach((label, host) ->
        {
            final Registry registry = host.agent().registry();
            assertEquals(hosts.values().stream().map(each -> each.agent().host()).sorted().toList(),
                registry.members().stream().sorted().toList(), () -> "members that host=" + label + " knows");
            assertEquals(hosts.get("a").agent().registry().cluster(), registry.cluster());
        });
    }

    private boolean isSettled()
    {
        return hosts.values().stream().allMatch(host -> host.agent().endReason() == null &&
            hosts.values().stream().allMatch(other -> hasNumber(other, host.agent().registry())) &&
            host.agent().registry().members().size() == hosts.size());
    }

    private static boolean hasNumber(final HandMadeHost host, final Registry registry)
    {
        return registry.members().contains(host.agent().host()) &&
            registry.grants().stream().anyMatch(grant -> grant.host().equals(host.agent().host()));
    }

    private void steps(final long durationNs)
    {
        for (final long endNs = nowNs + durationNs; nowNs < endNs;)
        {
            step();
        }
    }

    private void step()
    {
        nowNs += STEP_NS;
        for (final String label : LABELS)
        {
            final HandMadeHost host = hosts.get(label);
            if (host != null && host.agent() != null)
            {
                host.doWork(nowNs);
                if (host.agent().endReason() != null || host.agent().mustRestart())
                {
                    restart(label);
                }
                else if (nowNs % ASK_NS < STEP_NS && !hasNumber(host, host.agent().registry()))
                {
                    ask(host);
                }
                requireOneOfALabel(hosts.get(label).agent().registry());
            }
        }
    }

    /** Asks for the number of the host's node, as long as it has none. */
    private static void ask(final HandMadeHost host)
    {
        final byte[] request = new AgentMessage.Request(host.agent().host(), true, 1,
            "node-" + host.agent().host()).encode();
        host.group().send(null, request);
        host.agent().onMessage(host.group().self(), request);
    }

    private static void requireOneOfALabel(final Registry registry)
    {
        final List<String> labels = Neighbours.labels(registry.members());
        assertEquals(new HashSet<>(labels).size(), labels.size(), labels::toString);
    }
}
