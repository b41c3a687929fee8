// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileChannel.MapMode;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;

import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * A file mapped whole into this process. A new file is made under a temporary name with real blocks below every page,
 * so that no later store can fail for lack of space, and appears under its own name only when it is complete.
 * <p>Thread: any. Views of the memory may be used at any time, also after {@link #close()}: the memory stays mapped for
 * as long as one can be reached (decision 20).
 */
public final class MappedFile implements AutoCloseable
{
    private static final String FIX = "; free space there, or set grim.cluster.directory to another file system, or " +
        "lower the sizes under grim.queue";

    private final FileIdentity identity;
    private final NewFile draft;            // null if the file existed
    private final MappedByteBuffer memory;
    private final AtomicBuffer buffer;
    private boolean isClosed;

    private MappedFile(final FileIdentity identity, final NewFile draft, final MappedByteBuffer memory)
    {
        this.identity = identity;
        this.draft = draft;
        this.memory = memory;
        this.buffer = Buffers.wrap(memory);
    }

    /**
     * Makes a file of zeros, mode 0600, under a temporary name beside {@code path}. Call {@link #publish()} when
     * filled.
     *
     * @param path   name that it gets when published.
     * @param length bytes.
     * @return the file, mapped for writing.
     * @throws GrimException if there is too little space, or the system refuses; nothing is left behind.
     */
    public static MappedFile create(final Path path, final long length)
    {
        return create(path, length, FIX);
    }

    /**
     * Makes a file of zeros, mode 0600, under a temporary name beside {@code path}. Call {@link #publish()} when
     * filled.
     *
     * @param path   name that it gets when published.
     * @param length bytes.
     * @param fix    what the user can do if there is too little space, as the end of a sentence.
     * @return the file, mapped for writing.
     * @throws GrimException if there is too little space, or the system refuses; nothing is left behind.
     */
    public static MappedFile create(final Path path, final long length, final String fix)
    {
        final NewFile draft = NewFile.create(path, length, fix);
        boolean isComplete = false;
        try
        {
            final MappedByteBuffer memory =
                map(draft.temporary(), true, channel -> channel.map(MapMode.READ_WRITE, 0, length));
            final MappedFile file = new MappedFile(FileIdentity.of(draft.temporary()).at(path), draft, memory);
            isComplete = true;
            return file;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "mmap of " + length + " bytes of " + path + " failed: " + describe(ex), ex);
        }
        finally
        {
            if (!isComplete)
            {
                draft.delete();
            }
        }
    }

    /**
     * Maps a file that exists.
     *
     * @param path      of the file.
     * @param magic     that its header must carry.
     * @param lengthMin least bytes that make sense.
     * @param isWritten whether this process will store into it.
     * @return the file, mapped and with its header checked.
     * @throws GrimException if it is missing or truncated, of another kind or version, or not this user's own.
     */
    public static MappedFile open(final Path path, final long magic, final int lengthMin, final boolean isWritten)
    {
        final MappedFile file = openForeign(path, lengthMin, isWritten);
        try
        {
            SegmentHeader.check(file.buffer, magic, path);
            return file;
        }
        catch (final RuntimeException | Error ex)
        {
            file.unmap();
            throw ex;
        }
    }

    /**
     * Maps a file that exists, without a check of its header.
     *
     * @param path      of the file.
     * @param lengthMin least bytes that make sense.
     * @param isWritten whether this process will store into it.
     * @return the file, mapped.
     * @throws GrimException if it is missing or truncated, or not this user's own.
     */
    public static MappedFile openForeign(final Path path, final int lengthMin, final boolean isWritten)
    {
        try
        {
            final FileIdentity identity = FileIdentity.of(path);
            return new MappedFile(identity, null, map(path, isWritten, channel ->
            {
                final long length = channel.size();        // Checked before any byte is touched: beyond it is SIGBUS.
                if (length < lengthMin || length > Integer.MAX_VALUE)
                {
                    throw new GrimException(BAD_DATA, path + " is truncated or foreign: length=" + length +
                        " bytes, expected " + lengthMin + " to " + Integer.MAX_VALUE);
                }
                return channel.map(isWritten ? MapMode.READ_WRITE : MapMode.READ_ONLY, 0, length);
            }));
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "open of " + path + " failed: " + describe(ex), ex);
        }
    }

    /**
     * Maps a part of a file that exists, for writing. The part's content is not checked.
     *
     * @param path   of the file.
     * @param offset first byte of the part, 0 or more.
     * @param length bytes of the part, 1 or more.
     * @return the part, mapped.
     * @throws GrimException if the file is missing, does not have the part, or is not this user's own.
     */
    public static MappedFile openPart(final Path path, final long offset, final int length)
    {
        try
        {
            final FileIdentity identity = FileIdentity.of(path);
            return new MappedFile(identity, null, map(path, true, channel ->
            {
                final long fileLength = channel.size();    // Checked before any byte is touched: beyond it is SIGBUS.
                if (offset > fileLength - length)
                {
                    throw new GrimException(BAD_DATA, path + " is truncated or foreign: length=" + fileLength +
                        " bytes, expected " + length + " at offset=" + offset);
                }
                return channel.map(MapMode.READ_WRITE, offset, length);
            }));
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "open of " + path + " failed: " + describe(ex), ex);
        }
    }

    /** Gives the file its name, replacing a stale one, in one atomic step. */
    public void publish()
    {
        try
        {
            draft.publish();
        }
        catch (final GrimException ex)
        {
            close();
            throw ex;
        }
    }

    /** {@return the mapped memory: the view; it and views of it keep the memory mapped} */
    public AtomicBuffer buffer()
    {
        return buffer;
    }

    /** {@return where the file stands when published} */
    public Path path()
    {
        return identity.path();
    }

    /** {@return the file's identity, different from a later one of its name} */
    public FileIdentity identity()
    {
        return identity;
    }

    /** Lets go of the memory: the collector unmaps it when no view of it can be reached any more. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            LingeringMemory.add(memory);
        }
    }

    /**
     * Unmaps now, where it is certain that nobody has a view of the memory, has one of its addresses, or is inside:
     * otherwise the JVM dies. Does nothing after {@link #close()}.
     */
    public void unmap()
    {
        if (!isClosed)
        {
            isClosed = true;
            buffer.wrap(new byte[0]);
            BufferUtil.free(memory);
        }
    }

    /** Lets go of the memory, and removes the file under both its names; a later file of its name stays. */
    public void closeAndDelete()
    {
        close();
        if (draft != null)
        {
            draft.delete();
        }
        identity.delete();
    }

    /**
     * Removes a file if it is there.
     *
     * @param path of the file.
     * @throws GrimException if the system refuses.
     */
    public static void delete(final Path path)
    {
        try
        {
            Files.deleteIfExists(path);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "delete of " + path + " failed: " + describe(ex), ex);
        }
    }

    /**
     * Says what the system answered, in words. Returns class and message: file exceptions often carry the path alone.
     */
    public static String describe(final IOException ex)
    {
        return ex.getClass().getSimpleName() + " " + ex.getMessage();
    }

    private static MappedByteBuffer map(final Path path, final boolean isWritten, final ChannelMapping mapping)
        throws IOException
    {
        final Set<OpenOption> options = isWritten ?
            Set.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS) :
            Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
        return Uninterrupted.run(() ->
        {
            OwnFiles.requireFile(path);
            try (FileChannel channel = FileChannel.open(path, options))
            {
                return mapping.of(channel);
            }
        });
    }

    /** Mapping of an open file. */
    @FunctionalInterface
    private interface ChannelMapping
    {
        MappedByteBuffer of(FileChannel channel) throws IOException;
    }
}
