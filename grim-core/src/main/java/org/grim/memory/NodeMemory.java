// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.lang.invoke.VarHandle;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.buffer.Buffers;
import org.grim.transport.Membership;
import org.grim.transport.NodeFiles;
import org.grim.transport.PinnedArena;
import org.grim.transport.RegisteredPages;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.UNAVAILABLE;
import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * The registered memory of one node: its regions, the arenas that they lie in, and the directory that peers find them
 * in. Freeing never waits for anybody: pages that a peer may still be writing are used again when it has ended.
 * <p>Thread: any. One monitor orders registrations and frees; they take microseconds, or milliseconds with a new arena.
 * <p>Owns: the directory and the arenas, until {@link #close()}.
 */
public final class NodeMemory implements RegisteredPages, AutoCloseable
{
    /** Kind of the file that holds the directory. */
    static final String DIRECTORY_KIND = "memory";

    private final MemorySettings settings;
    private final PinnedArena pinned;               // null if there is none
    private final Gauges gauges;
    private final MemoryBlocks.Block directoryBlock;
    private final MemoryDirectory directory;
    private final int node;                 // Peers can write into the directory.
    private final PageAllocator pages = new PageAllocator();
    private final Arenas arenas;
    private final Quarantine quarantine;
    private final BitSet usedSlots = new BitSet();
    private final TreeMap<Long, Region> regions = new TreeMap<>();              // by virtual address
    private long generation;
    private long virtualEnd = MemoryAddress.VIRTUAL_START;
    private long changeSequence;
    private long registeredLength;
    private boolean isClosed;

    /** Gauges of registered memory. Thread: any, one at a time. */
    @FunctionalInterface
    public interface Gauges
    {
        /**
         * Something has changed.
         *
         * @param regionCount       regions now.
         * @param registeredLength  bytes of their pages.
         * @param quarantinedLength bytes of pages that are freed and not yet usable.
         */
        void show(int regionCount, long registeredLength, long quarantinedLength);
    }

    NodeMemory(
        final MemorySettings settings, final Membership membership, final MemoryBlocks blocks,
        final PinnedArena pinned, final Gauges gauges)
    {
        this.settings = settings;
        this.pinned = pinned;
        this.gauges = gauges;
        final DirectoryLayout layout = pinned == null ? settings.layout() :
            settings.layoutOf(pinned.memory().capacity());
        if (layout.length() > Integer.MAX_VALUE)
        {
            throw new IllegalArgumentException("memory directory length=" + layout.length() + " bytes exceeds max=" +
                Integer.MAX_VALUE + ": lower the counts or length-max under grim.memory");
        }
        directoryBlock = blocks.create(DIRECTORY_KIND, (int)layout.length());
        node = membership.self();
        try
        {
            directory = MemoryDirectory.create(
                directoryBlock.buffer(), layout, membership.self(), membership.incarnation());
            quarantine = new Quarantine(directory, membership, pinned);
            arenas = new Arenas(settings, blocks, directory, pages, pinned);
            directoryBlock.publish();
        }
        catch (final RuntimeException | Error ex)
        {
            directoryBlock.delete();
            throw ex;
        }
    }

    /**
     * Makes the memory of a node that has files.
     *
     * @param settings   sizes.
     * @param membership of the node.
     * @param paths      of files of nodes.
     * @param pinned     memory that a transport wants regions in, or null.
     * @param gauges     that show what is registered.
     * @return the memory, nothing registered.
     * @throws GrimException if there is too little space; nothing is left behind.
     */
    public static NodeMemory inFiles(
        final MemorySettings settings, final Membership membership, final NodeFiles paths, final PinnedArena pinned,
        final Gauges gauges)
    {
        return new NodeMemory(settings, membership,
            MemoryBlocks.inFiles(paths, membership.self(), membership.incarnation()), pinned, gauges);
    }

    /**
     * Makes the memory of a node that is alone.
     *
     * @param settings   sizes.
     * @param membership of the node.
     * @param pinned     memory that a transport wants regions in, or null.
     * @param gauges     that show what is registered.
     * @return the memory, nothing registered.
     */
    public static NodeMemory inPrivateMemory(
        final MemorySettings settings, final Membership membership, final PinnedArena pinned, final Gauges gauges)
    {
        return new NodeMemory(settings, membership, MemoryBlocks.inPrivateMemory(), pinned, gauges);
    }

    /**
     * Registers memory of the host; zeroed.
     *
     * @param bytes  of it, 1 or more; it takes whole pages.
     * @param rights of peers.
     * @return the region.
     * @throws GrimException            if there is no room, with bytes asked, free and configured.
     * @throws IllegalArgumentException if bytes is less than 1.
     * @throws IllegalStateException    if the node has left.
     */
    public MemoryRegion register(final long bytes, final MemoryRegion.Rights rights)
    {
        return register(bytes, rights, EndpointId.of(node, 0, 0));
    }

    /**
     * Registers memory; zeroed.
     *
     * @param bytes  of it, 1 or more; it takes whole pages.
     * @param rights of peers.
     * @param owner  of it: an endpoint of this node, which regions name.
     * @return the region.
     * @throws GrimException            if there is no room, with bytes asked, free and configured.
     * @throws IllegalArgumentException if bytes is less than 1.
     * @throws IllegalStateException    if the node has left.
     */
    public synchronized MemoryRegion register(
        final long bytes, final MemoryRegion.Rights rights, final EndpointId owner)
    {
        if (bytes < 1)
        {
            throw new IllegalArgumentException("bytes=" + bytes + " is below 1");
        }
        final int slot = freeSlot();
        final int firstPage = takePages(bytes);
        final ArenaSource.Arena arena = arenas.find((long)firstPage * PAGE_LENGTH);
        arena.buffer().setMemory((int)((long)firstPage * PAGE_LENGTH - arena.start()),
            ((int)((bytes - 1) / PAGE_LENGTH) + 1) * PAGE_LENGTH, (byte)0);
        return enter(bytes, rights, owner, slot, firstPage);
    }

    /**
     * Registers memory that the library did not allocate, as it is. It is an arena of this region until the node
     * leaves.
     *
     * @param foreign memory; taken over, also by an exception.
     * @param rights  of peers.
     * @param owner   of it: an endpoint of this node, which the region names.
     * @return the region.
     * @throws GrimException         if there is no room, or a transport reaches only memory of its own.
     * @throws IllegalStateException if the node has left.
     */
    public synchronized MemoryRegion register(
        final ForeignMemory foreign, final MemoryRegion.Rights rights, final EndpointId owner)
    {
        boolean isAdopted = false;
        try
        {
            if (pinned != null)
            {
                throw new GrimException(UNAVAILABLE, "memory that the library did not allocate cannot be registered: " +
                    "a transport of this node reaches only its own");
            }
            final int slot = freeSlot();
            final int firstPage = arenas.adopt(foreign);
            isAdopted = firstPage != PageAllocator.NONE;
            if (!isAdopted)
            {
                throw new GrimException(NO_ROOM, "no room for foreign memory length=" + foreign.memory().capacity() +
                    ": more arenas=" + arenas.growableLength() + " bytes, grim.memory.length-max=" +
                    settings.lengthMax());
            }
            return enter(foreign.memory().capacity(), rights, owner, slot, firstPage);
        }
        finally
        {
            if (!isAdopted)
            {
                foreign.close();
            }
        }
    }

    private int freeSlot()
    {
        if (isClosed)
        {
            throw new IllegalStateException("this node has left the cluster");
        }
        quarantine.drainTo(pages);
        final int slot = usedSlots.nextClearBit(0);
        if (slot == settings.regionCountMax())
        {
            throw new GrimException(NO_ROOM, "all regions are in use: grim.memory.regions-max=" + slot);
        }
        return slot;
    }

    private Region enter(
        final long bytes, final MemoryRegion.Rights rights, final EndpointId owner, final int slot, final int firstPage)
    {
        final Region region = prepare(bytes, rights, owner, slot, firstPage);
        if (pinned != null)
        {
            reportPinned(region);
        }
        usedSlots.set(slot);
        regions.put(region.virtualAddress(), region);
        registeredLength += (long)region.pageCount() * PAGE_LENGTH;
        directory.tag(firstPage, region.pageCount(), DirectoryLayout.PageTag.of(generation, rights.bits()));
        directory.publishRegion(slot, generation);
        directory.changed(++changeSequence);
        show();
        return region;
    }

    /**
     * Returns whether a region was registered here, and not by another node in this JVM.
     *
     * @param region of any node, freed or not.
     * @return true if it is this node's.
     */
    public boolean owns(final MemoryRegion region)
    {
        return region instanceof Region own && own.isOf(this);
    }

    /**
     * Looks where memory of this process stands among regions that peers may read.
     *
     * @param memory of any kind.
     * @param offset of its first byte.
     * @param length 1 or more.
     * @return physical address of the first byte; 0 if not all of it lies in one such region.
     */
    public long readableAddress(final DirectBuffer memory, final int offset, final int length)
    {
        final long spaceOffset = arenas.spaceOffset(memory, offset, length);
        if (spaceOffset == Arenas.NONE)
        {
            return 0;
        }
        final int tag = directory.tag((int)(spaceOffset / PAGE_LENGTH));
        final boolean isReadable = DirectoryLayout.PageTag.grants(tag, Lookup.READ) &&
            directory.tag((int)((spaceOffset + length - 1) / PAGE_LENGTH)) == tag;
        return isReadable ? MemoryAddress.physical(DirectoryLayout.PageTag.generation(tag), spaceOffset) : 0;
    }

    @Override
    public synchronized long find(final long virtualPageAddress)
    {
        final Map.Entry<Long, Region> below = regions.floorEntry(virtualPageAddress);
        if (below == null || virtualPageAddress % PAGE_LENGTH != 0)
        {
            return NONE;
        }
        final Region region = below.getValue();
        final long offset = virtualPageAddress - region.virtualAddress();
        return offset >= (long)region.pageCount() * PAGE_LENGTH ? NONE :
            region.spaceOffset() + offset | region.rights().bits();
    }

    /**
     * Takes back what dead initiators held, and freed pages that nobody writes any more. Bounded; some times per
     * 100 ms. Returns the number of initiators taken back.
     */
    public synchronized int housekeep()
    {
        if (isClosed)
        {
            return 0;
        }
        final int quarantinedCount = quarantine.pageCount();
        if (quarantinedCount > 0)
        {
            quarantine.drainTo(pages);
        }
        final int count = quarantine.freeDeadInitiators();
        if (quarantine.pageCount() != quarantinedCount)
        {
            show();
        }
        return count;
    }

    /**
     * Frees all regions of an owner: it is closed.
     *
     * @param owner endpoint of this node that they name.
     */
    public synchronized void freeOf(final EndpointId owner)
    {
        final List<Region> all = new ArrayList<>(regions.values());
        all.stream().filter(region -> region.remote().endpoint().equals(owner)).forEach(this::free);
    }

    /** Frees everything, and removes the files. Views of regions are empty from now on. */
    @Override
    public synchronized void close()
    {
        if (isClosed)
        {
            return;
        }
        final List<Region> all = new ArrayList<>(regions.values());
        all.forEach(this::free);
        isClosed = true;
        arenas.delete();
        directoryBlock.delete();
    }

    /** Freeing is a fence: see the design in {@link Quarantine}. */
    synchronized void free(final Region region)
    {
        if (!region.tryFree())
        {
            return;
        }
        Buffers.empty(region.buffer());
        directory.withdrawRegion(region.slot());
        directory.tag(region.firstPage(), region.pageCount(), 0);
        directory.changed(++changeSequence);
        // Partner: beginOperation() of every initiator: either it sees the stores above, or its counter is odd below.
        VarHandle.fullFence();
        usedSlots.clear(region.slot());
        regions.remove(region.virtualAddress());
        registeredLength -= (long)region.pageCount() * PAGE_LENGTH;
        if (pinned != null)
        {
            pinned.onFreeing(region.virtualAddress(), region.spaceOffset(), region.length());
        }
        quarantine.add(region.firstPage(), region.pageCount());
        quarantine.drainTo(pages);
        show();
    }

    /** Pages that are free and may be used at once: for tests. */
    synchronized int freePageCountForTest()
    {
        return pages.freeCount();
    }

    MemoryDirectory directory()
    {
        return directory;
    }

    /** Returns this memory for initiators in this process. */
    Space space()
    {
        return new Space(directory, arenas);
    }

    private int takePages(final long bytes)
    {
        final long needed = (bytes - 1) / PAGE_LENGTH + 1;
        final int pageCount = (int)Math.min(Integer.MAX_VALUE, needed);
        int first = pages.tryTake(pageCount);
        if (first == PageAllocator.NONE && arenas.tryGrow(pageCount))
        {
            first = pages.tryTake(pageCount);
        }
        if (first == PageAllocator.NONE)
        {
            throw new GrimException(NO_ROOM, "no room to register " + bytes + " bytes: free=" +
                (long)pages.freeCount() * PAGE_LENGTH + " bytes, largest hole=" +
                (long)pages.largestCount() * PAGE_LENGTH + ", quarantined=" +
                (long)quarantine.pageCount() * PAGE_LENGTH + ", more arenas=" + arenas.growableLength() +
                ", grim.memory.length-max=" + settings.lengthMax());
        }
        return first;
    }

    /** Everything that nobody sees yet. */
    private Region prepare(
        final long bytes, final MemoryRegion.Rights rights, final EndpointId owner, final int slot, final int firstPage)
    {
        final long spaceOffset = (long)firstPage * PAGE_LENGTH;
        final int pageCount = (int)((bytes - 1) / PAGE_LENGTH) + 1;
        final ArenaSource.Arena arena = arenas.find(spaceOffset);
        final int index = (int)(spaceOffset - arena.start());
        final AtomicBuffer buffer = Buffers.wrap(arena.buffer(), index, (int)bytes);
        final long virtualAddress = virtualEnd;
        generation = MemoryAddress.nextGeneration(generation);
        // A page between regions is nobody's: who writes over an end hits nothing.
        virtualEnd = virtualAddress + (pageCount + 1L) * PAGE_LENGTH;
        directory.virtualEnd(virtualEnd);
        directory.describeRegion(slot, virtualAddress, bytes, spaceOffset, rights.bits());
        return new Region(this, owner, buffer, slot, firstPage, virtualAddress, generation, rights);
    }

    private void reportPinned(final Region region)
    {
        try
        {
            pinned.onRegistered(
                region.virtualAddress(), region.spaceOffset(), region.length(), region.rights().bits());
        }
        catch (final RuntimeException | Error ex)
        {
            pages.free(region.firstPage(), region.pageCount());
            throw ex;
        }
    }

    private void show()
    {
        gauges.show(regions.size(), registeredLength, (long)quarantine.pageCount() * PAGE_LENGTH);
    }

    /**
     * A node's memory for its initiators.
     *
     * @param directory of the node.
     * @param arenas    of the node, as this process has them.
     */
    record Space(MemoryDirectory directory, ArenaSource arenas)
    {
        PhysicalLookup physicalLookup()
        {
            return new PhysicalLookup(directory, arenas);
        }

        VirtualLookup virtualLookup(final RegionTable table)
        {
            return new VirtualLookup(directory, arenas, table);
        }
    }
}
