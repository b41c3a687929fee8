// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.DmaRegionHeader;
import org.grim.board.host.PageTable;
import org.grim.buffer.Buffers;
import org.grim.transport.PinnedArena;
import org.grim.transport.RegisteredPages;

/**
 * The registered part of the DMA region, in which the node registers all its memory. It stays where it is while the
 * node is alive, with any board: a new board learns the registered ranges.
 * <p>Thread: any. One monitor, held for bounded time, orders registrations, frees and the coming and going of boards;
 * its holder makes no request to the node's memory.
 * <p>Owns: nothing; the region is its driver's.
 */
public final class RegisteredArena implements PinnedArena, PageTable
{
    private final AtomicBuffer memory;
    private final int fileOffset;
    private final RegisteredTable table = new RegisteredTable();
    private volatile RegisteredPages pages;
    private BoardMemory board;              // null while there is none

    /** Begins with nothing registered. */
    public RegisteredArena(final DmaRegion region)
    {
        fileOffset = region.layout().registeredOffset();
        memory = Buffers.wrap(region.buffer(), fileOffset, region.layout().registeredLength());
    }

    /** Sets the server of questions about pages; before that, none is registered. */
    public void ready(final RegisteredPages newPages)
    {
        pages = newPages;
    }

    /**
     * A board serves the node from now on.
     *
     * @param newBoard that learns the registered ranges.
     */
    public synchronized void begin(final BoardMemory newBoard)
    {
        newBoard.begin(fileOffset, memory.capacity());
        for (int i = 0; i < table.count(); i++)
        {
            newBoard.register(fileOffset, table.start(i), table.offset(i), table.length(i), table.rights(i));
        }
        board = newBoard;
    }

    /**
     * A board's memory is about to be unmapped.
     *
     * @param oldBoard that serves the node no more.
     */
    public synchronized void end(final BoardMemory oldBoard)
    {
        oldBoard.end();
        if (board == oldBoard)
        {
            board = null;
        }
    }

    @Override
    public AtomicBuffer memory()
    {
        return memory;
    }

    @Override
    public String fileKind()
    {
        return DmaRegionHeader.fileKind(DmaRegion.GENERATION);
    }

    @Override
    public long fileOffset()
    {
        return fileOffset;
    }

    @Override
    public synchronized void onRegistered(
        final long virtualAddress, final long offset, final long length, final int rights)
    {
        table.add(virtualAddress, length, offset, rights);
        if (board != null)
        {
            board.register(fileOffset, virtualAddress, offset, length, rights);
        }
    }

    @Override
    public synchronized void onFreeing(final long virtualAddress, final long offset, final long length)
    {
        table.remove(virtualAddress);
        if (board != null)
        {
            board.forget(virtualAddress);
        }
    }

    @Override
    public synchronized boolean hasForgotten()
    {
        return board == null || board.hasForgotten();
    }

    /**
     * Whether bytes are registered here.
     *
     * @param virtualAddress of the first.
     * @param length         bytes, 1 or more.
     * @return true if all of them are of one region.
     */
    public synchronized boolean isRegistered(final long virtualAddress, final long length)
    {
        return table.find(virtualAddress, length) != RegisteredTable.NONE;
    }

    /**
     * Whether a notification word that a peer writes holds a value by now.
     *
     * @param virtualAddress of the word, a multiple of 4.
     * @param value          to look for.
     * @return true also if the word is not registered any more: nobody waits for it.
     */
    public synchronized boolean isNotified(final long virtualAddress, final int value)
    {
        final int index = table.find(virtualAddress, Integer.BYTES);
        // Partner: the release of the board's engine.
        return index == RegisteredTable.NONE ||
            memory.getIntAcquire((int)(table.offset(index) + virtualAddress - table.start(index))) == value;
    }

    /**
     * {@inheritDoc}
     *
     * @return offset of the page in the region, without the context; {@link PageTable#NONE} for a page of which no
     *     region has a byte.
     */
    @Override
    public long physicalPage(final long virtualPageAddress)
    {
        final RegisteredPages known = pages;
        final long found = known == null ? RegisteredPages.NONE : known.find(virtualPageAddress);
        return found == RegisteredPages.NONE ? NONE : fileOffset + found;
    }
}
