// SPDX-License-Identifier: Apache-2.0
package org.grim.board.host;

import org.grim.board.TranslationDescriptor;

/** A host's table of its own addresses. The translation responder's thread. */
@FunctionalInterface
public interface PageTable
{
    /** Value of {@link #physicalPage} for a page that the board may not reach. */
    long NONE = -1;

    /**
     * Translates a page, and keeps it in place from now on.
     *
     * @param virtualPageAddress a multiple of {@link TranslationDescriptor#PAGE_LENGTH}.
     * @return physical address of its first byte plus the bits of {@link org.grim.MemoryRegion.Rights}, or
     *     {@value #NONE}.
     */
    long physicalPage(long virtualPageAddress);
}
