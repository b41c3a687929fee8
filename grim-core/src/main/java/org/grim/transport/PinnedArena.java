// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import org.agrona.concurrent.AtomicBuffer;

/**
 * Memory that a transport's hardware can reach, and in which the node therefore registers all its regions: a
 * part of one file, which peers on the same host map, too.
 * <p>Thread: any, one at a time.
 */
public interface PinnedArena
{
    /**
     * The memory.
     *
     * @return a view of all of it, a whole number of pages of 4,096 bytes, mapped until the transport is closed.
     */
    AtomicBuffer memory();

    /** {@return which of the node's files holds it; kind of the file, as in {@link TransportContext#nodeFile}} */
    String fileKind();

    /** {@return where in that file it begins; offset in bytes} */
    long fileOffset();

    /**
     * A region was registered, and is about to be made known.
     *
     * @param virtualAddress of its first byte, on a page.
     * @param offset         of its first byte in {@link #memory()}.
     * @param length         bytes.
     * @param rights         bits of {@link org.grim.MemoryRegion.Rights}.
     */
    void onRegistered(long virtualAddress, long offset, long length, int rights);

    /**
     * A region is being freed: no address of it will be translated any more. The transport begins to forget it.
     *
     * @param virtualAddress of its first byte.
     * @param offset         of its first byte in {@link #memory()}.
     * @param length         bytes.
     */
    void onFreeing(long virtualAddress, long offset, long length);

    /**
     * Returns whether the transport has forgotten every region that was freed so far, and writes to none of
     * them: until then their pages are not used again.
     *
     * @return true at once if no hardware is at work.
     */
    boolean hasForgotten();
}
