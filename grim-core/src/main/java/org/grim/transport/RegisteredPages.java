// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

/**
 * This node's registered memory for a transport: the page table of virtual addresses.
 * <p>Thread: any; an answer is given for pages that are registered, or a free comes wholly before it.
 */
@FunctionalInterface
public interface RegisteredPages
{
    /** Value of {@link #find} for a page that is not registered. */
    long NONE = -1;

    /**
     * Finds a page.
     *
     * @param virtualPageAddress of its first byte, a multiple of 4,096.
     * @return offset of its first byte in the {@link PinnedArena}, a multiple of 4,096, plus the bits of
     *     {@link org.grim.MemoryRegion.Rights}; or {@link #NONE}.
     */
    long find(long virtualPageAddress);
}
