// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.grim.ni.control.SynchroniseMessage;
import org.grim.wire.ControlMessage;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/**
 * A wire from an NI that sends a message whenever it is told to. It tells its epoch first. NI and node have the same
 * number: 1 sends to 0.
 * <p>Thread: the board's stepper.
 */
final class CallingWire implements Wire
{
    private static final int NODE_SHIFT = 4;
    private static final int SENDER = 1 << NODE_SHIFT;
    private static final int RECEIVER = 0;
    private static final int HANDLER = 1;
    private static final int SEQUENCE_MASK = 0xFF;
    private static final long EPOCH_FIRST = 1L << Integer.SIZE;

    private final AtomicBuffer packet;
    private final MessageHeader header = new MessageHeader();
    private final int payloadLength;
    private int packetLength;
    private int missingLength;
    private int sentCount;
    private int answeredCount;

    CallingWire(final int payloadLength)
    {
        this.payloadLength = payloadLength;
        packet = Buffers.allocate(Math.max(SynchroniseMessage.LENGTH, MessageHeader.LENGTH + payloadLength));
        new SynchroniseMessage().wrap(packet, 0).put(SENDER, RECEIVER, EPOCH_FIRST, EPOCH_FIRST, true, 0, 0);
        packetLength = SynchroniseMessage.LENGTH;
    }

    /** Sends the next message, once the last one was taken. */
    void send(final int channel)
    {
        header.wrap(packet, 0).identity(sentCount & SEQUENCE_MASK, sentCount & SEQUENCE_MASK);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, SENDER), RECEIVER,
            MessageHeader.routeWord(channel, channel), HANDLER, payloadLength, sentCount, 0);
        packetLength = MessageHeader.LENGTH + payloadLength;
        sentCount++;
    }

    /** Whether every message was answered. */
    boolean isAnswered()
    {
        return answeredCount == sentCount;
    }

    @Override
    public boolean isLossy()
    {
        return false;
    }

    @Override
    public boolean isIdle()
    {
        return missingLength == 0;
    }

    @Override
    public void begin(final int destinationNi, final int newPacketLength)
    {
        missingLength = newPacketLength;
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        missingLength -= length;
        answeredCount += length == ControlMessage.LENGTH ? 1 : 0;       // Else the announcement of an epoch.
    }

    @Override
    public void abort()
    {
        missingLength = 0;
    }

    @Override
    public boolean hasPacket()
    {
        return packetLength > 0;
    }

    @Override
    public DirectBuffer buffer()
    {
        return packet;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public int length()
    {
        return packetLength;
    }

    @Override
    public int arrivedLength()
    {
        return packetLength;
    }

    @Override
    public boolean isCut()
    {
        return false;
    }

    @Override
    public void release()
    {
        packetLength = 0;
    }
}
