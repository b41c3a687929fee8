// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

/**
 * A seeded stream of random numbers that others fork from by name or number. A fork depends on the seed and the name
 * only, not on what was drawn before, so that a draw more in one stream shifts no other.
 * <p>Source: SplitMix64 (Steele, Lea, Flood 2014); forks here are named, theirs are drawn.
 * <p>Thread: one for each stream.
 */
public final class RandomStream
{
    private static final long GOLDEN = 0x9E37_79B9_7F4A_7C15L;
    private static final long NAME_BASIS = 0xCBF2_9CE4_8422_2325L;           // FNV-1a
    private static final long NAME_PRIME = 0x100_0000_01B3L;
    private static final double DOUBLE_UNIT = 0x1.0p-53;
    private static final int DOUBLE_SHIFT = 11;

    private final long seed;
    private long state;

    /** A stream that nobody forked. */
    public RandomStream(final long seed)
    {
        this.seed = seed;
        state = seed;
    }

    /** A stream of its own for some purpose. */
    public RandomStream fork(final String name)
    {
        long hash = NAME_BASIS;
        for (int i = 0; i < name.length(); i++)
        {
            hash = (hash ^ name.charAt(i)) * NAME_PRIME;
        }
        return fork(hash);
    }

    /** A stream of its own for one of several. */
    public RandomStream fork(final long number)
    {
        return new RandomStream(mix(mix(seed + GOLDEN) ^ mix(number * GOLDEN + 1)));
    }

    /** {@return sixty-four random bits; any value} */
    public long nextLong()
    {
        state += GOLDEN;
        return mix(state);
    }

    /**
     * A number below a bound.
     *
     * @param bound more than 0.
     * @return 0 or more, less than the bound.
     */
    public int nextInt(final int bound)
    {
        return (int)(((nextLong() >>> 33) * bound) >>> 31);
    }

    /**
     * A number between two others.
     *
     * @param min the least.
     * @param max the largest, not less than the least.
     * @return one of them or one between; slightly uneven for huge ranges.
     */
    public long nextLong(final long min, final long max)
    {
        return min + Long.remainderUnsigned(nextLong(), max - min + 1);
    }

    /** A fraction; 0 or more, less than 1. */
    public double nextDouble()
    {
        return (nextLong() >>> DOUBLE_SHIFT) * DOUBLE_UNIT;
    }

    private static long mix(final long value)
    {
        long mixed = (value ^ value >>> 30) * 0xBF58_476D_1CE4_E5B9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94D0_49BB_1331_11EBL;
        return mixed ^ mixed >>> 31;
    }
}
