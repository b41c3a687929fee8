// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.transport.NodeFiles;

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

    /** Files of one incarnation of a node. */
    static MemoryBlocks inFiles(final NodeFiles paths, final int node, final int incarnation)
    {
        return (kind, length) -> new FileBlock(MappedFile.create(paths.of(node, incarnation, kind), length,
            "; free space there, or set grim.cluster.directory to another file system, or lower " +
            "grim.memory.length-max or arena-length"));
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
