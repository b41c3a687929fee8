// SPDX-License-Identifier: Apache-2.0
package org.grim.device.accelerator;

import org.agrona.MutableDirectBuffer;
import org.grim.device.video.PixelFormat;
import org.grim.device.video.VideoFrame;

/**
 * A kernel whose items are video frames with planes. The last frame of a source passes unchanged.
 * <p>Bounds: keeps two planes of the largest frame so far; allocates nothing for further ones.
 */
abstract class FrameKernel implements Kernel
{
    /** Darkest and brightest value of a plane that was computed, as in films. */
    static final int BLACK = 16;
    static final int WHITE = 235;
    static final int BYTE_MASK = 0xFF;

    private final String name;
    private final int operationMax;
    private final VideoFrame frame = new VideoFrame();
    private byte[] input = new byte[0];
    private byte[] output = new byte[0];

    FrameKernel(final String name, final int operationMax)
    {
        this.name = name;
        this.operationMax = operationMax;
    }

    @Override
    public final String name()
    {
        return name;
    }

    @Override
    public final int run(final KernelCall call, final MutableDirectBuffer result)
    {
        if (call.operation() > operationMax)
        {
            throw new IllegalArgumentException(
                name + " has no operation=" + call.operation() + ": max=" + operationMax);
        }
        frame.wrap(call.source(), 0, call.length());
        if (frame.isLast())
        {
            result.putBytes(0, call.source(), 0, call.length());
            return call.length();
        }
        if (frame.format() == PixelFormat.JPEG)
        {
            throw new IllegalArgumentException(name + " needs planes, and the frame is a JPEG file");
        }
        return VideoFrame.HEADER_LENGTH + run(frame, call, result);
    }

    /**
     * Computes header and planes of the result.
     *
     * @return bytes of the planes.
     */
    abstract int run(VideoFrame source, KernelCall call, MutableDirectBuffer result);

    /** Copies a plane. Returns the array, which has this length at least. */
    final byte[] input(final VideoFrame source, final int offset, final int length)
    {
        input = input.length >= length ? input : new byte[length];
        source.buffer().getBytes(VideoFrame.HEADER_LENGTH + offset, input, 0, length);
        return input;
    }

    /** Returns an array of this length at least for a plane of the result. */
    final byte[] output(final int length)
    {
        output = output.length >= length ? output : new byte[length];
        return output;
    }
}
