// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.util.Random;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;

/** Frames as bytes, for tests of other packages. */
public final class FrameBytes
{
    private static final int JPEG_LENGTH = 100;
    private static final EndpointId SOURCE = EndpointId.of(5, 3, 2);

    private FrameBytes()
    {
    }

    /** Returns a frame whose planes are zero. */
    public static byte[] write(final PixelFormat format, final int width, final int height, final long number)
    {
        final int length = format == PixelFormat.JPEG ? JPEG_LENGTH : (int)format.planesLength(width, height);
        final byte[] bytes = new byte[VideoFrame.HEADER_LENGTH + length];
        VideoFrame.write(
            new UnsafeBuffer(bytes), format, width, height, number, 1_000, SOURCE, VideoFrame.KEY_FLAG, length);
        return bytes;
    }

    /** Returns a frame of number 7 whose planes are random. */
    public static byte[] random(final Random random, final PixelFormat format, final int width, final int height)
    {
        final byte[] bytes = write(format, width, height, 7);
        for (int i = VideoFrame.HEADER_LENGTH; i < bytes.length; i++)
        {
            bytes[i] = (byte)random.nextInt();
        }
        return bytes;
    }

    /** Returns the end of a source. */
    public static byte[] last(final EndpointId source)
    {
        final byte[] bytes = new byte[VideoFrame.HEADER_LENGTH];
        VideoFrame.write(
            new UnsafeBuffer(bytes), PixelFormat.YUV_420, 20, 10, 8, 1_000, source, VideoFrame.LAST_FLAG, 0);
        return bytes;
    }
}
