// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Where the words of a remote-memory message lie. Big endian; offsets in bytes from the message's first byte.
 * <pre>
 *  16  remote address (64)      arguments 0 and 1
 *  24  notification address (64), 0 for none      arguments 2 and 3
 *  32  notification value (32) | data byte count (32)
 *  40  the asking node's target address (64) in a read or an atomic operation; value (64) of a signal of 64 bits; data
 *      in all others
 *  48  operand (64) of an atomic operation; data of a write with a signal of 64 bits
 *  56  comparand (64) of an atomic operation
 * </pre>
 * In a reply the remote address is the reader's target address, and the notification word the reader's own. A write
 * with a signal has the signal's address and value as those of a notification word; a value of 64 bits lies behind the
 * count, and 0 in the place of a value of 32 bits. An atomic operation's count, 4 or 8, is the length of its word; its
 * reply is the word before, little endian.
 * <p>Thread: any; no state.
 */
public final class RemoteMemoryFormat
{
    /** Remote address: u64, sender. */
    public static final int REMOTE_OFFSET = MessageHeader.ARGUMENTS_OFFSET;
    /** Notification address: u64, sender. */
    public static final int NOTIFICATION_OFFSET = REMOTE_OFFSET + SIZE_OF_LONG;
    /** Notification value: u32, sender. Values in memory have the byte order of the target's machine. */
    public static final int VALUE_OFFSET = MessageHeader.LENGTH;
    /** Data byte count: u32, sender. */
    public static final int COUNT_OFFSET = VALUE_OFFSET + SIZE_OF_INT;
    /** Data of a write or reply. */
    public static final int DATA_OFFSET = COUNT_OFFSET + SIZE_OF_INT;
    /** Value of a signal of 64 bits: s64, sender. */
    public static final int LONG_VALUE_OFFSET = DATA_OFFSET;
    /** The reader's target address in a read, the asking node's in an atomic operation: u64, sender. */
    public static final int TARGET_OFFSET = DATA_OFFSET;
    /** Operand of an atomic operation: u64, sender. */
    public static final int OPERAND_OFFSET = TARGET_OFFSET + SIZE_OF_LONG;
    /** Comparand of an atomic operation: u64, sender. */
    public static final int COMPARAND_OFFSET = OPERAND_OFFSET + SIZE_OF_LONG;
    /** Payload bytes before the data of a reply, or of a write without a signal of 64 bits. */
    public static final int EXTENSION_LENGTH = DATA_OFFSET - MessageHeader.LENGTH;
    /** Payload bytes before the data of a write with a signal of 64 bits. */
    public static final int LONG_SIGNAL_EXTENSION_LENGTH = EXTENSION_LENGTH + SIZE_OF_LONG;
    /** Payload bytes of a read. */
    public static final int READ_EXTENSION_LENGTH = EXTENSION_LENGTH + SIZE_OF_LONG;
    /** Payload bytes of an atomic operation. */
    public static final int ATOMIC_EXTENSION_LENGTH = COMPARAND_OFFSET + SIZE_OF_LONG - MessageHeader.LENGTH;
    /** A header with all words before data and operands: enough to judge any message. */
    public static final int JUDGED_LENGTH = MessageHeader.LENGTH + READ_EXTENSION_LENGTH;
    /** Most data bytes of one reply. */
    public static final int COUNT_MAX = MessageHeader.PAYLOAD_LENGTH_MAX - EXTENSION_LENGTH;

    private RemoteMemoryFormat()
    {
    }

    /**
     * Most data bytes of one write, with a signal of any width.
     *
     * @param messageLengthMax most bytes of a message, header included.
     * @return bytes.
     */
    public static int writeLengthMax(final int messageLengthMax)
    {
        return Math.min(messageLengthMax - MessageHeader.LENGTH, MessageHeader.PAYLOAD_LENGTH_MAX) -
            LONG_SIGNAL_EXTENSION_LENGTH;
    }

    /**
     * Payload bytes of an operation, without the data of a write.
     *
     * @param typeCode of a write, a read or an atomic operation.
     * @return bytes.
     */
    public static int extensionLength(final int typeCode)
    {
        return MessageType.atomicOf(typeCode) != null ? ATOMIC_EXTENSION_LENGTH :
            typeCode == MessageType.REMOTE_READ.code() ? READ_EXTENSION_LENGTH :
            hasLongValue(typeCode) ? LONG_SIGNAL_EXTENSION_LENGTH : EXTENSION_LENGTH;
    }

    /**
     * Writes the value of a notification word or signal.
     *
     * @param buffer   of the message.
     * @param offset   of its first byte.
     * @param typeCode of the message.
     * @param value    to store or to add; its lower 32 bits, unless the message has a signal of 64 bits.
     */
    public static void putValue(
        final MutableDirectBuffer buffer, final int offset, final int typeCode, final long value)
    {
        final boolean isLong = hasLongValue(typeCode);
        buffer.putInt(offset + VALUE_OFFSET, isLong ? 0 : (int)value, BIG_ENDIAN);
        if (isLong)
        {
            buffer.putLong(offset + LONG_VALUE_OFFSET, value, BIG_ENDIAN);
        }
    }

    /**
     * Reads the value of a notification word or signal.
     *
     * @param buffer   of the message.
     * @param offset   of its first byte.
     * @param typeCode of the message.
     * @return what is stored or added; with its sign, if it has 32 bits.
     */
    public static long value(final DirectBuffer buffer, final int offset, final int typeCode)
    {
        return hasLongValue(typeCode) ? buffer.getLong(offset + LONG_VALUE_OFFSET, BIG_ENDIAN) :
            buffer.getInt(offset + VALUE_OFFSET, BIG_ENDIAN);
    }

    private static boolean hasLongValue(final int typeCode)
    {
        return MessageType.notificationLength(typeCode) == SIZE_OF_LONG;
    }
}
