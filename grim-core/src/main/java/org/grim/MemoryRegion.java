// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Memory of this node that peers may address, contiguous and pinned until it is freed. Its addresses are plain
 * numbers: publish them to peers in an ordinary message. They are never given to another region of this node's life
 * (virtual), or not before 2^24 other registrations (physical).
 * <p>Thread: any; what peers write is ordered by notification words alone.
 * <p>Owns: its pages, until {@link #close()}.
 */
public interface MemoryRegion extends AutoCloseable
{
    /** {@return what peers name it by in RM-V and RM-RV operations; address of its first byte; add offsets to it} */
    long virtualAddress();

    /** {@return what peers name it by in RM-P operations; address of its first byte; add offsets to it} */
    long physicalAddress();

    /** {@return size that was asked for} */
    long length();

    /** {@return its bytes: a view of them; empty when the region has been freed} */
    AtomicBuffer buffer();

    /** {@return what peers may do} */
    MemoryRegion.Rights rights();

    /**
     * Tells it from earlier and later regions of this node.
     *
     * @return 1 or more, rising with each registration.
     */
    long generation();

    /**
     * Frees it. From now on operations on it are refused and nothing of them is written; its pages are used again when
     * no operation that began earlier can write any more. Does nothing the second time.
     */
    @Override
    void close();

    /** What peers may do to a region of registered memory. */
    enum Rights
    {
        /** Peers may read it; its owner may name it as the target of its own reads, too. */
        READ(1),
        /** Peers may write it. */
        WRITE(2),
        /** Peers may read and write it. */
        READ_WRITE(3);

        private final int bits;

        Rights(final int bits)
        {
            this.bits = bits;
        }

        /** {@return the rights as they stand in shared memory; bit 0: peers may read; bit 1: peers may write} */
        public int bits()
        {
            return bits;
        }
    }
}
