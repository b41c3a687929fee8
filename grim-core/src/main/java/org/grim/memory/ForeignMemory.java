// SPDX-License-Identifier: Apache-2.0
package org.grim.memory;

import java.nio.file.Path;
import java.util.Objects;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;

import static org.grim.memory.MemorySettings.PAGE_LENGTH;

/**
 * Memory for a region that the library did not allocate: a part of a file, or memory of this process. Whole pages.
 * <p>Thread: any. Owns: the mapping of a file.
 *
 * @param memory     all of it.
 * @param file       that it is a part of; null if nobody else can map it.
 * @param fileOffset first byte in the file.
 */
public record ForeignMemory(AtomicBuffer memory, MappedFile file, long fileOffset)
{
    /**
     * Maps a part of a file.
     *
     * @param path   of the file, which this user owns and others cannot open.
     * @param offset first byte of the part.
     * @param length bytes of the part.
     * @return the memory.
     * @throws org.grim.GrimException   if the file cannot be mapped; the text says why.
     * @throws IllegalArgumentException unless offset and length are whole pages.
     */
    public static ForeignMemory ofFile(final Path path, final long offset, final int length)
    {
        requirePages("offset", offset, 0);
        requirePages("length", length, 1);
        final MappedFile file = MappedFile.openPart(path.toAbsolutePath(), offset, length);
        return new ForeignMemory(file.buffer(), file, offset);
    }

    /**
     * Names memory of this process.
     *
     * @param memory outside the heap, on a boundary of 8 bytes.
     * @return the memory.
     * @throws IllegalArgumentException if it lies in the heap, or is not aligned, or no whole number of pages.
     */
    public static ForeignMemory ofProcess(final AtomicBuffer memory)
    {
        requirePages("length", Objects.requireNonNull(memory, "memory").capacity(), 1);
        if (memory.byteArray() != null || memory.addressOffset() % Long.BYTES != 0)
        {
            throw new IllegalArgumentException("memory lies in the heap, or not on a boundary of 8 bytes");
        }
        return new ForeignMemory(Buffers.wrap(memory, 0, memory.capacity()), null, 0);
    }

    void close()
    {
        if (file != null)
        {
            file.close();
        }
    }

    private static void requirePages(final String what, final long value, final int min)
    {
        if (value < min || value % PAGE_LENGTH != 0)
        {
            throw new IllegalArgumentException(
                what + "=" + value + " is not a multiple of the page length=" + PAGE_LENGTH);
        }
    }
}
