// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

import org.grim.aeron.AeronSettings;
import org.grim.buffer.Uninterrupted;
import org.grim.campaign.history.Incarnation;
import org.grim.campaign.history.Ledger;
import org.grim.death.Faults;
import org.grim.network.namespaces.NetworkNamespaces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three hosts in network namespaces, three nodes each, which all send to all. One thing after the other goes wrong, and
 * is mended; each time there must be one cluster afterwards in which all live nodes are up, each sees the same, and
 * messages arrive from each at each. In the end a ledger compares what was accepted, delivered and reported.
 * <p>Thread: one. Owns: the hosts, and their processes.
 */
final class HostCampaign implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HostCampaign.class);
    private static final long LEAVE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(15);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int NODE_COUNT = 3;
    private static final long FAULT_MS_MAX = 6_000;
    private static final List<Integer> ALL_HOSTS = IntStream.range(0, HostNodes.HOST_COUNT).boxed().toList();

    final Faults faults = new Faults();
    final Ledger ledger = new Ledger(faults, HostCampaign::outlivesSender);
    private final Map<HostEvent, Integer> counts = new EnumMap<>(HostEvent.class);
    private final SplittableRandom random;
    private final NetworkNamespaces hosts = new NetworkNamespaces(HostNodes.HOST_COUNT + 1);
    private final HostNodes nodes;
    private final Convergence convergence;
    private final FailedJoins failedJoins;
    private final PowerLosses powerLosses;
    private final boolean hasKey;
    private final List<HostEvent> events;

    HostCampaign(final Path directory, final Path logs, final long seed, final List<HostEvent> events)
        throws IOException
    {
        this.events = new ArrayList<>(events);
        random = new SplittableRandom(seed);
        hasKey = random.nextBoolean();
        nodes = new HostNodes(hosts, ledger, directory, logs, random.split(),
            hasKey ? AeronSettings.keyFile(directory, "cluster.key", 1) : null, NODE_COUNT);
        convergence = new Convergence(nodes, ledger);
        failedJoins = new FailedJoins(
            nodes, faults, random.split(), AeronSettings.keyFile(directory, "strange.key", 2), hasKey);
        powerLosses = new PowerLosses(hosts, nodes, convergence, failedJoins, random.split());
    }

    /** Has everything go wrong once in an order by chance, then by chance, until the time is over. */
    void run(final long durationMs)
    {
        nodes.startHosts(ALL_HOSTS, Map.of());
        convergence.awaitOneCluster("the start");
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        Collections.shuffle(events, new Random(random.nextLong()));
        for (int i = 0; faults.total() == 0 && System.nanoTime() - endNs < 0; i++)
        {
            final HostEvent event = i < events.size() ? events.get(i) : events.get(random.nextInt(events.size()));
            counts.merge(event, 1, Integer::sum);
            final int host = random.nextInt(HostNodes.HOST_COUNT);
            LOGGER.info("{} host={}", event, host);
            happen(event, host);
            convergence.awaitOneCluster(event.toString());
        }
        nodes.live().forEach(process -> process.worker.tell("quiet"));
        convergence.awaitQuiet(nodes.live());
        settle();
        ledger.verify();
        leave(nodes.live());
    }

    /** {@return what happened, and how soon it was noticed} */
    String report()
    {
        return "key=" + hasKey + " events=" + counts + " " + powerLosses + " " + failedJoins + " accepted=" +
            ledger.acceptedCount() + " (" + ledger.acceptedLength() / 1_000_000 + " MB) delivered=" +
            ledger.deliveredCount() + " " + ledger.reports() + " " + nodes + " faults: " + faults + " " + convergence;
    }

    @Override
    public void close()
    {
        try (hosts; nodes)
        {
            LOGGER.info("the processes end");
        }
    }

    /** Memory of a host keeps what was published there; messages in flight to other hosts may be gone. */
    private static boolean outlivesSender(final Incarnation sender, final Incarnation receiver)
    {
        return !sender.isOut() && sender.host.equals(receiver.host);
    }

    private void happen(final HostEvent event, final int host)
    {
        switch (event)
        {
            case CUT ->
            {
                hosts.cut(host);
                awaitGoneOrMoment(host);
                hosts.heal(host);
            }
            case CUT_ONE_WAY ->
            {
                final int other = another(host);
                hosts.cutOneWay(host, other);
                moment();
                hosts.healOneWay(host, other);
            }
            case RESTART_WHILE_CUT ->
            {
                hosts.cut(host);
                final NodeProcess process = any(nodes.of(host));
                nodes.kill(List.of(process));
                nodes.start(host, process.name);
                moment();
                hosts.heal(host);
            }
            case KILL_AGENT -> killAndRestart("process with agent and driver", nodes.of(host).subList(0, 1));
            case KILL_NODE -> killAndRestart("process", List.of(anyButOldest(host)));
            case KILL_HOST -> killAndRestart("host", nodes.of(host));
            case KILL_COORDINATOR -> killAndRestart("host", nodes.of(nodes.live().get(0).host));
            case STOP_HOST -> stop(nodes.of(host), random.nextLong(FAULT_MS_MAX));
            case STOP_AGENT -> stop(nodes.of(host).subList(0, 1), random.nextLong(FAULT_MS_MAX));
            case STOP_NODE -> stop(List.of(anyButOldest(host)), random.nextLong(FAULT_MS_MAX));
            case STOP_HOST_3_S -> stop(nodes.of(host), TimeUnit.SECONDS.toMillis(3));
            case STOP_HOST_10_S -> stop(nodes.of(host), TimeUnit.SECONDS.toMillis(10));
            case STOP_HOST_60_S -> stop(nodes.of(host), TimeUnit.SECONDS.toMillis(60));
            case JOIN ->
            {
                final NodeProcess further = nodes.start(host, "further-" + host);
                convergence.awaitOneCluster("a further node");
                leave(List.of(further));
            }
            case LEAVE -> leaveAndRestart(List.of(any(nodes.of(host))));
            case LEAVE_HOST -> leaveAndRestart(nodes.of(host));
            case LOSE_POWER -> powerLosses.lose(List.of(host));
            case LOSE_POWER_AGAIN_AND_AGAIN -> powerLosses.loseAgainAndAgain(List.of(host));
            case LOSE_POWER_OF_TWO -> powerLosses.lose(List.of(host, another(host)));
            case START_ALL_WITHOUT_FILES -> startAllWithoutFiles();
            case START_ALL_WITH_FILES -> startAllWithFiles();
            case FAILED_JOINS -> failJoins();
            case FULL_DISK -> fillDisk(host);
        }
    }

    private void startAllWithoutFiles()
    {
        nodes.losePower(ALL_HOSTS);
        ledger.forgetHandlers();
        ALL_HOSTS.forEach(hosts::restorePower);
        nodes.startHosts(ALL_HOSTS, Map.of());
    }

    private void startAllWithFiles()
    {
        nodes.kill(nodes.live());
        nodes.startHosts(ALL_HOSTS, Map.of());
    }

    private void failJoins()
    {
        failedJoins.failAll();
        final NodeProcess guest = nodes.start(HostNodes.GUEST, "guest");
        convergence.awaitOneCluster("a host that failed to join, and joined");
        if (random.nextBoolean())
        {
            leave(List.of(guest));
        }
        else
        {
            nodes.losePower(List.of(HostNodes.GUEST));
            hosts.restorePower(HostNodes.GUEST);
        }
    }

    /** Two nodes restart meanwhile, one of that host: its agent has to write down who belongs to the cluster. */
    private void fillDisk(final int host)
    {
        final List<NodeProcess> victims = List.of(anyButOldest(host), anyButOldest(another(host)));
        nodes.disk(host).fill();
        nodes.kill(victims);
        victims.forEach(victim -> nodes.start(victim.host, victim.name));
        moment();
        nodes.disk(host).free();
    }

    private int another(final int host)
    {
        return (host + 1 + random.nextInt(HostNodes.HOST_COUNT - 1)) % HostNodes.HOST_COUNT;
    }

    private NodeProcess any(final List<NodeProcess> processes)
    {
        return processes.get(random.nextInt(processes.size()));
    }

    private NodeProcess anyButOldest(final int host)
    {
        final List<NodeProcess> processes = nodes.of(host);
        return any(processes.subList(1, processes.size()));
    }

    private void killAndRestart(final String what, final List<NodeProcess> victims)
    {
        final List<Incarnation> gone = victims.stream().map(victim -> victim.worker.current()).toList();
        final long startNs = System.nanoTime();
        nodes.kill(victims);
        if (random.nextInt(4) > 0)
        {
            convergence.awaitGone(what, gone, victims.get(0).host, startNs);
        }
        if (victims.size() > 1)
        {
            convergence.returnTimes.begin("host killed, directory kept",
                nodes.startHosts(List.of(victims.get(0).host), Map.of()));
        }
        else
        {
            convergence.returnTimes.begin(what + " killed, directory kept",
                List.of(nodes.start(victims.get(0).host, victims.get(0).name)));
        }
    }

    private void leaveAndRestart(final List<NodeProcess> leaving)
    {
        leave(leaving);
        leaving.forEach(process -> nodes.start(process.host, process.name));
    }

    private void leave(final List<NodeProcess> leaving)
    {
        nodes.leave(leaving);
        for (final NodeProcess process : leaving)
        {
            if (!process.hasLeft(LEAVE_NS))
            {
                faults.add(Faults.Kind.HUNG, 1, process + " does not leave");
            }
            process.close();
        }
    }

    private void stop(final List<NodeProcess> stopped, final long durationMs)
    {
        stopped.forEach(process -> process.worker.jvm.stop());
        convergence.pause(durationMs);
        stopped.forEach(process -> process.worker.jvm.resume());
    }

    /** So short that nobody notices, or so long that all do. */
    private void moment()
    {
        convergence.pause(random.nextLong(FAULT_MS_MAX));
    }

    private void awaitGoneOrMoment(final int host)
    {
        if (random.nextInt(3) == 0)
        {
            moment();
        }
        else
        {
            convergence.awaitGone("cable", nodes.of(host).stream().map(process -> process.worker.current()).toList(),
                host, System.nanoTime());
        }
    }

    /** Until everything is accounted for, or nothing has changed for long. */
    private void settle()
    {
        int openCount = ledger.openCount();
        long changedNs = System.nanoTime();
        while (openCount > 0 && System.nanoTime() - changedNs < SETTLE_NS)
        {
            Uninterrupted.park(LOOK_NS);
            final int count = ledger.openCount();
            changedNs = count == openCount ? changedNs : System.nanoTime();
            openCount = count;
        }
    }
}
