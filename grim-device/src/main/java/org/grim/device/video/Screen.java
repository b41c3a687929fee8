// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Iterator;
import javax.imageio.ImageIO;
import javax.imageio.ImageReader;
import javax.imageio.stream.ImageInputStream;

import org.agrona.DirectBuffer;

/**
 * The picture that a display shows: pixels of four bytes blue, green, red, 0, row by row.
 * <p>Thread: that of the display changes it, holding the monitor; others read holding it.
 */
final class Screen
{
    static final int PIXEL_LENGTH = 4;
    /** A JPEG file says how much memory its pixels take. */
    private static final long JPEG_PIXELS_MAX = 1 << 25;

    final int width;
    final int height;
    final byte[] pixels;
    /** Pictures that were shown. */
    private long number;

    /** A part of the picture. Immutable. */
    record Area(int x, int y, int width, int height)
    {
    }

    Screen(final int width, final int height)
    {
        this.width = width;
        this.height = height;
        pixels = new byte[width * height * PIXEL_LENGTH];
        ImageIO.setUseCache(false);
    }

    Area whole()
    {
        return new Area(0, 0, width, height);
    }

    synchronized long number()
    {
        return number;
    }

    /** Copies an area of a frame buffer of the same size. */
    synchronized void copy(final DirectBuffer buffer, final Area area)
    {
        for (int y = area.y; y < area.y + area.height; y++)
        {
            final int offset = (y * width + area.x) * PIXEL_LENGTH;
            buffer.getBytes(offset, pixels, offset, area.width * PIXEL_LENGTH);
        }
        onShown();
    }

    /** Draws a frame at the upper left, as far as there is room; returns what it covers. */
    Area draw(final VideoFrame frame) throws IOException
    {
        final int[] decoded = frame.format() == PixelFormat.JPEG ? decode(frame) : null;
        final int columns = Math.min(width, frame.width());
        final int rows = Math.min(height, frame.height());
        synchronized (this)
        {
            for (int y = 0; y < rows; y++)
            {
                for (int x = 0; x < columns; x++)
                {
                    put((y * width + x) * PIXEL_LENGTH,
                        decoded == null ? colour(frame, x, y) : decoded[y * frame.width() + x]);
                }
            }
            onShown();
        }
        return new Area(0, 0, columns, rows);
    }

    /** Computes the colour 0xRRGGBB of a pixel: ITU-R BT.601, brightness from 16 to 235. */
    static int colour(final VideoFrame frame, final int x, final int y)
    {
        final PixelFormat format = frame.format();
        final DirectBuffer buffer = frame.buffer();
        final int brightness = 298 * ((buffer.getByte(VideoFrame.HEADER_LENGTH + y * frame.width() + x) & 0xFF) - 16);
        int blue = 0;
        int red = 0;
        if (format.planeCount() == 3)
        {
            final int rowLength = format.rowLength(1, frame.width());
            final int offset = VideoFrame.HEADER_LENGTH + frame.width() * frame.height() +
                (y >> format.rowShift()) * rowLength + (x >> format.columnShift());
            blue = (buffer.getByte(offset) & 0xFF) - 128;
            red = (buffer.getByte(offset + rowLength * format.rowCount(1, frame.height())) & 0xFF) - 128;
        }
        return clip(brightness + 409 * red) << 16 | clip(brightness - 100 * blue - 208 * red) << 8 |
            clip(brightness + 516 * blue);
    }

    private static int clip(final int scaled)
    {
        return Math.max(0, Math.min(255, (scaled + 128) >> 8));
    }

    private static int[] decode(final VideoFrame frame) throws IOException
    {
        final byte[] file = new byte[frame.planesLength()];
        frame.buffer().getBytes(VideoFrame.HEADER_LENGTH, file);
        try (ImageInputStream input = ImageIO.createImageInputStream(new ByteArrayInputStream(file)))
        {
            final Iterator<ImageReader> readers = ImageIO.getImageReadersByFormatName("jpeg");
            final ImageReader reader = readers.next();
            reader.setInput(input);
            final int columns = reader.getWidth(0);
            final int rows = reader.getHeight(0);
            if (columns != frame.width() || rows != frame.height() || (long)columns * rows > JPEG_PIXELS_MAX)
            {
                throw new IllegalArgumentException("JPEG file of " + columns + "x" + rows + " is not of the frame's " +
                    frame.width() + "x" + frame.height() + ", or exceeds pixels=" + JPEG_PIXELS_MAX);
            }
            final int[] decoded = reader.read(0).getRGB(0, 0, columns, rows, null, 0, columns);
            reader.dispose();
            return decoded;
        }
    }

    private void put(final int offset, final int colour)
    {
        pixels[offset] = (byte)colour;
        pixels[offset + 1] = (byte)(colour >> 8);
        pixels[offset + 2] = (byte)(colour >> 16);
        pixels[offset + 3] = 0;
    }

    private void onShown()
    {
        number++;
        notifyAll();
    }
}
