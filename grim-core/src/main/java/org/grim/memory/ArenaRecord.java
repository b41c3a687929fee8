// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;
import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * What a directory says of an arena.
 *
 * @param fileKind   which of the node's files holds it.
 * @param fileOffset where in that file it begins.
 * @param length     bytes of it.
 * @param start      where in the node's memory it begins.
 */
record ArenaRecord(String fileKind, long fileOffset, long length, long start)
{
    /** Tells whether the words of a peer can describe an arena: everything but whether the file has so many bytes. */
    boolean isValid(final int pageCountMax)
    {
        final long spaceLength = (long)pageCountMax * PAGE_LENGTH;
        return isName(fileKind) && length > 0 && length <= Integer.MAX_VALUE && length % PAGE_LENGTH == 0 &&
            start >= 0 && start % PAGE_LENGTH == 0 && start <= spaceLength - length &&
            fileOffset >= 0 && fileOffset % CACHE_LINE_LENGTH == 0 && fileOffset <= Long.MAX_VALUE - length;
    }

    /** The suffix of a file of a node, never a way to another file. */
    static boolean isName(final String kind)
    {
        boolean isGood = !kind.isEmpty() && kind.length() <= DirectoryLayout.ARENA_KIND_LENGTH_MAX;
        for (int i = 0; i < kind.length() && isGood; i++)
        {
            final char c = kind.charAt(i);
            isGood = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
        }
        return isGood;
    }
}
