// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.agrona.DirectBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.ni.memory.Delivery;
import org.grim.ni.memory.Delivery.Verdict;
import org.grim.wire.MessageType;

/** Finds what delivers a message, by its type and destination channel. Thread: the board's stepper. */
final class Deliveries
{
    private final Delivery activeMessages;
    private final Delivery remoteMemory;
    private final ChannelRegisters[] registers;
    private long refusedCount;

    Deliveries(final Delivery activeMessages, final Delivery remoteMemory, final ChannelRegisters[] registers)
    {
        this.activeMessages = activeMessages;
        this.remoteMemory = remoteMemory;
        this.registers = registers;
    }

    Delivery of(final int typeCode)
    {
        return typeCode == MessageType.ACTIVE_MESSAGE.code() ? activeMessages : remoteMemory;
    }

    /** A channel that the board does not have can never take a message; one that is not enabled yet may, later. */
    Verdict begin(
        final Delivery delivery, final int channel, final DirectBuffer packet, final int offset, final int length)
    {
        if (channel >= registers.length)
        {
            refusedCount++;
            return Verdict.REFUSE;
        }
        return registers[channel].isEnabledAcquire() ? delivery.begin(channel, packet, offset, length) :
            Verdict.NO_ROOM;
    }

    /** Messages for channels that the board does not have. */
    long refusedCount()
    {
        return refusedCount;
    }
}
