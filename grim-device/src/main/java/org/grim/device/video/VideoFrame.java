// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.nio.ByteOrder;
import java.util.zip.CRC32;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.agrona.BitUtil.SIZE_OF_SHORT;

/**
 * View of a video frame in a buffer: a header of {@value #HEADER_LENGTH} bytes, big endian, and the planes. The last
 * frame of a source is a header without planes.
 * <pre>
 *  0 "GRMF"                 4 format u16, planes u16      8 width u16, height u16     12 stride of 3 planes, u32 each
 * 24 frame number u64      32 captured at, ns u64        40 source endpoint u32      44 flags u32: 1 key, 2 last
 * 48 length of the planes u32                            52 zero, to 64
 * </pre>
 * <p>Thread: one at a time. Owns: nothing.
 */
public final class VideoFrame
{
    /** Bytes of a header. */
    public static final int HEADER_LENGTH = 64;

    static final int KEY_FLAG = 1;
    static final int LAST_FLAG = 1 << 1;
    static final int SIDE_MAX = 0xFFFF;
    private static final ByteOrder ORDER = ByteOrder.BIG_ENDIAN;
    private static final int MAGIC = 'G' << 24 | 'R' << 16 | 'M' << 8 | 'F';
    private static final int MAGIC_OFFSET = 0;
    private static final int FORMAT_OFFSET = MAGIC_OFFSET + SIZE_OF_INT;
    private static final int PLANES_OFFSET = FORMAT_OFFSET + SIZE_OF_SHORT;
    private static final int WIDTH_OFFSET = PLANES_OFFSET + SIZE_OF_SHORT;
    private static final int HEIGHT_OFFSET = WIDTH_OFFSET + SIZE_OF_SHORT;
    private static final int STRIDES_OFFSET = HEIGHT_OFFSET + SIZE_OF_SHORT;
    private static final int NUMBER_OFFSET = STRIDES_OFFSET + 3 * SIZE_OF_INT;
    private static final int CAPTURED_OFFSET = NUMBER_OFFSET + SIZE_OF_LONG;
    private static final int SOURCE_OFFSET = CAPTURED_OFFSET + SIZE_OF_LONG;
    private static final int FLAGS_OFFSET = SOURCE_OFFSET + SIZE_OF_INT;
    private static final int LENGTH_OFFSET = FLAGS_OFFSET + SIZE_OF_INT;
    private static final int ZERO_OFFSET = LENGTH_OFFSET + SIZE_OF_INT;

    private final UnsafeBuffer buffer = new UnsafeBuffer(0, 0);

    /** Makes a view of nothing. */
    public VideoFrame()
    {
        // wrap says of which frame.
    }

    /**
     * Looks at a frame. Its bytes must not change meanwhile: copy those of memory that a peer may write.
     *
     * @param source of the bytes.
     * @param offset of the header.
     * @param length bytes from there on that belong to the frame.
     * @return this.
     * @throws GrimException ({@link GrimException.Reason#BAD_DATA}) if the bytes are no frame.
     */
    public VideoFrame wrap(final DirectBuffer source, final int offset, final int length)
    {
        buffer.wrap(source, offset, length);
        if (length < HEADER_LENGTH || buffer.getInt(MAGIC_OFFSET, ORDER) != MAGIC)
        {
            throw refusal("has no header");
        }
        final PixelFormat format = format();
        if (format == null || planesLength() < 0 || planesLength() > length - HEADER_LENGTH || width() == 0 ||
            height() == 0)
        {
            throw refusal("has a wrong header: format=" + u16(FORMAT_OFFSET) + " width=" + width() + " height=" +
                height() + " planes of length=" + planesLength());
        }
        final long expected = format == PixelFormat.JPEG || isLast() ? planesLength() :
            format.planesLength(width(), height());
        if (planesLength() != expected)
        {
            throw refusal("has planes of length=" + planesLength() + ", expected " + expected);
        }
        return this;
    }

    /** Writes the header of a frame. */
    static void write(
        final MutableDirectBuffer target, final PixelFormat format, final int width, final int height,
        final long number, final long capturedNs, final EndpointId source, final int flags, final int planesLength)
    {
        write(target, format, width, height, number, capturedNs, source.key(), flags, planesLength);
    }

    /**
     * Writes the header of a frame that was computed from this one: number, time, source and flags are the same.
     *
     * @param target to write to, from index 0; not the buffer of this frame.
     * @param format of the new frame.
     * @param width  of the new frame.
     * @param height of the new frame.
     */
    public void writeHeader(
        final MutableDirectBuffer target, final PixelFormat format, final int width, final int height)
    {
        write(target, format, width, height, number(), capturedNs(), sourceKey(), buffer.getInt(FLAGS_OFFSET, ORDER),
            Math.toIntExact(format.planesLength(width, height)));
    }

    private static void write(
        final MutableDirectBuffer target, final PixelFormat format, final int width, final int height,
        final long number, final long capturedNs, final int sourceKey, final int flags, final int planesLength)
    {
        target.putInt(MAGIC_OFFSET, MAGIC, ORDER);
        target.putShort(FORMAT_OFFSET, (short)format.code(), ORDER);
        target.putShort(PLANES_OFFSET, (short)format.planeCount(), ORDER);
        target.putShort(WIDTH_OFFSET, (short)width, ORDER);
        target.putShort(HEIGHT_OFFSET, (short)height, ORDER);
        for (int plane = 0; plane < 3; plane++)
        {
            target.putInt(STRIDES_OFFSET + plane * SIZE_OF_INT, format.rowLength(plane, width), ORDER);
        }
        target.putLong(NUMBER_OFFSET, number, ORDER);
        target.putLong(CAPTURED_OFFSET, capturedNs, ORDER);
        target.putInt(SOURCE_OFFSET, sourceKey, ORDER);
        target.putInt(FLAGS_OFFSET, flags, ORDER);
        target.putInt(LENGTH_OFFSET, planesLength, ORDER);
        target.setMemory(ZERO_OFFSET, HEADER_LENGTH - ZERO_OFFSET, (byte)0);
    }

    /** {@return format of the pixels} */
    public PixelFormat format()
    {
        return PixelFormat.ofCode(u16(FORMAT_OFFSET));
    }

    /** {@return columns} */
    public int width()
    {
        return u16(WIDTH_OFFSET);
    }

    /** {@return rows} */
    public int height()
    {
        return u16(HEIGHT_OFFSET);
    }

    /** {@return number of the frame at its source, from 0} */
    public long number()
    {
        return buffer.getLong(NUMBER_OFFSET, ORDER);
    }

    /** {@return when it was captured, in nanoseconds since the epoch} */
    public long capturedNs()
    {
        return buffer.getLong(CAPTURED_OFFSET, ORDER);
    }

    /** {@return key of the device that captured it} */
    public int sourceKey()
    {
        return buffer.getInt(SOURCE_OFFSET, ORDER);
    }

    /** {@return whether it can be shown without the frames before it} */
    public boolean isKey()
    {
        return (buffer.getInt(FLAGS_OFFSET, ORDER) & KEY_FLAG) != 0;
    }

    /** {@return whether its source has ended: there are no planes} */
    public boolean isLast()
    {
        return (buffer.getInt(FLAGS_OFFSET, ORDER) & LAST_FLAG) != 0;
    }

    /** {@return bytes of the planes, which begin at {@value #HEADER_LENGTH}} */
    public int planesLength()
    {
        return buffer.getInt(LENGTH_OFFSET, ORDER);
    }

    /** {@return the bytes, from the header on} */
    public DirectBuffer buffer()
    {
        return buffer;
    }

    /** {@return CRC-32 of the planes} */
    public long checksum()
    {
        final byte[] planes = new byte[planesLength()];
        buffer.getBytes(HEADER_LENGTH, planes);
        final CRC32 sum = new CRC32();
        sum.update(planes);
        return sum.getValue();
    }

    private int u16(final int offset)
    {
        return buffer.getShort(offset, ORDER) & 0xFFFF;
    }

    private GrimException refusal(final String reason)
    {
        return new GrimException(
            GrimException.Reason.BAD_DATA, "video frame of length=" + buffer.capacity() + " " + reason);
    }
}
