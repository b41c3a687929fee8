// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.SystemEpochClock;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.AtomicCounter;
import org.agrona.concurrent.status.CountersManager;
import org.agrona.concurrent.status.CountersReader;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;

/**
 * The writer's end of a counters file, or of the same layout in private memory. Every module that counts has one of its
 * own, which {@link CountersView} reads.
 * <p>Thread: {@link #allocate} one at a time; the error log any.
 * <p>Owns: the file.
 */
public final class CountersFile implements AutoCloseable
{
    private final MappedFile file;
    private final AtomicBuffer memory;
    private final CountersManager manager;
    private final DistinctErrorLog errorLog;

    private CountersFile(final MappedFile file, final AtomicBuffer memory, final CountersLayout layout)
    {
        this.file = file;
        this.memory = memory;
        layout.putCount(memory);
        manager = new CountersManager(layout.metaData(memory), layout.values(memory));
        errorLog = new DistinctErrorLog(layout.errorLog(memory), SystemEpochClock.INSTANCE);
    }

    /**
     * Makes a file.
     *
     * @param path         of it.
     * @param counterCount most counters that it takes.
     * @return a file without counters, which nobody can open before {@link #publish}.
     * @throws org.grim.GrimException if the file cannot be made; nothing is left behind.
     */
    public static CountersFile create(final Path path, final int counterCount)
    {
        final CountersLayout layout = new CountersLayout(counterCount);
        final MappedFile file = MappedFile.create(path, layout.length());
        try
        {
            return new CountersFile(file, file.buffer(), layout);
        }
        catch (final RuntimeException | Error ex)
        {
            file.closeAndDelete();
            throw ex;
        }
    }

    /** Makes counters of this process alone. */
    public static CountersFile inPrivateMemory(final int counterCount)
    {
        final CountersLayout layout = new CountersLayout(counterCount);
        return new CountersFile(null, Buffers.allocate(layout.length()), layout);
    }

    /**
     * Adds a counter.
     *
     * @param kind  of it.
     * @param key   that distinguishes it from others of its kind.
     * @param label in words: first that of its kind.
     * @return the counter, zero.
     */
    public AtomicCounter allocate(final CounterType kind, final int key, final String label)
    {
        return manager.newCounter(label, kind.typeId(), buffer -> CountersLayout.putKey(buffer, key));
    }

    /** Tools may look at it from now on. */
    public void publish()
    {
        SegmentHeader.complete(memory, CountersLayout.MAGIC);
        if (file != null)
        {
            file.publish();
        }
    }

    /** {@return where errors go, once per cause} */
    public DistinctErrorLog errorLog()
    {
        return errorLog;
    }

    CountersReader reader()
    {
        return manager;
    }

    /** Removes the file. Nothing may count any more. */
    @Override
    public void close()
    {
        if (file != null)
        {
            file.closeAndDelete();
        }
    }
}
