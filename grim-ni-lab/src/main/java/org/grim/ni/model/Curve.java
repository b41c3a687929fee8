// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.model;

import java.util.List;
import java.util.stream.IntStream;

/** Bandwidth over message sizes. Immutable. */
final class Curve
{
    private static final List<Integer> SIZES = EndToEndModel.SIZES;

    private final double[] bandwidths;

    Curve(final EndToEndModel model)
    {
        bandwidths = SIZES.stream().mapToDouble(model::bandwidthMBs).toArray();
    }

    double best()
    {
        return IntStream.range(0, bandwidths.length).mapToDouble(i -> bandwidths[i]).max().orElseThrow();
    }

    /** Where half of the best is first reached: on a straight line between logarithms of neighbouring sizes. */
    double halfSize()
    {
        final double half = best() / 2;
        int index = 0;
        while (bandwidths[index] < half)
        {
            index++;
        }
        if (index == 0)
        {
            return SIZES.get(0);
        }
        final double before = bandwidths[index - 1];
        final double part = Math.log(half / before) / Math.log(bandwidths[index] / before);
        return SIZES.get(index - 1) * Math.pow((double)SIZES.get(index) / SIZES.get(index - 1), part);
    }
}
