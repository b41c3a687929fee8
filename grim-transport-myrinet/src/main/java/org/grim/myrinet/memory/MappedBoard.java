// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.myrinet.posix.Posix;

/**
 * A board's SRAM in this process: the board file, mapped shared. The node that the board belongs to makes the file;
 * others open it. What it holds can be changed by every process that maps it: the geometry is read once and kept.
 * <p>Thread: any; {@link #close()} only when nobody uses the memory any more.
 */
public final class MappedBoard implements AutoCloseable
{
    private final Mapping mapping;
    private final BoardGeometry geometry;

    private MappedBoard(final Mapping mapping, final BoardGeometry geometry)
    {
        this.mapping = mapping;
        this.geometry = geometry;
    }

    /**
     * Makes a board file, mode 0600. It appears complete or not at all, and replaces one of the same name.
     *
     * @param posix    that maps it.
     * @param path     of the file.
     * @param geometry of the board.
     * @param epoch    of its life.
     * @return the board, mapped.
     * @throws GrimException if there is too little space, or the system refuses; nothing is left behind.
     */
    public static MappedBoard create(
        final Posix posix, final Path path, final BoardGeometry geometry, final int epoch)
    {
        final Mapping mapping = Mapping.create(posix, path, geometry.sramLength());
        BoardDescriptor.epoch(mapping.buffer(), epoch);
        geometry.write(mapping.buffer());
        mapping.publish();
        return new MappedBoard(mapping, geometry);
    }

    /**
     * Maps the board file of another node.
     *
     * @param posix      that maps it.
     * @param path       of the file.
     * @param lanaiModel that this node is configured for.
     * @return the board, mapped and with its header checked.
     * @throws GrimException if it is missing, truncated, no board file, of another version or another model, naming the
     *                       path.
     */
    public static MappedBoard open(final Posix posix, final Path path, final int lanaiModel)
    {
        final Mapping mapping = Mapping.open(posix, path, BoardGeometry.SRAM_LENGTH_MIN);
        try
        {
            return new MappedBoard(mapping, check(mapping, lanaiModel));
        }
        catch (final GrimException e)
        {
            mapping.close();
            throw new GrimException("board file " + path + " cannot be used: " + e.getMessage(), e);
        }
    }

    private static BoardGeometry check(final Mapping mapping, final int lanaiModel)
    {
        final BoardGeometry geometry = BoardGeometry.read(mapping.buffer());
        final int length = mapping.buffer().capacity();
        if (geometry.sramLength() != length)
        {
            throw new GrimException(
                "it has length=" + length + " bytes, its header says " + geometry.sramLength());
        }
        if (geometry.lanaiModel() != lanaiModel)
        {
            throw new GrimException(
                "its LANai model=" + geometry.lanaiModel() + ", this node is configured for model=" +
                lanaiModel + "; set one model for all nodes of a board");
        }
        return geometry;
    }

    /**
     * The board's memory.
     *
     * @return valid until {@link #close()}; empty afterwards.
     */
    public AtomicBuffer sram()
    {
        return mapping.buffer();
    }

    /**
     * What lies where.
     *
     * @return as it was when the file was made or opened.
     */
    public BoardGeometry geometry()
    {
        return geometry;
    }

    /**
     * Where the file stands.
     *
     * @return the path.
     */
    public Path path()
    {
        return mapping.path();
    }

    /** Unmaps. */
    @Override
    public void close()
    {
        mapping.close();
    }

    /** Unmaps, and removes the file. */
    public void closeAndDelete()
    {
        mapping.closeAndDelete();
    }
}
