// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Registered memory of one incarnation of a peer, as far as this process has it mapped: the peer's bytes in place.
 * <p>Thread: the loop's or link's owner that asked for it.
 */
public interface PeerMemory
{
    /**
     * Looks up bytes by virtual address.
     *
     * @param virtualAddress of the first byte.
     * @param length         bytes, 1 or more.
     * @return true if all of them lie in one region that peers may read: {@link #buffer()} and {@link #index()} say
     *     where; they stay mapped until {@link #close()}, whatever happens to the peer.
     */
    boolean tryView(long virtualAddress, int length);

    /**
     * The memory that was looked up.
     *
     * @return a buffer over the whole arena.
     */
    AtomicBuffer buffer();

    /**
     * First byte that was looked up.
     *
     * @return an index in {@link #buffer()}.
     */
    int index();

    /** Ends the use. */
    void close();
}
