// SPDX-License-Identifier: Apache-2.0
package org.grim.buffer;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;

/**
 * The locks of a file that Linux says this process holds: the lines {@code lock:} of {@code /proc/self/fdinfo}. A byte
 * that adjoins another one of the process is shown with that one's descriptor, whichever that is; so all descriptors of
 * the file are looked at unless the one of the last time shows it.
 * <p>Thread: one at a time. Owns: an open file of {@code /proc}. Allocates only if the last descriptor does not help.
 */
final class ProcessLocks
{
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path INFOS = Path.of("/proc/self/fdinfo");
    private static final byte[] MARK = "lock:".getBytes(StandardCharsets.US_ASCII);
    private static final int TEXT_LENGTH = 8_192;           // A longer read takes native memory each time.
    private static final int RADIX = 10;

    private final FileIdentity identity;
    private final long inode;
    private final byte[] text = new byte[TEXT_LENGTH];
    private RandomAccessFile info;                          // of the descriptor that showed a lock last, or null

    ProcessLocks(final FileIdentity identity) throws IOException
    {
        this.identity = identity;
        inode = (long)Files.getAttribute(identity.path(), "unix:ino", LinkOption.NOFOLLOW_LINKS);
    }

    /** Whether a descriptor shows that this process holds a byte. */
    boolean holds(final int position) throws IOException
    {
        return showsLast(position) || findDescriptor(position);
    }

    void close() throws IOException
    {
        if (info != null)
        {
            info.close();
            info = null;
        }
    }

    private boolean showsLast(final int position) throws IOException
    {
        try
        {
            return info != null && shows(position);
        }
        catch (final IOException ex)
        {
            close();                    // The descriptor was closed meanwhile.
            return false;
        }
    }

    private boolean findDescriptor(final int position) throws IOException
    {
        if (!Files.isDirectory(DESCRIPTORS))
        {
            return false;
        }
        try (DirectoryStream<Path> descriptors = Files.newDirectoryStream(DESCRIPTORS))
        {
            for (final Path descriptor : descriptors)
            {
                if (isOfFile(descriptor))
                {
                    close();
                    info = new RandomAccessFile(INFOS.resolve(descriptor.getFileName()).toFile(), "r");
                    if (shows(position))
                    {
                        return true;
                    }
                }
            }
        }
        catch (final FileNotFoundException ex)
        {
            return false;               // Closed at this moment, so it has no locks.
        }
        return false;
    }

    private boolean isOfFile(final Path descriptor) throws IOException
    {
        try
        {
            return identity.key().equals(Files.readAttributes(descriptor, BasicFileAttributes.class).fileKey());
        }
        catch (final NoSuchFileException ex)
        {
            return false;               // Closed meanwhile, or no file.
        }
    }

    /** A line ends with device, number of the file, first and last byte: {@code 00:1a:104 3 4} or {@code 3 EOF}. */
    private boolean shows(final int position) throws IOException
    {
        info.seek(0);
        int lineLength = 0;
        int markLength = 0;
        long file = 0;
        long first = 0;
        long last = 0;
        for (int length = info.read(text); length > 0; length = info.read(text))
        {
            for (int i = 0; i < length; i++)
            {
                final byte next = text[i];
                if (next == '\n')
                {
                    if (markLength == MARK.length && file == inode && first <= position && position <= last)
                    {
                        return true;
                    }
                    lineLength = 0;
                    markLength = 0;
                    continue;
                }
                markLength += markLength == lineLength && lineLength < MARK.length && next == MARK[lineLength] ? 1 : 0;
                lineLength++;
                if (next == ' ')
                {
                    file = first;
                    first = last;
                    last = 0;
                }
                else
                {
                    last = next == ':' ? 0 : next >= '0' && next <= '9' ? last * RADIX + next - '0' : Long.MAX_VALUE;
                }
            }
        }
        return false;
    }
}
