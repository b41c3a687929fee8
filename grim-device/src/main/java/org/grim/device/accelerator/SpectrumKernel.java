// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.Arrays;

import org.agrona.MutableDirectBuffer;
import org.grim.device.video.PixelFormat;
import org.grim.device.video.VideoFrame;

/**
 * Computes the spectrum of a frame's brightness: of the middle of the picture, whose sides are the largest powers of
 * two, up to {@value #SIDE_MAX}. The result has this size, and frequency 0 in its middle. Values are the logarithm of
 * 1 + magnitude, from black to white, which is the largest magnitude of this size.
 */
final class SpectrumKernel extends FrameKernel
{
    /** Longest side of a result. */
    static final int SIDE_MAX = 1 << 10;
    private static final int PIXEL_MAX = 255;

    private final Fourier fourier = new Fourier(SIDE_MAX);
    private double[] real = new double[0];
    private double[] imaginary = new double[0];

    SpectrumKernel()
    {
        super("spectrum", 0);
    }

    @Override
    int run(final VideoFrame source, final KernelCall call, final MutableDirectBuffer result)
    {
        final int width = side(source.width());
        final int height = side(source.height());
        load(source, width, height);
        fourier.transform(real, imaginary, width, height);
        final byte[] output = output(width * height);
        store(output, width, height);
        source.writeHeader(result, PixelFormat.MONO, width, height);
        result.putBytes(VideoFrame.HEADER_LENGTH, output, 0, width * height);
        return width * height;
    }

    private static int side(final int length)
    {
        return Math.min(SIDE_MAX, Integer.highestOneBit(length));
    }

    private void load(final VideoFrame source, final int width, final int height)
    {
        final int length = width * height;
        real = real.length >= length ? real : new double[length];
        imaginary = imaginary.length >= length ? imaginary : new double[length];
        Arrays.fill(imaginary, 0, length, 0);
        final byte[] input = input(source, 0, source.width() * source.height());
        final int first = (source.height() - height) / 2 * source.width() + (source.width() - width) / 2;
        for (int y = 0; y < height; y++)
        {
            for (int x = 0; x < width; x++)
            {
                real[y * width + x] = input[first + y * source.width() + x] & BYTE_MASK;
            }
        }
    }

    private void store(final byte[] output, final int width, final int height)
    {
        final double scale = (WHITE - BLACK) / Math.log1p((double)PIXEL_MAX * width * height);
        for (int y = 0; y < height; y++)
        {
            final int row = (y ^ (height / 2)) * width;         // The halves of a side change places.
            for (int x = 0; x < width; x++)
            {
                final int index = y * width + x;
                final double magnitude = Math.sqrt(real[index] * real[index] + imaginary[index] * imaginary[index]);
                output[row + (x ^ (width / 2))] = (byte)(BLACK + (int)(scale * Math.log1p(magnitude) + 0.5));
            }
        }
    }
}
