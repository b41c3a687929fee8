// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.OwnFiles;
import org.grim.buffer.Uninterrupted;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Who lives, as the kernel knows it: each node holds a lock on the byte of its number in one file for as long as its
 * process exists, whatever it does; the kernel lets go of it when the process dies, however it dies.
 * <p>POSIX locks of a process go when it closes <em>any</em> descriptor of the file, so all nodes of one JVM share one
 * open channel. A byte that another node of this JVM holds shows as an {@link OverlappingFileLockException}: alive.
 * <p>Thread: any.
 */
final class Liveness implements AutoCloseable
{
    private static final Map<Path, Liveness> OPEN = new HashMap<>();

    private final Path path;
    private final FileChannel channel;
    private final Map<Integer, FileLock> held = new HashMap<>();
    /** Of the file: a later cluster of the name has another, while nodes of this one are still leaving. */
    private final Object fileKey;
    private int userCount;

    private Liveness(final Path path, final FileChannel channel)
    {
        this.path = path;
        this.fileKey = ClusterFiles.keyOf(path);
        this.channel = channel;
    }

    /**
     * The liveness file of a directory. Every call is paired with one of close().
     *
     * @param isMade whether it is made if it is missing, with mode 0600; otherwise that is an error.
     * @throws GrimException if it is not this user's own, or the system refuses.
     */
    static Liveness open(final Path path, final boolean isMade)
    {
        synchronized (OPEN)
        {
            Liveness liveness = OPEN.get(path);
            if (liveness == null || !Objects.equals(liveness.fileKey, ClusterFiles.keyOf(path)))
            {
                liveness = openFile(path, isMade);
            }
            liveness.userCount++;
            return liveness;
        }
    }

    private static Liveness openFile(final Path path, final boolean isMade)
    {
        FileChannel channel = null;
        boolean isKept = false;
        try
        {
            final Set<OpenOption> options = new HashSet<>(
                List.of(StandardOpenOption.READ, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
            if (isMade)
            {
                options.add(StandardOpenOption.CREATE);
            }
            OwnFiles.requireFileOrNothing(path);
            channel = FileChannel.open(path, options, OwnFiles.fileMode());
            final Liveness liveness = new Liveness(path, channel);
            OPEN.put(path, liveness);
            isKept = true;
            return liveness;
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "open of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
        finally
        {
            if (!isKept)
            {
                CloseHelper.quietClose(channel);
            }
        }
    }

    /** Takes the byte of a node for this process. False: somebody else holds it, if only to probe. */
    synchronized boolean tryHold(final int node)
    {
        final FileLock lock = tryLock(node);
        if (lock == null)
        {
            return false;
        }
        try
        {
            held.put(node, lock);
        }
        finally
        {
            if (held.get(node) != lock)
            {
                unlock(lock);           // Out of memory.
            }
        }
        return true;
    }

    /**
     * Takes the byte of a node for this process; somebody who probes it may hold it for microseconds.
     *
     * @throws GrimException if it is not free within the time.
     */
    void hold(final int node, final long timeoutMs)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(timeoutMs);
        while (!tryHold(node))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException(TIMED_OUT,
                    "byte=" + node + " of " + path + " is held by another process: waited=" +
                    timeoutMs + " ms");
            }
            Uninterrupted.park(TimeUnit.MICROSECONDS.toNanos(100));
        }
    }

    /** Lets go of the byte of a node that this process took. */
    synchronized void letGo(final int node)
    {
        final FileLock lock = held.remove(node);
        if (lock != null)
        {
            unlock(lock);
        }
    }

    /**
     * Runs something while holding the byte of a node whose process is gone, so that the node cannot come back
     * meanwhile.
     *
     * @return false, and nothing was run, if the node's process exists or somebody else is probing it.
     */
    synchronized boolean runIfDead(final int node, final Runnable action)
    {
        final FileLock lock = tryLock(node);
        if (lock == null)
        {
            return false;
        }
        try
        {
            action.run();
        }
        finally
        {
            unlock(lock);
        }
        return true;
    }

    /** Tells whether the process of a node exists. Errs, for microseconds, towards "alive" while somebody probes. */
    boolean isAlive(final int node)
    {
        return !runIfDead(node, () ->
        {
        });
    }

    @Override
    public void close()
    {
        synchronized (OPEN)
        {
            userCount--;
            if (userCount == 0)
            {
                OPEN.remove(path, this);
                try
                {
                    channel.close();
                }
                catch (final IOException ex)
                {
                    throw new GrimException(SYSTEM_REFUSED,
                        "close of " + path + " failed: " + MappedFile.describe(ex), ex);
                }
            }
        }
    }

    private FileLock tryLock(final int node)
    {
        try
        {
            return channel.tryLock(node, 1, false);
        }
        catch (final OverlappingFileLockException ex)
        {
            return null;                // Held by a node of this JVM, which therefore lives.
        }
        catch (final ClosedChannelException ex)
        {
            return null;                // This node has left while one of its threads asked: it convicts nobody.
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "lock of byte " + node + " of " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }

    private void unlock(final FileLock lock)
    {
        try
        {
            lock.release();
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "unlock in " + path + " failed: " + MappedFile.describe(ex), ex);
        }
    }
}
