// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * Names of handlers and their cluster-wide ids, as the node that keeps the database knows them. The keeper is the first
 * node that came up, until it goes. It enters each name in the directory's log before it sends its id to any node; its
 * successor starts from there, so a name keeps its id as long as the cluster exists.
 * <p>Thread: the owner of the keeper's host endpoint.
 */
public final class HandlerDatabase
{
    private static final int ID_COUNT = 65_536;

    private final ClusterDirectory directory;
    private final HandlerLog log;
    private final Map<String, Integer> idByName = new HashMap<>();
    private final Set<Integer> ids = new HashSet<>();

    /**
     * Takes the database over from the keeper before, if there was one. Only for the keeper.
     *
     * @param directory whose log has the names, and whose counter gives new ids.
     */
    public HandlerDatabase(final ClusterDirectory directory)
    {
        this.directory = directory;
        log = directory.handlerLog();
        log.read(this::inherit);
    }

    /**
     * Enters a name.
     *
     * @param name of the handler.
     * @return the id that it has, or a new one; 0 while the coordinator of several hosts is asked for it.
     * @throws GrimException            if the cluster's ids are used up, or their counter says so, if there is no room
     *                                  for the name, or the coordinator refuses it.
     * @throws IllegalArgumentException if the name is too long or empty.
     */
    public int register(final String name)
    {
        final int known = find(name);
        if (known != 0)
        {
            return known;
        }
        log.requireRoom(name);
        if (directory.isNetworked())
        {
            directory.requests().askForHandler(name);
            return 0;
        }
        final int id = nextId();
        log.append(name, id);
        enter(name, id);
        return id;
    }

    /**
     * Checks that a name can be entered.
     *
     * @param name of the handler.
     * @throws GrimException            if there is no room for it.
     * @throws IllegalArgumentException if it is too long or empty.
     */
    public void requireRoom(final String name)
    {
        log.requireRoom(name);
    }

    /** Looks a name up. Returns its id, or 0 if nobody has registered it yet. */
    public int find(final String name)
    {
        if (directory.isNetworked())
        {
            log.readOn(this::inherit);          // The host's agent writes there, not the keeper.
        }
        return idByName.getOrDefault(name, 0);
    }

    /** A name that no keeper can have written, or a second one of an id, is as good as unknown. */
    private void inherit(final int id, final String name)
    {
        if (isFree(id) && !idByName.containsKey(name))
        {
            enter(name, id);
        }
    }

    private void enter(final String name, final int id)
    {
        idByName.put(name, id);
        ids.add(id);
    }

    /** An id that stands for no name, even if the counter was overwritten. */
    private int nextId()
    {
        int id = directory.nextHandlerId();
        for (int i = ids.size(); i > 0 && ids.contains(id); i--)
        {
            id = directory.nextHandlerId();
        }
        if (!isFree(id))
        {
            throw new GrimException(NO_ROOM, "handler ids of the cluster are used up: id=" + id + " is outside " +
                ClusterDirectory.FIRST_HANDLER + " to " + (ID_COUNT - 1));
        }
        return id;
    }

    private boolean isFree(final int id)
    {
        return id >= ClusterDirectory.FIRST_HANDLER && id < ID_COUNT && !ids.contains(id);
    }
}
