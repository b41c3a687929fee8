// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;

/**
 * A mapped file with one part per direction. The second half of the first process is the first half of the second one.
 * <p>Owns: the mapping; the file is removed with its directory.
 */
public final class SharedFile implements AutoCloseable
{
    private static final int PAGE_LENGTH = 4096;
    private static final long MAGIC = SegmentHeader.magic("GRIMPEER");

    private final MappedFile file;
    private final AtomicBuffer outbound;
    private final AtomicBuffer inbound;

    /**
     * Makes the file in the first process, opens it in the second.
     *
     * @param path        of the file.
     * @param isInitiator whether this is the first process.
     * @param length      bytes of one direction.
     */
    public SharedFile(final Path path, final boolean isInitiator, final int length)
    {
        final int halfLength = (length + PAGE_LENGTH - 1) / PAGE_LENGTH * PAGE_LENGTH;
        final int fileLength = PAGE_LENGTH + halfLength * 2;
        if (isInitiator)
        {
            file = MappedFile.create(path, fileLength);
            SegmentHeader.complete(file.buffer(), MAGIC);
            file.publish();
        }
        else
        {
            file = MappedFile.open(path, MAGIC, fileLength, true);
        }
        final AtomicBuffer forth = Buffers.wrap(file.buffer(), PAGE_LENGTH, length);
        final AtomicBuffer back = Buffers.wrap(file.buffer(), PAGE_LENGTH + halfLength, length);
        outbound = isInitiator ? forth : back;
        inbound = isInitiator ? back : forth;
    }

    /** {@return the part that this side sends by} */
    public AtomicBuffer outbound()
    {
        return outbound;
    }

    /** {@return the part that this side receives by} */
    public AtomicBuffer inbound()
    {
        return inbound;
    }

    @Override
    public void close()
    {
        file.close();
    }
}
