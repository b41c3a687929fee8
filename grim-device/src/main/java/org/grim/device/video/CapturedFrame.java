// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.buffer.Buffers;

/**
 * A frame that was captured: header and planes. Used again for others.
 * <p>Thread: that of the capture, then the runner's, and so on; the queues between publish it.
 */
final class CapturedFrame
{
    private PixelFormat format = PixelFormat.MONO;
    private int width = 1;
    private int height = 1;
    private int planesLength;
    private long capturedNs;
    private boolean isLast;
    private MutableDirectBuffer buffer = Buffers.wrap(new byte[VideoFrame.HEADER_LENGTH]);

    /**
     * Begins a frame.
     *
     * @param lengthMax longest planes that there may be.
     * @return bytes whose planes begin behind the header, to be filled.
     * @throws IOException if it would be longer.
     */
    byte[] begin(
        final PixelFormat newFormat, final int newWidth, final int newHeight, final long newLength,
        final int lengthMax) throws IOException
    {
        if (newLength > lengthMax)
        {
            throw new IOException(
                "has planes of length=" + newLength + ", which exceeds frame-length-max=" + lengthMax);
        }
        format = newFormat;
        width = newWidth;
        height = newHeight;
        planesLength = (int)newLength;
        isLast = false;
        if (buffer.capacity() < VideoFrame.HEADER_LENGTH + planesLength)
        {
            buffer = Buffers.wrap(new byte[VideoFrame.HEADER_LENGTH + planesLength]);
        }
        return buffer.byteArray();
    }

    /** Makes it the end of a source, of the same size as a frame. */
    void endAfter(final CapturedFrame last)
    {
        format = last.format;
        width = last.width;
        height = last.height;
        planesLength = 0;
        isLast = true;
    }

    /** Writes the header. */
    void finish(final long number, final long newCapturedNs, final EndpointId source)
    {
        capturedNs = newCapturedNs;
        VideoFrame.write(buffer, format, width, height, number, capturedNs, source,
            isLast ? VideoFrame.LAST_FLAG : VideoFrame.KEY_FLAG, planesLength);
    }

    DirectBuffer buffer()
    {
        return buffer;
    }

    int length()
    {
        return VideoFrame.HEADER_LENGTH + planesLength;
    }

    long capturedNs()
    {
        return capturedNs;
    }

    boolean isLast()
    {
        return isLast;
    }

    String describe()
    {
        return format + " " + width + "x" + height;
    }
}
