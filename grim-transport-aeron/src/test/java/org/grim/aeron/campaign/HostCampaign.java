// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

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
    private static final long CONVERGENCE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long SETTLE_NS = TimeUnit.SECONDS.toNanos(15);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final long FAULT_MS_MAX = 6_000;

    final Faults faults = new Faults();
    final Ledger ledger = new Ledger(faults, HostCampaign::outlivesSender);
    private final Map<Event, Integer> counts = new EnumMap<>(Event.class);
    private final DeathTimes deathTimes = new DeathTimes();
    private final SplittableRandom random;
    private final NetworkNamespaces hosts = new NetworkNamespaces(HostNodes.HOST_COUNT);
    private final HostNodes nodes;

    /** What goes wrong. */
    enum Event
    {
        /** A cable is unplugged. */
        CUT,
        /** Of two hosts one does not hear the other. */
        CUT_ONE_WAY,
        /** A cable is unplugged, and a node of that host dies and begins anew meanwhile. */
        RESTART_WHILE_CUT,
        /** The oldest process of a host, which runs the agent and the media driver, is killed. */
        KILL_AGENT,
        /** Another process of a host is killed. */
        KILL_NODE,
        /** All processes of a host are killed at once. */
        KILL_HOST,
        /** All processes of the oldest host, which has the coordinator, are killed at once. */
        KILL_COORDINATOR,
        /** All processes of a host are stopped for a while. */
        STOP_HOST,
        /** A host's agent is stopped for a while. */
        STOP_AGENT,
        /** Another process of a host is stopped for a while. */
        STOP_NODE,
        /** A further node joins, and leaves. */
        JOIN,
        /** A node leaves. */
        LEAVE,
        /** All nodes of a host leave at once. */
        LEAVE_HOST
    }

    HostCampaign(final Path directory, final Path logs, final long seed)
    {
        random = new SplittableRandom(seed);
        nodes = new HostNodes(hosts, ledger, directory, logs, random.split());
    }

    /** Has everything go wrong once, and then by chance until the time is over. */
    void run(final long durationMs)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        IntStream.range(0, HostNodes.HOST_COUNT).forEach(nodes::startHost);
        awaitOneCluster("the start");
        final Event[] events = Event.values();
        for (int i = 0; faults.total() == 0 && (i < events.length || System.nanoTime() - endNs < 0); i++)
        {
            final Event event = i < events.length ? events[i] : events[random.nextInt(events.length)];
            counts.merge(event, 1, Integer::sum);
            happen(event, random.nextInt(HostNodes.HOST_COUNT));
            awaitOneCluster(event.toString());
        }
        nodes.live().forEach(process -> process.worker.tell("quiet"));
        await("quiet after the last sends", nodes.live(), () -> nodes.live().stream().allMatch(NodeProcess::isQuiet));
        settle();
        ledger.verify();
        leave(nodes.live());
    }

    /** {@return what happened, and how soon it was noticed} */
    String report()
    {
        return "events=" + counts + " accepted=" + ledger.acceptedCount() + " (" +
            ledger.acceptedLength() / 1_000_000 + " MB) delivered=" + ledger.deliveredCount() + " " +
            ledger.reports() + " " + nodes + " faults: " + faults + " ms until other hosts knew: " + deathTimes;
    }

    @Override
    public void close()
    {
        nodes.close();
        hosts.close();
    }

    /** Memory of a host keeps what was published there; what was on its way to other hosts may be gone. */
    private static boolean outlivesSender(final Incarnation sender, final Incarnation receiver)
    {
        return !sender.isOut() && sender.host.equals(receiver.host);
    }

    private void happen(final Event event, final int host)
    {
        LOGGER.info("{} host={}", event, host);
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
                final int other = (host + 1 + random.nextInt(HostNodes.HOST_COUNT - 1)) % HostNodes.HOST_COUNT;
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
            case STOP_HOST -> stop(nodes.of(host));
            case STOP_AGENT -> stop(nodes.of(host).subList(0, 1));
            case STOP_NODE -> stop(List.of(anyButOldest(host)));
            case JOIN ->
            {
                final NodeProcess further = nodes.start(host, "further-" + host);
                awaitOneCluster("a further node");
                leave(List.of(further));
            }
            case LEAVE -> leaveAndRestart(List.of(any(nodes.of(host))));
            case LEAVE_HOST -> leaveAndRestart(nodes.of(host));
        }
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
        awaitGone(what, gone, victims.get(0).host, startNs);
        if (victims.size() > 1 && random.nextBoolean())
        {
            moment();
        }
        victims.forEach(victim -> nodes.start(victim.host, victim.name));
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
            if (!process.hasLeft(CONVERGENCE_NS))
            {
                faults.add(Faults.Kind.HUNG, 1, process + " does not leave");
            }
            process.close();
        }
    }

    private void stop(final List<NodeProcess> stopped)
    {
        stopped.forEach(process -> process.worker.jvm.stop());
        moment();
        stopped.forEach(process -> process.worker.jvm.resume());
    }

    /** So short that nobody notices, or so long that all do. */
    private void moment()
    {
        Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(random.nextLong(FAULT_MS_MAX)));
    }

    private void awaitGoneOrMoment(final int host)
    {
        if (random.nextInt(3) == 0)
        {
            moment();
        }
        else
        {
            awaitGone("cable", nodes.of(host).stream().map(process -> process.worker.current()).toList(), host,
                System.nanoTime());
        }
    }

    /** Until all nodes of other hosts know that these are gone. */
    private void awaitGone(final String what, final List<Incarnation> gone, final int host, final long startNs)
    {
        final List<NodeProcess> others = nodes.live().stream().filter(process -> process.host != host).toList();
        final List<Incarnation> survivors = others.stream().map(process -> process.worker.current()).toList();
        await("known elsewhere that " + gone + " are gone", others, () -> survivors.stream().allMatch(survivor ->
            !survivor.isLive() || gone.stream().allMatch(node -> survivor.goneNs(node.packed) != null)));
        deathTimes.add(what, gone, survivors, startNs);
    }

    /** Until all are up, each sees so, and nobody else, and messages arrive from each at each. */
    private void awaitOneCluster(final String after)
    {
        await("one cluster after " + after, nodes.live(), () ->
        {
            final Set<String> expected =
                nodes.live().stream().map(NodeProcess::identity).collect(Collectors.toSet());
            return !expected.contains("") && nodes.live().stream().allMatch(process ->
                expected.equals(process.worker.sight()));
        });
        ledger.forgetPairs();
        await("messages between all after " + after, nodes.live(), () -> silentPairs().isEmpty());
    }

    private List<String> silentPairs()
    {
        final List<Incarnation> all = nodes.live().stream().map(process -> process.worker.current()).toList();
        return all.contains(null) ? List.of("not all are up") : all.stream().flatMap(sender -> all.stream()
            .filter(receiver -> receiver != sender && !ledger.hasArrived(sender, receiver))
            .map(receiver -> sender.name + " to " + receiver.name)).toList();
    }

    private void await(final String what, final List<NodeProcess> asked, final BooleanSupplier check)
    {
        final long deadlineNs = System.nanoTime() + CONVERGENCE_NS;
        asked.forEach(process -> process.worker.ask());
        boolean isSo = check.getAsBoolean();
        while (!isSo && faults.total() == 0)
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                faults.add(Faults.Kind.UNRESOLVED, 1, "not " + what + " within " +
                    TimeUnit.NANOSECONDS.toSeconds(CONVERGENCE_NS) + " s: " + asked.stream()
                    .map(NodeProcess::toString).collect(Collectors.joining("\n")) + "\nsilent: " + silentPairs());
                return;
            }
            nodes.restartEnded(faults);
            Uninterrupted.park(LOOK_NS);
            isSo = check.getAsBoolean();
            if (!isSo && asked.stream().allMatch(process -> process.worker.sight() != null))
            {
                asked.forEach(process -> process.worker.ask());
            }
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
