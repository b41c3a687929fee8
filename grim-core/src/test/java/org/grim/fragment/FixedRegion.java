// SPDX-License-Identifier: Apache-2.0
package org.grim.fragment;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.MemoryRights;

/** A region over memory that a test keeps. */
record FixedRegion(AtomicBuffer buffer, long virtualAddress, Runnable onClose) implements MemoryRegion
{
    @Override
    public long physicalAddress()
    {
        return virtualAddress;
    }

    @Override
    public long length()
    {
        return buffer.capacity();
    }

    @Override
    public MemoryRights rights()
    {
        return MemoryRights.READ_WRITE;
    }

    @Override
    public long generation()
    {
        return 1;
    }

    @Override
    public void close()
    {
        onClose.run();
    }
}
