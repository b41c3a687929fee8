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
 *  40  the reader's target address (64) in a read; data in all others
 * </pre>
 * In a reply the remote address is the reader's target address, and the notification word the reader's own.
 * <p>Thread: any; no state.
 */
public final class RemoteMemoryFormat
{
    /** Remote address: u64, sender. */
    public static final int REMOTE_OFFSET = MessageHeader.ARGUMENTS_OFFSET;
    /** Notification address: u64, sender. */
    public static final int NOTIFICATION_OFFSET = REMOTE_OFFSET + SIZE_OF_LONG;
    /** Notification value: u32, sender. What is stored in memory has the byte order of the target's machine. */
    public static final int VALUE_OFFSET = MessageHeader.LENGTH;
    /** Data byte count: u32, sender. */
    public static final int COUNT_OFFSET = VALUE_OFFSET + SIZE_OF_INT;
    /** Data of a write or reply. */
    public static final int DATA_OFFSET = COUNT_OFFSET + SIZE_OF_INT;
    /** The reader's target address in a read: u64, sender. */
    public static final int TARGET_OFFSET = DATA_OFFSET;
    /** Payload bytes before the data of a write or reply. */
    public static final int EXTENSION_LENGTH = DATA_OFFSET - MessageHeader.LENGTH;
    /** Payload bytes of a read. */
    public static final int READ_EXTENSION_LENGTH = EXTENSION_LENGTH + SIZE_OF_LONG;
    /** A header with all words before the data: enough to judge any message. */
    public static final int JUDGED_LENGTH = MessageHeader.LENGTH + READ_EXTENSION_LENGTH;
    /** Most data bytes of one write or reply. */
    public static final int COUNT_MAX = MessageHeader.PAYLOAD_LENGTH_MAX - EXTENSION_LENGTH;

    private RemoteMemoryFormat()
    {
    }
}
