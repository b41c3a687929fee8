// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.lang.management.ManagementFactory;
import java.lang.management.OperatingSystemMXBean;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

import org.grim.buffer.Uninterrupted;
import org.grim.campaign.history.Incarnation;
import org.grim.campaign.history.Ledger;
import org.grim.death.Faults;

/** Waits until the nodes are of one mind; it is a fault if that does not come in time. Thread: the campaign's. */
final class Convergence
{
    /** After the last event every live node must be up in one cluster within that time, without a hand. */
    private static final long CONVERGENCE_NS = TimeUnit.SECONDS.toNanos(30);
    /** Also for convergence, as long as so many threads want to run that JVMs take half a minute to start. */
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(90);
    private static final int LOAD_PER_CORE_MAX = 4;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(20);

    final ReturnTimes returnTimes = new ReturnTimes();
    private final DeathTimes deathTimes = new DeathTimes();
    private final Times clusterTimes = new Times();
    private final HostNodes nodes;
    private final Ledger ledger;
    private final Faults faults;

    Convergence(final HostNodes nodes, final Ledger ledger)
    {
        this.nodes = nodes;
        this.ledger = ledger;
        faults = ledger.faults;
    }

    /** Until all are up, each sees so, and nobody else, and messages arrive from each at each. */
    void awaitOneCluster(final String after)
    {
        final long startNs = System.nanoTime();
        nodes.live().forEach(process -> process.worker.askAfresh());
        await("one cluster after " + after, nodes.live(), CONVERGENCE_NS, () ->
        {
            final Set<String> expected =
                nodes.live().stream().map(NodeProcess::identity).collect(Collectors.toSet());
            return !expected.contains("") && nodes.live().stream().allMatch(process ->
                expected.equals(process.worker.sight()));
        });
        clusterTimes.add("all", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
        ledger.forgetPairs();
        await("messages between all after " + after, nodes.live(), PATIENCE_NS, () -> silentPairs().isEmpty());
    }

    /** Until all nodes of other hosts know that these are gone. */
    void awaitGone(final String what, final List<Incarnation> gone, final int host, final long startNs)
    {
        final List<NodeProcess> others = nodes.live().stream().filter(process -> process.host != host).toList();
        final List<Incarnation> survivors = others.stream().map(process -> process.worker.current()).toList();
        await("known elsewhere that " + gone + " are gone", others, PATIENCE_NS, () ->
            survivors.stream().allMatch(survivor -> !survivor.isLive() ||
            gone.stream().allMatch(node -> survivor.goneNs(node.packed) != null)));
        deathTimes.add(what, gone, survivors, startNs);
    }

    /** Until these send nothing any more. */
    void awaitQuiet(final List<NodeProcess> quiet)
    {
        await("quiet after the last sends", quiet, PATIENCE_NS, () -> quiet.stream().allMatch(NodeProcess::isQuiet));
    }

    /** Lets time pass; nodes that were fenced or refused join again meanwhile. */
    void pause(final long durationMs)
    {
        final long endNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(durationMs);
        while (endNs - System.nanoTime() > 0)
        {
            look();
            Uninterrupted.park(Math.min(LOOK_NS, Math.max(1, endNs - System.nanoTime())));
        }
    }

    @Override
    public String toString()
    {
        return "ms until other hosts knew: " + deathTimes + "; ms from start until up and seen by all: " + returnTimes +
            "; ms until one cluster: " + clusterTimes;
    }

    private void await(
        final String what, final List<NodeProcess> asked, final long limitNs, final BooleanSupplier check)
    {
        final long startNs = System.nanoTime();
        while (faults.total() == 0 && !check.getAsBoolean())
        {
            final long waitedNs = System.nanoTime() - startNs;
            if (waitedNs >= limitNs && (waitedNs >= PATIENCE_NS || !isMachineBusy()))
            {
                faults.add(Faults.Kind.UNRESOLVED, 1, "not " + what + " within " +
                    TimeUnit.NANOSECONDS.toSeconds(waitedNs) + " s: " + asked.stream()
                    .map(NodeProcess::toString).collect(Collectors.joining("\n")) + "\nsilent: " + silentPairs() +
                    nodes.registries());
                return;
            }
            look();
            Uninterrupted.park(LOOK_NS);
        }
    }

    private static boolean isMachineBusy()
    {
        final OperatingSystemMXBean system = ManagementFactory.getOperatingSystemMXBean();
        return system.getSystemLoadAverage() > LOAD_PER_CORE_MAX * system.getAvailableProcessors();
    }

    private void look()
    {
        nodes.restartEnded(faults);
        nodes.live().stream().filter(process -> process.worker.hasAnswered()).forEach(process -> process.worker.ask());
        returnTimes.look(nodes.live(), System.nanoTime());
    }

    private List<String> silentPairs()
    {
        final List<Incarnation> all = nodes.live().stream().map(process -> process.worker.current()).toList();
        return all.contains(null) ? List.of("not all are up") : all.stream().flatMap(sender -> all.stream()
            .filter(receiver -> receiver != sender && !ledger.hasArrived(sender, receiver))
            .map(receiver -> sender.name + " to " + receiver.name)).toList();
    }
}
