// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.cluster.HostDirectory;
import org.grim.network.registry.Decision;
import org.grim.network.registry.Grant;
import org.grim.network.registry.HandlerName;
import org.grim.network.registry.Registry;
import org.grim.text.SafeText;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.NAME_TAKEN;
import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * A coordinator's answers to requests for numbers and handler ids: the part of a decision that assigns them, denials,
 * and delays. Requests are repeated until they are answered, so none is kept for longer than one decision.
 * <p>Thread: the agent's.
 */
final class NumberAllocator
{
    private final HostDirectory directory;
    private final Set<AgentMessage.Request> requests = new LinkedHashSet<>();

    /** Knows the hosts, and takes the reasons why there is nothing to be had. */
    interface Hosts
    {
        /** Why a host that was not taken in has to wait. */
        String whyNotMember(String host);

        /** Why a member may be gone without being known as such yet; null if it is there. */
        String suspicionOf(String host);

        /** There is nothing to be had. */
        void deny(AgentMessage.Request request, GrimException.Reason kind, String reason);

        /** There is nothing to be had yet; the request will be repeated. */
        void delay(AgentMessage.Request request, String reason);
    }

    /** Why a request is not granted; it may be later if the kind is {@code TIMED_OUT}. */
    private record Obstacle(GrimException.Reason kind, String reason)
    {
    }

    NumberAllocator(final HostDirectory directory)
    {
        this.directory = directory;
    }

    void add(final AgentMessage.Request request)
    {
        requests.add(request);
    }

    /**
     * Makes the next decision. A host becomes a member with its first node.
     *
     * @param current members that the cluster shall have without that.
     * @param welcome hosts that may become members.
     * @param present hosts that are there.
     * @return null if there is nothing to decide.
     */
    Decision decide(
        final Registry registry, final List<String> current, final Set<String> welcome, final Set<String> present,
        final Hosts hosts)
    {
        List<String> members = current;
        final List<Grant> grants = new ArrayList<>();
        final List<HandlerName> handlers = new ArrayList<>();
        for (final AgentMessage.Request request : requests)
        {
            final boolean isFirst = request.isNode() && welcome.contains(request.host());
            final List<String> next = new ArrayList<>(members);
            admit(next, request.host(), present);
            final int grantCount = grants.size();
            final Obstacle obstacle =
                !members.contains(request.host()) && !isFirst ? later(hosts.whyNotMember(request.host())) :
                request.isNode() ? grant(registry, next, request, grants, hosts) :
                name(registry, request, handlers);
            if (obstacle != null && obstacle.kind() == TIMED_OUT)
            {
                hosts.delay(request, obstacle.reason());
            }
            else if (obstacle != null)
            {
                hosts.deny(request, obstacle.kind(), obstacle.reason());
            }
            members = grants.size() > grantCount ? next : members;
        }
        requests.clear();
        return grants.isEmpty() && handlers.isEmpty() && members.equals(registry.members()) ? null :
            new Decision(
                registry.cluster(), registry.epoch(), registry.epoch() + 1, List.copyOf(members), grants, handlers);
    }

    /** Nothing can be decided now: says so to all who asked, and who ask again. */
    void delayAll(final String reason, final Hosts hosts)
    {
        requests.forEach(request -> hosts.delay(request, reason));
        requests.clear();
    }

    /**
     * Adds a host to the members, unless it is one. It takes the place of those of its label that are not there: they
     * must not count as voters, however often the host comes back as another one.
     */
    static void admit(final List<String> members, final String host, final Set<String> present)
    {
        if (!members.contains(host))
        {
            members.removeIf(member -> label(member).equals(label(host)) && !present.contains(member));
            members.add(host);
        }
    }

    private static Obstacle later(final String reason)
    {
        return new Obstacle(TIMED_OUT, reason);
    }

    /** Why there is none; null if there is, or the request was granted before. */
    private Obstacle grant(
        final Registry registry, final List<String> members, final AgentMessage.Request request,
        final List<Grant> grants, final Hosts hosts)
    {
        final Set<Integer> taken = new HashSet<>();
        Grant same = null;
        Grant gone = null;
        for (final Grant known : union(registry, grants))
        {
            if (known.host().equals(request.host()) && known.request() == request.sequence())
            {
                return null;
            }
            taken.add(known.number());
            final boolean isLive = grants.contains(known) || isLive(known, members);
            final boolean isNamesake = known.name().equals(request.name());
            if (isNamesake && isLive)
            {
                final String doubt = hosts.suspicionOf(known.host());
                return doubt != null ? later("node name=" + request.name() + " is of node=" + known.number() +
                    " of host=" + label(known.host()) + ", " + doubt) :
                    new Obstacle(NAME_TAKEN, "node name=" + request.name() + " is taken by live node=" +
                    known.number() + " of host=" + label(known.host()) + ": set grim.node.name to another");
            }
            same = isNamesake ? known : same;
            gone = !isLive && gone == null ? known : gone;
        }
        int number = 0;
        while (taken.contains(number))
        {
            number++;
        }
        final Grant before = same != null ? same : number < directory.nodeCountMax() ? null : gone;
        if (before == null && number >= directory.nodeCountMax())
        {
            return new Obstacle(NO_ROOM, "cluster is full: live nodes=" + taken.size() + " max=" +
                directory.nodeCountMax() + " (grim.cluster.nodes-max)");
        }
        grants.add(new Grant(before == null ? number : before.number(), before == null ?
            directory.firstIncarnation() : before.incarnation() + 1,
            request.name(), request.host(), request.sequence()));
        return null;
    }

    /** Returns the latest grant of each number. */
    private static List<Grant> union(final Registry registry, final List<Grant> grants)
    {
        final List<Grant> union = new ArrayList<>(grants);
        registry.grants().stream().filter(known ->
            grants.stream().noneMatch(grant -> grant.number() == known.number())).forEach(union::add);
        return union;
    }

    /** Returns whether a node is live; one that has not reported yet may still be joining. */
    private boolean isLive(final Grant grant, final List<String> members)
    {
        final NodeInfo info = directory.report(grant.number()).info();
        return members.contains(grant.host()) && info.incarnation() <= grant.incarnation() &&
            (info.incarnation() < grant.incarnation() || info.state() != NodeInfo.State.GONE);
    }

    private Obstacle name(
        final Registry registry, final AgentMessage.Request request, final List<HandlerName> handlers)
    {
        final Map<String, Integer> known = registry.handlers();
        final boolean isKnown = known.containsKey(request.name()) ||
            handlers.stream().anyMatch(handler -> handler.name().equals(request.name()));
        if (isKnown)
        {
            return null;
        }
        final int id = registry.nextHandler() + handlers.size();
        if (id > HandlerId.NUMBER_MAX)
        {
            return new Obstacle(
                NO_ROOM, "handler ids of the cluster are used up: id=" + id + " exceeds max=" + HandlerId.NUMBER_MAX);
        }
        try
        {
            directory.requireRoom(request.name());
        }
        catch (final GrimException ex)
        {
            return new Obstacle(ex.reason(), ex.getMessage());
        }
        catch (final IllegalArgumentException ex)
        {
            return new Obstacle(BAD_DATA, ex.getMessage());
        }
        handlers.add(new HandlerName(request.name(), id));
        return null;
    }

    /** Label of a host, as people know it. */
    static String label(final String host)
    {
        final int end = host.lastIndexOf('@');
        return SafeText.shorten(end < 0 ? host : host.substring(0, end));
    }
}
