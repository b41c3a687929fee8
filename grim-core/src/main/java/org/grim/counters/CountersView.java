// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.errors.DistinctErrorLog;
import org.agrona.concurrent.status.CountersReader;
import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.text.SafeText;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Counters of a node, or of another module's part, seen from outside, read-only; works on the files of dead processes
 * too.
 * <p>Thread: one at a time.
 */
public final class CountersView implements AutoCloseable
{
    private final MappedFile file;
    private final CountersReader reader;
    private final AtomicBuffer errorLog;
    private final CounterType[] kinds;

    /**
     * One counter.
     *
     * @param kind  what is counted.
     * @param key   channel, or reason, or 0, by the kind's scope.
     * @param label in words.
     * @param value now.
     */
    public record Reading(CounterType kind, int key, String label, long value)
    {
    }

    /**
     * One distinct error.
     *
     * @param observationCount how often it was seen.
     * @param firstMs          first time, ms since the epoch.
     * @param lastMs           last time, ms since the epoch.
     * @param text             with stack trace; of what cannot be printed it has line feeds and tabs only.
     */
    public record DistinctError(int observationCount, long firstMs, long lastMs, String text)
    {
    }

    /**
     * Maps a node's counters file.
     *
     * @param path of the file.
     * @throws GrimException if it is missing or not a counters file of this version.
     */
    public CountersView(final Path path)
    {
        this(path, CounterKind.values());
    }

    /**
     * Maps a counters file.
     *
     * @param path  of the file.
     * @param kinds of counters that it may have.
     * @throws GrimException if it is missing or not a counters file of this version.
     */
    public CountersView(final Path path, final CounterType... kinds)
    {
        this.kinds = kinds.clone();
        file = MappedFile.open(path, CountersLayout.MAGIC, CountersLayout.LENGTH_MIN, false);
        try
        {
            final CountersLayout layout = CountersLayout.ofFile(file.buffer());
            reader = new CountersReader(layout.metaData(file.buffer()), layout.values(file.buffer()));
            errorLog = layout.errorLog(file.buffer());
        }
        catch (final GrimException ex)
        {
            file.close();
            throw ex;
        }
    }

    /**
     * Returns all counters, as they are now. The file may hold anything: a kind that does not exist is left out, a
     * label is cut to its longest.
     *
     * @return in the order of their ids.
     */
    public List<Reading> readings()
    {
        final List<Reading> readings = new ArrayList<>();
        for (int counterId = 0; counterId <= reader.maxCounterId(); counterId++)
        {
            final int state = reader.getCounterState(counterId);
            if (state == CountersReader.RECORD_UNUSED)
            {
                break;
            }
            final CounterType kind = kindOf(reader.getCounterTypeId(counterId));
            if (state == CountersReader.RECORD_ALLOCATED && kind != null)
            {
                readings.add(new Reading(kind, CountersLayout.key(reader.metaDataBuffer(), counterId),
                    label(counterId), reader.getCounterValue(counterId)));
            }
        }
        return readings;
    }

    /**
     * All distinct errors.
     *
     * @return in the order in which they were first seen.
     * @throws GrimException if the log is corrupt.
     */
    public List<DistinctError> errors()
    {
        final List<DistinctError> errors = new ArrayList<>();
        final int capacity = errorLog.capacity();
        int offset = 0;
        while (offset <= capacity - DistinctErrorLog.ENCODED_ERROR_OFFSET)
        {
            // Partner: the release store of the length in Agrona's DistinctErrorLog.
            final int length = errorLog.getIntVolatile(offset + DistinctErrorLog.LENGTH_OFFSET);
            if (length == 0)
            {
                break;
            }
            if (length < DistinctErrorLog.ENCODED_ERROR_OFFSET || length > capacity - offset)
            {
                throw new GrimException(BAD_DATA,
                    "counters file is corrupt: error at offset=" + offset + " has length=" +
                    length);
            }
            errors.add(error(offset, length));
            offset += BitUtil.align(length, DistinctErrorLog.RECORD_ALIGNMENT);
        }
        return errors;
    }

    @Override
    public void close()
    {
        file.close();
    }

    private CounterType kindOf(final int typeId)
    {
        for (final CounterType kind : kinds)
        {
            if (kind.typeId() == typeId)
            {
                return kind;
            }
        }
        return null;
    }

    private String label(final int counterId)
    {
        final int offset = CountersReader.metaDataOffset(counterId) + CountersReader.LABEL_OFFSET;
        final int length = reader.metaDataBuffer().getInt(offset);
        return SafeText.escape(reader.metaDataBuffer().getStringWithoutLengthAscii(
            offset + BitUtil.SIZE_OF_INT, Math.max(0, Math.min(length, CountersReader.MAX_LABEL_LENGTH))));
    }

    private DistinctError error(final int offset, final int length)
    {
        return new DistinctError(errorLog.getInt(offset + DistinctErrorLog.OBSERVATION_COUNT_OFFSET),
            errorLog.getLong(offset + DistinctErrorLog.FIRST_OBSERVATION_TIMESTAMP_OFFSET),
            errorLog.getLongVolatile(offset + DistinctErrorLog.LAST_OBSERVATION_TIMESTAMP_OFFSET),
            SafeText.escapeLines(errorLog.getStringWithoutLengthUtf8(offset + DistinctErrorLog.ENCODED_ERROR_OFFSET,
                length - DistinctErrorLog.ENCODED_ERROR_OFFSET)));
    }
}
