// SPDX-License-Identifier: Apache-2.0
package mpi;

import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Values that a program attaches to an object, by keys that it has created.
 * <p>Thread: any.
 */
final class Attributes
{
    /** Keys of the library are below this one. */
    static final int FIRST_KEY = 100;

    private static final AtomicInteger NEXT_KEY = new AtomicInteger(FIRST_KEY);
    private static final Set<Integer> KEYS = ConcurrentHashMap.newKeySet();

    private final Map<Integer, Object> values = new ConcurrentHashMap<>();

    static int createKey()
    {
        final int key = NEXT_KEY.getAndIncrement();
        KEYS.add(key);
        return key;
    }

    static void freeKey(final int key)
    {
        check(key);
        KEYS.remove(key);
    }

    void set(final int key, final Object value)
    {
        check(key);
        values.put(key, value);
    }

    Object get(final int key)
    {
        if (!values.containsKey(key))
        {
            check(key);                     // A value outlasts its key.
        }
        return values.get(key);
    }

    void delete(final int key)
    {
        check(key);
        values.remove(key);
    }

    void addAll(final Attributes others)
    {
        values.putAll(others.values);
    }

    private static void check(final int key)
    {
        if (!KEYS.contains(key))
        {
            // Programs ask for the classes that Open MPI gives.
            throw new MPIException(key == MPI.KEYVAL_INVALID ? MPI.ERR_KEYVAL : MPI.ERR_OTHER,
                "key=" + key + " was not created, or is freed");
        }
    }
}
