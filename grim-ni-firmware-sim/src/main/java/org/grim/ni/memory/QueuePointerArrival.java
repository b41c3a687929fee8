// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.grim.board.ChannelRegisters;
import org.grim.board.QueueFormat;
import org.grim.board.StopReason;
import org.grim.ni.board.Action;

import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;

/**
 * Arrivals in a queue of bytes, as {@link QueueFormat} says: the message first, then a pointer behind it by a transfer
 * of its own. Positions count bytes.
 */
final class QueuePointerArrival extends ArrivalQueue
{
    private final int queueLength;
    private final long pointerAddress;
    private int gapLength;
    private boolean needsFiller;
    private boolean needsPointer;

    QueuePointerArrival(
        final HostAccess host, final ChannelRegisters registers, final RecoveryWord recoveryWord,
        final long queueAddress, final int queueLength, final long pointerAddress)
    {
        super(host, registers, recoveryWord, queueAddress);
        this.queueLength = queueLength;
        this.pointerAddress = pointerAddress;
    }

    /** A longer message would depend on where the back happens to stand, and could wait for ever. */
    @Override
    boolean canFit(final int messageLength)
    {
        return messageLength <= queueLength / 2;
    }

    @Override
    boolean hasRoom(final int front, final int messageLength)
    {
        final int usedLength = back - front;
        if (Integer.compareUnsigned(usedLength, queueLength) > 0 || (front & (QueueFormat.ALIGNMENT - 1)) != 0)
        {
            stop(StopReason.BAD_ARRIVAL_FRONT);
            return false;
        }
        return QueueFormat.gapLength(back, queueLength, messageLength) + messageLength <= queueLength - usedLength;
    }

    @Override
    void place()
    {
        gapLength = QueueFormat.gapLength(back, queueLength, length);
        needsFiller = gapLength > QueueFormat.skipLength(back, queueLength);
        needsPointer = true;
        address = queueAddress + QueueFormat.offset(back + gapLength, queueLength);
    }

    /** The engine keeps the order of transfers, so the pointer is visible only after the message and its filler. */
    @Override
    boolean transfer(final int arrivedLength)
    {
        if (needsFiller && host.engine().room() > 0)
        {
            needsFiller = false;
            host.engine().writeWithTail(
                queueAddress + QueueFormat.offset(back, queueLength), packet, packetOffset, 0, QueueFormat.FILLER);
        }
        if (!needsFiller && arrivedLength > startedLength && host.engine().room() > 0)
        {
            host.engine().write(
                address + startedLength, packet, packetOffset + startedLength, arrivedLength - startedLength);
            startedLength = arrivedLength;
        }
        if (startedLength == length && needsPointer && host.engine().room() > 0)
        {
            needsPointer = false;
            back += gapLength + length;
            host.meter().spend(Action.ADVANCE_POINTER);
            host.engine().writePointer(pointerAddress, packet, back);
            return true;
        }
        return false;
    }

    @Override
    long recoveryAddress()
    {
        return pointerAddress;
    }

    @Override
    void recovered(final int pointer)
    {
        final int usedLength = pointer - registers.getAcquire(ARRIVAL_FRONT);
        if (Integer.compareUnsigned(usedLength, queueLength) > 0 || (pointer & (QueueFormat.ALIGNMENT - 1)) != 0)
        {
            stop(StopReason.BAD_ARRIVAL_POINTER);
        }
        else
        {
            ready(pointer);
        }
    }
}
