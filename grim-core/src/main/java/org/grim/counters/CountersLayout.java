// SPDX-License-Identifier: Apache-2.0
package org.grim.counters;

import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.status.CountersReader;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.buffer.SegmentHeader;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * Where everything lies in a counters file. Native byte order. Its owner writes, tools read.
 * <pre>
 *  +----------------+ 0
 *  | segment header |
 *  | counter count  |
 *  +----------------+ COUNTERS_OFFSET
 *  | values         |  Agrona's counters format
 *  | labels         |
 *  +----------------+
 *  | error log      |  Agrona's distinct error log
 *  +----------------+
 * </pre>
 */
final class CountersLayout
{
    static final long MAGIC = SegmentHeader.magic("GRIMCNTR");
    static final int COUNT_OFFSET = SegmentHeader.LENGTH;                                    // u32
    static final int COUNTERS_OFFSET = COUNT_OFFSET + Buffers.CACHE_LINE_LENGTH;
    static final int ERROR_LOG_LENGTH = 16 * 1024;
    static final int LENGTH_MIN = COUNTERS_OFFSET + ERROR_LOG_LENGTH;

    private final int counterCount;

    CountersLayout(final int counterCount)
    {
        this.counterCount = counterCount;
    }

    static CountersLayout ofFile(final AtomicBuffer file)
    {
        final int count = file.getInt(COUNT_OFFSET);
        final int countMax = (file.capacity() - LENGTH_MIN) / (CountersReader.COUNTER_LENGTH +
            CountersReader.METADATA_LENGTH);
        if (count < 0 || count > countMax)
        {
            throw new GrimException(BAD_DATA,
                "counters file is corrupt: counters=" + count + " exceeds max=" + countMax);
        }
        return new CountersLayout(count);
    }

    int length()
    {
        return errorLogOffset() + ERROR_LOG_LENGTH;
    }

    void putCount(final AtomicBuffer file)
    {
        file.putInt(COUNT_OFFSET, counterCount);
    }

    AtomicBuffer values(final AtomicBuffer file)
    {
        return Buffers.wrap(file, COUNTERS_OFFSET, counterCount * CountersReader.COUNTER_LENGTH);
    }

    AtomicBuffer metaData(final AtomicBuffer file)
    {
        return Buffers.wrap(file, COUNTERS_OFFSET + counterCount * CountersReader.COUNTER_LENGTH,
            counterCount * CountersReader.METADATA_LENGTH);
    }

    AtomicBuffer errorLog(final AtomicBuffer file)
    {
        return Buffers.wrap(file, errorLogOffset(), ERROR_LOG_LENGTH);
    }

    static void putKey(final MutableDirectBuffer key, final int index)
    {
        key.putInt(0, index);
    }

    static int key(final DirectBuffer metaData, final int counterId)
    {
        return metaData.getInt(CountersReader.metaDataOffset(counterId) + CountersReader.KEY_OFFSET);
    }

    private int errorLogOffset()
    {
        return COUNTERS_OFFSET + counterCount * (CountersReader.COUNTER_LENGTH + CountersReader.METADATA_LENGTH);
    }
}
