// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import java.nio.file.Path;
import java.util.function.UnaryOperator;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;

import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * File by which a board informs all boards that send to it. Native byte order.
 * <pre>
 *  +----------------+ 0
 *  | segment header |   owner writes, all read
 *  | calls          |   senders add, owner reads
 *  | asleep         |   owner sets, senders read and clear by CAS
 *  | callers        |   a bit for each NI number: senders set by CAS, owner takes
 *  +----------------+ LENGTH
 * </pre>
 * A sender that has published a ring sets its bit, then adds to the calls: so an owner that has seen the calls finds
 * the bit, and one that has taken the bits before sees the calls change.
 * <p>Thread: the steppers of the owner and of its peers. Owns: the mapping.
 */
final class WireFile implements AutoCloseable
{
    static final long MAGIC = SegmentHeader.magic("GRIMWIRE");
    static final int NI_COUNT = 4_096;

    static final int CALLS_OFFSET = SegmentHeader.LENGTH;                           // u32, senders add, owner reads
    static final int ASLEEP_OFFSET = CALLS_OFFSET + CACHE_LINE_LENGTH;              // u32: 0, or doorbell + 1
    static final int CALLERS_OFFSET = ASLEEP_OFFSET + CACHE_LINE_LENGTH;            // 64 x u64
    static final int CALLER_WORD_COUNT = NI_COUNT / Long.SIZE;
    static final int LENGTH = CALLERS_OFFSET + CALLER_WORD_COUNT * SIZE_OF_LONG;

    private final MappedFile file;
    private final AtomicBuffer buffer;

    private WireFile(final MappedFile file, final AtomicBuffer buffer)
    {
        this.file = file;
        this.buffer = buffer;
    }

    /** Makes the file of a board and publishes it. */
    static WireFile create(final Path path, final UnaryOperator<AtomicBuffer> access)
    {
        final MappedFile file = MappedFile.create(path, LENGTH);
        SegmentHeader.complete(access.apply(file.buffer()), MAGIC);
        file.publish();
        return new WireFile(file, access.apply(file.buffer()));
    }

    /** Maps the file of a peer. */
    static WireFile open(final Path path, final UnaryOperator<AtomicBuffer> access)
    {
        final MappedFile file = MappedFile.open(path, MAGIC, LENGTH, true);
        return new WireFile(file, access.apply(file.buffer()));
    }

    @Override
    public void close()
    {
        file.close();
    }

    /** The owner leaves. */
    void closeAndDelete()
    {
        file.closeAndDelete();
    }

    /** A sender says that it has published a ring. */
    void call(final int ni)
    {
        final int index = CALLERS_OFFSET + ni / Long.SIZE * SIZE_OF_LONG;
        final long bit = 1L << ni;
        long callers = buffer.getLongVolatile(index);
        // Partner: takeCallers(). Others' bits must stay.
        while ((callers & bit) == 0 && !buffer.compareAndSetLong(index, callers, callers | bit))
        {
            callers = buffer.getLongVolatile(index);
        }
        buffer.getAndAddInt(CALLS_OFFSET, 1);       // Partner: calls(). After the bit, so that who sees it finds it.
    }

    int calls()
    {
        return buffer.getIntVolatile(CALLS_OFFSET);
    }

    /** Takes the callers of one word, of which the lowest bit is the NI {@code word * 64}. */
    long takeCallers(final int word)
    {
        final int index = CALLERS_OFFSET + word * SIZE_OF_LONG;
        return buffer.getLongVolatile(index) == 0 ? 0 : buffer.getAndSetLong(index, 0);     // Partner: call().
    }

    long callsAddress()
    {
        return buffer.addressOffset() + CALLS_OFFSET;
    }

    long asleepAddress()
    {
        return buffer.addressOffset() + ASLEEP_OFFSET;
    }

    /** The owner sleeps or wakes. Volatile, and the owner looks at its words afterwards: decision 08. */
    void asleep(final int bellWord)
    {
        buffer.putIntVolatile(ASLEEP_OFFSET, bellWord);
    }

    /** One of the senders that find the owner asleep takes its bell. Returns doorbell + 1, or 0 for who came late. */
    int takeBell()
    {
        final int bellWord = buffer.getIntVolatile(ASLEEP_OFFSET);
        return bellWord > 0 && buffer.compareAndSetInt(ASLEEP_OFFSET, bellWord, 0) ? bellWord : 0;
    }
}
