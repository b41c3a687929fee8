// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.transport.PeerMemory;

/** One user's view of a peer's memory. Thread: the user's. */
final class PeerView implements PeerMemory
{
    private static final int READ = 1;

    private final VirtualLookup lookup;
    private Runnable onClosed;

    PeerView(final NodeSpace space, final Runnable onClosed)
    {
        this.onClosed = onClosed;
        lookup = space.virtualLookup(new RegionTable(space.directory()));
    }

    @Override
    public boolean tryView(final long virtualAddress, final int length)
    {
        return length > 0 && lookup.find(virtualAddress, length, READ) == null;
    }

    @Override
    public AtomicBuffer buffer()
    {
        return lookup.buffer();
    }

    @Override
    public int index()
    {
        return lookup.index();
    }

    @Override
    public void close()
    {
        if (onClosed != null)
        {
            onClosed.run();
            onClosed = null;
        }
    }
}
