// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.buffer.AtomicWord;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * Flyweight over a remote-memory operation that waits as a message: its header, and the extension that its payload
 * begins with. Big endian; the initiator writes and reads.
 * <pre>
 * word   bits 31 ........................................................ 0
 *  0     ticket (32): names the operation while it waits, as the token does on a wire
 *  1     type (6) | 0 (26)
 *  4-5   remote address
 *  6-7   address of the notification word, 0 for none
 * payload
 *  0     notification value
 *  1     byte count (u31)
 *  2-3   this node's own target address in a read or an atomic operation; value of a signal of 64 bits; data in all
 *        other writes
 *  4-5   operand of an atomic operation; data of a write with a signal of 64 bits
 *  6-7   comparand of an atomic operation
 * </pre>
 * Addresses, value and count lie as in the message that it becomes ({@link RemoteMemoryFormat}). Words 2 and 3 are not
 * used: the length stands beside the record, and may be larger than the MTU.
 * <p>Thread: the one that wraps it. Owns nothing.
 */
public final class MemoryOperation
{
    static final int TICKET_OFFSET = 0;                                                      // s32
    // In the payload, which does not follow its header here.
    static final int COUNT_OFFSET = RemoteMemoryFormat.COUNT_OFFSET - MessageHeader.LENGTH;
    static final int TARGET_ADDRESS_OFFSET = RemoteMemoryFormat.TARGET_OFFSET - MessageHeader.LENGTH;
    static final int OPERAND_OFFSET = RemoteMemoryFormat.OPERAND_OFFSET - MessageHeader.LENGTH;
    static final int COMPARAND_OFFSET = RemoteMemoryFormat.COMPARAND_OFFSET - MessageHeader.LENGTH;

    private MutableDirectBuffer buffer;
    private int headerOffset;
    private int payloadOffset;

    /**
     * Distinguishes an operation from an active message. Returns true if it is a write, a read or an atomic operation.
     */
    public static boolean isAt(final MutableDirectBuffer buffer, final int headerOffset)
    {
        return MessageType.isOperation(code(buffer, headerOffset));
    }

    /** Looks at an operation. */
    public MemoryOperation wrap(
        final MutableDirectBuffer newBuffer, final int newHeaderOffset, final int newPayloadOffset)
    {
        buffer = newBuffer;
        headerOffset = newHeaderOffset;
        payloadOffset = newPayloadOffset;
        return this;
    }

    /**
     * Writes everything but the data of a write, and what only reads and atomic operations have.
     *
     * @param type                of the operation.
     * @param ticket              of the operation.
     * @param remoteAddress       of the first byte at the target.
     * @param notificationAddress or 0.
     * @param notificationValue   to store or to add there.
     * @param count               bytes that are written or read, or of an atomic operation's word.
     * @return this.
     */
    public MemoryOperation put(
        final MessageType type, final int ticket, final long remoteAddress, final long notificationAddress,
        final long notificationValue, final int count)
    {
        buffer.putInt(headerOffset + TICKET_OFFSET, ticket, BIG_ENDIAN);
        buffer.putInt(headerOffset + MessageHeader.TYPE_OFFSET, MessageHeader.typeWord(type, 0), BIG_ENDIAN);
        buffer.putLong(headerOffset + MessageHeader.EXTENT_OFFSET, 0, BIG_ENDIAN);
        buffer.putLong(headerOffset + RemoteMemoryFormat.REMOTE_OFFSET, remoteAddress, BIG_ENDIAN);
        buffer.putLong(headerOffset + RemoteMemoryFormat.NOTIFICATION_OFFSET, notificationAddress, BIG_ENDIAN);
        RemoteMemoryFormat.putValue(buffer, payloadOffset - MessageHeader.LENGTH, type.code(), notificationValue);
        buffer.putInt(payloadOffset + COUNT_OFFSET, count, BIG_ENDIAN);
        return this;
    }

    /**
     * Judges an operation before any of its bytes is used.
     *
     * @param payloadLength bytes of the payload, extension included.
     * @return null if it is good, otherwise why not.
     */
    public RejectReason invalid(final int payloadLength)
    {
        if (!isAt(buffer, headerOffset))
        {
            return RejectReason.UNKNOWN_TYPE;
        }
        final int dataLength = payloadLength - RemoteMemoryFormat.extensionLength(code(buffer, headerOffset));
        if (dataLength < 0)
        {
            return RejectReason.TRUNCATED;
        }
        final int count = count();
        final boolean isGood = atomic() != null ? AtomicWord.isLength(count) :
            count >= 0 && (isRead() || count <= dataLength);
        return isGood ? null : RejectReason.BAD_LENGTH;
    }

    /** {@return what an atomic operation does; null for a write or a read} */
    public AtomicOperation atomic()
    {
        return MessageType.atomicOf(code(buffer, headerOffset));
    }

    /** {@return the operation on a write's signal; null if it has none} */
    public SignalOperation signal()
    {
        return MessageType.signalOf(code(buffer, headerOffset));
    }

    /** {@return RM-RV; false for a write or an atomic operation} */
    public boolean isRead()
    {
        return code(buffer, headerOffset) == MessageType.REMOTE_READ.code();
    }

    /** {@return RM-P; false for all others} */
    public boolean isPhysical()
    {
        return code(buffer, headerOffset) == MessageType.REMOTE_WRITE_PHYSICAL.code();
    }

    /** {@return what names the operation; as it was put} */
    public int ticket()
    {
        return buffer.getInt(headerOffset + TICKET_OFFSET, BIG_ENDIAN);
    }

    /**
     * {@return where the first byte is at the target: a virtual address, or a physical one if {@link #isPhysical()}}
     */
    public long remoteAddress()
    {
        return buffer.getLong(headerOffset + RemoteMemoryFormat.REMOTE_OFFSET, BIG_ENDIAN);
    }

    /** {@return where the notification word is: its address, or 0 for none} */
    public long notificationAddress()
    {
        return buffer.getLong(headerOffset + RemoteMemoryFormat.NOTIFICATION_OFFSET, BIG_ENDIAN);
    }

    /** {@return what the notification says; with its sign, if it has 32 bits} */
    public long notificationValue()
    {
        return RemoteMemoryFormat.value(
            buffer, payloadOffset - MessageHeader.LENGTH, code(buffer, headerOffset));
    }

    /** {@return how much is written or read, or bytes of an atomic operation's word} */
    public int count()
    {
        return buffer.getInt(payloadOffset + COUNT_OFFSET, BIG_ENDIAN);
    }

    /** {@return where a read's bytes, or the word before, go; virtual address of the first in this node's memory} */
    public long targetAddress()
    {
        return buffer.getLong(payloadOffset + TARGET_ADDRESS_OFFSET, BIG_ENDIAN);
    }

    /**
     * Says where a read's bytes, or the word before, go.
     *
     * @param address virtual address of the first byte in this node's memory.
     * @return this.
     */
    public MemoryOperation targetAddress(final long address)
    {
        buffer.putLong(payloadOffset + TARGET_ADDRESS_OFFSET, address, BIG_ENDIAN);
        return this;
    }

    /**
     * Writes what an atomic operation works with.
     *
     * @param operand   to add, to set or to combine.
     * @param comparand that the word has to hold, or anything.
     */
    public void operands(final long operand, final long comparand)
    {
        buffer.putLong(payloadOffset + OPERAND_OFFSET, operand, BIG_ENDIAN);
        buffer.putLong(payloadOffset + COMPARAND_OFFSET, comparand, BIG_ENDIAN);
    }

    /** {@return what an atomic operation adds, sets or combines} */
    public long operand()
    {
        return buffer.getLong(payloadOffset + OPERAND_OFFSET, BIG_ENDIAN);
    }

    /** {@return what the word has to hold to be set} */
    public long comparand()
    {
        return buffer.getLong(payloadOffset + COMPARAND_OFFSET, BIG_ENDIAN);
    }

    /** {@return where a write's data is: an index in the buffer} */
    public int dataOffset()
    {
        return payloadOffset + RemoteMemoryFormat.extensionLength(code(buffer, headerOffset));
    }

    private static int code(final MutableDirectBuffer buffer, final int headerOffset)
    {
        return buffer.getInt(headerOffset + MessageHeader.TYPE_OFFSET, BIG_ENDIAN) >>> MessageHeader.TYPE_SHIFT;
    }
}
