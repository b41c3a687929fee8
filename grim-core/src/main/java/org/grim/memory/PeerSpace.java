// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.function.Consumer;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.transport.NodeFiles;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * The memory of one incarnation of a peer, in files that this process maps: the directory at once, arenas when an
 * address in them is used. The peer's directory is checked against its files.
 * <p>Thread: any. Owns: the mappings.
 */
final class PeerSpace implements ArenaSource
{
    private static final Logger LOGGER = LoggerFactory.getLogger(PeerSpace.class);

    private final NodeFiles paths;
    private final int node;
    private final int incarnation;
    private final MappedFile directoryFile;
    private final MemoryDirectory directory;
    private final BitSet tried = new BitSet();
    private volatile MappedArena[] arenas = new MappedArena[0];
    private int userCount = 1;                  // Guarded by the peers.

    /** An arena and its file. */
    private record MappedArena(ArenaSource.Arena view, MappedFile file)
    {
    }

    private PeerSpace(
        final NodeFiles paths, final int node, final int incarnation, final MappedFile directoryFile)
    {
        this.paths = paths;
        this.node = node;
        this.incarnation = incarnation;
        this.directoryFile = directoryFile;
        directory = MemoryDirectory.wrap(directoryFile.buffer());
    }

    /**
     * Maps the directory.
     *
     * @throws GrimException if the file is not that incarnation's directory.
     */
    static PeerSpace open(final NodeFiles paths, final int node, final int incarnation)
    {
        final MappedFile file = MappedFile.open(paths.of(node, incarnation, NodeMemory.DIRECTORY_KIND),
            MemoryDirectory.MAGIC, MemoryDirectory.lengthMin(), true);
        try
        {
            final PeerSpace space = new PeerSpace(paths, node, incarnation, file);
            if (!space.is(space.directory.node(), space.directory.incarnation()))
            {
                throw new GrimException(BAD_DATA, file.path() + " is the memory of node=" + space.directory.node() +
                    " incarnation=" + space.directory.incarnation() + ", expected node=" + node + " incarnation=" +
                    incarnation);
            }
            return space;
        }
        catch (final GrimException ex)
        {
            file.unmap();
            throw ex;
        }
    }

    @Override
    public ArenaSource.Arena find(final long spaceOffset)
    {
        final ArenaSource.Arena known = findMapped(spaceOffset);
        return known != null ? known : map(spaceOffset);
    }

    NodeMemory.Space space()
    {
        return new NodeMemory.Space(directory, this);
    }

    boolean is(final int otherNode, final int otherIncarnation)
    {
        return node == otherNode && incarnation == otherIncarnation;
    }

    void used()
    {
        userCount++;
    }

    /** True if that was the last use. */
    boolean unused()
    {
        userCount--;
        return userCount == 0;
    }

    /** Unmaps it at once: nobody uses it any more, and nobody can have kept a view of it. */
    void unmap()
    {
        closeBy(MappedFile::unmap);
    }

    /** Lets go of it; threads may still be inside. */
    void close()
    {
        closeBy(MappedFile::close);
    }

    private synchronized void closeBy(final Consumer<MappedFile> close)
    {
        final MappedArena[] mapped = arenas;
        arenas = new MappedArena[0];
        for (final MappedArena arena : mapped)
        {
            close.accept(arena.file);
        }
        close.accept(directoryFile);
    }

    private ArenaSource.Arena findMapped(final long spaceOffset)
    {
        for (final MappedArena arena : arenas)
        {
            if (arena.view.has(spaceOffset, 1))
            {
                return arena.view;
            }
        }
        return null;
    }

    /** Arenas lie one behind the other: those that do not are corrupt, and so is everything behind them. */
    private synchronized ArenaSource.Arena map(final long spaceOffset)
    {
        long end = 0;
        for (int i = 0; i < directory.arenaCount(); i++)
        {
            final MemoryDirectory.ArenaRecord record = directory.arena(i);
            if (record == null || record.start() != end)
            {
                return null;
            }
            end += record.length();
            if (spaceOffset >= record.start() && spaceOffset < end)
            {
                return findMapped(spaceOffset) != null || tried.get(i) ? findMapped(spaceOffset) : map(i, record);
            }
        }
        return null;
    }

    private ArenaSource.Arena map(final int index, final MemoryDirectory.ArenaRecord record)
    {
        tried.set(index);                       // Once: a record does not become better.
        try
        {
            final Path name = paths.of(node, incarnation, record.fileKind());
            final Path path = Files.isSymbolicLink(name) ? Files.readSymbolicLink(name) : name;
            final MappedFile file = MappedFile.openPart(path, record.fileOffset(), (int)record.length());
            final ArenaSource.Arena view = new ArenaSource.Arena(file.buffer(), record.start(), (int)record.length());
            final MappedArena[] more = new MappedArena[arenas.length + 1];
            System.arraycopy(arenas, 0, more, 0, arenas.length);
            more[arenas.length] = new MappedArena(view, file);
            arenas = more;
            return view;
        }
        catch (final GrimException | IOException ex)
        {
            LOGGER.warn("arena={} of node={} cannot be reached: {}", index, node, ex.getMessage());
            return null;
        }
    }
}
