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
 * The writer's end of a counters file, or of the same layout in private memory.
 * <p>Thread: {@link #allocate} one at a time; the error log any.
 * <p>Owns: the file.
 */
final class CountersFile implements AutoCloseable
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

    static CountersFile create(final Path path, final CountersLayout layout)
    {
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

    static CountersFile inPrivateMemory(final CountersLayout layout)
    {
        return new CountersFile(null, Buffers.allocate(layout.length()), layout);
    }

    AtomicCounter allocate(final CounterKind kind, final int key, final String label)
    {
        return manager.newCounter(label, kind.typeId(), buffer -> CountersLayout.putKey(buffer, key));
    }

    /** Tools may look at it from now on. */
    void publish()
    {
        SegmentHeader.complete(memory, CountersLayout.MAGIC);
        if (file != null)
        {
            file.publish();
        }
    }

    DistinctErrorLog errorLog()
    {
        return errorLog;
    }

    CountersReader reader()
    {
        return manager;
    }

    @Override
    public void close()
    {
        if (file != null)
        {
            file.closeAndDelete();
        }
    }
}
