// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.collections.Int2IntHashMap;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.BlockAllocator;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;

/**
 * One piece of an outbox: shared memory that its sender fills with blocks, each as {@link BlockDescriptor} draws it.
 * Native byte order: both sides are on one host. A receiver opens it by a name of its own: see {@link OutboxFiles}.
 * <pre>
 *  +----------------+ 0
 *  | segment header |   sender
 *  +----------------+ RETIRED_OFFSET, a cache line
 *  | retired        |   sender (release), receivers (acquire)
 *  +----------------+ BLOCKS_OFFSET
 *  | blocks         |
 *  +----------------+
 * </pre>
 * <p>Thread: the owner of the endpoint whose outbox it is part of.
 */
public final class OutboxArea
{
    /** Marks an area in its segment header. */
    static final long MAGIC = SegmentHeader.magic("GRIMOUTB");
    /** Where the retirement flag is; if it is not 0, all blocks are done, and the sender uses the area no more. */
    static final int RETIRED_OFFSET = SegmentHeader.LENGTH;                             // u32
    /** First byte that blocks may take. */
    static final int BLOCKS_OFFSET = RETIRED_OFFSET + Buffers.CACHE_LINE_LENGTH;

    final int id;
    final AtomicBuffer buffer;
    final MappedFile file;                      // null in private memory
    final BlockAllocator blocks;
    final Int2IntHashMap offers = new Int2IntHashMap(0);                                // node to incarnation

    OutboxArea(final int id, final AtomicBuffer buffer, final MappedFile file)
    {
        this.id = id;
        this.buffer = buffer;
        this.file = file;
        blocks = new BlockAllocator(buffer.capacity() - BLOCKS_OFFSET & -Buffers.CACHE_LINE_LENGTH);
    }
}
