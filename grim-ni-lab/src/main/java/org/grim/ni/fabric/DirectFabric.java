// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.grim.ni.board.Wire;

/**
 * Joins the NIs of one thread without time between them: what one feeds, the other sees at once. Loses nothing and
 * keeps the order of each pair; a packet whose destination is full waits at its sender, and is handed over, first come
 * first served, when the destination frees room.
 * <p>Thread: one for all its NIs.
 * <p>Owns: the packets' memory.
 * <p>Bounds: {@code niCount x (packetCount + 1)} packets; never allocates after construction.
 */
public final class DirectFabric
{
    private final DirectWire[] wires;
    private final DirectPacket[] free;
    private final int packetLengthMax;
    private int freeCount;

    /**
     * Makes the NIs' wires and all packets.
     *
     * @param niCount         NIs, 1 or more.
     * @param packetCount     packets that may stand at one NI, 1 or more.
     * @param packetLengthMax most bytes of a packet.
     */
    public DirectFabric(final int niCount, final int packetCount, final int packetLengthMax)
    {
        if (niCount < 1 || packetCount < 1 || packetLengthMax < 1)
        {
            throw new IllegalArgumentException("NI count=" + niCount + ", packet count=" + packetCount +
                " and packet length=" + packetLengthMax + " must be 1 or more");
        }
        this.packetLengthMax = packetLengthMax;
        free = new DirectPacket[Math.multiplyExact(niCount,
            packetCount +           // standing at the NI, some of them still being fed
            1)];                    // at its own sending side: waiting for room, or fed although released already
        for (final DirectPacket ignored : free)
        {
            free[freeCount++] = new DirectPacket(packetLengthMax);
        }
        wires = new DirectWire[niCount];
        for (int ni = 0; ni < niCount; ni++)
        {
            wires[ni] = new DirectWire(this, niCount, packetCount);
        }
    }

    /**
     * An NI's connection.
     *
     * @param ni 0 or more, less than the number of NIs.
     * @return always the same wire.
     */
    public Wire wire(final int ni)
    {
        return wires[ni];
    }

    DirectWire target(final int ni)
    {
        if (ni < 0 || ni >= wires.length)
        {
            throw new IllegalArgumentException("destination NI=" + ni + " is outside 0 to " + (wires.length - 1));
        }
        return wires[ni];
    }

    DirectPacket take(final int length)
    {
        if (length < 1 || length > packetLengthMax)
        {
            throw new IllegalArgumentException("packet length=" + length + " is outside 1 to " + packetLengthMax);
        }
        return free[--freeCount].begin(length);
    }

    void give(final DirectPacket packet)
    {
        free[freeCount++] = packet;
    }
}
