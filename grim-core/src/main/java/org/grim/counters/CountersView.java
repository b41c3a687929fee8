// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.errors.ErrorLogReader;
import org.agrona.concurrent.status.CountersReader;
import org.grim.buffer.MappedFile;

/**
 * A node's counters seen from outside, read-only; works on the files of dead processes too.
 * <p>Thread: one at a time.
 */
public final class CountersView implements AutoCloseable
{
    private final MappedFile file;
    private final CountersReader reader;
    private final AtomicBuffer errorLog;

    /**
     * One counter.
     *
     * @param kind  what is counted.
     * @param key   channel, or reason, or 0, by the kind's scope.
     * @param label in words.
     * @param value now.
     */
    public record Reading(CounterKind kind, int key, String label, long value)
    {
    }

    /**
     * One distinct error.
     *
     * @param observationCount how often it was seen.
     * @param firstMs          first time, ms since the epoch.
     * @param lastMs           last time, ms since the epoch.
     * @param text             with stack trace.
     */
    public record DistinctError(int observationCount, long firstMs, long lastMs, String text)
    {
    }

    /**
     * Maps a counters file.
     *
     * @param path of the file.
     * @throws org.grim.GrimException if it is missing or not a counters file of this version.
     */
    public CountersView(final Path path)
    {
        file = MappedFile.open(path, CountersLayout.MAGIC, CountersLayout.LENGTH_MIN, false);
        final CountersLayout layout = CountersLayout.ofFile(file.buffer());
        reader = new CountersReader(layout.metaData(file.buffer()), layout.values(file.buffer()));
        errorLog = layout.errorLog(file.buffer());
    }

    /**
     * All counters, as they are now.
     *
     * @return in the order of their ids.
     */
    public List<Reading> readings()
    {
        final List<Reading> readings = new ArrayList<>();
        reader.forEach((counterId, typeId, key, label) ->
        {
            final CounterKind kind = CounterKind.ofTypeId(typeId);
            if (kind != null)
            {
                readings.add(new Reading(kind, CountersLayout.key(key), label, reader.getCounterValue(counterId)));
            }
        });
        return readings;
    }

    /**
     * All distinct errors.
     *
     * @return in the order in which they were first seen.
     */
    public List<DistinctError> errors()
    {
        final List<DistinctError> errors = new ArrayList<>();
        ErrorLogReader.read(errorLog, (observationCount, firstMs, lastMs, text) ->
            errors.add(new DistinctError(observationCount, firstMs, lastMs, text)));
        return errors;
    }

    @Override
    public void close()
    {
        file.close();
    }
}
