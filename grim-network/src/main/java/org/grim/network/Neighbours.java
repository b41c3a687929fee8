// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.network.registry.ClusterId;
import org.grim.network.status.HostStatus;
import org.jgroups.Address;

/**
 * The hosts that are in the group, this one among them, and what they said of themselves.
 * <p>Thread: the agent's.
 */
final class Neighbours
{
    private static final String NOBODY = Set.of().toString();

    private final Map<Address, AgentMessage.Hello> hellos = new HashMap<>();
    private final Set<Address> heard = new HashSet<>();
    private List<Address> view = List.of();
    private Address self;

    /** All are to say who they are. */
    void onView(final Address newSelf, final List<Address> members)
    {
        self = newSelf;
        view = members;
        hellos.keySet().retainAll(view);
        heard.clear();
    }

    /** A member has said who it is. True: for the first time since the group changed. */
    boolean onHello(final Address from, final AgentMessage.Hello hello)
    {
        hellos.put(from, hello);
        return heard.add(from);
    }

    boolean isThere(final Address address)
    {
        return view.contains(address);
    }

    /** {@return the coordinator's agent; null before the first view} */
    Address coordinator()
    {
        return view.isEmpty() ? null : view.get(0);
    }

    boolean isCoordinator()
    {
        return self != null && self.equals(coordinator());
    }

    /** Whether every member has said who it is since the group changed. */
    boolean areHeard()
    {
        return !view.isEmpty() && heard.containsAll(view);
    }

    /** {@return names of the agents that have not said who they are since the group changed, for people} */
    List<String> unheard()
    {
        return view.stream().filter(address -> !heard.contains(address)).map(address ->
            hellos.containsKey(address) ? hellos.get(address).label() : address.toString()).toList();
    }

    /** {@return ids of the hosts, in order} */
    Set<String> hosts()
    {
        return hostsAt(0);
    }

    /** {@return ids of the hosts that know an epoch of the cluster} */
    Set<String> hostsAt(final long epoch)
    {
        return hellos.values().stream().filter(hello -> hello.epoch() >= epoch).map(AgentMessage.Hello::host)
            .collect(Collectors.toCollection(TreeSet::new));
    }

    /** {@return the agent of a host; null if it is not there} */
    Address addressOf(final String host)
    {
        return hellos.entrySet().stream().filter(entry -> entry.getValue().host().equals(host))
            .map(Map.Entry::getKey).findFirst().orElse(null);
    }

    /** All of whom it is known who they are, the oldest first. */
    void forEach(final BiConsumer<Address, AgentMessage.Hello> consumer)
    {
        view.stream().filter(hellos::containsKey).forEach(address -> consumer.accept(address, hellos.get(address)));
    }

    /** Returns the silence of each of them. */
    List<HostStatus.Silence> silences(final Group group)
    {
        final List<HostStatus.Silence> silences = new ArrayList<>();
        forEach((address, hello) -> silences.add(new HostStatus.Silence(hello.label(),
            TimeUnit.NANOSECONDS.toMillis(group.silentNs(address)))));
        return silences;
    }

    /** {@return another host that has the label of one; null if there is none} */
    String doubleOf(final AgentMessage.Hello hello)
    {
        return hellos.values().stream().filter(other ->
            other.label().equals(hello.label()) && !other.host().equals(hello.host()))
            .map(AgentMessage.Hello::host).findFirst().orElse(null);
    }

    /** Whether one knows a cluster, member or not. */
    boolean isAnyInACluster()
    {
        return hellos.values().stream().anyMatch(hello -> !hello.cluster().isEmpty());
    }

    /**
     * {@return the cluster that most of the hosts are members of; {@code own} if there are no members} One that decided
     * nothing since it began counts only if there is no other.
     */
    String largestCluster(final String own)
    {
        final Map<String, Long> counts = members().filter(hello -> hello.epoch() > 1)
            .collect(Collectors.groupingBy(AgentMessage.Hello::cluster, Collectors.counting()));
        if (counts.isEmpty())
        {
            members().forEach(hello -> counts.merge(hello.cluster(), 1L, Long::sum));
        }
        return counts.isEmpty() ? own : largest(counts);
    }

    /** Hosts of a cluster that goes on as another one do not count: they will follow or be fenced. */
    private Stream<AgentMessage.Hello> members()
    {
        final Set<String> clusters =
            hellos.values().stream().map(AgentMessage.Hello::cluster).collect(Collectors.toSet());
        return hellos.values().stream().filter(hello -> hello.isMember() && clusters.stream().noneMatch(cluster ->
            ClusterId.isRestartOf(cluster, hello.cluster(), hello.epoch())));
    }

    /** {@return the latest epoch of a cluster that one of the hosts knows} */
    long latestEpochOf(final String cluster)
    {
        return hellos.values().stream().filter(hello -> hello.cluster().equals(cluster))
            .mapToLong(AgentMessage.Hello::epoch).max().orElse(0);
    }

    /** {@return the host that knows most of a cluster} */
    String latestOf(final String cluster)
    {
        return hellos.values().stream().filter(hello -> hello.cluster().equals(cluster))
            .max(Comparator.comparingLong(AgentMessage.Hello::epoch)).orElseThrow().host();
    }

    /**
     * Members who gave others up that are there must join again: all such, if there are some that gave nobody up; else
     * all but the largest part.
     */
    Set<String> losers(final List<String> members)
    {
        final Map<String, Set<String>> givenUpBy = new HashMap<>();
        hellos.values().stream().filter(hello -> members.contains(hello.host()))
            .forEach(hello -> givenUpBy.put(hello.host(), new TreeSet<>(hello.givenUp())));
        givenUpBy.values().forEach(hosts -> hosts.retainAll(givenUpBy.keySet()));
        final Map<String, Long> parts = givenUpBy.values().stream()
            .collect(Collectors.groupingBy(Set::toString, Collectors.counting()));
        final String winner = parts.containsKey(NOBODY) || parts.isEmpty() ? NOBODY : largest(parts);
        return givenUpBy.keySet().stream().filter(host -> !givenUpBy.get(host).toString().equals(winner))
            .collect(Collectors.toSet());
    }

    /** {@return labels of hosts, for people} */
    static List<String> labels(final Iterable<String> hosts)
    {
        final List<String> labels = new ArrayList<>();
        hosts.forEach(host -> labels.add(NumberAllocator.label(host)));
        return labels;
    }

    /** Most votes, of several the first in order: all hosts find the same. */
    private static String largest(final Map<String, Long> counts)
    {
        return counts.entrySet().stream().min(Map.Entry.<String, Long>comparingByValue().reversed()
            .thenComparing(Map.Entry.comparingByKey())).orElseThrow().getKey();
    }
}
