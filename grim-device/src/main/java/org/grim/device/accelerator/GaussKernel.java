// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import java.util.Arrays;

import org.agrona.MutableDirectBuffer;
import org.grim.device.video.VideoFrame;

/**
 * Blurs each plane of a frame: operation 0 with 3x3 weights, 1 with 5x5. The edge's pixels stand for those beyond it.
 * Results are rounded to the nearest value, halves up.
 */
final class GaussKernel extends FrameKernel
{
    private static final int[][] WEIGHTS = {{1, 2, 1}, {1, 4, 6, 4, 1}};
    /** Bits of the sum of weights, squared. */
    private static final int[] SHIFTS = {4, 8};

    private int[] sums = new int[0];

    GaussKernel()
    {
        super("gauss", WEIGHTS.length - 1);
    }

    @Override
    int run(final VideoFrame source, final KernelCall call, final MutableDirectBuffer result)
    {
        source.writeHeader(result, source.format(), source.width(), source.height());
        int offset = 0;
        for (int plane = 0; plane < source.format().planeCount(); plane++)
        {
            final int width = source.format().rowLength(plane, source.width());
            final int height = source.format().rowCount(plane, source.height());
            final byte[] output = output(width * height);
            blur(input(source, offset, width * height), output, width, height, call.operation());
            result.putBytes(VideoFrame.HEADER_LENGTH + offset, output, 0, width * height);
            offset += width * height;
        }
        return offset;
    }

    private void blur(
        final byte[] input, final byte[] output, final int width, final int height, final int operation)
    {
        final int[] weights = WEIGHTS[operation];
        final int radius = weights.length / 2;
        final int shift = SHIFTS[operation];
        sums = sums.length >= width + 2 * radius ? sums : new int[width + 2 * radius];
        for (int y = 0; y < height; y++)
        {
            sumColumns(input, width, height, y, weights);
            for (int x = 0; x < width; x++)
            {
                int sum = 1 << (shift - 1);
                for (int i = 0; i < weights.length; i++)
                {
                    sum += weights[i] * sums[x + i];
                }
                output[y * width + x] = (byte)(sum >> shift);
            }
        }
    }

    /** Sums pixels above each other, for a row and for what lies beyond its ends. */
    private void sumColumns(
        final byte[] input, final int width, final int height, final int y, final int[] weights)
    {
        final int radius = weights.length / 2;
        Arrays.fill(sums, 0, width + 2 * radius, 0);
        for (int i = 0; i < weights.length; i++)
        {
            final int row = Math.max(0, Math.min(height - 1, y + i - radius)) * width;
            final int weight = weights[i];
            for (int x = 0; x < width; x++)
            {
                sums[radius + x] += weight * (input[row + x] & BYTE_MASK);
            }
        }
        Arrays.fill(sums, 0, radius, sums[radius]);
        Arrays.fill(sums, radius + width, width + 2 * radius, sums[radius + width - 1]);
    }
}
