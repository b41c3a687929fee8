// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRights;
import org.grim.wire.HeaderWords;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * What a remote-memory message asks for, read once from its first bytes.
 * <pre>
 *  16  remote address (64)      arguments 0 and 1
 *  24  notification address (64), 0 for none      arguments 2 and 3
 *  32  notification value (32) | data byte count (32)
 *  40  the reader's target address (64) in a read; data in all others
 * </pre>
 * <p>Thread: the board's stepper. Owns nothing.
 */
final class RemoteOperation
{
    static final int REMOTE_OFFSET = HeaderWords.WORDS_TWO_OFFSET + SIZE_OF_LONG;           // u64, sender
    static final int NOTIFICATION_OFFSET = REMOTE_OFFSET + SIZE_OF_LONG;                    // u64, sender
    static final int VALUE_OFFSET = MessageHeader.LENGTH;                                   // u32, sender
    static final int COUNT_OFFSET = VALUE_OFFSET + SIZE_OF_INT;                             // u32 bytes, sender
    static final int DATA_OFFSET = COUNT_OFFSET + SIZE_OF_INT;                              // bytes, sender
    static final int TARGET_OFFSET = DATA_OFFSET;                                           // u64, reader
    static final int EXTENSION_LENGTH = DATA_OFFSET - MessageHeader.LENGTH;
    static final int READ_EXTENSION_LENGTH = EXTENSION_LENGTH + SIZE_OF_LONG;
    static final int COUNT_MAX = MessageHeader.PAYLOAD_LENGTH_MAX - EXTENSION_LENGTH;

    private long first;
    private long second;
    private int context;
    private long remoteAddress;
    private long notificationAddress;
    private int notificationValue;
    private int count;
    private long targetAddress;

    /** Reads a message for a context; null if what it asks for is possible, otherwise why not. */
    RefuseReason read(final int newContext, final DirectBuffer packet, final int offset)
    {
        context = newContext;
        first = HeaderWords.first(packet.getInt(offset), packet.getInt(offset + HeaderWords.WORD_ONE_OFFSET));
        second = HeaderWords.second(packet.getLong(offset + HeaderWords.WORDS_TWO_OFFSET));
        final int payloadLength = HeaderWords.payloadLength(first, second);
        if (payloadLength < (isRead() ? READ_EXTENSION_LENGTH : EXTENSION_LENGTH))
        {
            return RefuseReason.TRUNCATED;
        }
        remoteAddress = packet.getLong(offset + REMOTE_OFFSET, BIG_ENDIAN);
        notificationAddress = packet.getLong(offset + NOTIFICATION_OFFSET, BIG_ENDIAN);
        notificationValue = packet.getInt(offset + VALUE_OFFSET, BIG_ENDIAN);
        count = packet.getInt(offset + COUNT_OFFSET, BIG_ENDIAN);
        targetAddress = isRead() ? packet.getLong(offset + TARGET_OFFSET, BIG_ENDIAN) : 0;
        return invalid(isRead() ? COUNT_MAX : payloadLength - EXTENSION_LENGTH);
    }

    boolean isRead()
    {
        return HeaderWords.typeCode(first) == MessageType.REMOTE_READ.code();
    }

    boolean isPhysical()
    {
        return HeaderWords.typeCode(first) == MessageType.REMOTE_WRITE_PHYSICAL.code();
    }

    /** What the region must grant. A reply goes where its own reader said, to memory that need not be others'. */
    int right()
    {
        return isRead() ? MemoryRights.READ.bits() : notificationRight();
    }

    /** What the region of the notification word must grant. */
    int notificationRight()
    {
        return HeaderWords.typeCode(first) == MessageType.REMOTE_READ_REPLY.code() ? 0 : MemoryRights.WRITE.bits();
    }

    int context()
    {
        return context;
    }

    long remoteAddress()
    {
        return remoteAddress;
    }

    /** Whether a notification word is to be written here; a read's is written where its reply arrives. */
    boolean hasNotification()
    {
        return notificationAddress != 0 && !isRead();
    }

    long notificationAddress()
    {
        return notificationAddress;
    }

    int notificationValue()
    {
        return notificationValue;
    }

    int count()
    {
        return count;
    }

    /** Whether another message needs the same translations. */
    boolean isLike(final RemoteOperation other)
    {
        return context == other.context && remoteAddress == other.remoteAddress && count == other.count &&
            notificationAddress == other.notificationAddress;
    }

    void copy(final RemoteOperation other)
    {
        context = other.context;
        remoteAddress = other.remoteAddress;
        notificationAddress = other.notificationAddress;
        count = other.count;
    }

    /** Writes the reply's header and the words before its data. Token and sequence come when it leaves. */
    void putReply(final MessageHeader header, final AtomicBuffer buffer, final int index, final int replyChannel)
    {
        final int payloadLength = EXTENSION_LENGTH + count;
        final int askingChannel = HeaderWords.sourceChannel(second);
        header.wrap(buffer, index).identity(0, 0).put(
            MessageHeader.typeWord(MessageType.REMOTE_READ_REPLY, HeaderWords.destinationAddress(second)),
            HeaderWords.sourceAddress(first),
            MessageHeader.routeWord(replyChannel, askingChannel),
            0, payloadLength, targetAddress, notificationAddress);
        buffer.putInt(index + VALUE_OFFSET, notificationValue, BIG_ENDIAN);
        buffer.putInt(index + COUNT_OFFSET, count, BIG_ENDIAN);
        for (int i = payloadLength; i % SIZE_OF_INT != 0; i++)
        {
            buffer.putByte(index + MessageHeader.LENGTH + i, (byte)0);      // Padding tells nothing of older messages.
        }
    }

    private RefuseReason invalid(final int countMax)
    {
        if (count == 0)
        {
            return RefuseReason.ZERO_LENGTH;
        }
        if (Integer.compareUnsigned(count, countMax) > 0)
        {
            return RefuseReason.COUNT_BEYOND_PAYLOAD;
        }
        if (Long.compareUnsigned(remoteAddress + count - 1, remoteAddress) < 0)
        {
            return RefuseReason.WRAP_AROUND;
        }
        return (notificationAddress & (SIZE_OF_INT - 1)) == 0 ? null : RefuseReason.MISALIGNED_NOTIFICATION;
    }
}
