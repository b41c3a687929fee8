// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Frames of a YUV4MPEG2 stream: mono, C420, C422 and C444, of 8 bits.
 * <p>Thread: that of the capture.
 */
final class Y4mSource implements FrameSource
{
    private static final int LINE_LENGTH_MAX = 1_024;
    private static final String MAGIC = "YUV4MPEG2";
    private static final String FRAME = "FRAME";

    private final InputStream input;
    private final int lengthMax;
    private PixelFormat format;
    private int width;
    private int height;
    private long periodNs;

    Y4mSource(final InputStream input, final int lengthMax)
    {
        this.input = input;
        this.lengthMax = lengthMax;
    }

    @Override
    public boolean read(final CapturedFrame frame) throws IOException
    {
        if (format == null)
        {
            readHeader();
        }
        final String line = readLine();
        if (line == null)
        {
            return false;
        }
        if (!line.equals(FRAME) && !line.startsWith(FRAME + " "))
        {
            throw new IOException("does not begin with " + FRAME);
        }
        final int length = (int)Math.min(Integer.MAX_VALUE, format.planesLength(width, height));
        final byte[] bytes = frame.begin(format, width, height, length, lengthMax);
        final int count = input.readNBytes(bytes, VideoFrame.HEADER_LENGTH, length);
        if (count < length)
        {
            throw new EOFException("ends after bytes=" + count + " of " + length);
        }
        return true;
    }

    @Override
    public long periodNs()
    {
        return periodNs;
    }

    private void readHeader() throws IOException
    {
        final String line = readLine();
        if (line == null || !line.startsWith(MAGIC + " "))
        {
            throw new IOException("has no header " + MAGIC);
        }
        PixelFormat newFormat = PixelFormat.YUV_420;
        for (final String word : line.substring(MAGIC.length() + 1).split(" ", -1))
        {
            switch (word.isEmpty() ? ' ' : word.charAt(0))
            {
                case 'W' -> width = side(word);
                case 'H' -> height = side(word);
                case 'F' -> periodNs = period(word);
                case 'C' -> newFormat = formatOf(word);
                default ->
                {
                    // Interlacing, aspect ratio and comments do not change the bytes.
                }
            }
        }
        if (width == 0 || height == 0)
        {
            throw new IOException("has a header without W or H: " + line);
        }
        format = newFormat;
    }

    private static int side(final String word) throws IOException
    {
        final int side = (int)number(word, word.substring(1));
        if (side < 1 || side > VideoFrame.SIDE_MAX)
        {
            throw new IOException("has " + word + ", which is outside 1 to " + VideoFrame.SIDE_MAX);
        }
        return side;
    }

    private static long period(final String word) throws IOException
    {
        final int colon = word.indexOf(':');
        final long frames = number(word, word.substring(1, Math.max(1, colon)));
        final long seconds = number(word, word.substring(colon + 1));
        return frames == 0 ? 0 : TimeUnit.SECONDS.toNanos(seconds) / frames;
    }

    private static PixelFormat formatOf(final String word) throws IOException
    {
        return switch (word)
        {
            case "Cmono" -> PixelFormat.MONO;
            case "C420", "C420jpeg", "C420mpeg2", "C420paldv" -> PixelFormat.YUV_420;
            case "C422" -> PixelFormat.YUV_422;
            case "C444" -> PixelFormat.YUV_444;
            default -> throw new IOException("has " + word + ", which is none of Cmono, C420, C422, C444 of 8 bits");
        };
    }

    private static long number(final String word, final String digits) throws IOException
    {
        if (!digits.matches("[0-9]{1,9}"))
        {
            throw new IOException("has " + word + ", which is no number");
        }
        return Long.parseLong(digits);
    }

    /** Returns a line without its end; null at the end of the stream. */
    private String readLine() throws IOException
    {
        final byte[] line = new byte[LINE_LENGTH_MAX];
        int length = 0;
        for (int next = input.read(); next != '\n'; next = input.read())
        {
            if (next < 0 && length == 0)
            {
                return null;
            }
            if (next < 0 || length == LINE_LENGTH_MAX)
            {
                throw new IOException("has a line without an end: bytes=" + length);
            }
            line[length] = (byte)next;
            length++;
        }
        return new String(line, 0, length, ISO_8859_1);
    }
}
