// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import java.nio.ByteOrder;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Flyweight over the 32-byte header that stands before every payload. Big endian; the sender writes, the receiver
 * reads.
 * <p>A check of a peer's header reads its words once: two numbers, {@link #first} of words 0 and 1 and {@link #second}
 * of words 2 and 3, that change no more when the peer changes the bytes.
 * <pre>
 * word  bits 31 ........................................................ 0
 *  0    GRIM id (16) = 0x0636      | token (8)           | sequence (8)
 *  1    type (6) | correction (2) | multicast tree (8)   | source endpoint (16)
 *  2    payload length in words (16)                     | destination endpoint (16)
 *  3    source channel (8) | destination channel (8)      | handler (16)
 *  4-7  argument 0 .. argument 3
 * </pre>
 * The last 16 bits of word 0 are the transport's own: a transport without tokens may use them for something else.
 * <p>Thread: the one that wraps it. Owns nothing.
 */
public final class MessageHeader
{
    /** First 16 bits of every message. */
    public static final int GRIM_ID = 0x0636;
    /** Bytes of the header. */
    public static final int LENGTH = SIZE_OF_INT * 8;
    /** Most payload bytes in one message: the MTU. */
    public static final int PAYLOAD_LENGTH_MAX = 65_504;
    /** Largest handler id. */
    public static final int HANDLER_MAX = 0xFFFF;
    /** Number of arguments of a message. */
    public static final int ARGUMENT_COUNT = 4;
    /** Where word 1 stands: u32. */
    public static final int TYPE_OFFSET = SIZE_OF_INT;
    /** Where words 2 and 3 stand: u64. */
    public static final int EXTENT_OFFSET = TYPE_OFFSET + SIZE_OF_INT;
    /** Where words 4 and 5 stand, the first two of 4 x s32. */
    public static final int ARGUMENTS_OFFSET = EXTENT_OFFSET + SIZE_OF_LONG;
    /** Where words 6 and 7 stand, the other two. */
    public static final int ARGUMENTS_TWO_OFFSET = ARGUMENTS_OFFSET + SIZE_OF_LONG;

    private static final int IDENTITY_OFFSET = 0;                            // u32, the transport at publish
    static final int TYPE_SHIFT = 26;
    private static final int CORRECTION_SHIFT = 24;
    private static final int CORRECTION_MASK = 3;
    private static final int TREE_SHIFT = 16;
    private static final int BYTE_MASK = 0xFF;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int SHORT_SHIFT = 16;
    private static final int CHANNEL_SHIFT = 24;
    private static final long INT_MASK = 0xFFFF_FFFFL;
    /** The offset of a header that stands nowhere: its arguments are 0, and nothing else is asked of it. */
    public static final int NO_HEADER = -1;

    private static final boolean IS_NATIVE_BIG = ByteOrder.nativeOrder() == BIG_ENDIAN;
    private static final int TYPE_MASK = 0x3F;
    private static final int GRIM_ID_SHIFT = 48;
    private static final int TOKEN_SHIFT = 40;
    private static final int SEQUENCE_SHIFT = 32;
    private static final int WORDS_SHIFT = 48;
    private static final int NODE_SHIFT = 4;
    private static final long NODE_MASK = 0xFFF;

    private MutableDirectBuffer buffer;
    private int offset;

    /** Looks at a header. */
    public MessageHeader wrap(final MutableDirectBuffer newBuffer, final int newOffset)
    {
        if (buffer != newBuffer)            // Storing a reference costs a collector's barrier: only when it changes.
        {
            buffer = newBuffer;
        }
        offset = newOffset;
        return this;
    }

    /**
     * Word 0 as it lies in memory when read as a machine word.
     *
     * @param lowHalf last 16 bits: token and sequence, or what the transport keeps there.
     * @return the word to store with the machine's byte order.
     */
    public static int identityWord(final int lowHalf)
    {
        return BigEndian.order(GRIM_ID << SHORT_SHIFT | (lowHalf & SHORT_MASK));
    }

    /**
     * Word 1 of all messages of one type from one source, without the correction.
     *
     * @param type          of the messages.
     * @param sourceAddress node and device of the sender.
     * @return for {@link #put}.
     */
    public static int typeWord(final MessageType type, final int sourceAddress)
    {
        return type.code() << TYPE_SHIFT | (sourceAddress & SHORT_MASK);
    }

    /**
     * The upper half of word 3 for all messages from one channel to another.
     *
     * @param sourceChannel      0 to 255.
     * @param destinationChannel 0 to 255.
     * @return for {@link #put}.
     */
    public static int routeWord(final int sourceChannel, final int destinationChannel)
    {
        return sourceChannel << CHANNEL_SHIFT | destinationChannel << SHORT_SHIFT;
    }

    /**
     * Writes words 1 to 7; word 0 is the transport's, which publishes with it.
     *
     * @param typeWord           from {@link #typeWord}.
     * @param destinationAddress node and device of the receiver.
     * @param routeWord          from {@link #routeWord}.
     * @param handler            0 to 65,535.
     * @param payloadLength      bytes, 0 to {@value #PAYLOAD_LENGTH_MAX}.
     * @param arguments01        argument 0 in the upper half, argument 1 in the lower.
     * @param arguments23        argument 2 in the upper half, argument 3 in the lower.
     */
    public void put(
        final int typeWord, final int destinationAddress, final int routeWord, final int handler,
        final int payloadLength, final long arguments01, final long arguments23)
    {
        write(buffer, offset, typeWord | correction(payloadLength),
            extentWords(destinationAddress, routeWord | handler, payloadLength), arguments01, arguments23);
    }

    /** The part of word 1 that belongs to a payload's length. Returns bits to add to {@link #typeWord}. */
    public static int correction(final int payloadLength)
    {
        return (-payloadLength & CORRECTION_MASK) << CORRECTION_SHIFT;
    }

    /**
     * Words 2 and 3.
     *
     * @param destinationAddress node and device of the receiver.
     * @param wordThree          from {@link #routeWord}, with the handler in the lower half.
     * @param payloadLength      bytes, 0 to {@value #PAYLOAD_LENGTH_MAX}.
     * @return word 2 in the upper half, word 3 in the lower.
     */
    public static long extentWords(final int destinationAddress, final int wordThree, final int payloadLength)
    {
        final int words = (payloadLength + SIZE_OF_INT - 1) >>> 2;
        final long extent = (long)words << SHORT_SHIFT | (destinationAddress & SHORT_MASK);
        return extent << Integer.SIZE | (wordThree & INT_MASK);
    }

    /**
     * Writes words 1 to 7 as they are.
     *
     * @param buffer      that holds the header.
     * @param offset      of its first byte.
     * @param wordOne     {@link #typeWord} and {@link #correction}.
     * @param extentWords words 2 and 3.
     * @param arguments01 words 4 and 5.
     * @param arguments23 words 6 and 7.
     */
    public static void write(
        final MutableDirectBuffer buffer, final int offset, final int wordOne, final long extentWords,
        final long arguments01, final long arguments23)
    {
        buffer.putInt(offset + TYPE_OFFSET, wordOne, BIG_ENDIAN);
        buffer.putLong(offset + EXTENT_OFFSET, extentWords, BIG_ENDIAN);
        buffer.putLong(offset + ARGUMENTS_OFFSET, arguments01, BIG_ENDIAN);
        buffer.putLong(offset + ARGUMENTS_TWO_OFFSET, arguments23, BIG_ENDIAN);
    }

    /**
     * Copies words 1 to 7 of another header.
     *
     * @param source       holding the other header.
     * @param sourceOffset its first byte.
     */
    public void copy(final MutableDirectBuffer source, final int sourceOffset)
    {
        buffer.putBytes(offset + TYPE_OFFSET, source, sourceOffset + TYPE_OFFSET, LENGTH - TYPE_OFFSET);
    }

    /**
     * Two arguments as {@link #put} takes them.
     *
     * @param first  goes to the upper half.
     * @param second goes to the lower half.
     * @return both.
     */
    public static long pair(final int first, final int second)
    {
        return (long)first << Integer.SIZE | (second & INT_MASK);
    }

    /**
     * Words 0 and 1, which are read one by one: they were stored apart, and a processor that loads two of its own
     * stores at once waits until they have left it.
     *
     * @param wordZero as a machine word.
     * @param wordOne  as a machine word, from {@link #TYPE_OFFSET}.
     * @return both words.
     */
    public static long first(final int wordZero, final int wordOne)
    {
        return IS_NATIVE_BIG ? (long)wordZero << Integer.SIZE | (wordOne & INT_MASK) :
            Long.reverseBytes((long)wordOne << Integer.SIZE | (wordZero & INT_MASK));
    }

    /**
     * Words 2 and 3.
     *
     * @param words as a machine word, from {@link #EXTENT_OFFSET}.
     * @return both words.
     */
    public static long second(final long words)
    {
        return BigEndian.order(words);
    }

    /**
     * The bits of words 0 and 1 that all messages of one kind from one endpoint have in common: type and source.
     *
     * @param first words 0 and 1.
     * @return these bits alone.
     */
    public static long routeOfFirst(final long first)
    {
        return first & ((long)TYPE_MASK << TYPE_SHIFT | SHORT_MASK);
    }

    /**
     * The bits of words 2 and 3 that all messages of one way have in common: destination, and both channels.
     *
     * @param second words 2 and 3.
     * @return these bits alone.
     */
    public static long routeOfSecond(final long second)
    {
        return second & ((long)SHORT_MASK << Integer.SIZE | (SHORT_MASK << SHORT_SHIFT & INT_MASK));
    }

    /**
     * The bits of words 0 and 1 that all active messages of one source have in common.
     *
     * @param node that sends, or -1 for any.
     * @return the bits under {@link #usualMask}.
     */
    public static long usual(final int node)
    {
        return (long)GRIM_ID << GRIM_ID_SHIFT |
            (long)MessageType.ACTIVE_MESSAGE.code() << TYPE_SHIFT | (node < 0 ? 0 : (long)node << NODE_SHIFT);
    }

    /**
     * Which bits {@link #usual} means.
     *
     * @param node that sends, or -1 for any.
     * @return the mask.
     */
    public static long usualMask(final int node)
    {
        return (long)SHORT_MASK << GRIM_ID_SHIFT | (long)TYPE_MASK << TYPE_SHIFT |
            (node < 0 ? 0 : NODE_MASK << NODE_SHIFT);
    }

    /**
     * Judges a header. Call it before anything else.
     *
     * @param first            words 0 and 1.
     * @param second           words 2 and 3.
     * @param payloadLengthMax most bytes that the payload may have here.
     * @return null if it is good, otherwise why not.
     */
    public static RejectReason invalid(final long first, final long second, final int payloadLengthMax)
    {
        if (first >>> GRIM_ID_SHIFT != GRIM_ID)
        {
            return RejectReason.NOT_GRIM;
        }
        if (MessageType.ofCode(typeCode(first)) == null)
        {
            return RejectReason.UNKNOWN_TYPE;
        }
        final int length = payloadLength(first, second);
        return length < 0 || length > payloadLengthMax ? RejectReason.BAD_LENGTH : null;
    }

    /**
     * Judges a header that came through a queue of one channel. Call it before anything else.
     *
     * @param first            words 0 and 1.
     * @param second           words 2 and 3.
     * @param payloadLengthMax most bytes that the payload may have here.
     * @param sourceNode       the only node that sends through the queue, or -1 for any.
     * @param channel          of the queue.
     * @return null if it is good, otherwise why not.
     */
    public static RejectReason invalid(
        final long first, final long second, final int payloadLengthMax, final int sourceNode, final int channel)
    {
        final RejectReason reason = invalid(first, second, payloadLengthMax);
        if (reason != null)
        {
            return reason;
        }
        return sourceNode >= 0 && sourceNode != sourceAddress(first) >>> NODE_SHIFT ? RejectReason.WRONG_SOURCE :
            destinationChannel(second) == channel ? null : RejectReason.WRONG_CHANNEL;
    }

    /**
     * Name of the message while it is in flight between two hops.
     *
     * @param first words 0 and 1.
     * @return 0 to 255.
     */
    public static int token(final long first)
    {
        return (int)(first >>> TOKEN_SHIFT) & BYTE_MASK;
    }

    /**
     * Sequence number between two hops.
     *
     * @param first words 0 and 1.
     * @return 0 to 255.
     */
    public static int sequence(final long first)
    {
        return (int)(first >>> SEQUENCE_SHIFT) & BYTE_MASK;
    }

    /**
     * Returns the type of the message.
     *
     * @param first words 0 and 1.
     * @return a code of {@link MessageType}.
     */
    public static int typeCode(final long first)
    {
        return ((int)first >>> TYPE_SHIFT) & TYPE_MASK;
    }

    /**
     * Node and device of the sender.
     *
     * @param first words 0 and 1.
     * @return 16 bits: node (12), device (4).
     */
    public static int sourceAddress(final long first)
    {
        return (int)first & SHORT_MASK;
    }

    /**
     * Payload bytes.
     *
     * @param first  words 0 and 1.
     * @param second words 2 and 3.
     * @return negative if the header is corrupt.
     */
    public static int payloadLength(final long first, final long second)
    {
        final int correction = ((int)first >>> CORRECTION_SHIFT) & CORRECTION_MASK;
        return (int)(second >>> WORDS_SHIFT) * Integer.BYTES - correction;
    }

    /**
     * Node and device of the receiver.
     *
     * @param second words 2 and 3.
     * @return 16 bits: node (12), device (4).
     */
    public static int destinationAddress(final long second)
    {
        return (int)(second >>> Integer.SIZE) & SHORT_MASK;
    }

    /**
     * Channel of the sender.
     *
     * @param second words 2 and 3.
     * @return 0 to 255.
     */
    public static int sourceChannel(final long second)
    {
        return ((int)second >>> CHANNEL_SHIFT) & BYTE_MASK;
    }

    /**
     * Channel of the receiver.
     *
     * @param second words 2 and 3.
     * @return 0 to 255.
     */
    public static int destinationChannel(final long second)
    {
        return ((int)second >>> SHORT_SHIFT) & BYTE_MASK;
    }

    /**
     * Handler that the receiver runs.
     *
     * @param second words 2 and 3.
     * @return 0 to 65,535.
     */
    public static int handler(final long second)
    {
        return (int)second & SHORT_MASK;
    }

    /**
     * Checks a header of a peer. Call it before any other getter.
     *
     * @param availableLength bytes that are there, header included.
     * @return null if it is good, otherwise why not.
     */
    public RejectReason invalid(final int availableLength)
    {
        if (availableLength < LENGTH)
        {
            return RejectReason.TRUNCATED;
        }
        return invalid(first(), second(), Math.min(availableLength - LENGTH, PAYLOAD_LENGTH_MAX));
    }

    /** {@return first 16 bits; {@link #GRIM_ID} in a good message} */
    public int grimId()
    {
        return word(IDENTITY_OFFSET) >>> SHORT_SHIFT;
    }

    /** {@return name of the message while it is in flight between two hops; 0 to 255} */
    public int token()
    {
        return token(first());
    }

    /** {@return sequence number between two hops; 0 to 255} */
    public int sequence()
    {
        return sequence(first());
    }

    /**
     * Writes word 0 in place, without order.
     *
     * @param token    0 to 255.
     * @param sequence 0 to 255.
     * @return this.
     */
    public MessageHeader identity(final int token, final int sequence)
    {
        buffer.putInt(offset + IDENTITY_OFFSET,
            GRIM_ID << SHORT_SHIFT | (token & BYTE_MASK) << Byte.SIZE | (sequence & BYTE_MASK), BIG_ENDIAN);
        return this;
    }

    /** {@return what the message is: the type, or null for an unknown code} */
    public MessageType type()
    {
        return MessageType.ofCode(typeCode(first()));
    }

    /** {@return multicast tree; 0 to 255; 0 for none} */
    public int tree()
    {
        return word(TYPE_OFFSET) >>> TREE_SHIFT & BYTE_MASK;
    }

    /** {@return node and device of the sender; 16 bits: node (12), device (4)} */
    public int sourceAddress()
    {
        return sourceAddress(first());
    }

    /** Payload bytes. Read it once: a peer may change it meanwhile. Returns negative if the header is corrupt. */
    public int payloadLength()
    {
        return payloadLength(first(), second());
    }

    /** {@return node and device of the receiver; 16 bits: node (12), device (4)} */
    public int destinationAddress()
    {
        return destinationAddress(second());
    }

    /** {@return channel of the sender; 0 to 255} */
    public int sourceChannel()
    {
        return sourceChannel(second());
    }

    /** {@return channel of the receiver; 0 to 255} */
    public int destinationChannel()
    {
        return destinationChannel(second());
    }

    /** {@return handler that the receiver runs; 0 to 65,535} */
    public int handler()
    {
        return handler(second());
    }

    /**
     * One of the four words that belong to the application.
     *
     * @param index 0 to 3, checked by the caller.
     * @return the argument.
     */
    public int argument(final int index)
    {
        return offset == NO_HEADER ? 0 : word(ARGUMENTS_OFFSET + index * SIZE_OF_INT);
    }

    /**
     * One of four arguments that stand in two words.
     *
     * @param arguments01 as {@link #pair} joins them.
     * @param arguments23 as {@link #pair} joins them.
     * @param index       0 to 3.
     * @return the argument.
     * @throws IllegalArgumentException if there is no such argument.
     */
    public static int argument(final long arguments01, final long arguments23, final int index)
    {
        final long pair = checkedArgument(index) < 2 ? arguments01 : arguments23;
        return (int)(index % 2 == 0 ? pair >>> Integer.SIZE : pair);
    }

    /** Returns an index that is one of an argument; throws an {@link IllegalArgumentException} for another. */
    public static int checkedArgument(final int index)
    {
        if (index < 0 || index >= ARGUMENT_COUNT)
        {
            throw new IllegalArgumentException("argument index=" + index + " is outside 0 to 3");
        }
        return index;
    }

    /** Words 4 and 5 of a header that is only read. Returns argument 0 in the upper half, argument 1 in the lower. */
    public static long arguments01(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + ARGUMENTS_OFFSET, BIG_ENDIAN);
    }

    /** Words 6 and 7 of a header that is only read. Returns argument 2 in the upper half, argument 3 in the lower. */
    public static long arguments23(final DirectBuffer buffer, final int offset)
    {
        return buffer.getLong(offset + ARGUMENTS_TWO_OFFSET, BIG_ENDIAN);
    }

    private long first()
    {
        return (long)word(IDENTITY_OFFSET) << Integer.SIZE | (word(TYPE_OFFSET) & INT_MASK);
    }

    private long second()
    {
        return buffer.getLong(offset + EXTENT_OFFSET, BIG_ENDIAN);
    }

    private int word(final int fieldOffset)
    {
        return buffer.getInt(offset + fieldOffset, BIG_ENDIAN);
    }
}
