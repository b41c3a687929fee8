// SPDX-License-Identifier: Apache-2.0
package org.grim.crash;

import java.util.LinkedHashSet;
import java.util.Random;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.IntFunction;

/** Runs a case for every step that a life can end before, and for the life that does not end. Says how many it ran. */
public final class CrashEnumeration
{
    private static final int EXHAUSTIVE_COUNT_MAX = 8;
    private static final int RANDOM_MASK_COUNT = 8;

    private CrashEnumeration()
    {
    }

    /** With every choice of up to eight unordered stores made visible; of more, each alone, all but each, and some. */
    public static int withVisibleStores(final String name, final Consumer<Lifetime> oneCase)
    {
        return report(name, enumerate(oneCase, CrashEnumeration::allMasks));
    }

    /** The same with fewer choices, for cases that take long. */
    public static int withSomeVisibleStores(final String name, final Consumer<Lifetime> oneCase)
    {
        return report(name, enumerate(oneCase, CrashEnumeration::someMasks));
    }

    /** With none and with all of the unordered stores made visible. */
    public static int count(final Consumer<Lifetime> oneCase)
    {
        return enumerate(oneCase, CrashEnumeration::fullMask);
    }

    /** The line that says what was covered. */
    @SuppressWarnings("checkstyle:systemOut")       // A build's output is where one looks for what was covered.
    public static int report(final String name, final int caseCount)
    {
        System.out.println("crash enumeration " + name + ": " + caseCount + " cases");
        return caseCount;
    }

    private static int enumerate(final Consumer<Lifetime> oneCase, final IntFunction<Set<Long>> masksOf)
    {
        int caseCount = 0;
        boolean isOver = true;
        for (int step = 0; isOver; step++)
        {
            final Lifetime first = run(oneCase, step, 0);
            caseCount++;
            isOver = first.isOver();
            final Set<Long> masks = masksOf.apply(first.unorderedCount());
            masks.remove(0L);
            for (final long mask : masks)
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

    private static Set<Long> allMasks(final int count)
    {
        final Set<Long> masks = count > EXHAUSTIVE_COUNT_MAX ? someMasks(count) : fullMask(count);
        for (long mask = 1; count <= EXHAUSTIVE_COUNT_MAX && mask < 1L << count; mask++)
        {
            masks.add(mask);
        }
        return masks;
    }

    private static Set<Long> someMasks(final int count)
    {
        final Set<Long> masks = fullMask(count);
        final long all = (1L << count) - 1;
        for (int i = 0; i < count; i++)
        {
            masks.add(1L << i);
            masks.add(all & ~(1L << i));
        }
        final Random random = new Random(count);
        for (int i = 0; i < RANDOM_MASK_COUNT; i++)
        {
            masks.add(random.nextLong() & all);
        }
        return masks;
    }

    private static Set<Long> fullMask(final int count)
    {
        return new LinkedHashSet<>(Set.of((1L << count) - 1));
    }
}
