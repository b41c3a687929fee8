// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.MappedFile;

/**
 * A receiver's view of one area of a sender's outbox.
 * <p>Thread: the endpoint's owner. Owns: its mapping, which outlives the sender.
 */
public final class OutboxView
{
    private final int node;
    private final int incarnation;
    private final AtomicBuffer buffer;
    private final MappedFile file;              // null in private memory

    OutboxView(final int node, final int incarnation, final AtomicBuffer buffer, final MappedFile file)
    {
        this.node = node;
        this.incarnation = incarnation;
        this.buffer = buffer;
        this.file = file;
    }

    /** {@return number of the sender's node; 0 to 4,095} */
    public int node()
    {
        return node;
    }

    /** {@return incarnation of the sender's node; any number} */
    public int incarnation()
    {
        return incarnation;
    }

    /** {@return the whole area; valid until {@link #close()}} */
    public AtomicBuffer buffer()
    {
        return buffer;
    }

    /**
     * Returns whether a block can stand at an offset.
     *
     * @param blockOffset of its first byte, from a peer.
     * @param length      payload bytes, from a peer.
     * @return false if it is misaligned or does not lie within the area.
     */
    public boolean hasBlock(final int blockOffset, final int length)
    {
        return blockOffset >= OutboxArea.BLOCKS_OFFSET && blockOffset % Integer.BYTES == 0 && length >= 0 &&
            (long)blockOffset + BlockDescriptor.PAYLOAD_OFFSET + length <= buffer.capacity();
    }

    /**
     * Returns whether the sender has given the area up: all blocks are done. True if the view is of no use any more.
     */
    public boolean isRetired()
    {
        return buffer.getIntAcquire(OutboxArea.RETIRED_OFFSET) != 0;            // partner: OutboxFiles.retire()
    }

    /** Unmaps the area. */
    public void close()
    {
        if (file != null)
        {
            file.close();
        }
    }
}
