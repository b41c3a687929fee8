// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.agrona.DirectBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.ni.board.ChannelOwners;
import org.grim.ni.memory.ActiveMessageDelivery;
import org.grim.ni.memory.Delivery;
import org.grim.ni.memory.Delivery.Verdict;
import org.grim.ni.memory.RefuseCounters;
import org.grim.ni.memory.RefuseReason;
import org.grim.ni.memory.RemoteMemoryDelivery;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

/** Finds what delivers a message, by its type and destination channel. Thread: the board's stepper. */
final class Deliveries
{
    private static final int NODE_SHIFT = 4;

    private final ActiveMessageDelivery activeMessages;
    private final RemoteMemoryDelivery remoteMemory;
    private final ChannelRegisters[] registers;
    private final ChannelOwners owners;
    private final RefuseCounters refusals;
    private final boolean[] isClosed;

    Deliveries(
        final ActiveMessageDelivery activeMessages, final RemoteMemoryDelivery remoteMemory,
        final ChannelRegisters[] registers, final ChannelOwners owners, final RefuseCounters refusals)
    {
        this.activeMessages = activeMessages;
        this.remoteMemory = remoteMemory;
        this.registers = registers;
        this.owners = owners;
        this.refusals = refusals;
        isClosed = new boolean[registers.length];
    }

    Delivery of(final int typeCode)
    {
        return typeCode == MessageType.ACTIVE_MESSAGE.code() ? activeMessages : remoteMemory;
    }

    /** Whoever sends to a channel knows its owner, and that it was enabled: else it is refused for good. */
    Verdict begin(
        final Delivery delivery, final long second, final DirectBuffer packet, final int offset, final int length)
    {
        final int channel = MessageHeader.destinationChannel(second);
        if (channel >= registers.length)
        {
            return refusals.refuse(RefuseReason.NO_CHANNEL);
        }
        if (isClosed[channel] || !registers[channel].isEnabledAcquire())
        {
            return refusals.refuse(RefuseReason.CHANNEL_CLOSED);
        }
        // A channel takes what is for any device of its owner's node: the host knows which has handlers.
        if (owners.address(channel) >> NODE_SHIFT != MessageHeader.destinationAddress(second) >> NODE_SHIFT)
        {
            return refusals.refuse(RefuseReason.WRONG_OWNER);
        }
        return delivery.begin(channel, packet, offset, length);
    }

    /** Takes nothing more for a channel. */
    void close(final int channel)
    {
        isClosed[channel] = true;
    }

    /** The channel is as new: its set-up is read again when it is enabled. */
    void reset(final int channel)
    {
        isClosed[channel] = false;
        activeMessages.close(channel);
    }
}
