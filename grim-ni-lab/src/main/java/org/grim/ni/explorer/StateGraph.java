// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.agrona.collections.IntArrayList;
import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;

/** States in the order in which they were met, and the ways between them. Way n of a state follows way n - 1. */
final class StateGraph
{
    static final int NONE = -1;

    private static final int INITIAL_CAPACITY = 1 << 12;
    private static final float LOAD_FACTOR = 0.6f;

    private final Long2LongHashMap indexes = new Long2LongHashMap(INITIAL_CAPACITY, LOAD_FACTOR, NONE);
    private final LongArrayList states = new LongArrayList();
    private final IntArrayList parents = new IntArrayList();
    private final IntArrayList firstWays = new IntArrayList();
    private final IntArrayList targets = new IntArrayList();

    /** Index of a state; a new one if it was not met before, with the state that led there. */
    int indexOf(final long state, final int parent)
    {
        final int known = (int)indexes.get(spread(state));
        if (known != NONE)
        {
            return known;
        }
        final int index = states.size();
        indexes.put(spread(state), index);
        states.addLong(state);
        parents.addInt(parent);
        return index;
    }

    /** The ways that are added from now on leave the next state, from 0. */
    void beginWays()
    {
        firstWays.addInt(targets.size());
    }

    void addWay(final int target)
    {
        targets.addInt(target);
    }

    int stateCount()
    {
        return states.size();
    }

    int wayCount()
    {
        return targets.size();
    }

    long state(final int index)
    {
        return states.getLong(index);
    }

    int parent(final int index)
    {
        return parents.getInt(index);
    }

    /** Which states some goal can be reached from: backwards along the ways, which are turned round here. */
    boolean[] reaching(final boolean[] isGoal)
    {
        final int count = stateCount();
        final int[] firstSources = new int[count + 1];
        for (int way = 0; way < targets.size(); way++)
        {
            firstSources[targets.getInt(way) + 1]++;
        }
        for (int i = 0; i < count; i++)
        {
            firstSources[i + 1] += firstSources[i];
        }
        final int[] free = firstSources.clone();
        final int[] sources = new int[targets.size()];
        for (int source = 0; source < count; source++)
        {
            final int end = source + 1 < count ? firstWays.getInt(source + 1) : targets.size();
            for (int way = firstWays.getInt(source); way < end; way++)
            {
                sources[free[targets.getInt(way)]++] = source;
            }
        }
        return spread(isGoal.clone(), firstSources, sources);
    }

    /**
     * Another number for each state. The map folds a key's halves onto each other, and those of a state are small
     * numbers both: unspread, most states would meet in few places. Source: the finalizer of MurmurHash3, a bijection.
     */
    private static long spread(final long state)
    {
        long hash = (state ^ state >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }

    private static boolean[] spread(final boolean[] isReaching, final int[] firstSources, final int[] sources)
    {
        final int[] waiting = new int[isReaching.length];
        int waitingCount = 0;
        for (int i = 0; i < isReaching.length; i++)
        {
            if (isReaching[i])
            {
                waiting[waitingCount++] = i;
            }
        }
        while (waitingCount > 0)
        {
            final int target = waiting[--waitingCount];
            for (int i = firstSources[target]; i < firstSources[target + 1]; i++)
            {
                if (!isReaching[sources[i]])
                {
                    isReaching[sources[i]] = true;
                    waiting[waitingCount++] = sources[i];
                }
            }
        }
        return isReaching;
    }
}
