// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.LockFile;
import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * Liveness of nodes, as the kernel knows it: each node holds a lock on the byte of its number in one file for as long
 * as its process exists; the kernel lets go of it when the process dies, however it dies. A byte that another node of
 * this JVM holds is not free either: alive. A process loses its locks if something in it opens the file and closes it;
 * until it takes them again, its record says that it is alive.
 * <p>Thread: any.
 */
final class Liveness implements AutoCloseable
{
    private static final Map<Path, Liveness> OPEN = new HashMap<>();

    private final LockFile file;
    private int userCount;

    private Liveness(final LockFile file)
    {
        this.file = file;
    }

    /**
     * The liveness file of a directory, one for all nodes of this process. Every call is paired with one of close().
     *
     * @param isMade whether it is made if it is missing, with mode 0600; otherwise that is an error.
     * @throws GrimException if it is not this user's own, or the system refuses.
     */
    static Liveness open(final Path path, final boolean isMade)
    {
        synchronized (OPEN)
        {
            Liveness liveness = OPEN.get(path);
            if (liveness == null || !liveness.isNamed())    // A later cluster of the name has another file.
            {
                liveness = openFile(path, isMade);
                OPEN.put(path, liveness);
            }
            liveness.userCount++;
            return liveness;
        }
    }

    /** {@return whether the file still has its name} */
    boolean isNamed()
    {
        return file.isNamed();
    }

    /** Takes the byte of a node for this process. False: another node or process holds it, if only to probe. */
    boolean tryHold(final int node)
    {
        try
        {
            final boolean isHeld = file.tryLock(node);
            if (isHeld)
            {
                file.watch(node);
            }
            return isHeld;
        }
        catch (final IOException ex)
        {
            throw refused("lock of byte " + node + " of " + file.identity().path(), ex);
        }
    }

    /**
     * Takes the byte of a node for this process; a probing process may hold it for microseconds.
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
                    "byte=" + node + " of " + file.identity().path() + " is held by another process: waited=" +
                    timeoutMs + " ms");
            }
            Uninterrupted.park(TimeUnit.MICROSECONDS.toNanos(100));
        }
    }

    /** Lets go of the byte of a node that this process took. */
    void letGo(final int node)
    {
        try
        {
            file.unlock(node);
        }
        catch (final IOException ex)
        {
            throw refused("unlock of byte " + node + " of " + file.identity().path(), ex);
        }
    }

    /**
     * Takes again the bytes that this process has lost: something in it has opened the file and closed it. Returns the
     * count of bytes that were lost and are held again.
     */
    int restore()
    {
        try
        {
            return file.restore();
        }
        catch (final IOException ex)
        {
            throw refused("look for the locks of " + file.identity().path(), ex);
        }
    }

    /**
     * Marks a node as gone if its process is; while holding its byte, so that it cannot come back meanwhile.
     *
     * @param status of the node, before.
     * @return false if its process exists, or another process is probing it.
     */
    boolean convictIfDead(final int node, final NodeRecord record, final int status)
    {
        return runIfFree(node, () ->
        {
            if (record.hasLostItsByte(System.currentTimeMillis()))
            {
                return false;
            }
            record.tryConvict(status, NodeInfo.GoneReason.DIED);
            return true;
        });
    }

    /**
     * Runs something while holding a byte.
     *
     * @param action says whether it did something.
     * @return what it says; false if the byte is not free.
     */
    boolean runIfFree(final int node, final BooleanSupplier action)
    {
        try
        {
            return file.runIfFree(node, action);
        }
        catch (final IOException ex)
        {
            throw refused("lock of byte " + node + " of " + file.identity().path(), ex);
        }
    }

    /**
     * Returns whether the process of a node exists. Errs, for microseconds, towards "alive" while another process
     * probes.
     */
    boolean isAlive(final int node, final NodeRecord record)
    {
        return !runIfFree(node, () -> !record.hasLostItsByte(System.currentTimeMillis()));
    }

    /** Returns whether a byte is not free. Errs as {@link #isAlive}. */
    boolean isHeld(final int position)
    {
        return !runIfFree(position, () -> true);
    }

    @Override
    public void close()
    {
        synchronized (OPEN)
        {
            userCount--;
            assert userCount >= 0 : userCount;
            if (userCount > 0)
            {
                return;
            }
            OPEN.remove(file.identity().path(), this);
            try
            {
                file.close();
            }
            catch (final IOException ex)
            {
                throw refused("close of " + file.identity().path(), ex);
            }
        }
    }

    private static Liveness openFile(final Path path, final boolean isMade)
    {
        try
        {
            return new Liveness(LockFile.open(path, isMade));
        }
        catch (final IOException ex)
        {
            throw refused("open of " + path, ex);
        }
    }

    private static GrimException refused(final String operation, final IOException cause)
    {
        return new GrimException(SYSTEM_REFUSED, operation + " failed: " + MappedFile.describe(cause), cause);
    }
}
