// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.report;

import java.util.stream.DoubleStream;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

final class WelchTest
{
    /** Means 3 and 6, variances 2.5 and 10: by hand; the distribution by Simpson's rule. */
    @Test
    void shouldAgreeWithAnExampleByHand()
    {
        final Welch test = Welch.of(exponentials(1, 2, 3, 4, 5), exponentials(2, 4, 6, 8, 10));

        assertEquals(3, test.difference(), 1e-12);
        assertEquals(Math.sqrt(2.5), test.standardError(), 1e-12);
        assertEquals(6.25 / 1.0625, test.freedom(), 1e-12);
        assertEquals(0.107531, test.p(), 1e-5);
        assertEquals(3.887680, test.halfWidth(0.05), 1e-4);
    }

    @Test
    void shouldNotTakeEqualFiguresForFiguresWithoutNoise()
    {
        final Welch test = Welch.of(new double[]{7, 7}, new double[]{7, 7});

        assertEquals(0, test.difference());
        assertEquals(Welch.SPREAD_MIN, test.standardError(), 1e-12);
        assertEquals(1, test.p(), 1e-12);
    }

    @Test
    void shouldCorrectByHolm()
    {
        assertArrayEquals(new double[]{0.03, 0.06, 0.06, 0.02},
            Welch.corrected(new double[]{0.01, 0.04, 0.03, 0.005}), 1e-12);
        assertArrayEquals(new double[]{1, 1}, Welch.corrected(new double[]{0.6, 0.7}), 1e-12);
    }

    private static double[] exponentials(final double... logarithms)
    {
        return DoubleStream.of(logarithms).map(Math::exp).toArray();
    }
}
