// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
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
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Lets one node at a time join or leave a cluster. The kernel lets go of it when its holder dies. The last node to
 * leave removes the lock's own file, so a new holder checks that the file it locked is still the one of that name. The
 * file has a byte for each turn: those who wait see there that others had the lock meanwhile.
 * <p>Thread: the one that acquired it; other threads of this JVM wait, also those of another copy of this library.
 */
final class JoinLock implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(JoinLock.class);
    private static final ReentrantLock JVM_LOCK = new ReentrantLock();
    private static final int LOCK_POSITION = 0;
    /** Time for what a holder does besides waiting for its number. */
    private static final long HOLD_MS = 10_000;
    private static final long RETRY_NS = TimeUnit.MILLISECONDS.toNanos(1);
    /** Many that wait leave the one that has it the processors. */
    private static final long RETRY_NS_MAX = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int RETRY_PART = 32;               // Of the time that was waited.

    private final LockFile file;

    private JoinLock(final LockFile file)
    {
        this.file = file;
    }

    /**
     * Waits for the lock, as long as one holder may have it.
     *
     * @param network to the other hosts, whose answer a holder may wait for; null if there are none.
     * @throws GrimException if it is not free within that time though no node joins or leaves, or the system refuses.
     */
    static JoinLock acquire(final ClusterFiles files, final HostNetwork network)
    {
        return acquire(files, timeoutMs(network));
    }

    /** The longest time for which one holder has the lock, unless it is stopped. */
    static long timeoutMs(final HostNetwork network)
    {
        return HOLD_MS + (network == null ? 0 : TimeUnit.NANOSECONDS.toMillis(network.joinTimeoutNs()));
    }

    static JoinLock acquire(final ClusterFiles files, final long timeoutMs)
    {
        try (JoinWatch watch = new JoinWatch(files))
        {
            final Patience patience = new Patience(watch, timeoutMs);
            while (!JVM_LOCK.tryLock())
            {
                patience.pause(files);
            }
            boolean isKept = false;
            try
            {
                LockFile file = null;
                while (file == null)
                {
                    files.prepare();
                    file = tryLock(files);
                    if (file == null)
                    {
                        patience.pause(files);
                    }
                }
                isKept = true;
                return new JoinLock(file);
            }
            finally
            {
                if (!isKept)
                {
                    JVM_LOCK.unlock();
                }
            }
        }
    }

    /** Time for one holder, from the beginning or since the latest one had its turn. */
    private static final class Patience
    {
        private final JoinWatch watch;
        private final long timeoutNs;
        private final long beginNs = System.nanoTime();
        private long deadlineNs;

        Patience(final JoinWatch watch, final long timeoutMs)
        {
            this.watch = watch;
            timeoutNs = TimeUnit.MILLISECONDS.toNanos(timeoutMs);
            deadlineNs = beginNs + timeoutNs;
        }

        void pause(final ClusterFiles files)
        {
            final long nowNs = System.nanoTime();
            if (watch.hasChanged(nowNs))
            {
                deadlineNs = nowNs + timeoutNs;
            }
            if (nowNs - deadlineNs > 0)
            {
                watch.look();
                throw timedOut(files.lock(), TimeUnit.NANOSECONDS.toMillis(timeoutNs), watch.waiting());
            }
            Uninterrupted.park(Math.min(RETRY_NS_MAX, Math.max(RETRY_NS, (nowNs - beginNs) / RETRY_PART)));
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
                if (file.tryLock(LOCK_POSITION) && file.isNamed())
                {
                    beginTurn(file);
                    isKept = true;
                }
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

    /** Over the channel that is open: to open the file once more and close it would let go of the lock. */
    private static void beginTurn(final LockFile file)
    {
        try
        {
            file.channel().write(ByteBuffer.allocate(1), file.channel().size());
        }
        catch (final IOException ex)
        {
            LOGGER.debug("those who wait for {} do not see this turn", file.identity().path(), ex);     // No room.
        }
    }

    private static GrimException timedOut(final Path path, final long timeoutMs, final String waiting)
    {
        return new GrimException(TIMED_OUT, "join lock " + path + " is held by another process, or by another " +
            "node of this one: waited=" + timeoutMs + " ms; " +
            (waiting.isEmpty() ? "it joins or leaves, or is stopped" : waiting));
    }
}
