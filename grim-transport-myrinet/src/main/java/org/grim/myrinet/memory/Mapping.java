// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import java.io.IOException;
import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.NewFile;
import org.grim.buffer.OwnFiles;
import org.grim.myrinet.posix.Posix;

/**
 * A file mapped whole, by the system's own call.
 * <p>Thread: any; {@link #close()} only when nobody uses the buffer any more.
 */
final class Mapping implements AutoCloseable
{
    private static final String FIX = "; free space there, or set grim.cluster.directory to another file system, or " +
        "lower the sizes under grim.myrinet";

    private final Posix posix;
    private final Path path;
    private final NewFile draft;            // null if the file existed
    private final long address;
    private final int length;
    private final AtomicBuffer buffer;
    private boolean isClosed;

    private Mapping(final Posix posix, final Path path, final NewFile draft, final long address, final int length)
    {
        this.posix = posix;
        this.path = path;
        this.draft = draft;
        this.address = address;
        this.length = length;
        buffer = Buffers.wrap(address, length);
    }

    /** Makes a file of zeros with real blocks, mode 0600; nobody finds it before {@link #publish()}. */
    static Mapping create(final Posix posix, final Path path, final int length)
    {
        final NewFile draft = NewFile.create(path, length, FIX);
        try
        {
            return map(posix, path, draft, draft.temporary(), length);
        }
        catch (final RuntimeException | Error e)
        {
            draft.delete();
            throw e;
        }
    }

    /** Maps a file that exists. Its length is checked before any byte is touched: beyond it the JVM would die. */
    static Mapping open(final Posix posix, final Path path, final int lengthMin)
    {
        return map(posix, path, null, path, lengthMin);
    }

    private static Mapping map(
        final Posix posix, final Path path, final NewFile draft, final Path file, final int lengthMin)
    {
        requireOwn(file);
        final int descriptor = posix.open(file);
        try
        {
            final long length = posix.length(descriptor, path);
            if (length < lengthMin || length > Integer.MAX_VALUE)
            {
                throw new GrimException(path + " is truncated or foreign: length=" + length + " bytes, expected " +
                    lengthMin + " to " + Integer.MAX_VALUE);
            }
            return new Mapping(posix, path, draft, posix.map(descriptor, path, length), (int)length);
        }
        finally
        {
            posix.close(descriptor, path);
        }
    }

    private static void requireOwn(final Path file)
    {
        try
        {
            OwnFiles.requireFileOrNothing(file);
        }
        catch (final IOException e)
        {
            throw new GrimException("stat of " + file + " failed: " + MappedFile.describe(e), e);
        }
    }

    void publish()
    {
        try
        {
            draft.publish();
        }
        catch (final GrimException e)
        {
            close();
            throw e;
        }
    }

    AtomicBuffer buffer()
    {
        return buffer;
    }

    long address()
    {
        return address;
    }

    Path path()
    {
        return path;
    }

    /** Unmaps. The buffer is empty afterwards: a late use fails with an exception instead of a crash. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            buffer.wrap(new byte[0]);
            posix.unmap(address, length);
        }
    }

    /** Unmaps, and removes the file, whatever it is called by now. */
    void closeAndDelete()
    {
        close();
        if (draft != null)
        {
            draft.delete();
        }
        MappedFile.delete(path);
    }
}
