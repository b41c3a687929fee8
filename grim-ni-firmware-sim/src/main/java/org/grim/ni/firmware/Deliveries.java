// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import org.agrona.DirectBuffer;
import org.grim.ni.memory.ActiveMessageDelivery;
import org.grim.ni.memory.Delivery;
import org.grim.ni.memory.Delivery.Verdict;
import org.grim.ni.memory.RefuseCounters;
import org.grim.ni.memory.RefuseReason;
import org.grim.ni.memory.RemoteMemoryDelivery;
import org.grim.ni.memory.ServedChannels;
import org.grim.ni.multicast.MulticastDelivery;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.grim.wire.MulticastFormat;

/** Finds what delivers a message, by its type and destination channel. Thread: the board's stepper. */
final class Deliveries
{
    private final ActiveMessageDelivery activeMessages;
    private final RemoteMemoryDelivery remoteMemory;
    private final MulticastDelivery multicasts;
    private final ServedChannels channels;
    private final RefuseCounters refusals;

    Deliveries(
        final ActiveMessageDelivery activeMessages, final RemoteMemoryDelivery remoteMemory,
        final MulticastDelivery multicasts, final ServedChannels channels, final RefuseCounters refusals)
    {
        this.activeMessages = activeMessages;
        this.remoteMemory = remoteMemory;
        this.multicasts = multicasts;
        this.channels = channels;
        this.refusals = refusals;
    }

    Delivery of(final int typeCode)
    {
        return typeCode == MessageType.ACTIVE_MESSAGE.code() ? activeMessages :
            MulticastFormat.isMulticast(typeCode) ? multicasts : remoteMemory;
    }

    /** Whether a delivery is for several channels at once. */
    boolean isMulticast(final Delivery delivery)
    {
        return delivery == multicasts;
    }

    Verdict begin(
        final Delivery delivery, final long second, final DirectBuffer packet, final int offset, final int length)
    {
        final int channel = MessageHeader.destinationChannel(second);
        final RefuseReason reason = isMulticast(delivery) ? null :
            channels.whyRefused(channel, MessageHeader.destinationAddress(second));
        return reason == null ? delivery.begin(channel, packet, offset, length) : refusals.refuse(reason);
    }

    /** Takes nothing more for a channel. */
    void close(final int channel)
    {
        channels.close(channel);
    }

    /** The channel is as new: its set-up is read again when it is enabled. */
    void reset(final int channel)
    {
        channels.reset(channel);
        activeMessages.close(channel);
    }
}
