// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.board.DmaRegionHeader;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.myrinet.posix.Advice;
import org.grim.myrinet.posix.Posix;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory of this process that a board reaches: a file of its own, mapped shared and kept in memory where the system
 * permits. A board's physical address is a byte's offset in it.
 * <p>Thread: any; the memory stays mapped for as long as a view of it can be reached.
 */
public final class DmaRegion implements AutoCloseable
{
    /** Generation of a node's region: it has one, for the time of the node's incarnation. */
    public static final int GENERATION = 1;

    private static final Logger LOGGER = LoggerFactory.getLogger(DmaRegion.class);

    private final MappedFile file;
    private final DmaLayout layout;
    private final Posix posix;
    private final boolean isLocked;
    private boolean isClosed;

    private DmaRegion(
        final MappedFile file, final DmaLayout layout, final Posix posix, final boolean isLocked)
    {
        this.posix = posix;
        this.file = file;
        this.layout = layout;
        this.isLocked = isLocked;
    }

    /**
     * Makes the file, mode 0600. It appears complete or not at all.
     *
     * @param posix    that maps it.
     * @param path     of the file.
     * @param layout   of the region.
     * @param isPinned whether to lock it into memory; if the system does not permit it, a line in the log says so and
     *                 the region works all the same.
     * @return the region, mapped.
     * @throws GrimException if there is too little space, or the system refuses; nothing is left behind.
     */
    public static DmaRegion create(
        final Posix posix, final Path path, final DmaLayout layout, final boolean isPinned)
    {
        final MappedFile file = MappedFile.create(path, layout.regionLength(), MappedBoard.FIX);
        final boolean isLocked = isPinned && tryLock(posix, file);
        if (!isLocked)
        {
            populate(posix, file);
        }
        SegmentHeader.complete(file.buffer(), DmaRegionHeader.MAGIC);
        file.publish();
        return new DmaRegion(file, layout, posix, isLocked);
    }

    private static boolean tryLock(final Posix posix, final MappedFile file)
    {
        try
        {
            posix.lock(addressOf(file), file.buffer().capacity());
            return true;
        }
        catch (final GrimException e)
        {
            LOGGER.info("DMA region {} is not locked into memory and may be swapped out: {}", file.path(),
                e.getMessage());
            return false;
        }
    }

    /** Locking maps every page; without it the first store to each would fault, in the middle of a transfer. */
    private static void populate(final Posix posix, final MappedFile file)
    {
        try
        {
            posix.advise(addressOf(file), file.buffer().capacity(), Advice.POPULATE_WRITE);
        }
        catch (final GrimException e)
        {
            LOGGER.debug("pages of DMA region {} are mapped when first used: {}", file.path(), e.getMessage());
        }
    }

    /** {@return the whole region: a view, which keeps it mapped} */
    public AtomicBuffer buffer()
    {
        return file.buffer();
    }

    /** {@return where the region stands in this process; address of its first byte, on a page} */
    public long address()
    {
        return addressOf(file);
    }

    /** {@return what lies where} */
    public DmaLayout layout()
    {
        return layout;
    }

    /** {@return whether the system keeps it in memory; false if that was not asked for or not permitted} */
    public boolean isLocked()
    {
        return isLocked;
    }

    /** {@return where the file stands} */
    public Path path()
    {
        return file.path();
    }

    /** Lets go of the memory, which need not stay in memory any more. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            if (isLocked)
            {
                posix.unlock(address(), file.buffer().capacity());
            }
            file.close();
        }
    }

    /** Lets go of the memory, and removes the file. Other processes that have it mapped keep the memory. */
    public void closeAndDelete()
    {
        close();
        file.closeAndDelete();
    }

    private static long addressOf(final MappedFile file)
    {
        return file.buffer().addressOffset();
    }
}
