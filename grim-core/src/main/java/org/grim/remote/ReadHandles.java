// SPDX-License-Identifier: Apache-2.0
package org.grim.remote;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteMemory;
import org.grim.RemoteRefusal;
import org.grim.buffer.Buffers;
import org.grim.endpoint.EndpointState;
import org.grim.memory.NodeMemory;

import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.GrimException.Reason.NO_ROOM;

/**
 * The handles of reads and atomic operations of one endpoint, by the number that tickets carry, and the memory of
 * their words.
 * <p>Thread: the endpoint's owner.
 */
final class ReadHandles
{
    private static final int WORDS_LENGTH = 4096;
    // Of a handle: its word, four bytes of nobody, and the word before of an atomic operation.
    private static final int SLOT_LENGTH = SIZE_OF_LONG * 2;

    private final EndpointState state;
    private final NodeMemory regions;
    private final List<ReadHandle> handles = new ArrayList<>();
    private final List<MemoryRegion> blocks = new ArrayList<>();
    private MemoryRegion words;
    private AtomicBuffer wordsView;

    ReadHandles(final EndpointState state, final NodeMemory regions)
    {
        this.state = state;
        this.regions = regions;
    }

    /** Makes a handle. */
    ReadHandle add()
    {
        if (handles.size() >= ReadHandle.COUNT_MAX)
        {
            throw new GrimException(NO_ROOM,
                "handles of reads=" + handles.size() + " reach max=" + ReadHandle.COUNT_MAX +
                ": use those again that are complete");
        }
        final int wordIndex = handles.size() * SLOT_LENGTH % WORDS_LENGTH;
        if (wordIndex == 0)
        {
            words = regions.register(WORDS_LENGTH, MemoryRegion.Rights.READ);
            blocks.add(words);
            try
            {
                // A view of its own: that of the region is emptied when the node leaves, and it may be in use.
                wordsView = Buffers.wrap(words.buffer(), 0, WORDS_LENGTH);
            }
            catch (final IndexOutOfBoundsException ex)
            {
                throw new IllegalStateException(EndpointState.LEFT, ex);        // It left meanwhile.
            }
        }
        final ReadHandle handle = new ReadHandle(state, handles.size() + 1, wordsView, wordIndex,
            words.remote().address() + wordIndex);
        handles.add(handle);
        return handle;
    }

    /** The endpoint is closed: what its reads still bring is refused. */
    void close()
    {
        blocks.forEach(MemoryRegion::close);
    }

    /** Refuses handles that another endpoint made. */
    ReadHandle of(final RemoteMemory.Read read)
    {
        if (read instanceof final ReadHandle handle && handle.isOf(state))
        {
            return handle;
        }
        throw new IllegalArgumentException("handle of a read belongs to another endpoint: make one by newRead()");
    }

    /** An operation of this endpoint was refused: ends the read that it belongs to. */
    void onRefused(final int ticket, final RemoteRefusal reason)
    {
        final int number = ReadHandle.numberOf(ticket);
        if (number > 0 && number <= handles.size())
        {
            handles.get(number - 1).onRefused(ticket, reason);
        }
    }
}
