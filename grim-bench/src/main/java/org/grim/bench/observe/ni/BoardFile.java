// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.observe.ni;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;

/**
 * A board's SRAM, mapped read-only. It has a board's header where other files have a segment's.
 * <p>Thread: one. Owns: the mapping.
 */
final class BoardFile implements AutoCloseable
{
    private final MappedByteBuffer memory;
    private final AtomicBuffer sram;
    private final BoardGeometry geometry;

    /**
     * Maps and checks.
     *
     * @throws GrimException if the file is missing, too long to map, or has no good header.
     */
    BoardFile(final Path path)
    {
        memory = map(path);
        sram = Buffers.wrap(memory);
        try
        {
            geometry = BoardGeometry.read(sram);        // Read once: no offset that it gives lies outside the file.
        }
        catch (final GrimException ex)
        {
            BufferUtil.free(memory);
            throw ex;
        }
    }

    AtomicBuffer sram()
    {
        return sram;
    }

    BoardGeometry geometry()
    {
        return geometry;
    }

    @Override
    public void close()
    {
        sram.wrap(new byte[0]);             // A late use fails with an exception instead of a crash.
        BufferUtil.free(memory);
    }

    private static MappedByteBuffer map(final Path path)
    {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ))
        {
            final long length = channel.size();
            if (length > Integer.MAX_VALUE)
            {
                throw new GrimException(path + " is foreign: length=" + length + " bytes, expected at most " +
                    Integer.MAX_VALUE);
            }
            return channel.map(MapMode.READ_ONLY, 0, length);
        }
        catch (final IOException ex)
        {
            throw new GrimException("open of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }
}
