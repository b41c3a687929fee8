// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

import org.grim.GrimException;
import org.grim.buffer.LockFile;
import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Lets one node at a time join or leave a cluster. The kernel lets go of it when its holder dies. The last node to
 * leave removes the lock's own file, so a new holder checks that the file it locked is still the one of that name.
 * <p>Thread: the one that acquired it; other threads of this JVM wait, also those of another copy of this library.
 */
final class JoinLock implements AutoCloseable
{
    private static final ReentrantLock JVM_LOCK = new ReentrantLock();
    private static final int LOCK_POSITION = 0;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final LockFile file;

    private JoinLock(final LockFile file)
    {
        this.file = file;
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
                final LockFile file = tryLock(files);
                if (file != null)
                {
                    return new JoinLock(file);
                }
                if (System.nanoTime() - deadlineNs > 0)
                {
                    throw timedOut(files.lock(), timeoutMs);
                }
                Uninterrupted.park(RETRY_NS);
            }
        }
        catch (final RuntimeException | Error ex)
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
            file.close();
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "unlock of join.lock failed: " + MappedFile.describe(ex), ex);
        }
        finally
        {
            JVM_LOCK.unlock();
        }
    }

    private static LockFile tryLock(final ClusterFiles files)
    {
        try
        {
            return tryLock(files.lock());
        }
        catch (final RuntimeException | Error ex)
        {
            removeUnused(files);
            throw ex;
        }
    }

    /** Nobody needs the lock's file in a cluster that does not exist; who holds the lock may remove it. */
    private static void removeUnused(final ClusterFiles files)
    {
        try (LockFile file = Files.exists(files.lock(), LinkOption.NOFOLLOW_LINKS) ? tryLock(files.lock()) : null)
        {
            if (file != null && !files.hasDirectory())
            {
                MappedFile.delete(files.lock());
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "unlock of " + files.lock() + " failed: " + MappedFile.describe(ex), ex);
        }
        files.deleteIfEmpty();
    }

    private static LockFile tryLock(final Path path)
    {
        try
        {
            final LockFile file = LockFile.open(path, true);
            boolean isKept = false;
            try
            {
                isKept = file.tryLock(LOCK_POSITION) && file.isNamed();
                return isKept ? file : null;
            }
            finally
            {
                if (!isKept)
                {
                    file.close();
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
            throw new GrimException(SYSTEM_REFUSED, "lock of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    private static boolean tryJvmLock(final long timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        boolean isInterrupted = false;
        try
        {
            while (true)
            {
                try
                {
                    return JVM_LOCK.tryLock(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS);
                }
                catch (final InterruptedException ex)
                {
                    isInterrupted = true;
                }
            }
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static GrimException timedOut(final Path path, final long timeoutMs)
    {
        return new GrimException(TIMED_OUT, "join lock " + path + " is held by another process, or by another " +
            "node of this one: waited=" + timeoutMs + " ms; it joins or leaves, or is stopped");
    }
}
