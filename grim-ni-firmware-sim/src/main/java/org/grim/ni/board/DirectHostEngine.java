// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.board;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteLink.AtomicOperation;
import org.grim.board.PhysicalAddress;
import org.grim.buffer.AtomicWord;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_INT;

/**
 * The host engine in real time: each transfer is done before its call returns, on memory that the hosts share.
 * <p>Thread: the board's stepper; the hosts read and write the same memory meanwhile.
 * <p>Owns: nothing. Never allocates after construction.
 */
public final class DirectHostEngine implements HostEngine
{
    private static final int WORD_MASK = SIZE_OF_INT - 1;

    private final HostMemory memory;

    /**
     * An engine over some memory.
     *
     * @param memory that addresses name.
     */
    public DirectHostEngine(final HostMemory memory)
    {
        this.memory = memory;
    }

    @Override
    public boolean isIdle()
    {
        return true;
    }

    @Override
    public int room()
    {
        return TRANSFER_COUNT_MAX;
    }

    @Override
    public void write(final long address, final DirectBuffer source, final int offset, final int length)
    {
        final AtomicBuffer region = region(address, length);
        final int index = HostMemory.index(address);
        if (length == SIZE_OF_INT && (address & WORD_MASK) == 0)
        {
            // Release: a word of its own may announce what was written before it. The host's acquire is its partner.
            region.putIntRelease(index, source.getInt(offset));
        }
        else
        {
            region.putBytes(index, source, offset, length);
        }
    }

    @Override
    public void writeWithTail(
        final long address, final DirectBuffer source, final int offset, final int length, final int word)
    {
        if (length < 0 || (length & WORD_MASK) != 0 || (address & WORD_MASK) != 0)
        {
            throw new IllegalStateException(
                "transfer to address=" + address + " length=" + length + " leaves its tail word between two words");
        }
        final AtomicBuffer region = region(address, length + SIZE_OF_INT);
        final int index = HostMemory.index(address);
        if (length > 0)
        {
            region.putBytes(index, source, offset, length);
        }
        // Release: a reader that sees the word sees the bytes before it. The host's acquire of the word is its partner.
        BigEndian.putIntRelease(region, index + length, word);
    }

    @Override
    public void read(final long address, final MutableDirectBuffer target, final int offset, final int length)
    {
        final AtomicBuffer region = region(address, length);
        final int index = HostMemory.index(address);
        if (length == SIZE_OF_INT && (address & WORD_MASK) == 0)
        {
            target.putInt(offset, region.getIntAcquire(index));     // Partner: the host's release of that word.
        }
        else
        {
            target.putBytes(offset, region, index, length);
        }
    }

    @Override
    public void update(
        final AtomicOperation operation, final long address, final int length, final long operand,
        final long comparand, final MutableDirectBuffer target, final int offset)
    {
        final long previous = AtomicWord.execute(
            operation, region(address, length), HostMemory.index(address), length, operand, comparand);
        if (target != null)
        {
            AtomicWord.putResult(target, offset, length, previous);
        }
    }

    private AtomicBuffer region(final long address, final int length)
    {
        final int context = (int)PhysicalAddress.context(address);
        if (length <= 0 || !memory.isReachable(context, address, length))
        {
            throw new IllegalStateException(
                "transfer at address=" + address + " length=" + length + " is outside the host memory of the board");
        }
        return memory.region(address);
    }
}
