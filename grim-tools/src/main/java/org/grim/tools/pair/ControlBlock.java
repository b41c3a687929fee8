// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.nio.file.Path;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.tools.process.BoundedSpin;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;

/**
 * Memory by which the first process announces the next step to the second, beside the peers and the same for all.
 * Native byte order; each part on lines of its own.
 * <pre>
 *  +-----------------------------------+ 0
 *  | segment header                    |
 *  +-----------------------------------+ COMMAND_OFFSET   first writes, second reads
 *  | sequence u64 | peer benchmark     |
 *  | size flags u32                    |
 *  +-----------------------------------+ ENTERED_OFFSET   second writes, first reads
 *  | sequence u64                      |
 *  +-----------------------------------+ END_OFFSET       first writes, second reads
 *  | sequence u64 | sent u64           |
 *  +-----------------------------------+ DONE_OFFSET      second writes, first reads
 *  | sequence u64 | received u64 | sum |
 *  +-----------------------------------+
 * </pre>
 * <p>Thread: one per side. Owns: the mapping.
 */
@SuppressWarnings("EnumOrdinal")         // Both processes run the same classes.
public final class ControlBlock implements AutoCloseable
{
    private static final long MAGIC = SegmentHeader.magic("GRIMCTRL");
    private static final int PART_LENGTH = Buffers.CACHE_LINE_LENGTH * 2;
    private static final int COMMAND_OFFSET = PART_LENGTH;
    private static final int COMMAND_PEER_OFFSET = COMMAND_OFFSET + SIZE_OF_LONG;
    private static final int COMMAND_BENCHMARK_OFFSET = COMMAND_PEER_OFFSET + SIZE_OF_INT;
    private static final int COMMAND_SIZE_OFFSET = COMMAND_BENCHMARK_OFFSET + SIZE_OF_INT;
    private static final int COMMAND_READ_OFFSET = COMMAND_SIZE_OFFSET + SIZE_OF_INT;
    private static final int ENTERED_OFFSET = COMMAND_OFFSET + PART_LENGTH;
    private static final int END_OFFSET = ENTERED_OFFSET + PART_LENGTH;
    private static final int END_COUNT_OFFSET = END_OFFSET + SIZE_OF_LONG;
    private static final int DONE_OFFSET = END_OFFSET + PART_LENGTH;
    private static final int DONE_COUNT_OFFSET = DONE_OFFSET + SIZE_OF_LONG;
    private static final int DONE_SUM_OFFSET = DONE_COUNT_OFFSET + SIZE_OF_LONG;
    private static final int LENGTH = DONE_OFFSET + PART_LENGTH;

    private static final int READ = 1;
    private static final int VERIFIED = 2;

    private final MappedFile file;
    private final AtomicBuffer buffer;
    private long sequence;

    private ControlBlock(final MappedFile file)
    {
        this.file = file;
        buffer = file.buffer();
    }

    /** Makes the file. */
    public static ControlBlock create(final Path path)
    {
        final MappedFile file = MappedFile.create(path, LENGTH);
        SegmentHeader.complete(file.buffer(), MAGIC);
        file.publish();
        return new ControlBlock(file);
    }

    /** Opens the file that the first side made. */
    public static ControlBlock open(final Path path)
    {
        return new ControlBlock(MappedFile.open(path, MAGIC, LENGTH, true));
    }

    /** First: calls the second process to a cell, and waits until it is there. */
    public void begin(final PeerKind kind, final Cell cell, final BoundedSpin spin)
    {
        sequence++;
        buffer.putInt(COMMAND_PEER_OFFSET, kind.ordinal());
        buffer.putInt(COMMAND_BENCHMARK_OFFSET, cell.benchmark().ordinal());
        buffer.putInt(COMMAND_SIZE_OFFSET, cell.size());
        buffer.putInt(COMMAND_READ_OFFSET, (cell.isRead() ? READ : 0) | (cell.isVerified() ? VERIFIED : 0));
        buffer.putLongRelease(COMMAND_OFFSET, sequence);        // partner: the volatile load in hasNext()
        while (buffer.getLongVolatile(ENTERED_OFFSET) != sequence)
        {
            spin.spin();
        }
        spin.reset();
    }

    /** First: says how many messages there were, for the second to wait for them. */
    public void end(final long sentCount)
    {
        buffer.putLong(END_COUNT_OFFSET, sentCount);
        buffer.putLongRelease(END_OFFSET, sequence);            // partner: the volatile load in isEnded()
    }

    /** First: looks whether the second process has received all. */
    public boolean isDone()
    {
        return buffer.getLongVolatile(DONE_OFFSET) == sequence;
    }

    /** First: messages that came. */
    public long receivedCount()
    {
        return buffer.getLong(DONE_COUNT_OFFSET);
    }

    /** First: sum of all words that were read there. Returns the sum; 0 if they were ignored. */
    public long sum()
    {
        return buffer.getLong(DONE_SUM_OFFSET);
    }

    /** Second: looks for the next cell. Returns true if there is one. */
    public boolean hasNext()
    {
        return buffer.getLongVolatile(COMMAND_OFFSET) != sequence;
    }

    /** Second: whom it is about. */
    PeerKind peer()
    {
        return PeerKind.values()[buffer.getInt(COMMAND_PEER_OFFSET)];
    }

    /** Second: what it is about. */
    public Cell cell()
    {
        final int flags = buffer.getInt(COMMAND_READ_OFFSET);
        return new Cell(Benchmark.values()[buffer.getInt(COMMAND_BENCHMARK_OFFSET)],
            buffer.getInt(COMMAND_SIZE_OFFSET), (flags & READ) != 0, (flags & VERIFIED) != 0);
    }

    /** Second: says that it listens. */
    public void entered()
    {
        sequence = buffer.getLong(COMMAND_OFFSET);
        buffer.putLongRelease(ENTERED_OFFSET, sequence);        // partner: the volatile load in begin()
    }

    /**
     * Second: looks whether as many messages have come as were sent.
     *
     * @param receivedCount so far.
     * @return true if no more will come.
     */
    public boolean isEnded(final long receivedCount)
    {
        return buffer.getLongVolatile(END_OFFSET) == sequence && receivedCount >= buffer.getLong(END_COUNT_OFFSET);
    }

    /** Second: says what came. */
    public void done(final long receivedCount, final long sum)
    {
        buffer.putLong(DONE_COUNT_OFFSET, receivedCount);
        buffer.putLong(DONE_SUM_OFFSET, sum);
        buffer.putLongRelease(DONE_OFFSET, sequence);           // partner: the volatile load in isDone()
    }

    @Override
    public void close()
    {
        file.close();
    }
}
