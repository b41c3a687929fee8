// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.RejectReason;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.Hop;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;
import org.grim.wire.MessageHeader;
import org.grim.wire.MulticastFormat;

/**
 * The arrival queue of one channel, which the board fills by DMA, as the message loop polls it. Messages are judged
 * once more here: their source's board may not be ours.
 * <p>Thread: the endpoint's owner.
 */
final class ChannelArrivals extends ArrivalQueue
{
    private static final int NODE_SHIFT = 4;

    private final AtomicBuffer region;
    private final ArrivalReader reader;
    private final int nodeCountMax;
    private final int incarnation;
    private final int address;
    private boolean isCorruptReported;
    private boolean isHandingOver;
    private boolean isEnded;

    ChannelArrivals(
        final AtomicBuffer region, final ChannelRegisters registers, final Membership membership, final int channel)
    {
        super(channel, -1);
        this.region = region;
        nodeCountMax = membership.nodeCountMax();
        reader = ArrivalReader.of(region, registers);
        incarnation = membership.incarnation();
        address = EndpointId.of(membership.self(), 0, 0).address();
        rearm();
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        int count = 0;
        boolean isOver = false;
        while (!isOver && count < limit && !isEnded && reader.hasMessage())
        {
            isHandingOver = true;
            handOver(sink, reader.index(), reader.length());
            isHandingOver = false;
            if (isEnded)
            {
                return count + 1;               // A handler has left: nothing is polled any more.
            }
            reader.release();
            count++;
            isOver = sink.isLastOfPoll();
        }
        if (reader.isCorrupt() && !isCorruptReported)
        {
            isCorruptReported = true;
            sink.onReject(RejectReason.CORRUPT_STATE, this);
        }
        rearm();
        return count;
    }

    /** True when everything that has come was handed over. */
    boolean isEmpty()
    {
        return !reader.hasMessage();
    }

    /** The node leaves: nothing is handed over any more. */
    void end()
    {
        isEnded = true;
    }

    /** Counts the messages that nobody handled, when the board brings no more. */
    int countUnread()
    {
        reader.detach();
        int count = isHandingOver ? -1 : 0;         // A handler that leaves has its message behind it.
        while (reader.hasMessage())
        {
            count += Hop.isCounted(region, reader.index()) ? 1 : 0;
            reader.release();
        }
        return Math.max(0, count);
    }

    private void rearm()
    {
        final int index = reader.notificationIndex();
        expect(region.addressOffset() + index, reader.isCorrupt() ? region.getInt(index) : reader.notificationIdle());
    }

    private void handOver(final MessageSink sink, final int index, final int length)
    {
        final long first =
            MessageHeader.first(region.getInt(index), region.getInt(index + MessageHeader.TYPE_OFFSET));
        final long second = MessageHeader.second(region.getLong(index + MessageHeader.EXTENT_OFFSET));
        final RejectReason invalid = MessageHeader.invalid(first, second, length - MessageHeader.LENGTH);
        if (invalid != null)
        {
            sink.onReject(invalid, this);
            return;
        }
        if (MessageHeader.sourceAddress(first) >>> NODE_SHIFT >= nodeCountMax)
        {
            sink.onReject(RejectReason.WRONG_SOURCE, this);
            return;
        }
        final int payloadLength = MessageHeader.payloadLength(first, second) - Integer.BYTES;
        if (payloadLength < 0)
        {
            sink.onReject(RejectReason.BAD_LENGTH, this);
            return;
        }
        if (MulticastFormat.isMulticast(MessageHeader.typeCode(first)))
        {
            sink.onMessage(NiHeader.fromTree(first, MulticastFormat.originAddress(region, index)),
                NiHeader.fromTree(second, address, channel()), region, index, index + NiHeader.LENGTH, payloadLength);
            return;
        }
        final int word = NiHeader.getIncarnationWord(region, index);
        if (!NiHeader.isFor(incarnation, word))
        {
            sink.onReject(RejectReason.OLD_INCARNATION, this);
            return;
        }
        final long channels = NiHeader.channels(NiHeader.sourceChannel(word), channel());
        sink.onMessage(first, NiHeader.fromNi(second, channels), region, index,
            index + NiHeader.LENGTH, payloadLength);
    }
}
