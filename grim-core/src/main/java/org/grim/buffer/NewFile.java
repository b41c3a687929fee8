// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.concurrent.ThreadLocalRandom;

import org.grim.GrimException;

import static org.grim.GrimException.Reason.NO_ROOM;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * A file of zeros that is being made, to be mapped: under a temporary name, with real blocks below every page, so that
 * no later store can fail for lack of space. It appears under its own name only when it is complete.
 * <p>Thread: the maker's.
 */
public final class NewFile
{
    private static final int ZEROS_LENGTH = 1 << 16;
    private static final String TEMPORARY_SUFFIX = ".tmp";

    private final Path path;
    private final Path temporary;

    private NewFile(final Path path, final Path temporary)
    {
        this.path = path;
        this.temporary = temporary;
    }

    /**
     * Makes a file of zeros, mode 0600, beside {@code path}. Call {@link #publish()} when filled.
     *
     * @param path   name that it gets when published.
     * @param length bytes.
     * @param fix    what the user can do if there is too little space, as the end of a sentence.
     * @return the file.
     * @throws GrimException if there is too little space, or the system refuses; nothing is left behind.
     */
    public static NewFile create(final Path path, final long length, final String fix)
    {
        final NewFile file = new NewFile(path, path.resolveSibling(path.getFileName() + "." +
            ProcessHandle.current().pid() + "-" + Long.toHexString(ThreadLocalRandom.current().nextLong()) +
            TEMPORARY_SUFFIX));
        requireSpace(path, length, fix);
        try
        {
            file.make();
            fillWithZeros(file.temporary, length);
            return file;
        }
        catch (final IOException ex)
        {
            final GrimException failure = new GrimException(SYSTEM_REFUSED,
                "write to " + path + " failed: " + MappedFile.describe(ex) + needed(path, length, fix), ex);
            Cleanup.after(failure, file::delete);
            throw failure;
        }
        catch (final RuntimeException | Error ex)
        {
            Cleanup.after(ex, file::delete);
            throw ex;
        }
    }

    /** Gives the file its name, replacing a stale one, in one atomic step. If that fails, the file is removed. */
    public void publish()
    {
        try
        {
            Files.move(temporary, path, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
        }
        catch (final IOException ex)
        {
            final GrimException failure = new GrimException(
                SYSTEM_REFUSED, "rename to " + path + " failed: " + MappedFile.describe(ex), ex);
            Cleanup.after(failure, this::delete);
            throw failure;
        }
    }

    /** Removes the file if it has not been published. */
    public void delete()
    {
        MappedFile.delete(temporary);
    }

    /** {@return where the file stands until it is published} */
    public Path temporary()
    {
        return temporary;
    }

    /**
     * Room of a file system. Takes no file descriptor, unlike a look for its mount point.
     *
     * @param directory on it.
     * @return bytes that this user can use.
     * @throws GrimException if the directory is missing.
     */
    public static long freeLengthAt(final Path directory)
    {
        final long length = directory.toFile().getUsableSpace();
        if (length == 0 && !Files.exists(directory))
        {
            throw new GrimException(SYSTEM_REFUSED, "directory " + directory + " is missing");
        }
        return length;
    }

    private static void requireSpace(final Path path, final long length, final String fix)
    {
        if (freeBytes(path) < length && !LingeringMemory.makeRoom(() -> freeBytes(path) >= length))
        {
            throw new GrimException(NO_ROOM, "too little space for " + path + needed(path, length, fix));
        }
    }

    /** Advises to free space only where there is too little, and where others than this process hold it. */
    private static String needed(final Path path, final long length, final String fix)
    {
        final long freeLength = freeBytes(path);
        return ": needed=" + length + " bytes free=" + freeLength + " bytes" +
            (length > FileLengthLimit.ofThisProcess() ? FileLengthLimit.TEXT :
            freeLength < length ? LingeringMemory.advice() + fix : "");
    }

    private static long freeBytes(final Path path)
    {
        return freeLengthAt(path.getParent());
    }

    private void make() throws IOException
    {
        OwnFiles.makeFile(temporary);
    }

    /** Writes zeros by a stream, since an interrupt would close a channel. */
    private static void fillWithZeros(final Path file, final long length) throws IOException
    {
        final byte[] zeros = new byte[(int)Math.min(ZEROS_LENGTH, length)];
        try (FileOutputStream stream = new FileOutputStream(file.toFile()))
        {
            long remaining = length;
            while (remaining > 0)
            {
                final int pieceLength = (int)Math.min(zeros.length, remaining);
                stream.write(zeros, 0, pieceLength);
                remaining -= pieceLength;
            }
        }
    }
}
