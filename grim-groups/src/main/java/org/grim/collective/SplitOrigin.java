// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * The split by which a group was made: a collective operation of another one.
 * <p>Thread: any; immutable.
 *
 * @param id       of the group that was split.
 * @param epoch    of it.
 * @param sequence of the operation.
 */
record SplitOrigin(int id, int epoch, int sequence)
{
    /** Bytes in a message. */
    static final int LENGTH = Integer.BYTES * 3;

    private static final int SEQUENCE_OFFSET = Integer.BYTES * 2;

    void writeTo(final MutableDirectBuffer target, final int offset)
    {
        target.putInt(offset, id, LITTLE_ENDIAN);
        target.putInt(offset + Integer.BYTES, epoch, LITTLE_ENDIAN);
        target.putInt(offset + SEQUENCE_OFFSET, sequence, LITTLE_ENDIAN);
    }

    /** Whether a message ends with this. */
    boolean isAtEnd(final ActiveMessage message)
    {
        final DirectBuffer buffer = message.buffer();
        final int at = message.offset() + message.length() - LENGTH;
        return message.length() >= LENGTH && buffer.getInt(at, LITTLE_ENDIAN) == id &&
            buffer.getInt(at + Integer.BYTES, LITTLE_ENDIAN) == epoch &&
            buffer.getInt(at + SEQUENCE_OFFSET, LITTLE_ENDIAN) == sequence;
    }
}
