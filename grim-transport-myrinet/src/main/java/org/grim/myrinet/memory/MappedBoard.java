// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.buffer.MappedFile;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * A board's SRAM in this process: the board file, mapped shared. The node that the board belongs to makes the file;
 * others open it. Every process that maps it can change its content: the geometry is read once and kept.
 * <p>Thread: any; the memory stays mapped for as long as a view of it can be reached.
 */
public final class MappedBoard implements AutoCloseable
{
    /** Advice if there is too little space. */
    static final String FIX = "; free space there, or set grim.cluster.directory to another file system, or " +
        "lower the sizes under grim.myrinet";

    private final MappedFile file;
    private final BoardGeometry geometry;

    private MappedBoard(final MappedFile file, final BoardGeometry geometry)
    {
        this.file = file;
        this.geometry = geometry;
    }

    /**
     * Makes a board file, mode 0600. It appears complete or not at all, and replaces one of the same name.
     *
     * @param path     of the file.
     * @param geometry of the board.
     * @param epoch    of its incarnation.
     * @return the board, mapped.
     * @throws GrimException if there is too little space, or the system refuses; nothing is left behind.
     */
    public static MappedBoard create(
        final Path path, final BoardGeometry geometry, final int epoch)
    {
        final MappedFile file = MappedFile.create(path, geometry.sramLength(), FIX);
        BoardDescriptor.epoch(file.buffer(), epoch);
        geometry.write(file.buffer());
        file.publish();
        return new MappedBoard(file, geometry);
    }

    /**
     * Maps the board file of another node.
     *
     * @param path       of the file.
     * @param lanaiModel that this node is configured for.
     * @return the board, mapped and with its header checked.
     * @throws GrimException if it is missing, truncated, no board file, of another version or another model, naming the
     *                       path.
     */
    public static MappedBoard open(final Path path, final int lanaiModel)
    {
        final MappedFile file = MappedFile.openForeign(path, BoardGeometry.SRAM_LENGTH_MIN, true);
        try
        {
            return new MappedBoard(file, check(file, lanaiModel));
        }
        catch (final GrimException e)
        {
            file.unmap();
            throw new GrimException(e.reason(), "board file " + path + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static BoardGeometry check(final MappedFile file, final int lanaiModel)
    {
        final BoardGeometry geometry = BoardGeometry.read(file.buffer());
        final int length = file.buffer().capacity();
        if (geometry.sramLength() != length)
        {
            throw new GrimException(BAD_DATA,
                "it has length=" + length + " bytes, its header says " + geometry.sramLength());
        }
        if (geometry.lanaiModel() != lanaiModel)
        {
            throw new GrimException(BAD_DATA,
                "its LANai model=" + geometry.lanaiModel() + ", this node is configured for model=" +
                lanaiModel + "; set one model for all nodes of a board");
        }
        return geometry;
    }

    /** {@return the board's memory: a view, which keeps it mapped} */
    public AtomicBuffer sram()
    {
        return file.buffer();
    }

    /** {@return what lies where; as it was when the file was made or opened} */
    public BoardGeometry geometry()
    {
        return geometry;
    }

    /** {@return where the file stands} */
    public Path path()
    {
        return file.path();
    }

    /** Lets go of the memory. */
    @Override
    public void close()
    {
        file.close();
    }

    /** Lets go of the memory, and removes the file. */
    public void closeAndDelete()
    {
        file.closeAndDelete();
    }
}
