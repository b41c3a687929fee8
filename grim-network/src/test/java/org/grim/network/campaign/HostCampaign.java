// SPDX-License-Identifier: Apache-2.0
package org.grim.network.campaign;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.grim.buffer.Uninterrupted;
import org.grim.death.Faults;
import org.grim.network.namespaces.NetworkNamespaces;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Three hosts in network namespaces, two nodes each. One thing after the other goes wrong, and is mended; each time
 * there must be one cluster afterwards in which all live nodes are up, and each sees the same.
 * <p>Thread: one. Owns: the hosts, and their processes.
 */
final class HostCampaign implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HostCampaign.class);
    private static final int HOST_COUNT = 3;
    private static final int NODE_COUNT = 2;
    private static final int PORT = 7_900;
    private static final long CONVERGENCE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long FAULT_MS_MAX = 6_000;

    final Faults faults = new Faults();
    final Ledger ledger = new Ledger(faults);
    private final Map<Event, Integer> counts = new EnumMap<>(Event.class);
    private final Map<Event, List<Long>> goneMs = new EnumMap<>(Event.class);
    private final SplittableRandom random;
    private final Path directory;
    private final Path logs;
    private final NetworkNamespaces hosts = new NetworkNamespaces(HOST_COUNT);
    private final List<NodeProcess> live = new ArrayList<>();       // Who has run for longest comes first.

    /** What goes wrong. */
    enum Event
    {
        /** A cable is unplugged. */
        CUT,
        /** Of two hosts one does not hear the other. */
        CUT_ONE_WAY,
        /** A cable is unplugged, and a node of that host dies and begins anew meanwhile. */
        RESTART_WHILE_CUT,
        /** The oldest process of a host, which runs the agent, is killed. */
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
        /** A node leaves. */
        LEAVE,
        /** All nodes of a host leave at once. */
        LEAVE_HOST
    }

    HostCampaign(final Path directory, final Path logs, final long seed)
    {
        this.directory = directory;
        this.logs = logs;
        random = new SplittableRandom(seed);
    }

    /** Has everything go wrong once, and then by chance until the time is over. */
    void run(final long durationMs)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        startHost(0);                           // Hosts that begin at the same moment may begin two clusters.
        awaitOneCluster("the first host's start");
        IntStream.range(1, HOST_COUNT).forEach(this::startHost);
        awaitOneCluster("the start");
        final Event[] events = Event.values();
        for (int i = 0; faults.total() == 0 && (i < events.length || System.nanoTime() - endNs < 0); i++)
        {
            final Event event = i < events.length ? events[i] : events[random.nextInt(events.length)];
            counts.merge(event, 1, Integer::sum);
            happen(event, random.nextInt(HOST_COUNT));
            awaitOneCluster(event.toString());
        }
    }

    /** {@return what happened, and how soon it was noticed} */
    String report()
    {
        return "events=" + counts + " " + ledger + " faults: " + faults + " times to gone (ms): " +
            goneMs.entrySet().stream().map(entry -> entry.getKey() + " p50=" +
            entry.getValue().stream().sorted().skip(entry.getValue().size() / 2).findFirst().orElseThrow() + " max=" +
            entry.getValue().stream().max(Long::compare).orElseThrow()).collect(Collectors.joining(", "));
    }

    @Override
    public void close()
    {
        live.forEach(NodeProcess::close);
        hosts.close();
    }

    private void happen(final Event event, final int host)
    {
        LOGGER.info("{} host={}", event, host);
        switch (event)
        {
            case CUT ->
            {
                hosts.cut(host);
                awaitGoneOrMoment(event, host);
                hosts.heal(host);
            }
            case CUT_ONE_WAY ->
            {
                final int other = (host + 1 + random.nextInt(HOST_COUNT - 1)) % HOST_COUNT;
                hosts.cutOneWay(host, other);
                moment();
                hosts.healOneWay(host, other);
            }
            case RESTART_WHILE_CUT ->
            {
                hosts.cut(host);
                final NodeProcess node = of(host).get(random.nextInt(NODE_COUNT));
                kill(List.of(node));
                start(host, node.name);
                moment();
                hosts.heal(host);
            }
            case KILL_AGENT -> killAndRestart(event, of(host).subList(0, 1));
            case KILL_NODE -> killAndRestart(event, of(host).subList(1, NODE_COUNT));
            case KILL_HOST -> killAndRestart(event, of(host));
            case KILL_COORDINATOR -> killAndRestart(event, of(live.get(0).host));
            case STOP_HOST -> stop(of(host));
            case STOP_AGENT -> stop(of(host).subList(0, 1));
            case LEAVE -> leaveAndRestart(of(host).subList(0, 1));
            case LEAVE_HOST -> leaveAndRestart(of(host));
        }
    }

    private void startHost(final int host)
    {
        IntStream.range(0, NODE_COUNT).forEach(node -> start(host, "node-" + host + "-" + node));
    }

    private void start(final int host, final String name)
    {
        live.add(new NodeProcess(host, name, logs.resolve(name + ".log"), command -> hosts.on(host, command),
            ledger::onLine, directory.resolve("host-" + host).toString(), "host-" + host, name, address(host),
            IntStream.range(0, HOST_COUNT).mapToObj(this::address).collect(Collectors.joining(","))));
    }

    private String address(final int host)
    {
        return hosts.address(host) + ":" + PORT;
    }

    private List<NodeProcess> of(final int host)
    {
        return live.stream().filter(process -> process.host == host).toList();
    }

    private void killAndRestart(final Event event, final List<NodeProcess> victims)
    {
        final long startNs = System.nanoTime();
        kill(victims);
        final boolean isHost = victims.size() == NODE_COUNT;
        awaitGone(event, victims, startNs);
        if (isHost && random.nextBoolean())
        {
            moment();
        }
        victims.forEach(victim -> start(victim.host, victim.name));
    }

    private void kill(final Collection<NodeProcess> victims)
    {
        live.removeAll(victims);
        victims.forEach(victim -> victim.jvm.kill());
        victims.forEach(NodeProcess::close);
    }

    private void leaveAndRestart(final List<NodeProcess> leaving)
    {
        live.removeAll(leaving);
        leaving.forEach(NodeProcess::leave);
        for (final NodeProcess process : leaving)
        {
            if (!process.jvm.hasEnded(CONVERGENCE_NS) || process.jvm.process().exitValue() != 0)
            {
                faults.add(Faults.Kind.HUNG, 1, process.name + " does not leave: " + process.last());
            }
            process.close();
        }
        leaving.forEach(process -> start(process.host, process.name));
    }

    private void stop(final List<NodeProcess> stopped)
    {
        stopped.forEach(process -> process.jvm.stop());
        moment();
        stopped.forEach(process -> process.jvm.resume());
    }

    /** So short that nobody notices, or so long that all do. */
    private void moment()
    {
        Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(random.nextLong(FAULT_MS_MAX)));
    }

    private void awaitGoneOrMoment(final Event event, final int host)
    {
        if (random.nextInt(3) == 0)
        {
            moment();
        }
        else
        {
            awaitGone(event, of(host), System.nanoTime());
        }
    }

    /** Until no node of another host sees them. */
    private void awaitGone(final Event event, final List<NodeProcess> gone, final long startNs)
    {
        final List<String> identities = gone.stream().map(NodeProcess::identity).toList();
        final List<NodeProcess> others = live.stream().filter(process -> process.host != gone.get(0).host).toList();
        await(event + ": gone=" + identities, others, () -> others.stream().allMatch(process ->
            process.view() != null && identities.stream().noneMatch(views(process)::contains)));
        goneMs.computeIfAbsent(event, key -> new ArrayList<>())
            .add(TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
    }

    /** Until everybody is up, and everybody sees so, and nobody else. */
    private void awaitOneCluster(final String after)
    {
        await("one cluster after " + after, live, () ->
        {
            final List<String> expected = live.stream().map(NodeProcess::identity).sorted().toList();
            return !expected.contains("") && live.stream().allMatch(process -> expected.equals(views(process)));
        });
    }

    private void await(final String what, final List<NodeProcess> asked, final BooleanSupplier check)
    {
        final long deadlineNs = System.nanoTime() + CONVERGENCE_NS;
        asked.forEach(this::ask);
        boolean isSo = check.getAsBoolean();
        while (!isSo && faults.total() == 0)
        {
            if (System.nanoTime() - deadlineNs >= 0)
            {
                faults.add(Faults.Kind.UNRESOLVED, 1, "not " + what + " within " +
                    TimeUnit.NANOSECONDS.toSeconds(CONVERGENCE_NS) + " s: " + asked.stream().map(process ->
                    process.identity() + " sees " + process.lastView() + " last " + process.last())
                    .collect(Collectors.joining("\n")));
                return;
            }
            Uninterrupted.park(LOOK_NS);
            isSo = check.getAsBoolean();
            if (!isSo && asked.stream().allMatch(process -> process.view() != null))
            {
                asked.forEach(this::ask);
            }
        }
    }

    private void ask(final NodeProcess process)
    {
        if (process.jvm.process().isAlive())
        {
            process.ask();
        }
        else
        {
            faults.add(Faults.Kind.CRASHED, 1, process.name + " ended: " + process.jvm.process().exitValue());
        }
    }

    private static List<String> views(final NodeProcess process)
    {
        final String view = process.view();
        return view == null ? List.of() : Arrays.stream(view.split(",", -1)).sorted().toList();
    }
}
