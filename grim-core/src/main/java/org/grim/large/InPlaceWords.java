// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * The payload of an IN_PLACE message, read once: what a peer changes afterwards changes nothing.
 * <p>Thread: the one that reads. Owns nothing.
 */
public final class InPlaceWords
{
    private int handler;
    private int totalLength;
    private int area;
    private int blockOffset;
    private int sequence;
    private int incarnation;

    /** Makes words that are all 0. */
    public InPlaceWords()
    {
        // read() sets them.
    }

    /**
     * Writes them.
     *
     * @param buffer       of the claim.
     * @param offset       first byte of the payload.
     * @param handler      that the application named.
     * @param totalLength  of the message, bytes.
     * @param area         of the sender's outbox that the block lies in.
     * @param blockOffset  of the block's first byte in the area.
     * @param sequence     of the block's use.
     * @param incarnation  of the sender's node.
     */
    public static void write(
        final MutableDirectBuffer buffer, final int offset, final int handler, final int totalLength,
        final int area, final int blockOffset, final int sequence, final int incarnation)
    {
        buffer.putInt(offset + FragmentDescriptor.HANDLER_OFFSET, handler, BIG_ENDIAN);
        buffer.putInt(offset + FragmentDescriptor.IN_PLACE_TOTAL_LENGTH_OFFSET, totalLength, BIG_ENDIAN);
        buffer.putInt(offset + FragmentDescriptor.AREA_OFFSET, area, BIG_ENDIAN);
        buffer.putInt(offset + FragmentDescriptor.BLOCK_OFFSET, blockOffset, BIG_ENDIAN);
        buffer.putInt(offset + FragmentDescriptor.SEQUENCE_OFFSET, sequence, BIG_ENDIAN);
        buffer.putInt(offset + FragmentDescriptor.INCARNATION_OFFSET, incarnation, BIG_ENDIAN);
    }

    /**
     * Reads and judges them.
     *
     * @param buffer that holds the message.
     * @param offset first byte of the payload.
     * @param length bytes of the payload.
     * @return null if they are good as far as the words alone say, otherwise why not.
     */
    public RejectReason read(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length != FragmentDescriptor.IN_PLACE_LENGTH)
        {
            return RejectReason.BAD_PART;
        }
        handler = buffer.getInt(offset + FragmentDescriptor.HANDLER_OFFSET, BIG_ENDIAN);
        totalLength = buffer.getInt(offset + FragmentDescriptor.IN_PLACE_TOTAL_LENGTH_OFFSET, BIG_ENDIAN);
        area = buffer.getInt(offset + FragmentDescriptor.AREA_OFFSET, BIG_ENDIAN);
        blockOffset = buffer.getInt(offset + FragmentDescriptor.BLOCK_OFFSET, BIG_ENDIAN);
        sequence = buffer.getInt(offset + FragmentDescriptor.SEQUENCE_OFFSET, BIG_ENDIAN);
        incarnation = buffer.getInt(offset + FragmentDescriptor.INCARNATION_OFFSET, BIG_ENDIAN);
        final boolean isBad = BeginWords.invalidHandler(handler) || totalLength < 1 ||
            totalLength > Integer.MAX_VALUE - BlockDescriptor.PAYLOAD_OFFSET || sequence == BlockDescriptor.NOT_DONE;
        return isBad ? RejectReason.BAD_PART : null;
    }

    /** {@return what the receiver is to run; 0 to 65,535} */
    public int handler()
    {
        return handler;
    }

    /** {@return bytes of the message; 1 or more} */
    public int totalLength()
    {
        return totalLength;
    }

    /** {@return which area of the sender's outbox the block lies in; any number: to be looked up} */
    public int area()
    {
        return area;
    }

    /** {@return where the block stands in the area; any number: to be checked} */
    public int blockOffset()
    {
        return blockOffset;
    }

    /** {@return what the receiver stores in the block's done word; any number but 0} */
    public int sequence()
    {
        return sequence;
    }

    /** {@return which life of the sender's node the block belongs to; any number} */
    public int incarnation()
    {
        return incarnation;
    }
}
