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

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/** A wire to an NI that accepts everything at once. Thread: the board's stepper. */
final class AnsweringWire implements Wire
{
    private static final long PEER_EPOCH = 1L << Integer.SIZE;

    private final AtomicBuffer answer = Buffers.wrap(new byte[SynchroniseMessage.LENGTH]);
    private final ControlMessage control = new ControlMessage().wrap(answer, 0);
    private final SynchroniseMessage synchronise = new SynchroniseMessage().wrap(answer, 0);
    private int answerLength;
    private int missingLength;

    @Override
    public boolean isLossy()
    {
        return false;
    }

    @Override
    public boolean isIdle()
    {
        return missingLength == 0 && answerLength == 0;
    }

    @Override
    public void begin(final int destinationNi, final int packetLength)
    {
        missingLength = packetLength;
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        missingLength -= length;
        if (length == ControlMessage.LENGTH)
        {
            return;
        }
        final long first = source.getLong(offset, BIG_ENDIAN);
        final long second = source.getLong(offset + SIZE_OF_LONG, BIG_ENDIAN);
        if (MessageHeader.typeCode(first) == MessageType.SYNCHRONISE.code())
        {
            synchronise.put(/* sourceAddress= */ MessageHeader.destinationAddress(second),
                /* destinationAddress= */ MessageHeader.sourceAddress(first), PEER_EPOCH,
                MessageHeader.arguments01(source, offset), false, 0, 1);
            answerLength = SynchroniseMessage.LENGTH;
        }
        else
        {
            control.put(MessageType.ACK, MessageHeader.token(first), MessageHeader.sequence(first),
                MessageHeader.sourceChannel(second), MessageHeader.destinationAddress(second));
            answerLength = ControlMessage.LENGTH;
        }
    }

    @Override
    public void abort()
    {
        missingLength = 0;
    }

    @Override
    public boolean hasPacket()
    {
        return answerLength > 0;
    }

    @Override
    public DirectBuffer buffer()
    {
        return answer;
    }

    @Override
    public int offset()
    {
        return 0;
    }

    @Override
    public int length()
    {
        return answerLength;
    }

    @Override
    public int arrivedLength()
    {
        return answerLength;
    }

    @Override
    public boolean isCut()
    {
        return false;
    }

    @Override
    public void release()
    {
        answerLength = 0;
    }
}
