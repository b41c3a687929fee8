// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

/**
 * Rounds that do not count: until figures stand still (after a third of the time, and twice in a row no change above a
 * few percent), or until the time is over; in any case some rounds.
 * <p>Thread: one.
 */
public final class WarmUp
{
    private static final double TOLERANCE = 0.03;
    private static final int STILL_ROUNDS = 2;
    private static final int MIN_DIVISOR = 3;

    private final long limitNs;
    private final int roundsMin;
    private final long startNs = System.nanoTime();
    private int count;
    private int stillCount;
    private double change = Double.MAX_VALUE;

    /**
     * Begins to warm up.
     *
     * @param limitNs   longest time.
     * @param roundsMin least rounds.
     */
    public WarmUp(final long limitNs, final int roundsMin)
    {
        this.limitNs = limitNs;
        this.roundsMin = roundsMin;
    }

    /** After a round: how much figures have changed since the one before, as a share. */
    public void add(final double newChange)
    {
        count++;
        change = newChange;
        stillCount = change <= TOLERANCE ? stillCount + 1 : 0;
    }

    /** {@return whether the next round counts} */
    public boolean isOver()
    {
        final long tookNs = System.nanoTime() - startNs;
        return count >= roundsMin &&
            (tookNs >= limitNs || (stillCount >= STILL_ROUNDS && tookNs >= limitNs / MIN_DIVISOR));
    }

    /** {@return rounds so far; none of them counts} */
    public int count()
    {
        return count;
    }

    /** For a note, once it is over. */
    @Override
    public String toString()
    {
        return "warm-up of " + count + " rounds, " + (System.nanoTime() - startNs) / 1_000_000_000 + " s: " +
            (stillCount >= STILL_ROUNDS ? "figures stood still" : "time was over, last change=" +
            (change == Double.MAX_VALUE ? "unknown" : Math.round(change * 1000) / 10.0 + " %"));
    }
}
