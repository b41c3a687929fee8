// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.fabric;

import org.agrona.DirectBuffer;
import org.grim.ni.board.Wire;

/** A wire that passes everything to another wire; subclasses inspect or change it. Thread: as that one's. */
public abstract class ForwardingWire implements Wire
{
    private final Wire wire;

    /** Stands before a wire. */
    protected ForwardingWire(final Wire wire)
    {
        this.wire = wire;
    }

    @Override
    public boolean isLossy()
    {
        return wire.isLossy();
    }

    @Override
    public boolean isIdle()
    {
        return wire.isIdle();
    }

    @Override
    public void begin(final int destinationNi, final int packetLength)
    {
        wire.begin(destinationNi, packetLength);
    }

    @Override
    public void feed(final DirectBuffer source, final int offset, final int length)
    {
        wire.feed(source, offset, length);
    }

    @Override
    public void abort()
    {
        wire.abort();
    }

    @Override
    public boolean hasPacket()
    {
        return wire.hasPacket();
    }

    @Override
    public DirectBuffer buffer()
    {
        return wire.buffer();
    }

    @Override
    public int offset()
    {
        return wire.offset();
    }

    @Override
    public int length()
    {
        return wire.length();
    }

    @Override
    public int arrivedLength()
    {
        return wire.arrivedLength();
    }

    @Override
    public boolean isCut()
    {
        return wire.isCut();
    }

    @Override
    public void release()
    {
        wire.release();
    }
}
