// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.transport.NodeFiles;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * Where a node's memory comes from: files of its incarnation, or memory of its process alone.
 * <p>Thread: one at a time.
 */
interface MemoryBlocks
{
    /**
     * Takes zeroed memory; if it is a file's, others find it after {@link Block#publish()}.
     *
     * @throws org.grim.GrimException if there is too little space; nothing is left behind.
     */
    Block create(String kind, int length);

    /** Has others find a file that is not the node's by the name of one that is; does nothing for private memory. */
    default void link(final String kind, final Path target)
    {
        // Nobody else finds anything.
    }

    /** Files of one incarnation of a node. */
    static MemoryBlocks inFiles(final NodeFiles paths, final int node, final int incarnation)
    {
        return new FileBlocks(paths, node, incarnation);
    }

    /** Memory of this process. */
    static MemoryBlocks inPrivateMemory()
    {
        return (kind, length) -> new PrivateBlock(Buffers.allocate(length, PAGE_LENGTH));
    }

    /** A piece of memory. */
    interface Block
    {
        AtomicBuffer buffer();

        /** Publishes what is complete: others may find it. */
        void publish();

        /** Lets go of it: it is given back when no view of it can be reached any more. */
        void delete();
    }

    /**
     * Files of one incarnation of a node.
     *
     * @param paths       of files of nodes.
     * @param node        its number.
     * @param incarnation of it.
     */
    record FileBlocks(NodeFiles paths, int node, int incarnation) implements MemoryBlocks
    {
        @Override
        public Block create(final String kind, final int length)
        {
            return new FileBlock(MappedFile.create(paths.of(node, incarnation, kind), length,
                "; free space there, or set grim.cluster.directory to another file system, or lower " +
                "grim.memory.length-max or arena-length"));
        }

        @Override
        public void link(final String kind, final Path target)
        {
            final Path name = paths.of(node, incarnation, kind);
            try
            {
                Files.createSymbolicLink(name, target);
            }
            catch (final IOException ex)
            {
                throw new GrimException(SYSTEM_REFUSED,
                    "link of " + name + " to " + target + " failed: " + MappedFile.describe(ex), ex);
            }
        }
    }

    /** A file. */
    record FileBlock(MappedFile file) implements Block
    {
        @Override
        public AtomicBuffer buffer()
        {
            return file.buffer();
        }

        @Override
        public void publish()
        {
            file.publish();
        }

        @Override
        public void delete()
        {
            file.closeAndDelete();
        }
    }

    /** Memory outside the heap. */
    record PrivateBlock(AtomicBuffer buffer) implements Block
    {
        @Override
        public void publish()
        {
            // Nobody else finds it, ever.
        }

        @Override
        public void delete()
        {
            // The collector takes the memory.
        }
    }
}
