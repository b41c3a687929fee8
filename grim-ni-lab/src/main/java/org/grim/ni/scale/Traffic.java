// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import org.grim.ni.fabric.RandomStream;

/** Where each message goes. Thread: the run's. */
final class Traffic
{
    private static final double GOLDEN = 0.618;
    private static final int NEIGHBOUR_COUNT = 4;

    private final ScaleOptions options;
    private final int niCount;
    private final int otherCount;
    private final int shiftStart;
    private final int shiftStride;
    private final int columnCount;
    private final RandomStream[] draws;         // Of each NI, for hot spots only.

    Traffic(final ScaleOptions options)
    {
        this.options = options;
        niCount = options.niCount();
        otherCount = niCount - 1;
        final RandomStream stream = new RandomStream(options.seed());
        shiftStart = stream.fork("shift").nextInt(otherCount);
        shiftStride = coprime(otherCount);
        columnCount = columnCount(niCount);
        draws = new RandomStream[options.pattern() == TrafficPattern.HOT_SPOT ? niCount : 0];
        for (int ni = 0; ni < draws.length; ni++)
        {
            draws[ni] = stream.fork("target").fork(ni);
        }
    }

    /** Target of an NI's next message, whose ordinal is given. Asked once for each message, in their order. */
    int target(final int ni, final int ordinal)
    {
        return switch (options.pattern())
        {
            case ALL_TO_ALL -> (ni + shift(ordinal)) % niCount;
            case HOT_SPOT -> drawn(ni);
            case NEAREST_NEIGHBOUR -> neighbour(ni, ordinal);
        };
    }

    /** All distances, each once in a round, near and far ones mixed: a short run meets what a long one meets. */
    private int shift(final int ordinal)
    {
        return 1 + (int)((shiftStart + (long)(ordinal % otherCount) * shiftStride) % otherCount);
    }

    private int drawn(final int ni)
    {
        if (ni != 0 && draws[ni].nextInt(ScaleOptions.HOT_PERCENT_MAX) < options.hotPercent())
        {
            return 0;
        }
        return (ni + 1 + draws[ni].nextInt(otherCount)) % niCount;
    }

    /** East, south, west, north; on a torus of one row only east and west. */
    private int neighbour(final int ni, final int ordinal)
    {
        final int rowCount = niCount / columnCount;
        final int direction = rowCount == 1 ? ordinal % 2 * 2 : ordinal % NEIGHBOUR_COUNT;
        final int row = ni / columnCount;
        final int column = ni % columnCount;
        return switch (direction)
        {
            case 0 -> row * columnCount + (column + 1) % columnCount;
            case 1 -> (row + 1) % rowCount * columnCount + column;
            case 2 -> row * columnCount + (column + columnCount - 1) % columnCount;
            default -> (row + rowCount - 1) % rowCount * columnCount + column;
        };
    }

    private static int coprime(final int count)
    {
        int stride = Math.max(1, (int)(count * GOLDEN));
        while (commonDivisor(count, stride) != 1)
        {
            stride++;
        }
        return stride;
    }

    private static int commonDivisor(final int first, final int second)
    {
        return second == 0 ? first : commonDivisor(second, first % second);
    }

    /** The columns of the squarest torus. */
    private static int columnCount(final int niCount)
    {
        int rowCount = (int)Math.sqrt(niCount);
        while (niCount % rowCount != 0)
        {
            rowCount--;
        }
        return niCount / rowCount;
    }
}
