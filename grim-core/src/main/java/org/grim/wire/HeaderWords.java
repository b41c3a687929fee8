// SPDX-License-Identifier: Apache-2.0
package org.grim.wire;

import org.grim.RejectReason;

import static org.grim.wire.MessageHeader.INT_MASK;
import static org.grim.wire.MessageHeader.IS_NATIVE_BIG;

/**
 * The first four words of a received header, as two numbers that were read once: a peer that changes the bytes
 * afterwards changes nothing that was judged. {@code first} holds words 0 and 1, {@code second} words 2 and 3, as
 * {@link MessageHeader} draws them.
 * <p>Thread: any; no state.
 */
public final class HeaderWords
{
    /** Where word 1 stands in a header. */
    public static final int WORD_ONE_OFFSET = MessageHeader.TYPE_OFFSET;                   // u32
    /** Where words 2 and 3 stand. */
    public static final int WORDS_TWO_OFFSET = MessageHeader.EXTENT_OFFSET;                // u64
    /** Where words 4 and 5 stand, the first two arguments. */
    public static final int WORDS_FOUR_OFFSET = MessageHeader.ARGUMENTS_OFFSET;            // u64
    /** Where words 6 and 7 stand, the other two. */
    public static final int WORDS_SIX_OFFSET = WORDS_FOUR_OFFSET + Long.BYTES;             // u64

    private static final int TYPE_SHIFT = 26;
    private static final int TYPE_MASK = 0x3F;
    private static final int CORRECTION_SHIFT = 24;
    private static final int CORRECTION_MASK = 3;
    private static final int GRIM_ID_SHIFT = 48;
    private static final int TOKEN_SHIFT = 40;
    private static final int SEQUENCE_SHIFT = 32;
    private static final int WORDS_SHIFT = 48;
    private static final int DESTINATION_SHIFT = 32;
    private static final int SOURCE_CHANNEL_SHIFT = 24;
    private static final int DESTINATION_CHANNEL_SHIFT = 16;
    private static final int NODE_SHIFT = 4;
    private static final long NODE_MASK = 0xFFF;
    private static final int SHORT_MASK = 0xFFFF;
    private static final int BYTE_MASK = 0xFF;

    private HeaderWords()
    {
    }

    /**
     * Words 0 and 1, which are read one by one: they were stored apart, and a processor that loads two of its own
     * stores at once waits until they have left it.
     *
     * @param wordZero as a machine word.
     * @param wordOne  as a machine word, from {@link #WORD_ONE_OFFSET}.
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
     * @param words as a machine word, from {@link #WORDS_TWO_OFFSET}.
     * @return both words.
     */
    public static long second(final long words)
    {
        return BigEndian.order(words);
    }

    /**
     * The bits of words 0 and 1 that all active messages of one source have in common.
     *
     * @param node that sends, or -1 for any.
     * @return the bits under {@link #usualMask}.
     */
    public static long usual(final int node)
    {
        return (long)MessageHeader.GRIM_ID << GRIM_ID_SHIFT |
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
        if (first >>> GRIM_ID_SHIFT != MessageHeader.GRIM_ID)
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
     * Name of the message while it is in flight between NIs.
     *
     * @param first words 0 and 1.
     * @return 0 to 255.
     */
    public static int token(final long first)
    {
        return (int)(first >>> TOKEN_SHIFT) & BYTE_MASK;
    }

    /**
     * Sequence number between NIs.
     *
     * @param first words 0 and 1.
     * @return 0 to 255.
     */
    public static int sequence(final long first)
    {
        return (int)(first >>> SEQUENCE_SHIFT) & BYTE_MASK;
    }

    /**
     * What the message is.
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
        return (int)(second >>> DESTINATION_SHIFT) & SHORT_MASK;
    }

    /**
     * Channel of the sender.
     *
     * @param second words 2 and 3.
     * @return 0 to 255.
     */
    public static int sourceChannel(final long second)
    {
        return ((int)second >>> SOURCE_CHANNEL_SHIFT) & BYTE_MASK;
    }

    /**
     * Channel of the receiver.
     *
     * @param second words 2 and 3.
     * @return 0 to 255.
     */
    public static int destinationChannel(final long second)
    {
        return ((int)second >>> DESTINATION_CHANNEL_SHIFT) & BYTE_MASK;
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
}
