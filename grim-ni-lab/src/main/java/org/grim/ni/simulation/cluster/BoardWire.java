// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.agrona.DirectBuffer;
import org.grim.ni.board.Wire;
import org.grim.ni.fabric.ForwardingWire;
import org.grim.ni.simulation.check.Trace;
import org.grim.ni.simulation.scenario.Probe;

/**
 * A board's plug in the fabric: knows whether a packet was being fed when the board was reset, and lets a dead board
 * swallow what comes, as one without power does not push back.
 * <p>Thread: the simulation's.
 */
final class BoardWire extends ForwardingWire
{
    private final Trace trace;
    private int missingLength;

    BoardWire(final Wire wire, final Trace trace)
    {
        super(wire);
        this.trace = trace;
    }

    /** The board was reset: its send engine gives up what it was doing. */
    void reset()
    {
        if (missingLength > 0)
        {
            abort();
        }
    }

    void swallow()
    {
        while (hasPacket())
        {
            release();
        }
    }

    @Override
    public boolean isIdle()
    {
        final boolean isIdle = super.isIdle();
        if (!isIdle)
        {
            trace.reach(Probe.WIRE_BUSY);
        }
        return isIdle;
    }

    @Override
    public void begin(final int destinationNi, final int packetLength)
    {
        missingLength = packetLength;
        super.begin(destinationNi, packetLength);
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        missingLength -= length;
        if (missingLength > 0)
        {
            trace.reach(Probe.CUT_THROUGH_SENT);
        }
        super.feed(source, offset, length);
    }

    @Override
    public void abort()
    {
        missingLength = 0;
        super.abort();
    }

    @Override
    public boolean isCut()
    {
        final boolean isCut = super.isCut();
        if (isCut)
        {
            trace.reach(Probe.CUT_PACKET);
        }
        return isCut;
    }
}
