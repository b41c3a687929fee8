// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.driver;

import org.agrona.BitUtil;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.agrona.concurrent.status.AtomicCounter;

import io.aeron.driver.Configuration;
import io.aeron.driver.DataPacketDispatcher;
import io.aeron.driver.MediaDriver;
import io.aeron.driver.media.ReceiveChannelEndpoint;
import io.aeron.driver.media.UdpChannel;
import io.aeron.driver.status.SystemCounterDescriptor;
import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.logbuffer.LogBufferDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import io.aeron.protocol.HeaderFlyweight;
import io.aeron.protocol.SetupFlyweight;

import static java.nio.ByteOrder.LITTLE_ENDIAN;

/**
 * A port of the media driver that refuses datagrams whose frames do not fit them. Aeron 1.51 copies datagrams unchecked
 * into an image's log: there a changed frame length leads readers of the log, the driver too, into the middle of
 * frames, and the gap is never repaired. A datagram that is refused comes again. Later versions of Aeron do the same.
 * <p>Thread: the driver's receiver.
 */
public final class CheckedReceiveEndpoint extends ReceiveChannelEndpoint
{
    private static final int TERM_OFFSET_OFFSET = DataHeaderFlyweight.TERM_OFFSET_FIELD_OFFSET;
    private static final int SETUP_TERM_OFFSET_OFFSET = 8;
    private static final int SETUP_INITIAL_TERM_ID_OFFSET = 20;
    private static final int SETUP_ACTIVE_TERM_ID_OFFSET = 24;
    private static final int SETUP_TERM_LENGTH_OFFSET = 28;
    private static final int SETUP_MTU_LENGTH_OFFSET = 32;

    private final AtomicCounter invalidPackets;

    /**
     * As a driver makes it.
     *
     * @param udpChannel      at which it receives.
     * @param dispatcher      that gets what is good.
     * @param statusIndicator of the channel.
     * @param context         of the driver.
     */
    public CheckedReceiveEndpoint(
        final UdpChannel udpChannel, final DataPacketDispatcher dispatcher, final AtomicCounter statusIndicator,
        final MediaDriver.Context context)
    {
        super(udpChannel, dispatcher, statusIndicator, context);
        invalidPackets = context.systemCounters().get(SystemCounterDescriptor.INVALID_PACKETS);
    }

    @Override
    public boolean isValidFrame(final UnsafeBuffer buffer, final int length)
    {
        if (!super.isValidFrame(buffer, length))
        {
            return false;
        }
        final boolean isValid = isValid(buffer, length);
        if (!isValid)
        {
            invalidPackets.increment();
        }
        return isValid;
    }

    /** Whether a datagram holds whole frames one after the other, or a setup that an image can be made of. */
    static boolean isValid(final DirectBuffer buffer, final int length)
    {
        if (length < HeaderFlyweight.MIN_HEADER_LENGTH)
        {
            return false;
        }
        return switch (typeAt(buffer, 0))
        {
            case HeaderFlyweight.HDR_TYPE_DATA, HeaderFlyweight.HDR_TYPE_PAD -> areWhole(buffer, length);
            case HeaderFlyweight.HDR_TYPE_SETUP -> length >= SetupFlyweight.HEADER_LENGTH && isUsable(buffer);
            default -> true;
        };
    }

    private static boolean areWhole(final DirectBuffer buffer, final int length)
    {
        if (length < DataHeaderFlyweight.HEADER_LENGTH)
        {
            return false;
        }
        long termOffset = intAt(buffer, TERM_OFFSET_OFFSET);
        if (termOffset < 0 || termOffset % FrameDescriptor.FRAME_ALIGNMENT != 0)
        {
            return false;
        }
        if (length == DataHeaderFlyweight.HEADER_LENGTH && intAt(buffer, 0) == 0)
        {
            return true;                            // A heartbeat.
        }
        int offset = 0;
        while (offset <= length - DataHeaderFlyweight.HEADER_LENGTH)
        {
            final int frameLength = intAt(buffer, offset);
            final int type = typeAt(buffer, offset);
            if (frameLength < DataHeaderFlyweight.HEADER_LENGTH ||
                intAt(buffer, offset + TERM_OFFSET_OFFSET) != termOffset)
            {
                return false;
            }
            final long alignedLength = BitUtil.align((long)frameLength, FrameDescriptor.FRAME_ALIGNMENT);
            if (type == HeaderFlyweight.HDR_TYPE_PAD)
            {
                // Of padding only the header is sent, and nothing behind it.
                return offset + DataHeaderFlyweight.HEADER_LENGTH == length &&
                    termOffset + alignedLength <= LogBufferDescriptor.TERM_MAX_LENGTH;
            }
            if (type != HeaderFlyweight.HDR_TYPE_DATA || alignedLength > length - offset)
            {
                return false;
            }
            offset += (int)alignedLength;
            termOffset += alignedLength;
        }
        return offset == length;
    }

    private static boolean isUsable(final DirectBuffer buffer)
    {
        final int termLength = intAt(buffer, SETUP_TERM_LENGTH_OFFSET);
        final int termOffset = intAt(buffer, SETUP_TERM_OFFSET_OFFSET);
        final int mtuLength = intAt(buffer, SETUP_MTU_LENGTH_OFFSET);
        return termLength >= LogBufferDescriptor.TERM_MIN_LENGTH && termLength <= LogBufferDescriptor.TERM_MAX_LENGTH &&
            BitUtil.isPowerOfTwo(termLength) &&
            termOffset >= 0 && termOffset <= termLength && termOffset % FrameDescriptor.FRAME_ALIGNMENT == 0 &&
            mtuLength > DataHeaderFlyweight.HEADER_LENGTH && mtuLength <= Configuration.MAX_UDP_PAYLOAD_LENGTH &&
            mtuLength % FrameDescriptor.FRAME_ALIGNMENT == 0 &&
            intAt(buffer, SETUP_ACTIVE_TERM_ID_OFFSET) - intAt(buffer, SETUP_INITIAL_TERM_ID_OFFSET) >= 0;
    }

    private static int typeAt(final DirectBuffer buffer, final int offset)
    {
        return buffer.getShort(offset + HeaderFlyweight.TYPE_FIELD_OFFSET, LITTLE_ENDIAN) & 0xFFFF;
    }

    private static int intAt(final DirectBuffer buffer, final int offset)
    {
        return buffer.getInt(offset, LITTLE_ENDIAN);
    }
}
