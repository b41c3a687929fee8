// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Where the words of a remote-memory message lie. Big endian; offsets in bytes from the message's first byte.
 * <pre>
 *  16  remote address (64)      arguments 0 and 1
 *  24  notification address (64), 0 for none      arguments 2 and 3
 *  32  notification value (32) | data byte count (32)
 *  40  the asking node's target address (64) in a read or an atomic operation; data in all others
 *  48  operand (64) of an atomic operation
 *  56  comparand (64) of an atomic operation
 * </pre>
 * In a reply the remote address is the reader's target address, and the notification word the reader's own. A write
 * with a signal has the signal's address and addend as those of a notification word. An atomic operation's count, 4 or
 * 8, is the length of its word; its reply is the word before, little endian.
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
    /** The reader's target address in a read, the asking node's in an atomic operation: u64, sender. */
    public static final int TARGET_OFFSET = DATA_OFFSET;
    /** Operand of an atomic operation: u64, sender. */
    public static final int OPERAND_OFFSET = TARGET_OFFSET + SIZE_OF_LONG;
    /** Comparand of an atomic operation: u64, sender. */
    public static final int COMPARAND_OFFSET = OPERAND_OFFSET + SIZE_OF_LONG;
    /** Payload bytes before the data of a write or reply. */
    public static final int EXTENSION_LENGTH = DATA_OFFSET - MessageHeader.LENGTH;
    /** Payload bytes of a read. */
    public static final int READ_EXTENSION_LENGTH = EXTENSION_LENGTH + SIZE_OF_LONG;
    /** Payload bytes of an atomic operation. */
    public static final int ATOMIC_EXTENSION_LENGTH = COMPARAND_OFFSET + SIZE_OF_LONG - MessageHeader.LENGTH;
    /** A header with all words before data and operands: enough to judge any message. */
    public static final int JUDGED_LENGTH = MessageHeader.LENGTH + READ_EXTENSION_LENGTH;
    /** Most data bytes of one write or reply. */
    public static final int COUNT_MAX = MessageHeader.PAYLOAD_LENGTH_MAX - EXTENSION_LENGTH;

    private RemoteMemoryFormat()
    {
    }
}
