// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.grim.buffer.BlockAllocator;
import org.grim.buffer.ReservedMemory;

/**
 * The memory for messages that arrive in parts. Where there is room for two of the maximum length it has two halves: a
 * block lies within one, and all blocks of a node lie in the same one at a time. So a node that stopped, however many
 * blocks it holds and wherever they lie, keeps room from others in one half only, and the other half becomes empty when
 * the others are done.
 * <p>Thread: one. Owns: the memory, reserved with the first block.
 */
final class ReassemblyMemory implements AutoCloseable
{
    private final BlockAllocator[] halves;
    private final long[] heldByNode;
    private final byte[] halfOfNode;
    private ReservedMemory memory;

    /**
     * Makes it, without memory yet.
     *
     * @param blockLengthMax most bytes of a block.
     * @param length         bytes, at least as much.
     * @param nodeCountMax   nodes.
     */
    ReassemblyMemory(final int blockLengthMax, final long length, final int nodeCountMax)
    {
        final long half = BlockAllocator.roundedUp(length / 2);
        halves = half >= BlockAllocator.roundedUp(blockLengthMax) ?
            new BlockAllocator[]{new BlockAllocator(half), new BlockAllocator(half)} :
            new BlockAllocator[]{new BlockAllocator(BlockAllocator.roundedUp(length))};
        heldByNode = new long[nodeCountMax];
        halfOfNode = new byte[nodeCountMax];
    }

    /** Whether a node has a block: then it gets no other but beside it. */
    boolean isHeldBy(final int node)
    {
        return heldByNode[node] > 0;
    }

    /** Takes a block for all bytes of a transfer, 1 or more; false, and nothing is taken, if there is no room. */
    boolean tryTake(final Transfer transfer, final int node)
    {
        final long blockLength = BlockAllocator.roundedUp(transfer.totalLength());
        final int first = isHeldBy(node) ? halfOfNode[node] : 0;
        final int last = isHeldBy(node) ? first : halves.length - 1;
        for (int half = first; half <= last; half++)
        {
            final long offset = halves[half].tryTake(blockLength);
            if (offset != BlockAllocator.NONE)
            {
                halfOfNode[node] = (byte)half;
                heldByNode[node] += blockLength;
                give(transfer, halves[0].length() * half + offset, blockLength);
                return true;
            }
        }
        return false;
    }

    /** Takes a transfer's block back. */
    void free(final Transfer transfer, final int node)
    {
        final int half = halfOfNode[node];
        halves[half].free(transfer.blockOffset - halves[0].length() * half, transfer.blockLength);
        heldByNode[node] -= transfer.blockLength;
        assert heldByNode[node] >= 0 : heldByNode[node];
        transfer.blockLength = 0;
    }

    /** Bytes of all blocks. */
    long takenLength()
    {
        long taken = 0;
        for (final BlockAllocator half : halves)
        {
            taken += half.takenLength();
        }
        return taken;
    }

    @Override
    public void close()
    {
        if (memory != null)
        {
            memory.close();
        }
    }

    private void give(final Transfer transfer, final long offset, final long blockLength)
    {
        if (memory == null)
        {
            memory = new ReservedMemory(halves[0].length() * halves.length);
        }
        transfer.blockOffset = offset;
        transfer.blockLength = blockLength;
        if (!transfer.isKept)
        {
            transfer.isKept = true;
            memory.keepFor(transfer.memory);            // Handlers see it, and may keep it.
        }
        transfer.memory.wrap(memory.address() + offset, (int)transfer.totalLength());
    }
}
