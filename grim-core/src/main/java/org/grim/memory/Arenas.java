// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.util.ArrayList;
import java.util.List;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.buffer.SegmentHeader;
import org.grim.transport.PinnedArena;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * The arenas of a node, one behind the other in its memory: made when they are needed, one that a transport gave, or
 * foreign memory of one region each.
 * <p>Thread: one at a time, but for {@link #find}. Owns: what it made.
 */
final class Arenas implements ArenaSource
{
    /** Marks an arena in its segment header, which takes a page of its own. */
    static final long MAGIC = SegmentHeader.magic("GRIMAREN");

    /** No place in the node's memory. */
    static final long NONE = -1;

    private static final String KIND_PREFIX = "arena-";

    private final MemorySettings settings;
    private final MemoryBlocks blocks;
    private final MemoryDirectory directory;
    private final PageAllocator pages;
    private final boolean isPinned;
    private final List<MemoryBlocks.Block> owned = new ArrayList<>();
    private final List<ForeignMemory> adopted = new ArrayList<>();
    private volatile ArenaSource.Arena[] views = new ArenaSource.Arena[0];
    private long end;

    Arenas(
        final MemorySettings settings, final MemoryBlocks blocks, final MemoryDirectory directory,
        final PageAllocator pages, final PinnedArena pinned)
    {
        this.settings = settings;
        this.blocks = blocks;
        this.directory = directory;
        this.pages = pages;
        isPinned = pinned != null;
        if (isPinned)
        {
            add(pinned.fileKind(), pinned.fileOffset(), pinned.memory());
        }
    }

    @Override
    public ArenaSource.Arena find(final long spaceOffset)
    {
        for (final ArenaSource.Arena view : views)
        {
            if (view.has(spaceOffset, 1))
            {
                return view;
            }
        }
        return null;
    }

    /** Where memory of this process stands in the node's; {@link #NONE} if it does not lie in an arena, wholly. */
    long spaceOffset(final DirectBuffer memory, final int offset, final int length)
    {
        final long address = memory.addressOffset() + offset;
        for (final ArenaSource.Arena view : views)
        {
            final long index = address - view.buffer().addressOffset();
            if (memory.byteArray() == view.buffer().byteArray() && index >= 0 && index <= view.length() - length)
            {
                return view.start() + index;
            }
        }
        return NONE;
    }

    /** Makes another arena with so many free pages in a row; false if the configuration does not allow it. */
    boolean tryGrow(final int pageCount)
    {
        final long room = settings.lengthMax() - end;
        final long needed = (long)pageCount * PAGE_LENGTH;
        final long length = Math.min(room, Math.max(needed, settings.newArenaLength()));
        if (isPinned || length < needed || length > Integer.MAX_VALUE - PAGE_LENGTH ||
            views.length == directory.layout().arenaCountMax())
        {
            return false;
        }
        final String kind = KIND_PREFIX + views.length;
        final MemoryBlocks.Block block = blocks.create(kind, (int)length + PAGE_LENGTH);
        try
        {
            SegmentHeader.complete(block.buffer(), MAGIC);
            block.publish();
        }
        catch (final GrimException ex)
        {
            block.delete();
            throw ex;
        }
        owned.add(block);
        add(kind, PAGE_LENGTH, Buffers.wrap(block.buffer(), PAGE_LENGTH, (int)length));
        return true;
    }

    /**
     * Adds foreign memory as an arena for one region, until the node leaves. Returns its first page; {@link
     * PageAllocator#NONE} if the configuration does not allow another arena.
     */
    int adopt(final ForeignMemory foreign)
    {
        final int length = foreign.memory().capacity();
        if (isPinned || length > settings.lengthMax() - end || views.length == directory.layout().arenaCountMax())
        {
            return PageAllocator.NONE;
        }
        final String kind = KIND_PREFIX + views.length;
        if (foreign.file() != null)
        {
            blocks.link(kind, foreign.file().path());
        }
        adopted.add(foreign);
        final int firstPage = (int)(end / PAGE_LENGTH);
        pages.addForeign(firstPage);
        show(kind, foreign.fileOffset(), foreign.memory());
        return firstPage;
    }

    /** Bytes that more arenas could have. */
    long growableLength()
    {
        return isPinned ? 0 : settings.lengthMax() - end;
    }

    /** Gives back what it made. */
    void delete()
    {
        views = new ArenaSource.Arena[0];
        owned.forEach(MemoryBlocks.Block::delete);
        owned.clear();
        adopted.forEach(ForeignMemory::close);
        adopted.clear();
    }

    private void add(final String kind, final long fileOffset, final AtomicBuffer memory)
    {
        pages.addArena((int)(end / PAGE_LENGTH), memory.capacity() / PAGE_LENGTH);
        show(kind, fileOffset, memory);
    }

    private void show(final String kind, final long fileOffset, final AtomicBuffer memory)
    {
        final ArenaSource.Arena[] more = new ArenaSource.Arena[views.length + 1];
        System.arraycopy(views, 0, more, 0, views.length);
        more[views.length] = new ArenaSource.Arena(memory, end, memory.capacity());
        views = more;                   // Before the directory shows it: readers may be in this process.
        directory.addArena(more.length - 1, new MemoryDirectory.ArenaRecord(kind, fileOffset, memory.capacity(), end));
        end += memory.capacity();
    }
}
