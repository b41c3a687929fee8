// SPDX-License-Identifier: Apache-2.0
package org.grim.cluster;

import java.io.IOException;
import java.nio.file.Files;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;

/**
 * View of a cluster's directory for a node that waits for the join lock: shows whether others have had the lock
 * meanwhile, and what its holder waits for.
 * <p>Thread: the one that waits. Owns: a mapping of the directory, while there is one.
 */
final class JoinWatch implements AutoCloseable
{
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(100);

    private final ClusterFiles files;
    private DirectorySegment segment;
    private long turnCount = -1;
    private String waiting = "";
    private long lookDeadlineNs;

    JoinWatch(final ClusterFiles files)
    {
        this.files = files;
        lookDeadlineNs = System.nanoTime() + LOOK_NS;       // Usually the lock is free before.
    }

    /** Looks some times per second. True: since the latest look another node began to join or leave. */
    boolean hasChanged(final long nowNs)
    {
        if (lookDeadlineNs - nowNs > 0)
        {
            return false;
        }
        lookDeadlineNs = nowNs + LOOK_NS;
        return look();
    }

    /** Looks at once. True: since the latest look another node began to join or leave. */
    boolean look()
    {
        if (segment == null || !segment.isNamed())
        {
            close();
            open();
        }
        if (segment != null)
        {
            final String latest = segment.requests().waiting();
            waiting = latest.isEmpty() ? waiting : latest;
        }
        final long before = turnCount;
        turnCount = turnCount();
        return before >= 0 && before != turnCount;
    }

    /** {@return the node that waited for its number at the latest look, and for what; empty if there was none} */
    String waiting()
    {
        return waiting;
    }

    @Override
    public void close()
    {
        if (segment != null)
        {
            segment.close();
            segment = null;
        }
    }

    /** Bytes of the file that holds the lock; -1 if there is none. */
    private long turnCount()
    {
        try
        {
            return Files.size(files.lock());
        }
        catch (final IOException ex)
        {
            return -1;                      // The last node of the cluster has taken it along.
        }
    }

    /** Opens the directory, which the holder of the lock may make or remove now. The next holder reports its faults. */
    private void open()
    {
        try
        {
            segment = files.hasDirectory() ? DirectorySegment.open(files, false) : null;
        }
        catch (final GrimException ex)
        {
            segment = null;
        }
    }
}
