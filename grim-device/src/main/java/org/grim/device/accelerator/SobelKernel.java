// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.MutableDirectBuffer;
import org.grim.device.video.PixelFormat;
import org.grim.device.video.VideoFrame;

/**
 * Finds the edges of a frame's brightness: the length of the gradient by Sobel, rounded down, above black. Gradients
 * below the constant are black. The edge's pixels stand for those beyond it.
 */
final class SobelKernel extends FrameKernel
{
    SobelKernel()
    {
        super("sobel", 0);
    }

    @Override
    int run(final VideoFrame source, final KernelCall call, final MutableDirectBuffer result)
    {
        final int width = source.width();
        final int height = source.height();
        final int leastLength = call.hasConstant() ? call.constant() : 0;
        final byte[] input = input(source, 0, width * height);
        final byte[] output = output(width * height);
        for (int y = 0; y < height; y++)
        {
            final int above = Math.max(0, y - 1) * width;
            final int row = y * width;
            final int below = Math.min(height - 1, y + 1) * width;
            for (int x = 0; x < width; x++)
            {
                final int left = Math.max(0, x - 1);
                final int right = Math.min(width - 1, x + 1);
                final int corners = at(input, below + right) - at(input, above + left);
                final int others = at(input, above + right) - at(input, below + left);
                final int across = corners + others + 2 * (at(input, row + right) - at(input, row + left));
                final int down = corners - others + 2 * (at(input, below + x) - at(input, above + x));
                final int length = (int)Math.sqrt(across * across + down * down);
                output[row + x] = (byte)(length < leastLength ? BLACK : Math.min(WHITE, BLACK + length));
            }
        }
        source.writeHeader(result, PixelFormat.MONO, width, height);
        result.putBytes(VideoFrame.HEADER_LENGTH, output, 0, width * height);
        return width * height;
    }

    private static int at(final byte[] pixels, final int index)
    {
        return pixels[index] & BYTE_MASK;
    }
}
