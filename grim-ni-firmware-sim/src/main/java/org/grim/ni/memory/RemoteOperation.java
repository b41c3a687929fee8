// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.buffer.AtomicWord;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Operation of a remote-memory message, read once from its first bytes; {@link RemoteMemoryFormat} has the layout.
 * <p>Thread: the board's stepper. Owns nothing.
 */
final class RemoteOperation
{
    /** First data byte of a reply that is sent, from its first byte. */
    static final int DATA_OFFSET = RemoteMemoryFormat.DATA_OFFSET;

    private long first;
    private long second;
    private int context;
    private long remoteAddress;
    private long notificationAddress;
    private int typeCode;
    private int extensionLength;
    private long notificationValue;
    private int count;
    private long targetAddress;
    private AtomicOperation atomic;

    /** Reads a message for a context; null if what it asks for is possible, otherwise why not. */
    RefuseReason read(final int newContext, final DirectBuffer packet, final int offset)
    {
        context = newContext;
        first = MessageHeader.first(packet.getInt(offset), packet.getInt(offset + MessageHeader.TYPE_OFFSET));
        second = MessageHeader.second(packet.getLong(offset + MessageHeader.EXTENT_OFFSET));
        final int payloadLength = MessageHeader.payloadLength(first, second);
        typeCode = MessageHeader.typeCode(first);
        atomic = MessageType.atomicOf(typeCode);
        extensionLength = RemoteMemoryFormat.extensionLength(typeCode);
        if (payloadLength < extensionLength)
        {
            return RefuseReason.TRUNCATED;
        }
        remoteAddress = packet.getLong(offset + RemoteMemoryFormat.REMOTE_OFFSET, BIG_ENDIAN);
        notificationAddress = packet.getLong(offset + RemoteMemoryFormat.NOTIFICATION_OFFSET, BIG_ENDIAN);
        notificationValue = RemoteMemoryFormat.value(packet, offset, typeCode);
        count = packet.getInt(offset + RemoteMemoryFormat.COUNT_OFFSET, BIG_ENDIAN);
        targetAddress = hasReply() ? packet.getLong(offset + RemoteMemoryFormat.TARGET_OFFSET, BIG_ENDIAN) : 0;
        return invalid(hasReply() ? RemoteMemoryFormat.COUNT_MAX : payloadLength - extensionLength);
    }

    /** A read, or an atomic operation. */
    boolean hasReply()
    {
        return atomic != null || typeCode == MessageType.REMOTE_READ.code();
    }

    /** Returns the kind of an atomic operation; null for a write, a read or a reply. */
    AtomicOperation atomic()
    {
        return atomic;
    }

    /** Returns the operation on a write's signal; null for a notification word that is stored. */
    SignalOperation signal()
    {
        return MessageType.signalOf(typeCode);
    }

    boolean isPhysical()
    {
        return typeCode == MessageType.REMOTE_WRITE_PHYSICAL.code();
    }

    /**
     * Rights that the region must grant. A reply goes where its own reader said, to memory that need not be others'.
     */
    int right()
    {
        return atomic != null ? MemoryRegion.Rights.READ_WRITE.bits() :
            hasReply() ? MemoryRegion.Rights.READ.bits() : notificationRight();
    }

    /** Rights that the region of the notification word must grant. */
    int notificationRight()
    {
        return typeCode == MessageType.REMOTE_READ_REPLY.code() ? 0 : MemoryRegion.Rights.WRITE.bits();
    }

    int context()
    {
        return context;
    }

    long remoteAddress()
    {
        return remoteAddress;
    }

    /** Returns whether to write a notification word here; a reply's is written where it arrives. */
    boolean hasNotification()
    {
        return notificationAddress != 0 && !hasReply();
    }

    long notificationAddress()
    {
        return notificationAddress;
    }

    long notificationValue()
    {
        return notificationValue;
    }

    /** Bytes of the notification word: 4, or 8 for a signal of 64 bits. */
    int notificationLength()
    {
        return MessageType.notificationLength(typeCode);
    }

    int count()
    {
        return count;
    }

    /** First data byte of a write or reply, from the message's first byte. */
    int dataOffset()
    {
        return MessageHeader.LENGTH + extensionLength;
    }

    /** Whether an atomic operation's word can be at an address, virtual or physical. */
    boolean isWord(final long address)
    {
        return AtomicWord.isLength(count) && AtomicWord.isAligned(address, count);
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
        final int payloadLength = RemoteMemoryFormat.EXTENSION_LENGTH + count;
        final int askingChannel = MessageHeader.sourceChannel(second);
        header.wrap(buffer, index).identity(0, 0).put(
            MessageHeader.typeWord(MessageType.REMOTE_READ_REPLY, MessageHeader.destinationAddress(second)),
            MessageHeader.sourceAddress(first),
            MessageHeader.routeWord(replyChannel, askingChannel),
            0, payloadLength, targetAddress, notificationAddress);
        buffer.putInt(index + RemoteMemoryFormat.VALUE_OFFSET, (int)notificationValue, BIG_ENDIAN);
        buffer.putInt(index + RemoteMemoryFormat.COUNT_OFFSET, count, BIG_ENDIAN);
        for (int i = payloadLength; i % SIZE_OF_INT != 0; i++)
        {
            buffer.putByte(index + MessageHeader.LENGTH + i, (byte)0);      // Padding shows nothing of older messages.
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
        if (atomic != null && !isWord(remoteAddress))
        {
            return RefuseReason.MISALIGNED_WORD;
        }
        return AtomicWord.isAligned(notificationAddress, notificationLength()) ? null :
            RefuseReason.MISALIGNED_NOTIFICATION;
    }
}
