// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** How much time a run takes for each figure. */
public enum Effort
{
    /** For tests: everything once, nothing of worth. */
    TINY,

    /** Minutes: for a look, and for the send path. */
    QUICK,

    /** Half an hour and more. */
    FULL;

    /** {@return fresh pairs of processes: the count unless another is asked for} */
    public int forks()
    {
        return choose(1, 3, 5);
    }

    /** Counted rounds of a section with two processes. */
    int rounds()
    {
        return choose(2, 3, 8);
    }

    /** Length of a figure in a round between two processes. */
    long cellNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(choose(2, 12, 50));
    }

    /** Longest warm-up of compiled code that is quick to warm up. */
    long warmUpNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(choose(100, 10_000, 40_000));
    }

    /** Longest warm-up of boards, whose firmware is a large program. */
    long boardWarmUpNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(choose(100, 15_000, 30_000));
    }

    /** Length of a round in one process. */
    long roundNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(choose(4, 20, 20));
    }

    /** Counted rounds in one process. */
    int shortRounds()
    {
        return choose(2, 15, 25);
    }

    /** One of three. */
    <T> T choose(final T tiny, final T quick, final T full)
    {
        return switch (this)
        {
            case TINY -> tiny;
            case QUICK -> quick;
            case FULL -> full;
        };
    }

    /** As in options. */
    @Override
    public String toString()
    {
        return name().toLowerCase(Locale.ROOT);
    }
}
