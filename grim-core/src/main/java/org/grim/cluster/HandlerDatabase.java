// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.HashMap;
import java.util.Map;

import org.grim.GrimException;

/**
 * Names of handlers and their cluster-wide ids, as the node that keeps the database knows them. The keeper is the
 * first node that came up, until it goes. Its successor starts from what it has learned, and all others tell it what
 * they know: ids come from the directory's counter, so a new keeper never gives one twice.
 * <p>Thread: the owner of the keeper's host endpoint.
 */
public final class HandlerDatabase
{
    private static final int NAME_COUNT_MAX = 65_536;

    private final ClusterDirectory directory;
    private final Map<String, Integer> idByName = new HashMap<>();
    private final Map<Integer, String> nameById = new HashMap<>();

    /**
     * Makes an empty database.
     *
     * @param directory whose counter gives new ids.
     */
    public HandlerDatabase(final ClusterDirectory directory)
    {
        this.directory = directory;
    }

    /**
     * Enters a name.
     *
     * @param name        of the handler.
     * @param preferredId that the name already has elsewhere; 0 for none.
     * @return the name's id: the one that it has here, else the preferred one if it is free, else a new one.
     * @throws GrimException if the cluster's ids are used up, or their counter says so.
     */
    public int register(final String name, final int preferredId)
    {
        final Integer known = idByName.get(name);
        if (known != null)
        {
            return known;
        }
        final int id = isFree(preferredId) ? preferredId : nextId();
        enter(name, id);
        return id;
    }

    /**
     * Looks a name up.
     *
     * @param name of the handler.
     * @return its id, or 0 if nobody has registered it yet.
     */
    public int find(final String name)
    {
        return idByName.getOrDefault(name, 0);
    }

    /**
     * Enters a name that a predecessor had, unless its id is no handler's or another's: then it is as good as unknown.
     *
     * @param name of the handler.
     * @param id   that it had.
     */
    public void inherit(final String name, final int id)
    {
        if (isFree(id))
        {
            enter(name, id);
        }
    }

    private void enter(final String name, final int id)
    {
        idByName.put(name, id);
        nameById.put(id, name);
    }

    /** An id that this node has not given either: a peer may have said that a name already had it. */
    private int nextId()
    {
        int id = directory.nextHandlerId();
        for (int i = nameById.size(); i > 0 && nameById.containsKey(id); i--)
        {
            id = directory.nextHandlerId();
        }
        if (!isFree(id))
        {
            throw new GrimException("handler ids of the cluster are used up: id=" + id + " is outside " +
                ClusterDirectory.FIRST_HANDLER + " to " + (NAME_COUNT_MAX - 1));
        }
        return id;
    }

    private boolean isFree(final int id)
    {
        return id >= ClusterDirectory.FIRST_HANDLER && id < NAME_COUNT_MAX && !nameById.containsKey(id);
    }
}
