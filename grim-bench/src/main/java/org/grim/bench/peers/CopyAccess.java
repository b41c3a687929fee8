// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.peers.MemoryAccess;

/**
 * The limit: Java's {@code copyMemory}, and nothing else, between buffers of one process. The number for the memory
 * elsewhere is private, or a mapped file like the memory that processes share.
 * <p>Owns: the mapping; the file is removed with its directory.
 */
public final class CopyAccess implements Peer, MemoryAccess
{
    private static final int HEADER_LENGTH = 4096;
    private static final long MAGIC = SegmentHeader.magic("GRIMCOPY");

    private final MappedFile file;
    private final AtomicBuffer memory;
    private final AtomicBuffer target;

    /** Makes the memory. */
    public CopyAccess(final Path path, final int sizeMax)
    {
        target = Buffers.allocate(sizeMax);
        if (path == null)
        {
            file = null;
            memory = Buffers.allocate(sizeMax);
        }
        else
        {
            file = MappedFile.create(path, (long)HEADER_LENGTH + sizeMax);
            SegmentHeader.complete(file.buffer(), MAGIC);
            file.publish();
            memory = Buffers.wrap(file.buffer(), HEADER_LENGTH, sizeMax);
        }
    }

    @Override
    public boolean trySend(final DirectBuffer source, final int offset, final int length)
    {
        memory.putBytes(0, source, offset, length);
        return true;
    }

    @Override
    public int poll()
    {
        return 0;
    }

    @Override
    public boolean tryPut(final DirectBuffer source, final int length)
    {
        return trySend(source, 0, length);
    }

    @Override
    public boolean tryGet(final int length)
    {
        target.putBytes(0, memory, 0, length);
        return true;
    }

    @Override
    public boolean isGot()
    {
        return true;
    }

    @Override
    public void step()
    {
        // Copies are complete when they return.
    }

    @Override
    public DirectBuffer target()
    {
        return target;
    }

    @Override
    public int targetOffset()
    {
        return 0;
    }

    @Override
    public void close()
    {
        if (file != null)
        {
            file.close();
        }
    }
}
