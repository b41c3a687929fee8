// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.service;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.FirmwareSite;
import org.grim.buffer.Buffers;
import org.grim.transport.TransportContext;

/** A board of a node, with its firmware. */
final class TestSite implements FirmwareSite, AutoCloseable
{
    static final int CHANNEL_COUNT = 9;
    static final int CONTEXT_COUNT = 3;
    static final int QUEUE_LENGTH = 16 * 1024;
    static final int STATIC_ENTRY_COUNT = 4;

    final DirectoryNode node;
    final BoardGeometry geometry;
    final AtomicBuffer sram;
    final SoftwareBoard board;

    TestSite(final DirectoryNode node)
    {
        this(node, QUEUE_LENGTH);
    }

    TestSite(final DirectoryNode node, final int queueLength)
    {
        this.node = node;
        final int sramLength = 64 * 1024 + CHANNEL_COUNT * queueLength;
        geometry = new BoardGeometry(9, node.number(), sramLength, CHANNEL_COUNT, queueLength, CONTEXT_COUNT,
            STATIC_ENTRY_COUNT, 0);
        sram = Buffers.allocate(sramLength);
        geometry.write(sram);
        BoardDescriptor.epoch(sram, node.incarnation());
        board = new SoftwareBoard(this);
    }

    @Override
    public AtomicBuffer sram()
    {
        return sram;
    }

    @Override
    public TransportContext node()
    {
        return node;
    }

    @Override
    public void interrupt(final AtomicBuffer region)
    {
        throw new AssertionError("no translation was asked for, region=" + region.capacity());
    }

    /** Whether any word shows work. */
    boolean showsWork()
    {
        for (int i = 0; i < board.wordCount(); i++)
        {
            if (Buffers.intVolatile(board.wordAddress(i)) != board.wordIdle(i))
            {
                return true;
            }
        }
        return false;
    }

    @Override
    public void close()
    {
        board.close();
    }
}
