// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.guard;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Wire;
import org.grim.ni.fabric.ForwardingWire;
import org.grim.wire.ControlMessage;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.RemoteMemoryFormat;

import static java.nio.ByteOrder.BIG_ENDIAN;
import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * Between the firmware and its wire: swallows NACKs, makes ACKs of them, or shows packets that were cut as whole ones.
 */
final class PlantedWire extends ForwardingWire
{
    private static final int TYPE_SHIFT = 26;
    private static final int TYPELESS_MASK = (1 << TYPE_SHIFT) - 1;

    private final Guard missing;
    private final AtomicBuffer answer = Buffers.wrap(new byte[ControlMessage.LENGTH]);
    private int answeredNi;
    private boolean isAnswer;

    PlantedWire(final Wire wire, final Guard missing)
    {
        super(wire);
        this.missing = missing;
    }

    @Override
    public void begin(final int destinationNi, final int packetLength)
    {
        isAnswer = packetLength == ControlMessage.LENGTH;
        answeredNi = destinationNi;
        if (!isAnswer)
        {
            super.begin(destinationNi, packetLength);
        }
    }

    /** Answers are fed whole. */
    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        if (!isAnswer)
        {
            super.feed(source, offset, length);
            return;
        }
        answer.putBytes(0, source, offset, length);
        final long words = answer.getLong(0, BIG_ENDIAN);
        if (MessageHeader.typeCode(words) == MessageType.NACK.code())
        {
            if (missing == Guard.NACK_SENT)
            {
                return;
            }
            if (missing == Guard.ACK_AFTER_COPY)
            {
                answer.putInt(SIZE_OF_INT, ((int)words & TYPELESS_MASK) |
                    MessageType.ACK.code() << TYPE_SHIFT, BIG_ENDIAN);
            }
        }
        super.begin(answeredNi, length);
        super.feed(answer, 0, length);
    }

    @Override
    public int arrivedLength()
    {
        final boolean isShownWhole = isMistaken() && super.arrivedLength() >= RemoteMemoryFormat.JUDGED_LENGTH;
        return isShownWhole ? length() : super.arrivedLength();
    }

    @Override
    public boolean isCut()
    {
        return super.isCut() && !(isMistaken() && super.arrivedLength() >= RemoteMemoryFormat.JUDGED_LENGTH);
    }

    private boolean isMistaken()
    {
        return missing == Guard.CUT_PACKET && super.isCut();
    }
}
