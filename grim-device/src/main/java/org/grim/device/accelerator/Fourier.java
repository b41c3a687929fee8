// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

/**
 * Discrete Fourier transform of complex numbers in place, by Cooley and Tukey's algorithm of radix 2: rows of a matrix,
 * or its columns, all of them at a time. Immutable.
 */
final class Fourier
{
    private final int countMax;
    private final double[] cosines;
    private final double[] sines;

    /**
     * Computes the roots of unity.
     *
     * @param countMax most numbers of a transform; a power of two.
     */
    Fourier(final int countMax)
    {
        this.countMax = countMax;
        cosines = new double[countMax / 2];
        sines = new double[countMax / 2];
        for (int i = 0; i < countMax / 2; i++)
        {
            cosines[i] = Math.cos(-2 * Math.PI * i / countMax);
            sines[i] = Math.sin(-2 * Math.PI * i / countMax);
        }
    }

    /** Transforms a matrix in both directions. Its sides are powers of two, up to the count of this. */
    void transform(final double[] real, final double[] imaginary, final int width, final int height)
    {
        for (int y = 0; y < height; y++)
        {
            transform(real, imaginary, y * width, width, 1, 1);
        }
        transform(real, imaginary, 0, height, width, width);
    }

    /** Transforms lines that begin at an offset: line k of numbers is transformed with all others, number by number. */
    private void transform(
        final double[] real, final double[] imaginary, final int offset, final int count, final int stride,
        final int lineLength)
    {
        reverse(real, imaginary, offset, count, stride, lineLength);
        for (int half = 1; half < count; half *= 2)
        {
            for (int k = 0; k < half; k++)
            {
                final int root = k * (countMax / (2 * half));
                for (int i = k; i < count; i += 2 * half)
                {
                    combine(real, imaginary, offset + i * stride, offset + (i + half) * stride, lineLength,
                        cosines[root], sines[root]);
                }
            }
        }
    }

    private static void combine(
        final double[] real, final double[] imaginary, final int first, final int second, final int lineLength,
        final double cosine, final double sine)
    {
        for (int i = 0; i < lineLength; i++)
        {
            final double r = real[second + i] * cosine - imaginary[second + i] * sine;
            final double m = real[second + i] * sine + imaginary[second + i] * cosine;
            real[second + i] = real[first + i] - r;
            imaginary[second + i] = imaginary[first + i] - m;
            real[first + i] += r;
            imaginary[first + i] += m;
        }
    }

    /** Puts each line to the place whose number has its bits in reverse. */
    private static void reverse(
        final double[] real, final double[] imaginary, final int offset, final int count, final int stride,
        final int lineLength)
    {
        if (count == 1)
        {
            return;
        }
        final int shift = Integer.numberOfLeadingZeros(count) + 1;
        for (int i = 0; i < count; i++)
        {
            final int other = Integer.reverse(i) >>> shift;
            if (other > i)
            {
                swap(real, offset + i * stride, offset + other * stride, lineLength);
                swap(imaginary, offset + i * stride, offset + other * stride, lineLength);
            }
        }
    }

    private static void swap(final double[] numbers, final int first, final int second, final int length)
    {
        for (int i = 0; i < length; i++)
        {
            final double number = numbers[first + i];
            numbers[first + i] = numbers[second + i];
            numbers[second + i] = number;
        }
    }
}
