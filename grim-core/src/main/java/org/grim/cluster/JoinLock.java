// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.EnumSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;

/**
 * Lets one node at a time join or leave a cluster. The kernel lets go of it when its holder dies. The last node to
 * leave removes the lock's own file, so a new holder checks that the file it locked is still the one of that name.
 * <p>Thread: the one that acquired it; other threads of this JVM wait.
 */
final class JoinLock implements AutoCloseable
{
    private static final ReentrantLock JVM_LOCK = new ReentrantLock();
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final FileChannel channel;

    private JoinLock(final FileChannel channel)
    {
        this.channel = channel;
    }

    /**
     * Waits for the lock.
     *
     * @throws GrimException if it is not free within the time, or the system refuses.
     */
    static JoinLock acquire(final ClusterFiles files, final long timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        if (!tryJvmLock(timeoutMs))
        {
            throw timedOut(files.lock(), timeoutMs);
        }
        try
        {
            while (true)
            {
                files.prepare();
                final FileChannel channel = tryLock(files.lock());
                if (channel != null)
                {
                    return new JoinLock(channel);
                }
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw timedOut(files.lock(), timeoutMs);
                }
                LockSupport.parkNanos(RETRY_NS);
            }
        }
        catch (final RuntimeException ex)
        {
            JVM_LOCK.unlock();
            throw ex;
        }
    }

    @Override
    public void close()
    {
        try
        {
            channel.close();
        }
        catch (final IOException ex)
        {
            throw new GrimException("unlock of join.lock failed: " + MappedFile.describe(ex), ex);
        }
        finally
        {
            JVM_LOCK.unlock();
        }
    }

    private static FileChannel tryLock(final Path path)
    {
        try
        {
            final Object keyBefore = key(path);     // First, so that the same key afterwards means the same file.
            final FileChannel channel = FileChannel.open(path,
                EnumSet.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            boolean isKept = false;
            try
            {
                final FileLock lock = channel.tryLock();
                isKept = lock != null && keyBefore != null && keyBefore.equals(key(path));
                return isKept ? channel : null;
            }
            finally
            {
                if (!isKept)
                {
                    channel.close();
                }
            }
        }
        catch (final NoSuchFileException ex)
        {
            // The last node of the cluster left at this moment and took the directory along.
            return null;
        }
        catch (final IOException ex)
        {
            throw new GrimException("lock of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    private static Object key(final Path path) throws IOException
    {
        try
        {
            return Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        }
        catch (final NoSuchFileException ex)
        {
            return null;                // Removed by the last node that left: the caller tries again.
        }
    }

    private static boolean tryJvmLock(final long timeoutMs)
    {
        try
        {
            return JVM_LOCK.tryLock(timeoutMs, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new GrimException("interrupted while waiting for the join lock", ex);
        }
    }

    private static GrimException timedOut(final Path path, final long timeoutMs)
    {
        return new GrimException("join lock " + path + " is held by another process: waited=" + timeoutMs +
            " ms; it joins or leaves, or is stopped");
    }
}
