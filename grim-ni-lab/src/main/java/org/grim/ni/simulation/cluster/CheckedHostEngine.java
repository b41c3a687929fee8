// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.simulation.cluster;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.board.PhysicalAddress;
import org.grim.ni.board.HostEngine;
import org.grim.ni.board.HostMemory;
import org.grim.ni.simulation.check.ViolationException;

/**
 * A host engine that is watched: what the firmware writes must lie where somebody expects it.
 * <p>Thread: the simulation's.
 */
final class CheckedHostEngine implements HostEngine
{
    private final HostEngine engine;
    private final SimulatedHost host;
    private final int ni;

    CheckedHostEngine(final HostEngine engine, final SimulatedHost host, final int ni)
    {
        this.engine = engine;
        this.host = host;
        this.ni = ni;
    }

    @Override
    public boolean isIdle()
    {
        return engine.isIdle();
    }

    @Override
    public int room()
    {
        return engine.room();
    }

    @Override
    public void write(final long address, final DirectBuffer source, final int offset, final int length)
    {
        check(address, length);
        engine.write(address, source, offset, length);
    }

    @Override
    public void writeWithTail(
        final long address, final DirectBuffer source, final int offset, final int length, final int word)
    {
        check(address, length + Integer.BYTES);
        engine.writeWithTail(address, source, offset, length, word);
    }

    @Override
    public void writePointer(final long address, final DirectBuffer source, final int word)
    {
        check(address, Integer.BYTES);
        engine.writePointer(address, source, word);
    }

    @Override
    public void read(final long address, final MutableDirectBuffer target, final int offset, final int length)
    {
        engine.read(address, target, offset, length);
    }

    private void check(final long address, final int length)
    {
        final int context = (int)PhysicalAddress.context(address);
        if (!host.mayWrite(context, HostMemory.index(address), length))
        {
            throw new ViolationException("stray write", "NI " + ni + " writes " + length + " bytes to context " +
                context + " offset " + HostMemory.index(address));
        }
    }
}
