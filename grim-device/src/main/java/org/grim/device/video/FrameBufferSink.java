// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.agrona.CloseHelper;

/**
 * Writes changed rows into a frame buffer: a file of pixels, a device such as {@code /dev/fb0}, or the file of an X
 * server's virtual frame buffer (XWD). Pixels have 32 bits, blue first. Writes by position reach a mapping of the same
 * file, and a file that shrinks is an error of a write.
 * <p>Thread: that of the display. Owns: the open file.
 */
final class FrameBufferSink implements DisplaySink
{
    private static final int XWD_VERSION = 7;
    private static final int XWD_HEADER_LENGTH = 100;
    private static final int XWD_COLOUR_LENGTH = 12;
    private static final int RED_MASK = 0xFF0000;
    private static final int PIXEL_BITS = Screen.PIXEL_LENGTH * Byte.SIZE;

    private final Path file;
    private final FileChannel channel;
    private int columns;
    private int rows;
    private long firstOffset;
    private long stride;

    private FrameBufferSink(final Path file, final FileChannel channel)
    {
        this.file = file;
        this.channel = channel;
    }

    /**
     * Opens a frame buffer.
     *
     * @param optionalStride bytes of a row; 0 for what the file or the device says.
     */
    static FrameBufferSink open(final Path file, final int optionalStride, final Screen screen) throws IOException
    {
        final FrameBufferSink sink = new FrameBufferSink(
            file, FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE));
        boolean isComplete = false;
        try
        {
            sink.measure(optionalStride, screen);
            isComplete = true;
            return sink;
        }
        finally
        {
            if (!isComplete)
            {
                sink.close();
            }
        }
    }

    @Override
    public void show(final Screen screen, final Screen.Area changed) throws IOException
    {
        final int width = Math.min(columns, changed.x() + changed.width()) - changed.x();
        for (int y = changed.y(); width > 0 && y < Math.min(rows, changed.y() + changed.height()); y++)
        {
            final ByteBuffer row = ByteBuffer.wrap(screen.pixels,
                (y * screen.width + changed.x()) * Screen.PIXEL_LENGTH, width * Screen.PIXEL_LENGTH);
            long position = firstOffset + y * stride + (long)changed.x() * Screen.PIXEL_LENGTH;
            while (row.hasRemaining())
            {
                position += channel.write(row, position);
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.quietClose(channel);
    }

    private void measure(final int optionalStride, final Screen screen) throws IOException
    {
        final ByteBuffer header = ByteBuffer.allocate(XWD_HEADER_LENGTH);       // Big endian, as XWD is.
        final Path device = Path.of("/sys/class/graphics").resolve(file.getFileName());
        columns = screen.width;
        rows = screen.height;
        if (!Files.isRegularFile(file) && Files.isDirectory(device))
        {
            final String[] sides = Files.readString(device.resolve("virtual_size")).strip().split(",", -1);
            requireFormat(number(device.resolve("bits_per_pixel")), 0, RED_MASK);
            place(Integer.parseInt(sides[0]), Integer.parseInt(sides[1]), 0, number(device.resolve("stride")));
        }
        else if (channel.read(header, 0) == XWD_HEADER_LENGTH && header.getInt(4) == XWD_VERSION &&
            header.getInt(0) >= XWD_HEADER_LENGTH)
        {
            requireFormat(header.getInt(11 * 4), header.getInt(7 * 4), header.getInt(14 * 4));
            place(header.getInt(4 * 4), header.getInt(5 * 4),
                header.getInt(0) + (long)XWD_COLOUR_LENGTH * header.getInt(19 * 4), header.getInt(12 * 4));
        }
        else
        {
            stride = (long)columns * Screen.PIXEL_LENGTH;
        }
        stride = optionalStride == 0 ? stride : optionalStride;
        final long end = firstOffset + (rows - 1) * stride + (long)columns * Screen.PIXEL_LENGTH;
        if (columns < 1 || rows < 1 || stride < (long)columns * Screen.PIXEL_LENGTH ||
            (Files.isRegularFile(file) && channel.size() < end))
        {
            throw new IllegalArgumentException("frame-buffer=" + file + " of length=" + channel.size() +
                " has no room for " + columns + "x" + rows + " pixels with stride=" + stride + ": length=" + end);
        }
    }

    private void place(final int width, final int height, final long newFirstOffset, final long newStride)
    {
        columns = Math.min(columns, width);
        rows = Math.min(rows, height);
        firstOffset = newFirstOffset;
        stride = newStride;
    }

    private void requireFormat(final int bits, final int byteOrder, final int redMask)
    {
        if (bits != PIXEL_BITS || byteOrder != 0 || redMask != RED_MASK)
        {
            throw new IllegalArgumentException("frame-buffer=" + file + " has pixels of bits=" + bits + " order=" +
                byteOrder + " red=0x" + Integer.toHexString(redMask) + ", expected 32, 0 and 0xff0000");
        }
    }

    private static int number(final Path path) throws IOException
    {
        return Integer.parseInt(Files.readString(path).strip());
    }
}
