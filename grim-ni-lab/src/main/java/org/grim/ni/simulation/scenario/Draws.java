// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.scenario;

import java.util.SplittableRandom;

/**
 * One named stream of random choices. Streams of one seed do not touch each other: a choice that is added to one does
 * not shift another.
 * <p>Thread: the simulation's.
 */
public final class Draws
{
    private static final int PERMILLE = 1000;
    private static final long NAME_FACTOR = 0x9E37_79B9_7F4A_7C15L;

    private final SplittableRandom random;

    /** Begins a stream. */
    public Draws(final long seed, final String stream)
    {
        random = new SplittableRandom(seed ^ stream.hashCode() * NAME_FACTOR);
    }

    /**
     * A number, each as likely.
     *
     * @param bound above all of them.
     * @return 0 to {@code bound - 1}.
     */
    public int below(final int bound)
    {
        return random.nextInt(bound);
    }

    /**
     * A number, each as likely.
     *
     * @param least of them.
     * @param most  of them.
     * @return both ends included.
     */
    public long between(final long least, final long most)
    {
        return least + random.nextLong(most - least + 1);
    }

    /** Both ends included, each order of magnitude as likely: small values are common. */
    long spread(final long least, final long most)
    {
        final int steps = Long.SIZE - Long.numberOfLeadingZeros(most / Math.max(1, least));
        final long ceiling = Math.min(most, Math.max(1, least) << random.nextInt(steps + 1));
        return between(Math.min(least, ceiling), ceiling);
    }

    /** Whether something happens this time. Draws nothing if it never does. */
    public boolean chance(final long permille)
    {
        return permille > 0 && random.nextInt(PERMILLE) < permille;
    }

    long pick(final long... choices)
    {
        return choices[random.nextInt(choices.length)];
    }
}
