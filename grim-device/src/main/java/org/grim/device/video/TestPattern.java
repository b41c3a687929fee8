// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.util.concurrent.TimeUnit;

/**
 * A picture that moves, computed from the frame's number, so that a receiver can compute it, too. Along its upper edge
 * stands the number: 32 squares, white for 1, the highest bit first.
 * <p>Thread: that of the capture.
 */
final class TestPattern implements FrameSource
{
    private static final int SQUARE = 8;
    private static final int WHITE = 235;
    private static final int BLACK = 16;

    private final PixelFormat format;
    private final int width;
    private final int height;
    private final long frameCount;
    private final int lengthMax;
    private long number;

    /**
     * Begins with frame 0.
     *
     * @param frameCount frames until the end; 0 for none.
     */
    TestPattern(
        final PixelFormat format, final int width, final int height, final long frameCount, final int lengthMax)
    {
        this.format = format;
        this.width = width;
        this.height = height;
        this.frameCount = frameCount;
        this.lengthMax = lengthMax;
    }

    @Override
    public boolean read(final CapturedFrame frame) throws IOException
    {
        if (frameCount > 0 && number == frameCount)
        {
            return false;
        }
        final byte[] bytes = frame.begin(format, width, height, format.planesLength(width, height), lengthMax);
        fill(bytes, VideoFrame.HEADER_LENGTH, format, width, height, number);
        number++;
        return true;
    }

    @Override
    public long periodNs()
    {
        return TimeUnit.SECONDS.toNanos(1) / 30;
    }

    /** Computes the planes of a frame. */
    static void fill(
        final byte[] bytes, final int offset, final PixelFormat format, final int width, final int height,
        final long number)
    {
        int next = offset;
        for (int plane = 0; plane < format.planeCount(); plane++)
        {
            final int rowLength = format.rowLength(plane, width);
            for (int y = 0; y < format.rowCount(plane, height); y++)
            {
                for (int x = 0; x < rowLength; x++)
                {
                    final boolean isNumber = plane == 0 && y < SQUARE && x < Integer.SIZE * SQUARE;
                    bytes[next] = (byte)(isNumber ? bit(number, x / SQUARE) :
                        BLACK + (x * (plane + 1) + y * (3 - plane) + number * (2 * plane + 1)) % (WHITE - BLACK));
                    next++;
                }
            }
        }
    }

    private static int bit(final long number, final int index)
    {
        return ((number >>> (Integer.SIZE - 1 - index)) & 1) == 0 ? BLACK : WHITE;
    }
}
