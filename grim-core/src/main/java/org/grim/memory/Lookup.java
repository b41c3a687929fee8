// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.RemoteRefusal;

/**
 * Finds registered bytes of one node by their address. A found place is valid until the initiator ends its operation.
 * <p>Thread: the link's owner. Allocates nothing unless regions or arenas came meanwhile.
 */
interface Lookup
{
    /** Bits of a region's rights that an operation needs: those of a node on its own memory none. */
    int ANY = 0;
    /** The bit of a read. */
    int READ = 1;
    /** The bit of a write. */
    int WRITE = 2;

    /**
     * Looks up bytes that do not go on at address 0.
     *
     * @param address of the first.
     * @param length  1 or more.
     * @param rights  that their region must grant, as bits.
     * @return why they may not be used; null if {@link #buffer()} and {@link #index()} say where they are.
     */
    RemoteRefusal find(long address, long length, int rights);

    /** The arena of the bytes that were found last. */
    AtomicBuffer buffer();

    /** The first of them in it. */
    int index();
}
