// SPDX-License-Identifier: Apache-2.0
package org.grim.network.registry;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * State after all decisions so far.
 * <p>Thread: the host agent's.
 */
public final class Registry
{
    /** First handler id that is not GRIM's own. */
    public static final int FIRST_HANDLER = 16;

    private final Map<Integer, Grant> grants = new TreeMap<>();
    private final Map<String, Integer> handlers = new TreeMap<>();
    private String cluster = "";
    private long epoch;
    private List<String> members = List.of();
    private int nextHandler = FIRST_HANDLER;

    /**
     * Follows a decision.
     *
     * @param decision that a majority agreed on.
     * @return false, and nothing has happened, if it does not follow what is known here.
     */
    public boolean apply(final Decision decision)
    {
        if (decision.epoch() <= epoch || (decision.base() != 0 && decision.base() != epoch))
        {
            return false;
        }
        cluster = decision.cluster();
        epoch = decision.epoch();
        members = List.copyOf(decision.members());
        decision.grants().forEach(grant -> grants.put(grant.number(), grant));
        decision.handlers().forEach(handler ->
        {
            handlers.put(handler.name(), handler.id());
            nextHandler = Math.max(nextHandler, handler.id() + 1);
        });
        return true;
    }

    /** {@return everything, for a host that missed decisions} */
    public Decision snapshot()
    {
        final List<HandlerName> names = new ArrayList<>();
        handlers.forEach((name, id) -> names.add(new HandlerName(name, id)));
        return new Decision(cluster, 0, epoch, members, List.copyOf(grants.values()), names);
    }

    /** {@return id of the cluster; empty before the first decision} */
    public String cluster()
    {
        return cluster;
    }

    /** {@return how many decisions there were} */
    public long epoch()
    {
        return epoch;
    }

    /** {@return hosts of the cluster, the oldest first} */
    public List<String> members()
    {
        return members;
    }

    /** {@return the latest grant of each number, by number} */
    public List<Grant> grants()
    {
        return List.copyOf(grants.values());
    }

    /** Returns the latest assignment of a number; null if it was never assigned. */
    public Grant grant(final int number)
    {
        return grants.get(number);
    }

    /** {@return ids of all handlers by name} */
    public Map<String, Integer> handlers()
    {
        return handlers;
    }

    /** {@return the next id that no handler has} */
    public int nextHandler()
    {
        return nextHandler;
    }
}
