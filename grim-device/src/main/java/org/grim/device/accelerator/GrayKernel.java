// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.MutableDirectBuffer;
import org.grim.device.video.PixelFormat;
import org.grim.device.video.VideoFrame;

/** Takes the colours off a frame: the result is its brightness alone. */
final class GrayKernel extends FrameKernel
{
    GrayKernel()
    {
        super("gray", 0);
    }

    @Override
    int run(final VideoFrame source, final KernelCall call, final MutableDirectBuffer result)
    {
        final int length = source.width() * source.height();
        source.writeHeader(result, PixelFormat.MONO, source.width(), source.height());
        result.putBytes(VideoFrame.HEADER_LENGTH, source.buffer(), VideoFrame.HEADER_LENGTH, length);
        return length;
    }
}
