// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import java.util.ArrayDeque;
import java.util.Deque;

import org.grim.ni.board.Wire;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.trace.PacketEvent;

import static java.nio.ByteOrder.BIG_ENDIAN;

/**
 * NIs, switches and links in virtual time. Every link has a latency, a bandwidth and finite buffers behind it; a packet
 * moves on only into a free one, and what cannot move holds up what is behind it, back to the sending NI. Without a
 * {@link FaultModel} nothing is lost and the order of each pair is kept.
 * <p>Thread: the clock's. Code that a wake-up calls may use the wires.
 * <p>Owns: the packets; one is taken from the free ones when it begins.
 * <p>Bounds: packets under way are at most those that the links' buffers hold, one for each NI, and the copies that
 * faults made; the free list grows to that, and packets grow to the lengths that are sent. Nothing else allocates.
 */
public final class Fabric
{
    private static final FaultKind[] KINDS = FaultKind.values();

    private final VirtualClock clock;
    private final Topology topology;
    private final FabricLink[] links;
    private final FabricNi[] nis;
    private PacketTap tap;
    private final Deque<FabricPacket> free = new ArrayDeque<>();
    private long packetBytes;
    private boolean isLossy;

    /** Makes NIs and links. */
    public Fabric(final VirtualClock clock, final Topology topology, final LinkTiming timing)
    {
        this.clock = clock;
        this.topology = topology;
        links = new FabricLink[topology.linkCount()];
        for (int i = 0; i < links.length; i++)
        {
            links[i] = new FabricLink(this, timing);
        }
        nis = new FabricNi[topology.niCount()];
        for (int i = 0; i < nis.length; i++)
        {
            nis[i] = new FabricNi(this, i);
        }
    }

    /**
     * An NI's connection.
     *
     * @param ni its number.
     * @return always the same wire.
     */
    public Wire wire(final int ni)
    {
        return nis[ni];
    }

    /**
     * Whom to call when something changed for an NI: a packet can be judged, a packet is complete, the outgoing side is
     * idle again.
     *
     * @param ni   its number.
     * @param wake called from the clock's events; it may also come without need.
     */
    public void onWake(final int ni, final Runnable wake)
    {
        nis[ni].onWake(wake);
    }

    /**
     * Gives a link faults.
     *
     * @param link   number of the link, see {@link Topology}.
     * @param faults of this link alone; null for none.
     */
    public void faults(final int link, final FaultModel faults)
    {
        links[link].faults(faults);
        isLossy |= faults != null && !faults.isLossless();
    }

    /** Declares that packets may be lost, also if no model says so yet: partitions are decided later. */
    public void declareLossy()
    {
        isLossy = true;
    }

    /**
     * Sets a tap that sees the outcome of each packet.
     *
     * @param newTap that sees it; null for nobody.
     */
    public void tap(final PacketTap newTap)
    {
        tap = newTap;
    }

    /** Stops a link for a while; nothing is lost. */
    public void stall(final int link, final long timeNs)
    {
        links[link].stallUntil(timeNs);
    }

    /** {@return which NIs and links there are} */
    public Topology topology()
    {
        return topology;
    }

    /** {@return heap that packets take, under way or free; bytes, nearly} */
    public long packetBytes()
    {
        return packetBytes;
    }

    void packetGrew(final int length)
    {
        packetBytes += length;
    }

    boolean isLossy()
    {
        return isLossy;
    }

    VirtualClock clock()
    {
        return clock;
    }

    long nowNs()
    {
        return clock.nowNs();
    }

    FabricLink link(final int number)
    {
        return links[number];
    }

    FabricNi ni(final int number)
    {
        return nis[number];
    }

    void tapSent(final FabricPacket packet)
    {
        if (tap != null)
        {
            // Asked before a fault can touch the bytes.
            packet.isEnveloped = packet.wireLength >= Envelope.LENGTH &&
                packet.buffer.getInt(Envelope.MAGIC_OFFSET, BIG_ENDIAN) == Envelope.MAGIC;
            tell(packet, PacketEvent.SENT);
        }
    }

    void tapFaults(final FabricPacket packet, final FaultModel faults)
    {
        for (final FaultKind kind : KINDS)
        {
            if (tap != null && faults.has(kind))
            {
                tell(packet, kind.event());
            }
        }
    }

    void tapArrived(final FabricPacket packet)
    {
        if (tap != null)
        {
            tell(packet, PacketEvent.DELIVERED);
        }
    }

    private void tell(final FabricPacket packet, final PacketEvent event)
    {
        final int offset = packet.isEnveloped ? Math.min(Envelope.LENGTH, packet.wireLength) : 0;
        tap.onPacket(event, packet.source, packet.target, packet.buffer, offset, packet.wireLength - offset);
    }

    FabricPacket take()
    {
        final FabricPacket packet = free.poll();
        if (packet == null)
        {
            packetBytes += FabricPacket.HEAP_LENGTH;
            return new FabricPacket(this);
        }
        return packet;
    }

    void give(final FabricPacket packet)
    {
        free.push(packet);
    }
}
