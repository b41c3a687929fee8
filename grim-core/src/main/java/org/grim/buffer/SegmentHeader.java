// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * First line of every file that GRIM maps. Native byte order: one host. Written by the creator, read by all.
 * <pre>
 *   0        8          12      16
 *  +--------+----------+-------+----------------+
 *  | magic  | version  | spare | length (bytes) |
 *  +--------+----------+-------+----------------+
 * </pre>
 */
public final class SegmentHeader
{
    /** Version of every shared layout; one number for all files of a cluster. */
    public static final int LAYOUT_VERSION = 5;
    /** Version of a file that has no header. */
    public static final int VERSION_NONE = -1;
    /** Bytes that the header takes: a line of its own. */
    public static final int LENGTH = Buffers.CACHE_LINE_LENGTH;

    private static final int MAGIC_OFFSET = 0;                                       // u64
    private static final int VERSION_OFFSET = MAGIC_OFFSET + SIZE_OF_LONG;           // u32
    private static final int LENGTH_OFFSET = VERSION_OFFSET + SIZE_OF_INT * 2;       // u64

    private SegmentHeader()
    {
    }

    /**
     * The magic of a kind of file.
     *
     * @param kind exactly eight ASCII characters.
     * @return the number that these characters make, the first one highest.
     */
    public static long magic(final String kind)
    {
        long magic = 0;
        for (int i = 0; i < SIZE_OF_LONG; i++)
        {
            magic = magic << Byte.SIZE | kind.charAt(i);
        }
        return magic;
    }

    /**
     * Marks a segment as complete. Everything else in it must have been written before.
     *
     * @param buffer the whole segment.
     * @param magic  of its kind.
     */
    public static void complete(final AtomicBuffer buffer, final long magic)
    {
        buffer.putInt(VERSION_OFFSET, LAYOUT_VERSION);
        buffer.putLong(LENGTH_OFFSET, buffer.capacity());
        buffer.putLongRelease(MAGIC_OFFSET, magic);      // partner: the acquire in check()
    }

    /**
     * Reads the layout version of a file, of any kind and version; for tools.
     *
     * @param path of the file.
     * @return its version; {@link #VERSION_NONE} if it is missing, too short, or not this user's own.
     */
    public static int versionOf(final Path path)
    {
        try (MappedFile file = MappedFile.openForeign(path, LENGTH, false))
        {
            return file.buffer().getInt(VERSION_OFFSET);
        }
        catch (final GrimException ex)
        {
            return VERSION_NONE;
        }
    }

    /**
     * Checks that a mapped segment is what it should be.
     *
     * @param buffer the whole segment, at least {@link #LENGTH} bytes.
     * @param magic  expected.
     * @param path   for the text of the error.
     * @throws GrimException if it is of another kind, version or length.
     */
    public static void check(final AtomicBuffer buffer, final long magic, final Path path)
    {
        final long found = buffer.getLongAcquire(MAGIC_OFFSET);
        if (found != magic)
        {
            throw new GrimException(BAD_DATA, path + " is not a GRIM segment: magic=0x" + Long.toHexString(found) +
                " expected=0x" + Long.toHexString(magic) + "; remove it if no GRIM process uses it");
        }
        final int version = buffer.getInt(VERSION_OFFSET);
        if (version != LAYOUT_VERSION)
        {
            throw new GrimException(BAD_DATA, path + " has layout version=" + version + ", this GRIM reads version=" +
                LAYOUT_VERSION + "; use one version of GRIM, or another cluster directory");
        }
        final long length = buffer.getLong(LENGTH_OFFSET);
        if (length != buffer.capacity())
        {
            throw new GrimException(BAD_DATA,
                path + " is truncated: length=" + buffer.capacity() + " bytes, its header says " +
                length);
        }
    }
}
