// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.RemoteLink.SignalOperation;
import org.grim.RemoteRefusal;
import org.grim.buffer.AtomicWord;
import org.grim.transport.HostRegions;
import org.grim.transport.MemoryHop;

/**
 * This node's own memory, whose regions another thread may free meanwhile. So who reads into it, or executes what came
 * as a message, is an initiator here, too, from its first operation on.
 * <p>Thread: the link's owner. Owns: its line in the node's directory, until {@link #close()}.
 */
final class LocalSide implements HostRegions.OwnRegions
{
    private final NodeMemory.Space space;
    private final long owner;
    private final VirtualLookup data;
    private final VirtualLookup word;
    private final PhysicalLookup physicalData;
    private final PhysicalLookup physicalWord;
    private InitiatorLine initiator;

    LocalSide(final NodeMemory.Space space, final long owner)
    {
        this.space = space;
        this.owner = owner;
        final RegionTable table = new RegionTable(space.directory());
        data = space.virtualLookup(table);
        word = space.virtualLookup(table);
        physicalData = space.physicalLookup();
        physicalWord = space.physicalLookup();
    }

    @Override
    public RemoteRefusal write(
        final boolean isPhysical, final long address, final DirectBuffer source, final int offset, final int length,
        final long notificationAddress, final int notificationValue)
    {
        final RemoteRefusal reason = InitiatorLine.reasonOfForm(address, length, notificationAddress);
        return reason != null ? reason : initiator.write(isPhysical ? physicalData : data,
            isPhysical ? physicalWord : word, Lookup.WRITE, address, source, offset, length, notificationAddress,
            notificationValue);
    }

    @Override
    public RemoteRefusal writeWithSignal(
        final long address, final DirectBuffer source, final int offset, final int length,
        final SignalOperation operation, final long signalAddress, final long value)
    {
        final RemoteRefusal reason =
            InitiatorLine.reasonOfForm(address, length, operation.length(), signalAddress);
        return reason != null ? reason :
            initiator.writeWithSignal(data, word, address, source, offset, length, operation, signalAddress, value);
    }

    @Override
    public RemoteRefusal atomic(
        final AtomicOperation operation, final long address, final int length, final long operand,
        final long comparand, final MutableDirectBuffer target, final int index)
    {
        RemoteRefusal reason = InitiatorLine.reasonOfForm(address, length);
        if (reason == null)
        {
            begin();
            try
            {
                reason = data.find(address, length, Lookup.READ | Lookup.WRITE);
                if (reason == null)
                {
                    AtomicWord.putResult(target, index, length, AtomicWord.execute(
                        operation, data.buffer(), data.index(), length, operand, comparand));
                }
            }
            finally
            {
                end();
            }
        }
        return reason;
    }

    @Override
    public RemoteRefusal fill(
        final long address, final DirectBuffer source, final int offset, final int length,
        final long notificationAddress, final int notificationValue)
    {
        final RemoteRefusal reason = InitiatorLine.reasonOfForm(address, length, notificationAddress);
        return reason != null ? reason : initiator.write(data, word, Lookup.ANY, address, source, offset, length,
            notificationAddress, notificationValue);
    }

    @Override
    public RemoteRefusal read(
        final long address, final MutableDirectBuffer target, final int index, final int length)
    {
        RemoteRefusal reason = InitiatorLine.reasonOfForm(address, length, MemoryHop.NO_NOTIFICATION);
        if (reason == null)
        {
            begin();
            try
            {
                reason = data.find(address, length, Lookup.READ);
                if (reason == null)
                {
                    target.putBytes(index, data.buffer(), data.index(), length);
                }
            }
            finally
            {
                end();
            }
        }
        return reason;
    }

    /** Becomes an initiator, if it is not yet; false if the node's directory has no room for one now. */
    boolean tryAttach()
    {
        if (initiator == null)
        {
            initiator = InitiatorLine.tryAttach(space.directory(), owner);
        }
        return initiator != null;
    }

    void begin()
    {
        initiator.begin();
    }

    void end()
    {
        initiator.end();
    }

    Lookup data()
    {
        return data;
    }

    Lookup word()
    {
        return word;
    }

    void close()
    {
        if (initiator != null)
        {
            initiator.close();
            initiator = null;
        }
    }
}
