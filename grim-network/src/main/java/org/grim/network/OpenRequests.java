// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.grim.GrimException;
import org.grim.cluster.HostDirectory;
import org.grim.cluster.HostRequests;
import org.grim.network.registry.Grant;
import org.grim.network.registry.Registry;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Open requests of this host's nodes for numbers and handler ids. They are sent to the coordinator again and again
 * until a decision or a denial answers.
 * <p>Thread: the agent's.
 */
final class OpenRequests
{
    private static final Logger LOGGER = LoggerFactory.getLogger(OpenRequests.class);
    private static final long ASK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final HostDirectory directory;
    private final HostRequests requests;
    private final Registry registry;
    private final String self;
    private final Map<AgentMessage.Request, AgentMessage.Denial> denials = new HashMap<>();
    private final Map<AgentMessage.Request, String> delays = new HashMap<>();
    private final Map<AgentMessage.Request, Long> askedNs = new HashMap<>();
    private final Set<String> handlersHere = new HashSet<>();

    OpenRequests(final HostDirectory directory, final Registry registry, final String self)
    {
        this.directory = directory;
        this.requests = directory.requests();
        this.registry = registry;
        this.self = self;
        directory.readHandlers((id, name) -> handlersHere.add(name));
    }

    /** Enters handlers that are new; the coordinator made sure that there is room. */
    void onDecision()
    {
        registry.handlers().forEach((name, id) ->
        {
            if (handlersHere.add(name))
            {
                addHandler(name, id);
            }
        });
    }

    private void addHandler(final String name, final int id)
    {
        try
        {
            directory.addHandler(name, id);
        }
        catch (final GrimException | IllegalArgumentException ex)
        {
            LOGGER.error("handler={} id={} is not entered in the directory: {}", name, id, ex.getMessage());
        }
    }

    boolean areThere()
    {
        return requests.hasOpen();
    }

    /** The coordinator has nothing to give; the request's host is this one. */
    void deny(final AgentMessage.Denial denial)
    {
        denials.put(own(denial.request()), denial);
    }

    /** The coordinator says what a request of this host waits for. */
    void delay(final AgentMessage.Request request, final String reason)
    {
        delays.put(own(request), reason);
    }

    /** The next coordinator may have other reasons. */
    void forgetDelays()
    {
        delays.clear();
    }

    /** Nothing will be given any more. */
    void refuseAll(final GrimException.Reason kind, final String reason)
    {
        requests.forEachOpen((slot, sequence, name) -> requests.refuse(slot, sequence, kind, reason));
    }

    /**
     * Answers what can be answered, and asks for the rest.
     *
     * @param whyNot why a request waits, for the text of a time-out, unless the coordinator said why.
     * @param ask    takes the requests for the coordinator.
     */
    void answer(final long nowNs, final String whyNot, final Consumer<AgentMessage.Request> ask)
    {
        final Set<AgentMessage.Request> open = new HashSet<>();
        requests.forEachOpen((slot, sequence, name) ->
        {
            final boolean isNode = slot == HostRequests.NUMBER_SLOT;
            final AgentMessage.Request request = new AgentMessage.Request(self, isNode, isNode ? sequence : 0, name);
            final Grant grant = isNode ? grantOf(sequence) : null;
            final AgentMessage.Denial denial = denials.remove(request);
            if (grant != null)
            {
                requests.answer(slot, sequence, grant.number(), grant.incarnation());
            }
            else if (!isNode && registry.handlers().containsKey(name))
            {
                requests.answer(slot, sequence, registry.handlers().get(name), 0);
            }
            else if (denial != null)
            {
                requests.refuse(slot, sequence, denial.kind(), denial.reason());
            }
            else
            {
                open.add(request);
                requests.delayed(slot, delays.getOrDefault(request, whyNot));
                ask(request, nowNs, ask);
            }
        });
        askedNs.keySet().retainAll(open);
        denials.keySet().retainAll(open);
        delays.keySet().retainAll(open);
    }

    /** A denial or a delay does not repeat the host. */
    private AgentMessage.Request own(final AgentMessage.Request request)
    {
        return new AgentMessage.Request(self, request.isNode(), request.sequence(), request.name());
    }

    private void ask(final AgentMessage.Request request, final long nowNs, final Consumer<AgentMessage.Request> ask)
    {
        final Long lastNs = askedNs.get(request);
        if (lastNs == null || nowNs - lastNs >= ASK_NS)
        {
            askedNs.put(request, nowNs);
            ask.accept(request);
        }
    }

    private Grant grantOf(final int sequence)
    {
        return registry.grants().stream().filter(grant ->
            grant.host().equals(self) && grant.request() == sequence).findFirst().orElse(null);
    }
}
