// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * Numbers of a group's epochs: a count, times the number of node numbers, plus the node that made the epoch. So two
 * nodes never give one number to two rosters, also when neither knows of the other: the greater number is the later
 * epoch everywhere.
 * <p>Thread: any.
 * <p>Bounds: 2^31 divided by the number of node numbers.
 */
final class MakerEpochNumbers implements EpochNumbers
{
    private final int self;
    private final int nodeCountMax;

    MakerEpochNumbers(final int self, final int nodeCountMax)
    {
        this.self = self;
        this.nodeCountMax = nodeCountMax;
    }

    @Override
    public int next(final int latest)
    {
        final long next = (latest / nodeCountMax + 1L) * nodeCountMax + self;
        if (next > Integer.MAX_VALUE)
        {
            throw new GrimException(NO_ROOM, "epoch=" + latest + " of a group is followed by " + next +
                ", which exceeds max=" + Integer.MAX_VALUE + ": use another name at all members");
        }
        return (int)next;
    }

    @Override
    public int maker(final int epoch)
    {
        return epoch % nodeCountMax;
    }

    @Override
    public boolean isOf(final int epoch, final int node)
    {
        return maker(epoch) == node;
    }
}
