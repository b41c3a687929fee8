// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.buffer.Buffers;
import org.grim.queue.QueueOwner;
import org.grim.queue.StressMemory;
import org.grim.transport.MemoryHop;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/** A node with one page, one region in it, and who writes there. One thread each, as the tests say. */
final class StressNode
{
    static final int BYTE = 0x11;

    private static final MemorySettings SETTINGS = new MemorySettings(PAGE_LENGTH, PAGE_LENGTH, 1, 2);
    private static final MemberNode OWNER = MemberNode.first();
    private static final int SELF = 1;
    private static final int WRITER = 2;
    private static final int LAST_INDEX = PAGE_LENGTH - Long.BYTES;
    private static final AtomicBuffer SOURCE = Buffers.allocate(PAGE_LENGTH);
    private static final MemoryHop.RefusalSink IGNORED = (ticket, address, length, reason) ->
    {
    };

    static
    {
        SOURCE.setMemory(0, PAGE_LENGTH, (byte)BYTE);
    }

    final NodeMemory memory;
    final MemoryRegion region;
    private final AtomicBuffer arena;

    StressNode()
    {
        memory = new NodeMemory(SETTINGS, OWNER, (kind, length) ->
            new MemoryBlocks.PrivateBlock(StressMemory.take(length)), null, (regions, registered, quarantined) ->
            {
            });
        region = memory.register(PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
        arena = memory.space().arenas().find(0).buffer();
    }

    /** Becomes an initiator; null if all lines are taken. */
    InitiatorLine tryAttach()
    {
        return InitiatorLine.tryAttach(memory.space().directory(), QueueOwner.of(WRITER, 0, 1));
    }

    DirectHop newHop()
    {
        return newHop(null);
    }

    /** One whose results go to the same region, as if it were the writer's. */
    DirectHop newHopThatReads()
    {
        return newHop(new LocalSide(memory.space(), QueueOwner.of(WRITER, 0, 1)));
    }

    private DirectHop newHop(final LocalSide local)
    {
        return new DirectHop(memory.space(), tryAttach(), local, OWNER.statusAddress(SELF), OWNER.status(SELF),
            StressNode::ignore, StressNode::ignore);
    }

    private static void ignore()
    {
        // Nobody sleeps here, and nobody asks when a hop is closed.
    }

    /** Says whether the bytes were written, rather than refused. */
    boolean write(final DirectHop hop, final boolean isPhysical, final int length, final int wordIndex)
    {
        final long address = isPhysical ? region.remotePhysical().address() : region.remote().address();
        hop.tryWrite(isPhysical, address, SOURCE, 0, length,
            wordIndex == 0 ? MemoryHop.NO_NOTIFICATION : address + wordIndex, 1, 0);
        return hop.drainRefusals(IGNORED) == 0;
    }

    void writeWithSignal(final DirectHop hop, final int length, final int wordIndex)
    {
        final long address = region.remote().address();
        hop.tryWriteWithSignal(
            address, SOURCE, 0, length, RemoteLink.SignalOperation.SET_LONG, address + wordIndex, 1, 0);
    }

    /** Value of a word before an operation on it. */
    long update(
        final DirectHop hop, final AtomicOperation operation, final int index, final long operand, final long comparand)
    {
        final long address = region.remote().address();
        hop.tryAtomic(operation, address + index, Long.BYTES, operand, comparand, address + LAST_INDEX,
            MemoryHop.NO_NOTIFICATION, 0, 0);
        return region.buffer().getLong(LAST_INDEX);
    }

    /** Frees the region, and registers another in its page if that is free. */
    MemoryRegion freeAndReuse()
    {
        region.close();
        return memory.freePageCountForTest() == 0 ? null : memory.register(PAGE_LENGTH, MemoryRegion.Rights.READ_WRITE);
    }

    /** Frees the region, and stores into the end of its page as soon as another region could get it. */
    boolean freeAndStore()
    {
        region.close();
        final boolean isFree = memory.freePageCountForTest() != 0;
        if (isFree)
        {
            arena.putLongVolatile(LAST_INDEX, 0);
        }
        return isFree;
    }

    /** Content at the end of the page. */
    long last()
    {
        return arena.getLongVolatile(LAST_INDEX);
    }
}
