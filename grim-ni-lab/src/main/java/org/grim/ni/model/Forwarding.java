// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import org.grim.ni.timing.LanaiModel;

/**
 * Kind of forwarding between boards. Immutable.
 *
 * @param fragmentLength payload of the parts that a message is cut into; {@link #WHOLE} to keep it whole.
 * @param segmentLength  payload of an injection; a sender that cuts through sends what is there of them.
 * @param cutsAtSender   whether a board sends while its host still injects.
 * @param cutsAtReceiver whether a board delivers while the message still arrives.
 */
public record Forwarding(int fragmentLength, int segmentLength, boolean cutsAtSender, boolean cutsAtReceiver)
{
    /** Instead of a length, for messages that are not cut into parts. */
    public static final int WHOLE = Integer.MAX_VALUE;

    private static final int LENGTH_MIN = 64;

    public Forwarding
    {
        if (fragmentLength < LENGTH_MIN)
        {
            throw new IllegalArgumentException("fragment length=" + fragmentLength + " is less than " + LENGTH_MIN);
        }
        if (segmentLength < LENGTH_MIN)
        {
            throw new IllegalArgumentException("segment length=" + segmentLength + " is less than " + LENGTH_MIN);
        }
    }

    /** Returns the original's: fragments, cut through at both boards. */
    public static Forwarding original(final LanaiModel model)
    {
        return new Forwarding(model.fragmentLength(), model.segmentLength(), true, true);
    }

    /**
     * Messages whole, each stored before it is forwarded.
     *
     * @param model of the board.
     * @return without fragments.
     */
    public static Forwarding storeAndForward(final LanaiModel model)
    {
        return original(model).withFragmentLength(WHOLE).withCutThrough(false, false);
    }

    /**
     * Other fragments.
     *
     * @param length 64 or more.
     */
    public Forwarding withFragmentLength(final int length)
    {
        return new Forwarding(length, segmentLength, cutsAtSender, cutsAtReceiver);
    }

    /**
     * Cut-through.
     *
     * @param atSender   whether a board sends while its host still injects.
     * @param atReceiver whether a board delivers while the message still arrives.
     */
    public Forwarding withCutThrough(final boolean atSender, final boolean atReceiver)
    {
        return new Forwarding(fragmentLength, segmentLength, atSender, atReceiver);
    }
}
