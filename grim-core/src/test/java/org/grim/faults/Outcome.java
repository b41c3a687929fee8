// SPDX-License-Identifier: Apache-2.0
package org.grim.faults;

import java.util.SplittableRandom;

/**
 * Outcome of one datagram: a function of the seed and the datagram's number, independent of others.
 *
 * @param isLost         whether it does not arrive.
 * @param isDuplicated   whether it arrives twice.
 * @param overtakerCount later ones that overtake it; 0 if none shall.
 * @param flippedBit     number of the bit that is flipped, bit 0 of byte 0 first; -1 for none.
 */
record Outcome(boolean isLost, boolean isDuplicated, int overtakerCount, int flippedBit)
{
    private static final long SPREAD = 0xD1342543DE82EF95L;         // Odd, and not the generator's own step.

    /** Draws everything, whether it is used or not: one share has no effect on the others' choices. */
    static Outcome of(final LinkFaults faults, final long seed, final long number, final int length)
    {
        final SplittableRandom random = new SplittableRandom(seed ^ number * SPREAD);
        final boolean isLost = random.nextDouble() < faults.loss();
        final boolean isDuplicated = random.nextDouble() < faults.duplication();
        final boolean isOvertaken = random.nextDouble() < faults.reordering();
        final boolean isCorrupt = random.nextDouble() < faults.corruption() && length > 0;
        final int overtakerCount = 1 + random.nextInt(LinkFaults.OVERTAKER_COUNT_MAX);
        final int bit = random.nextInt(Math.max(1, length * Byte.SIZE));
        return new Outcome(isLost, isDuplicated, isOvertaken ? overtakerCount : 0, isCorrupt ? bit : -1);
    }
}
