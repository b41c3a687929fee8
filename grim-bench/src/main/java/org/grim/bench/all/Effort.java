// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** The time of a run for each figure. */
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

    /** Counted rounds of most sections. */
    int rounds()
    {
        return choose(2, 3, 8);
    }

    /** Longest warm-up of compiled code that is quick to warm up, and of boards, whose firmware is a large program. */
    long warmUpNs(final boolean isBoard)
    {
        return TimeUnit.MILLISECONDS.toNanos(isBoard ? choose(100, 15_000, 30_000) : choose(100, 10_000, 40_000));
    }

    /** Length of a round in one process. */
    long roundNs()
    {
        return TimeUnit.MILLISECONDS.toNanos(choose(4, 20, 20));
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
