// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;
import org.grim.buffer.Uninterrupted;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * By which the command gives turns to the members of all sides. Native byte order; {@code collectives.c} knows it too.
 * <pre>
 *  +---------------------------------------+ 0
 *  | segment header                        |
 *  +---------------------------------------+ TURN_OFFSET      command writes, members read
 *  | sequence u64 | side u32 | what u32    |
 *  | count u32     | length u32            |
 *  +---------------------------------------+ TIME_OFFSET      member 0 of the side writes, command reads
 *  | nanoseconds u64                       |
 *  | burst u64                             |                  member 0 writes, members read
 *  +---------------------------------------+ DONE_OFFSET      member i of side s writes slot s * MEMBERS_MAX + i
 *  | sequence u64, each on lines of its own|
 *  +---------------------------------------+
 * </pre>
 * <p>Thread: one per process. Owns: the mapping.
 */
public final class TurnBlock implements AutoCloseable
{
    /** Most members of a side. */
    static final int MEMBERS_MAX = 16;

    /** Number of our side in a {@link GroupComparison}. */
    static final int GRIM = 0;

    /** Number of the other side there. */
    static final int OPEN_MPI = 1;

    private static final int SIDES_MAX = 8;
    private static final long TIMEOUT_NS = TimeUnit.SECONDS.toNanos(60);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    static final int PART_LENGTH = 128;
    static final int TURN_OFFSET = PART_LENGTH;
    static final int SIDE_OFFSET = TURN_OFFSET + SIZE_OF_LONG;
    static final int WHAT_OFFSET = SIDE_OFFSET + SIZE_OF_INT;
    static final int COUNT_OFFSET = WHAT_OFFSET + SIZE_OF_INT;
    static final int LENGTH_OFFSET = COUNT_OFFSET + SIZE_OF_INT;
    static final int TIME_OFFSET = TURN_OFFSET + PART_LENGTH;
    static final int BURST_OFFSET = TIME_OFFSET + SIZE_OF_LONG;
    static final int DONE_OFFSET = TIME_OFFSET + PART_LENGTH;
    static final int LENGTH = DONE_OFFSET + SIDES_MAX * MEMBERS_MAX * PART_LENGTH;

    private static final long MAGIC = SegmentHeader.magic("GRIMTURN");
    private static final int END = -1;

    private final MappedFile file;
    private final AtomicBuffer buffer;
    private final int sideCount;            // 0 at a member, which need not know.
    private long sequence;

    private TurnBlock(final MappedFile file, final int sideCount)
    {
        this.file = file;
        this.sideCount = sideCount;
        buffer = file.buffer();
    }

    /** Makes the file. */
    public static TurnBlock create(final Path path, final int sideCount)
    {
        final MappedFile file = MappedFile.create(path, LENGTH);
        SegmentHeader.complete(file.buffer(), MAGIC);
        file.publish();
        return new TurnBlock(file, sideCount);
    }

    /** Opens the file that the command made. */
    public static TurnBlock open(final Path path)
    {
        return new TurnBlock(MappedFile.open(path, MAGIC, LENGTH, true), 0);
    }

    /** Command: gives a turn to all members of a side. */
    public void begin(final int side, final int what, final int length, final int count)
    {
        buffer.putInt(SIDE_OFFSET, side);
        buffer.putInt(WHAT_OFFSET, what);
        buffer.putInt(LENGTH_OFFSET, length);
        buffer.putInt(COUNT_OFFSET, count);
        sequence++;
        buffer.putLongRelease(TURN_OFFSET, sequence);       // partner: the volatile load in hasNext(), that in C
    }

    /** Command: lets all members end. */
    public void end()
    {
        buffer.putInt(WHAT_OFFSET, END);
        sequence++;
        buffer.putLongRelease(TURN_OFFSET, sequence);       // partner: the volatile load in hasNext(), that in C
    }

    /**
     * Command: waits until the first members of all sides have done the turn, or seen that it is not theirs. Before,
     * no other turn may begin: a member would read parts of both. {@return nanoseconds of the turn}
     */
    public long await(final int memberCount, final Runnable requireAlive, final String turn)
    {
        final long startNs = System.nanoTime();
        while (!isDone(memberCount))
        {
            requireAlive.run();
            if (System.nanoTime() - startNs > TIMEOUT_NS)
            {
                throw new GrimException(TIMED_OUT, "turn is not over: " + turn + ": waited=" +
                    TimeUnit.NANOSECONDS.toSeconds(TIMEOUT_NS) + " s");
            }
            Uninterrupted.park(LOOK_NS);
        }
        return buffer.getLong(TIME_OFFSET);
    }

    /** Command: whether the turn is over. */
    boolean isDone(final int memberCount)
    {
        for (int i = 0; i < sideCount * memberCount; i++)
        {
            if (buffer.getLongVolatile(doneOffset(i / memberCount, i % memberCount)) != sequence)
            {
                return false;
            }
        }
        return true;
    }

    /** Member: goes on to the next turn, if there is one. */
    public boolean hasNext()
    {
        final long next = buffer.getLongVolatile(TURN_OFFSET);
        final boolean isNew = next != sequence;
        sequence = next;
        return isNew;
    }

    /** Member: whether there are no more turns. */
    public boolean isEnd()
    {
        return buffer.getInt(WHAT_OFFSET) == END;
    }

    /** Member: which side has the turn. */
    public int side()
    {
        return buffer.getInt(SIDE_OFFSET);
    }

    /** Member: what to do. */
    public int what()
    {
        return buffer.getInt(WHAT_OFFSET);
    }

    /** Member: with how many bytes. */
    public int length()
    {
        return buffer.getInt(LENGTH_OFFSET);
    }

    /** Member: how often. */
    public int count()
    {
        return buffer.getInt(COUNT_OFFSET);
    }

    /** Member: what the whole turn took, if it is the first one. */
    public void done(final int side, final int member, final long timeNs)
    {
        if (member == 0)
        {
            buffer.putLong(TIME_OFFSET, timeNs);
        }
        seen(side, member);
    }

    /** First member: has sent a burst of this turn, which begins with a message's number. */
    void burstIsOver(final int number)
    {
        buffer.putLongRelease(BURST_OFFSET, burst(number));             // partner: the volatile load below
    }

    /** Member: whether the first one has sent a burst of this turn, or a later one. */
    boolean isBurstOver(final int number)
    {
        return buffer.getLongVolatile(BURST_OFFSET) >= burst(number);
    }

    /** Member: has nothing to do in this turn, or nothing more. */
    public void seen(final int side, final int member)
    {
        buffer.putLongRelease(doneOffset(side, member), sequence);      // partner: the volatile load in isDone()
    }

    @Override
    public void close()
    {
        file.close();
    }

    private long burst(final int number)
    {
        return sequence << Integer.SIZE | number;
    }

    static int doneOffset(final int side, final int member)
    {
        return DONE_OFFSET + (side * MEMBERS_MAX + member) * PART_LENGTH;
    }
}
