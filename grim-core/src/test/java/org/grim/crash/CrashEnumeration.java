// SPDX-License-Identifier: Apache-2.0
package org.grim.crash;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;

/** Runs a case for every step that a life can end before, and for the life that does not end. Says how many it ran. */
public final class CrashEnumeration
{
    private static final int EXHAUSTIVE_COUNT_MAX = 8;
    private static final int RANDOM_MASK_COUNT = 32;

    private CrashEnumeration()
    {
    }

    /** With every choice of the unordered stores made visible, or, of many, each alone, all but each, and some. */
    public static int withVisibleStores(final String name, final Consumer<Lifetime> oneCase)
    {
        return report(name, enumerate(oneCase, true));
    }

    /** With none and with all of the unordered stores made visible. */
    public static int count(final Consumer<Lifetime> oneCase)
    {
        return enumerate(oneCase, false);
    }

    /** The line that says what was covered. */
    public static int report(final String name, final int caseCount)
    {
        System.out.println("crash enumeration " + name + ": " + caseCount + " cases");
        return caseCount;
    }

    private static int enumerate(final Consumer<Lifetime> oneCase, final boolean isThorough)
    {
        int caseCount = 0;
        boolean isOver = true;
        for (int step = 0; isOver; step++)
        {
            final Lifetime first = run(oneCase, step, 0);
            caseCount++;
            isOver = first.isOver();
            for (final long mask : masks(first.unorderedCount(), isThorough, step))
            {
                run(oneCase, step, mask);
                caseCount++;
            }
        }
        return caseCount;
    }

    private static Lifetime run(final Consumer<Lifetime> oneCase, final int step, final long mask)
    {
        final Lifetime life = new Lifetime(step, mask);
        try
        {
            oneCase.accept(life);
        }
        catch (final AssertionError | RuntimeException ex)
        {
            throw new AssertionError(life + ": " + ex.getMessage(), ex);
        }
        return life;
    }

    /** All but 0, which was there already. */
    private static List<Long> masks(final int count, final boolean isThorough, final int seed)
    {
        final List<Long> masks = new ArrayList<>();
        final long all = (1L << count) - 1;
        if (isThorough && count <= EXHAUSTIVE_COUNT_MAX)
        {
            for (long mask = 1; mask <= all; mask++)
            {
                masks.add(mask);
            }
        }
        else if (isThorough)
        {
            final Random random = new Random(seed);
            for (int i = 0; i < count; i++)
            {
                masks.add(1L << i);
                masks.add(all & ~(1L << i));
            }
            for (int i = 0; i < RANDOM_MASK_COUNT; i++)
            {
                masks.add(random.nextLong() & all);
            }
            masks.add(all);
        }
        else if (count > 0)
        {
            masks.add(all);
        }
        return masks;
    }
}
