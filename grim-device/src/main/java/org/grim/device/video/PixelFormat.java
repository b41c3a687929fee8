// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

/** Format of a frame's pixels; planes follow each other without gaps. */
public enum PixelFormat
{
    /** One plane of 8 bits for each pixel: brightness. */
    MONO(1, 1, 0, 0),
    /** Brightness, and two planes of colour differences with half the columns and half the rows. */
    YUV_420(2, 3, 1, 1),
    /** Brightness, and two planes of colour differences with half the columns. */
    YUV_422(3, 3, 1, 0),
    /** Brightness, and two planes of colour differences of the same size. */
    YUV_444(4, 3, 0, 0),
    /** A JPEG file: one plane, whose stride is 0. */
    JPEG(5, 1, 0, 0);

    private static final PixelFormat[] VALUES = values();

    private final int code;
    private final int planeCount;
    private final int columnShift;
    private final int rowShift;

    PixelFormat(final int code, final int planeCount, final int columnShift, final int rowShift)
    {
        this.code = code;
        this.planeCount = planeCount;
        this.columnShift = columnShift;
        this.rowShift = rowShift;
    }

    /** {@return number of the format in a frame's header} */
    public int code()
    {
        return code;
    }

    /** {@return planes of a frame: 1 or 3} */
    public int planeCount()
    {
        return planeCount;
    }

    /**
     * Computes the bytes of a row of a plane.
     *
     * @param plane 0 to 2.
     * @param width of the frame in pixels.
     * @return bytes; 0 if there is no such plane, or the format has no rows.
     */
    public int rowLength(final int plane, final int width)
    {
        return this == JPEG || plane >= planeCount ? 0 : plane == 0 ? width : (width + columnShift) >> columnShift;
    }

    /**
     * Computes the rows of a plane.
     *
     * @param plane  0 to 2.
     * @param height of the frame in pixels.
     * @return rows; 0 if there is no such plane, or the format has no rows.
     */
    public int rowCount(final int plane, final int height)
    {
        return this == JPEG || plane >= planeCount ? 0 : plane == 0 ? height : (height + rowShift) >> rowShift;
    }

    /**
     * Computes the bytes of all planes.
     *
     * @param width  of the frame in pixels.
     * @param height of the frame in pixels.
     * @return bytes; 0 for {@link #JPEG}, whose frames have any length.
     */
    public long planesLength(final int width, final int height)
    {
        long length = 0;
        for (int plane = 0; plane < planeCount; plane++)
        {
            length += (long)rowLength(plane, width) * rowCount(plane, height);
        }
        return length;
    }

    /** Shift from a pixel's column to that of its colour. */
    int columnShift()
    {
        return columnShift;
    }

    int rowShift()
    {
        return rowShift;
    }

    /** Returns the format of a number; null if there is none. */
    static PixelFormat ofCode(final int code)
    {
        return code < 1 || code > VALUES.length ? null : VALUES[code - 1];
    }
}
