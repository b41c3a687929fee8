// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ContextRegisters;
import org.grim.buffer.Buffers;
import org.grim.myrinet.posix.Posix;

/** A region with a board's memory beside it, whose context 1 has the static entries 3 to 5 of 9. */
final class TestRegion implements AutoCloseable
{
    static final int CONTEXT = 1;
    static final int STATIC_START = 3;
    static final int STATIC_END = 6;

    final Posix posix = Posix.load();
    final BoardGeometry geometry = new BoardGeometry(9, 0, 64 << 10, 1, 1024, 3, 9, 0);
    final AtomicBuffer sram = Buffers.allocate(geometry.sramLength());
    final ContextRegisters registers = new ContextRegisters(sram, geometry, CONTEXT);
    final DmaRegion region;
    final RegisteredArena arena;
    final TestPages pages;
    final BoardMemory memory;
    boolean isGone;
    int advanceCount;

    TestRegion(final Path directory, final int registeredLength)
    {
        geometry.write(sram);
        final int fixedLength = new DmaLayout(1 << 20, 1, 4096, 1, 4096).registeredOffset();
        region = DmaRegion.create(
            posix, directory.resolve("dma-1"), new DmaLayout(fixedLength + registeredLength, 1, 4096, 1, 4096), false);
        arena = new RegisteredArena(region);
        pages = new TestPages(arena);
        arena.ready(pages);
        memory = board();
        arena.begin(memory);
    }

    /** A board that knows nothing yet. */
    BoardMemory board()
    {
        return new BoardMemory(arena, CONTEXT, sram, geometry, 0, () -> advanceCount++, () -> isGone);
    }

    @Override
    public void close()
    {
        arena.end(memory);
        region.closeAndDelete();
    }
}
