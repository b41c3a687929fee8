// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;

/** Areas in private memory, and what became of them. */
final class FixedAreas implements Outbox.Areas
{
    final List<Long> created = new ArrayList<>();
    int retiredCount;
    boolean hasMemory = true;

    private final IntFunction<AtomicBuffer> memory;

    FixedAreas()
    {
        this(Buffers::allocate);
    }

    FixedAreas(final IntFunction<AtomicBuffer> memory)
    {
        this.memory = memory;
    }

    @Override
    public OutboxArea tryCreate(final long length)
    {
        created.add(length);
        return hasMemory ? new OutboxArea(0, memory.apply((int)length + OutboxArea.BLOCKS_OFFSET), null) : null;
    }

    @Override
    public void retire(final OutboxArea area)
    {
        retiredCount++;
    }

    @Override
    public void close(final OutboxArea area)
    {
        // Private memory goes with its last user.
    }
}
