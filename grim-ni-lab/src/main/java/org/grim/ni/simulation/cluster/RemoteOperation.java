// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.grim.ni.simulation.check.MessagePattern;

/**
 * The remote-memory operation of a number. It follows from the initiator and the number alone, so that a checker can
 * derive it from the notification value. Values begin at 1.
 */
final class RemoteOperation
{
    private static final int OFFSET_MASK = 0xFF;
    private static final int SHORT_MASK = 0x3F;
    private static final int SIZE_SHIFT = 8;
    private static final int LONG_SHIFT = 20;
    private static final int LONG_MASK = 0x3FF;
    private static final int LONG_EACH_MASK = 0x1F00_0000;
    private static final int READ_ALIGNMENT_MASK = ~3;

    private RemoteOperation()
    {
    }

    static int seed(final int requesterNi, final int channel, final int number)
    {
        return MessagePattern.seed(requesterNi << Short.SIZE | channel, number, -1);
    }

    static int value(final int number)
    {
        return number + 1;
    }

    static int offset(final int seed)
    {
        return seed & OFFSET_MASK;
    }

    /** Mostly short; some cross pages. */
    static int length(final int seed, final int lengthMax)
    {
        final int length = (seed & LONG_EACH_MASK) == 0 ? 1 + (seed >>> LONG_SHIFT & LONG_MASK) :
            1 + (seed >>> SIZE_SHIFT & SHORT_MASK);
        return Math.min(length, lengthMax);
    }

    static int sourceOffset(final int seed)
    {
        return ((seed >>> SIZE_SHIFT) % (HostLayout.READ_SOURCE_LENGTH / 2)) & READ_ALIGNMENT_MASK;
    }
}
