// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/** Objects that calls returned, some of each class, also of nodes that have closed. Any thread. */
final class Pool
{
    private static final int COUNT_MAX = 400;

    private final List<Object> objects = new ArrayList<>();

    synchronized void add(final Object object, final SplittableRandom random)
    {
        if (objects.size() < COUNT_MAX)
        {
            objects.add(object);
        }
        else
        {
            objects.set(random.nextInt(COUNT_MAX), object);
        }
    }

    /** Any instance of a type; null if there is none. */
    synchronized Object any(final Class<?> type, final SplittableRandom random)
    {
        final int size = objects.size();
        final int start = size == 0 ? 0 : random.nextInt(size);
        for (int i = 0; i < size; i++)
        {
            final Object object = objects.get((start + i) % size);
            if (type.isInstance(object))
            {
                return object;
            }
        }
        return null;
    }

    synchronized void clear()
    {
        objects.clear();
    }
}
