// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The last lines of each rank's standard error.
 * <p>Thread: any. Bounds: {@value #COUNT_MAX} lines of {@value #LENGTH_MAX} characters per rank.
 */
final class LastLines
{
    static final int COUNT_MAX = 10;
    static final int LENGTH_MAX = 300;

    private final Map<Integer, Deque<String>> lines = new HashMap<>();

    synchronized void add(final int rank, final String line)
    {
        final Deque<String> own = lines.computeIfAbsent(rank, key -> new ArrayDeque<>());
        if (own.size() == COUNT_MAX)
        {
            own.remove();
        }
        own.add(line.length() <= LENGTH_MAX ? line : line.substring(0, LENGTH_MAX) + "...");
    }

    synchronized List<String> of(final int rank)
    {
        return List.copyOf(lines.getOrDefault(rank, new ArrayDeque<>()));
    }
}
