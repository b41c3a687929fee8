// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.cluster.HostDirectory;
import org.grim.network.registry.Registry;
import org.jgroups.Address;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NAME_TAKEN;

/**
 * Admission of hosts that are no members to the cluster, as its coordinator decides it: which may become members, which
 * wait and why, which are refused.
 * <p>Thread: the agent's.
 */
final class Admission
{
    private final HostDirectory directory;
    private final NetworkSettings settings;
    private final String self;
    private final Registry registry;
    private final Neighbours neighbours;
    private final Set<String> leaving;
    private final Group group;
    private final Map<String, Long> doubleSinceNs = new HashMap<>();
    private final Map<String, String> waits = new HashMap<>();

    /**
     * Admits nobody yet.
     *
     * @param leaving hosts that have said that they leave: a view, which changes.
     */
    Admission(
        final HostDirectory directory, final NetworkSettings settings, final String self, final Registry registry,
        final Neighbours neighbours, final Set<String> leaving, final Group group)
    {
        this.directory = directory;
        this.settings = settings;
        this.self = self;
        this.registry = registry;
        this.neighbours = neighbours;
        this.leaving = leaving;
        this.group = group;
    }

    /** Forgets hosts that are not present any more. */
    void onView()
    {
        doubleSinceNs.keySet().retainAll(neighbours.hosts());
        waits.keySet().retainAll(neighbours.hosts());
    }

    /** Hosts that may become members: with their first node, see {@link NumberAllocator}. */
    Set<String> welcome(final long nowNs)
    {
        final Set<String> welcome = new LinkedHashSet<>();
        neighbours.forEach((address, hello) ->
        {
            final boolean isNew = !registry.members().contains(hello.host()) && !leaving.contains(hello.host());
            if (isNew && !hello.isMember() && isWelcome(address, hello, nowNs))     // A removed host learns it first.
            {
                welcome.add(hello.host());
            }
        });
        return welcome;
    }

    /** {@return why a host has not become a member yet} */
    String whyNotMember(final String host)
    {
        return waits.getOrDefault(host, "the coordinator has not taken host=" + NumberAllocator.label(host) +
            " into the cluster yet: members=" + Neighbours.labels(registry.members()));
    }

    /** {@return why a host may be gone; null if it is heard} */
    String suspicionOf(final String host)
    {
        final Address address = neighbours.addressOf(host);
        if (address == null)
        {
            return "which has no agent and counts as gone after " +
                TimeUnit.NANOSECONDS.toMillis(settings.successionNs()) + " ms (grim.network.succession-timeout)";
        }
        final long silentNs = group.silentNs(address);
        return silentNs < suspicionNs() ? null : "which has been silent for " +
            TimeUnit.NANOSECONDS.toMillis(silentNs) + " ms and counts as gone after " +
            TimeUnit.NANOSECONDS.toMillis(settings.silenceNs()) + " ms (grim.network.silence-timeout)";
    }

    /** Refuses an agent: it is no part of this cluster. */
    void refuse(final Address address, final GrimException.Reason kind, final String reason)
    {
        group.send(address, new AgentMessage.Refusal(self, kind, reason).encode());
    }

    /**
     * Another host of its label may be one whose machine or process ended and which is not known to be gone yet: the
     * newcomer waits until it is. One that is heard all the time is another host.
     */
    private boolean isWelcome(final Address address, final AgentMessage.Hello hello, final long nowNs)
    {
        if (hello.nodeCountMax() != directory.nodeCountMax())
        {
            refuse(address, BAD_DATA, "grim.cluster.nodes-max=" + hello.nodeCountMax() + " of host=" + hello.label() +
                " differs from the cluster's " + directory.nodeCountMax());
            return false;
        }
        final String other = neighbours.doubleOf(hello);
        if (other == null)
        {
            doubleSinceNs.remove(hello.host());
            waits.remove(hello.host());
            return hello.cluster().isEmpty() || hello.cluster().equals(registry.cluster());
        }
        doubleSinceNs.putIfAbsent(hello.host(), nowNs);
        final String suspicion = suspicionOf(other);
        waits.put(hello.host(), "another host has the label=" + hello.label() + ", " + (suspicion != null ? suspicion :
            "and is waited for until it is heard again or counts as gone"));
        final boolean isKnown =
            nowNs - doubleSinceNs.get(hello.host()) >= Math.max(settings.successionNs(), suspicionNs());
        if (isKnown && suspicion == null)
        {
            refuse(address, NAME_TAKEN, "another host has the label=" + hello.label() +
                ": set grim.node.host to another");
        }
        return false;
    }

    /** Agents say something five times in the time after which a silent one counts as gone. */
    private long suspicionNs()
    {
        return settings.silenceNs() / 5 * 2;
    }
}
