// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Memory of this node that peers may address, contiguous and pinned until it is freed. Peers name it by a
 * {@link RemoteRegion}: send one to them in an ordinary message. Its address is never given to another region of this
 * node's life (virtual), or not before 2^24 other registrations (physical).
 * <p>Thread: any; what peers write is ordered by notification words alone.
 * <p>Owns: its pages, until {@link #close()}.
 */
public interface MemoryRegion extends AutoCloseable
{
    /** {@return what peers name it by, by virtual address (RM-V, RM-RV): the same object each time} */
    RemoteRegion remote();

    /** {@return what peers name it by, by physical address (RM-P): the same object each time} */
    RemoteRegion remotePhysical();

    /** {@return size that was asked for} */
    long length();

    /** {@return its bytes: a view of them; empty when the region has been freed} */
    AtomicBuffer buffer();

    /** {@return what peers may do} */
    MemoryRegion.Rights rights();

    /**
     * Distinguishes it from earlier and later regions of this node.
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

    /** Rights of peers on a region of registered memory. */
    enum Rights
    {
        /** Peers may read it; its owner may name it as the target of its own reads, too. */
        READ(1),
        /** Peers may write it. */
        WRITE(2),
        /** Peers may read and write it. */
        READ_WRITE(3);

        private static final Rights[] VALUES = values();

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

        /** Returns the rights of {@link #bits()}; null if they are invalid. */
        static Rights ofBits(final int bits)
        {
            return bits < READ.bits || bits > READ_WRITE.bits ? null : VALUES[bits - 1];
        }
    }
}
