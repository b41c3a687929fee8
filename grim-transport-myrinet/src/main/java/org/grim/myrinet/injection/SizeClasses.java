// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.grim.wire.MessageHeader;

/** Classes of payload lengths: powers of two, each with all lengths above the class before. Any thread; no state. */
public final class SizeClasses
{
    /** Returns the number of size classes. */
    public static final int COUNT = 12;
    /** Longest payload of the first class. */
    public static final int SIZE_MIN = 32;
    /** Size of the last class, which no payload reaches quite. */
    public static final int SIZE_MAX = SIZE_MIN << (COUNT - 1);

    private static final int SHIFT_MIN = Integer.numberOfTrailingZeros(SIZE_MIN);

    private SizeClasses()
    {
    }

    /**
     * Size of a class.
     *
     * @param index 0 to {@value #COUNT} - 1.
     * @return bytes.
     */
    public static int size(final int index)
    {
        return SIZE_MIN << index;
    }

    /**
     * Longest payload of a class.
     *
     * @param index 0 to {@value #COUNT} - 1.
     * @return bytes: its size, but no more than a message can carry.
     */
    public static int payloadLengthMax(final int index)
    {
        return Math.min(size(index), MessageHeader.PAYLOAD_LENGTH_MAX);
    }

    /**
     * Class of a payload.
     *
     * @param length bytes, 0 to {@value #SIZE_MAX}.
     * @return index of the class.
     */
    public static int index(final int length)
    {
        return length <= SIZE_MIN ? 0 : Integer.SIZE - Integer.numberOfLeadingZeros(length - 1) - SHIFT_MIN;
    }
}
