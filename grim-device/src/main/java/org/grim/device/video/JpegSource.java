// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Frames of an MJPEG stream: JPEG files that follow each other. Reads their markers, and decodes nothing.
 * <p>Thread: that of the capture.
 */
final class JpegSource implements FrameSource
{
    private static final int MARK = 0xFF;
    private static final int START_OF_IMAGE = 0xD8;
    private static final int END_OF_IMAGE = 0xD9;
    private static final int START_OF_SCAN = 0xDA;
    private static final int FIRST_RESTART = 0xD0;
    private static final int FIRST_FRAME_HEADER = 0xC0;
    private static final int LAST_FRAME_HEADER = 0xC2;
    private static final int SIDES_LENGTH = 5;                  // Precision, height, width.

    private final InputStream input;
    private final int lengthMax;
    private byte[] bytes = new byte[1 << 16];
    private int length;
    private int width;
    private int height;

    JpegSource(final InputStream input, final int lengthMax)
    {
        this.input = input;
        this.lengthMax = lengthMax;
    }

    @Override
    public boolean read(final CapturedFrame frame) throws IOException
    {
        length = 0;
        width = 0;
        height = 0;
        final int first = input.read();
        if (first < 0)
        {
            return false;
        }
        append(first);
        if (first != MARK || next() != START_OF_IMAGE)
        {
            throw new IOException("does not begin with the marker of a JPEG file");
        }
        readSegments();
        if (width == 0 || height == 0)
        {
            throw new IOException("has no header with width and height");
        }
        System.arraycopy(bytes, 0, frame.begin(PixelFormat.JPEG, width, height, length, lengthMax),
            VideoFrame.HEADER_LENGTH, length);
        return true;
    }

    @Override
    public long periodNs()
    {
        return 0;
    }

    private void readSegments() throws IOException
    {
        int marker = nextMarker();
        while (marker != END_OF_IMAGE)
        {
            final int segmentLength = next() << Byte.SIZE | next();
            final int begin = length;
            for (int i = 2; i < segmentLength; i++)
            {
                next();
            }
            if (marker >= FIRST_FRAME_HEADER && marker <= LAST_FRAME_HEADER && length - begin >= SIDES_LENGTH)
            {
                height = u16(begin + 1);
                width = u16(begin + 3);
            }
            marker = marker == START_OF_SCAN ? skipScan() : nextMarker();
        }
    }

    private int nextMarker() throws IOException
    {
        if (next() != MARK)
        {
            throw new IOException("has no marker at byte=" + (length - 1));
        }
        int marker = next();
        while (marker == MARK)
        {
            marker = next();
        }
        return marker;
    }

    /** Compressed data ends at a marker that is neither a byte of it (0) nor a restart. */
    private int skipScan() throws IOException
    {
        while (true)
        {
            int value = next();
            while (value == MARK)
            {
                value = next();
                if (value != MARK && value != 0 && (value & ~7) != FIRST_RESTART)
                {
                    return value;
                }
            }
        }
    }

    private int u16(final int offset)
    {
        return ((bytes[offset] & MARK) << Byte.SIZE) | (bytes[offset + 1] & MARK);
    }

    private int next() throws IOException
    {
        final int value = input.read();
        if (value < 0)
        {
            throw new EOFException("ends after bytes=" + length);
        }
        append(value);
        return value;
    }

    private void append(final int value) throws IOException
    {
        if (length == lengthMax)
        {
            throw new IOException("is longer than frame-length-max=" + lengthMax);
        }
        if (length == bytes.length)
        {
            bytes = Arrays.copyOf(bytes, (int)Math.min(lengthMax, 2L * length));
        }
        bytes[length] = (byte)value;
        length++;
    }
}
