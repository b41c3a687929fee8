// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.check;

import org.agrona.DirectBuffer;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.FaultKind;
import org.grim.ni.fabric.PacketTap;
import org.grim.ni.trace.PacketEvent;
import org.grim.ni.trace.PcapWriter;

/**
 * Writes what becomes of packets into a trace file, in virtual time. The fabric does not know whether a message left
 * before; its firmware says so just before it begins the packet, and nothing of that NI comes between.
 * <p>Thread: the simulation's.
 */
final class PacketRecorder implements PacketTap
{
    private final PcapWriter writer;
    private final VirtualClock clock;
    private final boolean[] isRepeated;

    PacketRecorder(final PcapWriter writer, final VirtualClock clock, final int niCount)
    {
        this.writer = writer;
        this.clock = clock;
        isRepeated = new boolean[niCount];
    }

    /** The packet that an NI begins now leaves for the first time, or once more. */
    void transmitted(final int ni, final boolean isOnceMore)
    {
        isRepeated[ni] = isOnceMore;
    }

    @Override
    public void onSent(
        final int sourceNi, final int destinationNi, final DirectBuffer buffer, final int offset, final int length)
    {
        final PacketEvent event = isRepeated[sourceNi] ? PacketEvent.RESENT : PacketEvent.SENT;
        isRepeated[sourceNi] = false;
        writer.packet(clock.nowNs(), event, sourceNi, destinationNi, buffer, offset, length);
    }

    @Override
    public void onFault(
        final FaultKind kind, final int sourceNi, final int destinationNi, final DirectBuffer buffer,
        final int offset, final int length)
    {
        writer.packet(clock.nowNs(), event(kind), sourceNi, destinationNi, buffer, offset, length);
    }

    @Override
    public void onArrived(
        final int sourceNi, final int destinationNi, final DirectBuffer buffer, final int offset, final int length)
    {
        writer.packet(clock.nowNs(), PacketEvent.DELIVERED, sourceNi, destinationNi, buffer, offset, length);
    }

    private static PacketEvent event(final FaultKind kind)
    {
        return switch (kind)
        {
            case DROP, PARTITION -> PacketEvent.LOST;
            case REPEAT -> PacketEvent.REPEATED;
            case REORDER -> PacketEvent.REORDERED;
            case CORRUPT -> PacketEvent.CORRUPTED;
            case TRUNCATE -> PacketEvent.TRUNCATED;
            case DELAY, STALL -> PacketEvent.DELAYED;
        };
    }
}
