// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.observe.ni;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardGeometry;
import org.grim.buffer.MappedFile;

/**
 * A board's SRAM, mapped read-only. It has a board's header where other files have a segment's.
 * <p>Thread: one. Owns: the mapping.
 */
final class BoardFile implements AutoCloseable
{
    private final MappedFile file;
    private final BoardGeometry geometry;

    /**
     * Maps and checks.
     *
     * @throws GrimException if the file is missing, too long to map, not this user's own, or has no good header.
     */
    BoardFile(final Path path)
    {
        file = MappedFile.openForeign(path, 0, false);
        try
        {
            geometry = BoardGeometry.read(file.buffer());   // Read once: no offset that it gives lies outside.
        }
        catch (final GrimException ex)
        {
            file.close();
            throw ex;
        }
    }

    AtomicBuffer sram()
    {
        return file.buffer();
    }

    BoardGeometry geometry()
    {
        return geometry;
    }

    @Override
    public void close()
    {
        file.close();
    }
}
