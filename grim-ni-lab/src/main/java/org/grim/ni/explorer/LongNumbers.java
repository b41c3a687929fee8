// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.explorer;

import org.agrona.collections.Long2LongHashMap;
import org.agrona.collections.LongArrayList;

/** Values in the order in which they were met, numbered from 0. */
final class LongNumbers
{
    private static final int NOT_MET = -1;
    private static final int INITIAL_CAPACITY = 1 << 12;
    private static final float LOAD_FACTOR = 0.6f;

    private final Long2LongHashMap numbers = new Long2LongHashMap(INITIAL_CAPACITY, LOAD_FACTOR, NOT_MET);
    private final LongArrayList values = new LongArrayList();

    /** Number of a value; a new one, the largest so far, if it was not met before. */
    int of(final long value)
    {
        final long key = spread(value);
        final int known = (int)numbers.get(key);
        if (known != NOT_MET)
        {
            return known;
        }
        numbers.put(key, values.size());
        values.addLong(value);
        return values.size() - 1;
    }

    long value(final int number)
    {
        return values.getLong(number);
    }

    int count()
    {
        return values.size();
    }

    /**
     * Another number for each value. The map folds a key's halves onto each other, and those of a state are small
     * numbers both: unspread, most states would meet in few places. Source: the finalizer of MurmurHash3, a bijection.
     */
    private static long spread(final long value)
    {
        long hash = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
        hash = (hash ^ hash >>> 33) * 0xc4ceb9fe1a85ec53L;
        return hash ^ hash >>> 33;
    }
}
