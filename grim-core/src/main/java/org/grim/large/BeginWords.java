// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;
import org.grim.wire.LargeMessageIds;
import org.grim.wire.MessageHeader;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * The payload of a BEGIN message, read once: what a peer changes afterwards changes nothing.
 * <p>Thread: the one that reads. Owns nothing.
 */
public final class BeginWords
{
    private int handler;
    private long totalLength;
    private long transfer;

    /** Makes words that are all 0. */
    public BeginWords()
    {
        // read() sets them.
    }

    /**
     * Writes them.
     *
     * @param buffer      of the claim.
     * @param offset      first byte of the payload.
     * @param handler     that the application named.
     * @param totalLength of the message, bytes.
     * @param transfer    name of the transfer.
     */
    public static void write(
        final MutableDirectBuffer buffer, final int offset, final int handler, final long totalLength,
        final long transfer)
    {
        buffer.putInt(offset + FragmentDescriptor.HANDLER_OFFSET, handler, BIG_ENDIAN);
        buffer.putInt(offset + FragmentDescriptor.RESERVED_OFFSET, 0, BIG_ENDIAN);
        buffer.putLong(offset + FragmentDescriptor.TOTAL_LENGTH_OFFSET, totalLength, BIG_ENDIAN);
        buffer.putLong(offset + FragmentDescriptor.TRANSFER_OFFSET, transfer, BIG_ENDIAN);
    }

    /**
     * Reads and judges them.
     *
     * @param buffer that holds the message.
     * @param offset first byte of the payload.
     * @param length bytes of the payload.
     * @return null if they are good, otherwise why not.
     */
    public RejectReason read(final DirectBuffer buffer, final int offset, final int length)
    {
        if (length != FragmentDescriptor.BEGIN_LENGTH)
        {
            return RejectReason.BAD_PART;
        }
        handler = buffer.getInt(offset + FragmentDescriptor.HANDLER_OFFSET, BIG_ENDIAN);
        totalLength = buffer.getLong(offset + FragmentDescriptor.TOTAL_LENGTH_OFFSET, BIG_ENDIAN);
        transfer = buffer.getLong(offset + FragmentDescriptor.TRANSFER_OFFSET, BIG_ENDIAN);
        return invalidHandler(handler) || totalLength < 0 ? RejectReason.BAD_PART : null;
    }

    /** Parts do not carry parts. */
    static boolean invalidHandler(final int handler)
    {
        return handler < 0 || handler > MessageHeader.HANDLER_MAX || LargeMessageIds.isBuiltIn(handler);
    }

    /** {@return what the receiver is to run; 0 to 65,535} */
    public int handler()
    {
        return handler;
    }

    /** {@return bytes of the message; 0 or more} */
    public long totalLength()
    {
        return totalLength;
    }

    /** {@return name of the transfer; any number; the high word is the incarnation of the sender's node} */
    public long transfer()
    {
        return transfer;
    }
}
