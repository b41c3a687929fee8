// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.cluster.HostDirectory;
import org.grim.network.registry.Decision;
import org.grim.network.registry.Grant;
import org.grim.network.registry.Registry;
import org.grim.network.status.ClusterRestart;
import org.grim.network.status.ClusterRestart.GivenUpHost;
import org.grim.network.status.ClusterRestart.GivenUpNode;

/**
 * Whether the members that are here may go on by themselves after the majority was lost.
 * <p>Thread: the agent's. Owns nothing: it looks at what the agent knows.
 */
final class MajorityLoss
{
    private final HostDirectory directory;
    private final NetworkSettings settings;
    private final String self;
    private final Registry registry;
    private final Neighbours neighbours;
    private final Group group;

    /** Reason against going on; one that passes is worth waiting for. */
    record Obstacle(String reason, boolean isPassing)
    {
    }

    MajorityLoss(
        final HostDirectory directory, final NetworkSettings settings, final String self, final Registry registry,
        final Neighbours neighbours, final Group group)
    {
        this.directory = directory;
        this.settings = settings;
        this.self = self;
        this.registry = registry;
        this.neighbours = neighbours;
        this.group = group;
    }

    /**
     * Checks whether each absent member has a successor here: a host of its label that is none of the members. Then all
     * absent ones are gone for good, and no host is left that could decide, or could know a decision that is unknown
     * here.
     */
    boolean areAllSucceeded(final Collection<String> absent)
    {
        return !absent.isEmpty() && absent.stream().allMatch(this::isSucceeded);
    }

    private boolean isSucceeded(final String absent)
    {
        final boolean[] isFound = {false};
        neighbours.forEach((address, hello) -> isFound[0] |= hello.label().equals(NumberAllocator.label(absent)) &&
            !hello.isMember() && !registry.members().contains(hello.host()) &&
            (hello.cluster().isEmpty() || hello.cluster().equals(registry.cluster())) &&
            hello.nodeCountMax() == directory.nodeCountMax());
        return isFound[0];
    }

    /**
     * Finds what is against it that this host restarts the cluster now.
     *
     * @param rest     members that would go on, the oldest first.
     * @param absentNs members that are not here, with the nanoseconds since they were seen last.
     * @return null if nothing is.
     */
    Obstacle obstacle(final List<String> rest, final Map<String, Long> absentNs)
    {
        if (registry.epoch() == 0)
        {
            return new Obstacle("host=" + NumberAllocator.label(self) + " is in no cluster", false);
        }
        if (!neighbours.areHeard())
        {
            return new Obstacle("hosts=" + neighbours.unheard() + " have not answered since the group changed", true);
        }
        if (Decision.isMajority(registry.members(), neighbours.hosts()))
        {
            return new Obstacle("hosts=" + Neighbours.labels(neighbours.hosts()) + " are a majority of members=" +
                Neighbours.labels(registry.members()) + ", and take out who is gone by themselves", false);
        }
        if (neighbours.latestEpochOf(registry.cluster()) > registry.epoch())
        {
            return new Obstacle("another host knows a later decision, which has not arrived yet", true);
        }
        if (rest.isEmpty() || !rest.get(0).equals(self))
        {
            return new Obstacle(rest.isEmpty() ? "no member of the cluster is here: members=" +
                Neighbours.labels(registry.members()) : "run the command on host=" +
                NumberAllocator.label(rest.get(0)) + ", the oldest member that is here", false);
        }
        final String early = areAllSucceeded(absentNs.keySet()) ? null : absentNs.keySet().stream()
            .filter(host -> absentNs.get(host) < settings.successionNs()).findFirst().orElse(null);
        if (early != null)
        {
            return new Obstacle("host=" + NumberAllocator.label(early) + " has been absent for " +
                TimeUnit.NANOSECONDS.toMillis(absentNs.get(early)) + " ms only, and counts as gone after " +
                TimeUnit.NANOSECONDS.toMillis(settings.successionNs()) + " ms (grim.network.succession-timeout)",
                false);
        }
        return !group.isAnybodyOutside() ? null : new Obstacle("an agent is up at an address below " +
            "grim.network.discovery that is not in the group of hosts=" + Neighbours.labels(neighbours.hosts()) +
            ": it may be of a member that is missed", true);
    }

    /** Describes what is given up when some members go on. */
    ClusterRestart report(final List<String> rest, final Map<String, Long> absentNs)
    {
        return new ClusterRestart("", Neighbours.labels(rest), registry.members().stream()
            .filter(member -> !rest.contains(member)).map(member -> new GivenUpHost(NumberAllocator.label(member),
            TimeUnit.NANOSECONDS.toMillis(absentNs.getOrDefault(member, 0L)), nodesOf(member))).toList());
    }

    private List<GivenUpNode> nodesOf(final String host)
    {
        return registry.grants().stream().filter(grant -> grant.host().equals(host)).map(this::node).toList();
    }

    private GivenUpNode node(final Grant grant)
    {
        return new GivenUpNode(grant.number(), grant.name(), directory.report(grant.number()).addresses());
    }
}
