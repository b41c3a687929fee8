// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Flyweight over an ACK, NACK or refusal: two words and nothing else. Big endian; the receiver of a message writes, its
 * sender reads.
 * <pre>
 * word  bits 31 ........................................................ 0
 *  0    GRIM id (16) = 0x0636      | token (8)           | sequence (8)       of the message that is answered
 *  1    type (6) | reserved (2)   | source channel (8)   | answering endpoint (16)
 * </pre>
 * <p>Thread: the one that wraps it. Owns nothing.
 */
public final class ControlMessage
{
    /** Bytes of a control message. */
    public static final int LENGTH = SIZE_OF_INT * 2;

    private static final int IDENTITY_OFFSET = 0;                                    // u32
    private static final int ANSWER_OFFSET = IDENTITY_OFFSET + SIZE_OF_INT;          // u32

    private static final int TYPE_SHIFT = 26;
    private static final int RESERVED_SHIFT = 24;
    private static final int RESERVED_MASK = 3;
    private static final int CHANNEL_SHIFT = 16;
    private static final int SHORT_SHIFT = 16;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int BYTE_MASK = 0xFF;

    private MutableDirectBuffer buffer;
    private int offset;

    /** Looks at a control message. */
    public ControlMessage wrap(final MutableDirectBuffer newBuffer, final int newOffset)
    {
        buffer = newBuffer;
        offset = newOffset;
        return this;
    }

    /**
     * Writes both words.
     *
     * @param type             {@link MessageType#ACK}, {@link MessageType#NACK} or {@link MessageType#REFUSED}.
     * @param token            of the message that is answered.
     * @param sequence         of the message that is answered.
     * @param sourceChannel    that the message came from.
     * @param answeringAddress node and device that answer.
     */
    public void put(
        final MessageType type, final int token, final int sequence, final int sourceChannel,
        final int answeringAddress)
    {
        buffer.putInt(offset + IDENTITY_OFFSET, MessageHeader.GRIM_ID << SHORT_SHIFT |
            (token & BYTE_MASK) << Byte.SIZE | (sequence & BYTE_MASK), BIG_ENDIAN);
        buffer.putInt(offset + ANSWER_OFFSET, type.code() << TYPE_SHIFT |
            (sourceChannel & BYTE_MASK) << CHANNEL_SHIFT | (answeringAddress & SHORT_MASK), BIG_ENDIAN);
    }

    /**
     * Checks a control message of a peer. Call it before any other getter. Returns null if it is good, otherwise why
     * not.
     */
    public RejectReason invalid(final int availableLength)
    {
        if (availableLength < LENGTH)
        {
            return RejectReason.TRUNCATED;
        }
        if (word(IDENTITY_OFFSET) >>> SHORT_SHIFT != MessageHeader.GRIM_ID)
        {
            return RejectReason.NOT_GRIM;
        }
        final MessageType type = type();
        if (type != MessageType.ACK && type != MessageType.NACK && type != MessageType.REFUSED)
        {
            return RejectReason.UNKNOWN_TYPE;
        }
        return (word(ANSWER_OFFSET) >>> RESERVED_SHIFT & RESERVED_MASK) != 0 ? RejectReason.RESERVED_BITS : null;
    }

    /**
     * Judges a control message that was read once.
     *
     * @param words both, word 0 in the upper half.
     * @return true if it is a good one.
     */
    public static boolean isValid(final long words)
    {
        final int code = MessageHeader.typeCode(words);
        return words >>> Integer.SIZE >>> SHORT_SHIFT == MessageHeader.GRIM_ID &&
            ((int)words >>> RESERVED_SHIFT & RESERVED_MASK) == 0 &&
            (code == MessageType.ACK.code() || code == MessageType.NACK.code() || code == MessageType.REFUSED.code());
    }

    /**
     * Channel that the answered message came from.
     *
     * @param words both, word 0 in the upper half.
     * @return 0 to 255.
     */
    public static int sourceChannel(final long words)
    {
        return (int)words >>> CHANNEL_SHIFT & BYTE_MASK;
    }

    /** {@return ACK, NACK or refusal: the type, or null for an unknown code} */
    public MessageType type()
    {
        return MessageType.ofCode(word(ANSWER_OFFSET) >>> TYPE_SHIFT);
    }

    /** {@return token of the message that is answered; 0 to 255} */
    public int token()
    {
        return word(IDENTITY_OFFSET) >>> Byte.SIZE & BYTE_MASK;
    }

    /** {@return sequence of the message that is answered; 0 to 255} */
    public int sequence()
    {
        return word(IDENTITY_OFFSET) & BYTE_MASK;
    }

    /** {@return channel that the answered message came from; 0 to 255} */
    public int sourceChannel()
    {
        return word(ANSWER_OFFSET) >>> CHANNEL_SHIFT & BYTE_MASK;
    }

    /** {@return node and device that answer; 16 bits: node (12), device (4)} */
    public int answeringAddress()
    {
        return word(ANSWER_OFFSET) & SHORT_MASK;
    }

    private int word(final int fieldOffset)
    {
        return buffer.getInt(offset + fieldOffset, BIG_ENDIAN);
    }
}
