// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;
import org.grim.wire.MessageHeader;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Format of messages in a queue of bytes, in SRAM and in host memory alike: one after another without gaps, in whole
 * words, none across the queue's end. Where fewer bytes remain than a header has, both sides go on at the queue's
 * start; where more remain than are used, the writer says so with {@link #FILLER}.
 * <p>Thread: any; no state.
 */
public final class QueueFormat
{
    /** Word that stands where a message would, and sends the reader to the queue's start. It is no GRIM id. */
    public static final int FILLER = 0x0000_F111;
    /** Word 0 of a message that was settled and not acknowledged: this and the code of its {@link MessageOutcome}. */
    public static final int OUTCOME = 0x0000_FA00;
    /** Bytes of the smallest message. */
    public static final int MESSAGE_LENGTH_MIN = MessageHeader.LENGTH;
    /** Bytes of the largest message. */
    public static final int MESSAGE_LENGTH_MAX = MessageHeader.LENGTH + MessageHeader.PAYLOAD_LENGTH_MAX;
    /** Messages begin and end on multiples of this. */
    public static final int ALIGNMENT = SIZE_OF_INT;

    private static final int OUTCOME_CODE_MASK = 0xFF;

    private QueueFormat()
    {
    }

    /** Marks a message with its outcome, before the queue's front passes it. */
    public static void writeOutcome(final AtomicBuffer buffer, final int index, final MessageOutcome outcome)
    {
        BigEndian.putInt(buffer, index, OUTCOME | outcome.code());
    }

    /**
     * The outcome of a message that the queue's front has passed. Only after the front was read with acquire, and
     * before the room is used again. Returns null if the message was acknowledged, or nobody marked it.
     */
    public static MessageOutcome readOutcome(final AtomicBuffer buffer, final int index)
    {
        return outcome(BigEndian.getInt(buffer, index));
    }

    /**
     * Returns the outcome that a word shows.
     *
     * @param word read big endian.
     * @return null if it is no mark.
     */
    public static MessageOutcome outcome(final int word)
    {
        return (word & ~OUTCOME_CODE_MASK) == OUTCOME ? MessageOutcome.ofCode(word & OUTCOME_CODE_MASK) : null;
    }

    /**
     * Whether a word sends the reader to the queue's start.
     *
     * @param word read big endian.
     * @return true for {@link #FILLER}.
     */
    public static boolean isFiller(final int word)
    {
        return word == FILLER;
    }

    /**
     * Where in the queue a position lies.
     *
     * @param position    free-running bytes.
     * @param queueLength bytes, a power of two.
     * @return bytes from the queue's first.
     */
    public static int offset(final int position, final int queueLength)
    {
        return position & (queueLength - 1);
    }

    /**
     * Bytes between a position and the queue's end.
     *
     * @param position    free-running bytes.
     * @param queueLength bytes, a power of two.
     * @return 1 to {@code queueLength}.
     */
    public static int endLength(final int position, final int queueLength)
    {
        return queueLength - offset(position, queueLength);
    }

    /**
     * Bytes that both sides leave out at a position without a word about it.
     *
     * @param position    free-running bytes.
     * @param queueLength bytes, a power of two.
     * @return 0 where a header fits before the queue's end.
     */
    public static int skipLength(final int position, final int queueLength)
    {
        final int endLength = endLength(position, queueLength);
        return endLength < MESSAGE_LENGTH_MIN ? endLength : 0;
    }

    /**
     * Bytes that a writer leaves out before a message, so that it does not wrap.
     *
     * @param position      free-running bytes.
     * @param queueLength   bytes, a power of two.
     * @param messageLength bytes, whole words, {@value #MESSAGE_LENGTH_MIN} or more.
     * @return 0 where it fits before the queue's end.
     */
    public static int gapLength(final int position, final int queueLength, final int messageLength)
    {
        final int endLength = endLength(position, queueLength);
        return endLength < messageLength ? endLength : 0;
    }

    /**
     * Bytes that a reader leaves out before the next message.
     *
     * @param buffer      that holds the queue.
     * @param queueIndex  first byte of the queue in it.
     * @param position    free-running bytes, short of the queue's back.
     * @param queueLength bytes, a power of two.
     * @return 0 where a message stands.
     */
    public static int readGapLength(
        final AtomicBuffer buffer, final int queueIndex, final int position, final int queueLength)
    {
        final int endLength = endLength(position, queueLength);
        if (endLength < MESSAGE_LENGTH_MIN)
        {
            return endLength;
        }
        return isFiller(BigEndian.getInt(buffer, queueIndex + queueLength - endLength)) ? endLength : 0;
    }

    /**
     * Closes the queue's end before a message that does not fit there. Nothing is written where both sides skip.
     *
     * @param buffer      that holds the queue.
     * @param queueIndex  first byte of the queue in it.
     * @param position    free-running bytes.
     * @param queueLength bytes, a power of two.
     */
    public static void writeGap(
        final AtomicBuffer buffer, final int queueIndex, final int position, final int queueLength)
    {
        if (skipLength(position, queueLength) == 0)
        {
            BigEndian.putInt(buffer, queueIndex + offset(position, queueLength), FILLER);
        }
    }
}
