// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

/**
 * Faults in one direction of a network.
 *
 * @param loss           share of datagrams that are lost, 0 to 1.
 * @param duplication    share that arrives twice.
 * @param reordering     share that up to {@value #OVERTAKER_COUNT_MAX} later ones overtake.
 * @param corruption     share of which one bit is flipped.
 * @param delayNs        that all have, nanoseconds.
 * @param bytesPerSecond that leave at most; 0 for no limit.
 */
public record LinkFaults(
    double loss, double duplication, double reordering, double corruption, long delayNs, long bytesPerSecond)
{
    /** Nothing goes wrong. */
    public static final LinkFaults NONE = new LinkFaults(0, 0, 0, 0, 0, 0);
    /** Nothing arrives. */
    public static final LinkFaults CUT = new LinkFaults(1, 0, 0, 0, 0, 0);

    static final int OVERTAKER_COUNT_MAX = 3;

    /** @throws IllegalArgumentException if a share is none, or a number is negative. */
    public LinkFaults
    {
        requireShare("loss", loss);
        requireShare("duplication", duplication);
        requireShare("reordering", reordering);
        requireShare("corruption", corruption);
        requireNotNegative("delayNs", delayNs);
        requireNotNegative("bytesPerSecond", bytesPerSecond);
    }

    private static void requireShare(final String name, final double share)
    {
        if (!(share >= 0 && share <= 1))
        {
            throw new IllegalArgumentException(name + "=" + share + " is not a share of 0 to 1");
        }
    }

    private static void requireNotNegative(final String name, final long value)
    {
        if (value < 0)
        {
            throw new IllegalArgumentException(name + "=" + value + " is negative");
        }
    }
}
