// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;

import org.HdrHistogram.Histogram;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.bench.process.BoundedSpin;
import org.grim.buffer.Buffers;
import org.grim.buffer.MappedFile;
import org.grim.buffer.SegmentHeader;

/**
 * The least that two processes can do to pass a message: one cache line each way, written with a release store and
 * watched with volatile loads. No queue, no header, no payload: what GRIM's time is divided by.
 * <pre>
 *  +----------------+ 0
 *  | segment header |
 *  +----------------+ PING_OFFSET     u64, initiator writes, responder reads
 *  | ping           |
 *  +----------------+ PONG_OFFSET     u64, responder writes, initiator reads
 *  | pong           |
 *  +----------------+
 * </pre>
 * Words stand two lines apart, so that no processor fetches both at once.
 * <p>Thread: one per side. Owns: the mapping; the creator also the file. Allocates nothing while it measures.
 */
public final class RawPass implements AutoCloseable
{
    private static final long MAGIC = SegmentHeader.magic("GRIMRAWP");
    private static final int PING_OFFSET = Buffers.CACHE_LINE_LENGTH * 2;
    private static final int PONG_OFFSET = PING_OFFSET + Buffers.CACHE_LINE_LENGTH * 2;
    private static final int LENGTH = PONG_OFFSET + Buffers.CACHE_LINE_LENGTH * 2;
    private static final long STOP = -1;

    private final MappedFile file;
    private final AtomicBuffer buffer;
    private long sequence;

    private RawPass(final MappedFile file)
    {
        this.file = file;
        buffer = file.buffer();
    }

    /**
     * Makes the file.
     *
     * @param path of the file.
     * @return the initiator's side.
     */
    public static RawPass create(final Path path)
    {
        final MappedFile file = MappedFile.create(path, LENGTH);
        SegmentHeader.complete(file.buffer(), MAGIC);
        file.publish();
        return new RawPass(file);
    }

    /**
     * Opens the file that the initiator made.
     *
     * @param path of the file.
     * @return the responder's side.
     */
    public static RawPass open(final Path path)
    {
        return new RawPass(MappedFile.open(path, MAGIC, LENGTH, true));
    }

    /** Removes the file. Both sides go on with the memory. */
    public void deleteFile()
    {
        MappedFile.delete(file.path());
    }

    /**
     * Passes a line there and back, over and over. The other side must be in, or on its way to, {@link #respond}.
     *
     * @param durationNs how long.
     * @param roundTrips gets the time of each round trip.
     * @param spin       for the waits.
     */
    public void measure(final long durationNs, final Histogram roundTrips, final BoundedSpin spin)
    {
        pass(spin);                                     // The other side may still be on its way.
        final long endNs = System.nanoTime() + durationNs;
        long arrivalNs;
        do
        {
            final long startNs = System.nanoTime();
            pass(spin);
            arrivalNs = System.nanoTime();
            roundTrips.recordValue(Math.min(arrivalNs - startNs, roundTrips.getHighestTrackableValue()));
        }
        while (arrivalNs - endNs < 0);
        buffer.putLongRelease(PING_OFFSET, STOP);       // partner: the volatile load in respond()
        await(PONG_OFFSET, STOP, spin);
    }

    /**
     * Answers until the initiator says that it is enough.
     *
     * @param spin for the waits.
     */
    public void respond(final BoundedSpin spin)
    {
        long last = buffer.getLongVolatile(PONG_OFFSET);
        while (true)
        {
            final long next = buffer.getLongVolatile(PING_OFFSET);
            if (next != last)
            {
                buffer.putLongRelease(PONG_OFFSET, next);       // partner: the volatile load in await()
                if (next == STOP)
                {
                    return;
                }
                last = next;
                spin.reset();
            }
            else
            {
                spin.spin();
            }
        }
    }

    @Override
    public void close()
    {
        file.close();
    }

    private void pass(final BoundedSpin spin)
    {
        sequence++;
        buffer.putLongRelease(PING_OFFSET, sequence);   // partner: the volatile load in respond()
        await(PONG_OFFSET, sequence, spin);
    }

    private void await(final int offset, final long value, final BoundedSpin spin)
    {
        while (buffer.getLongVolatile(offset) != value)
        {
            spin.spin();
        }
        spin.reset();
    }
}
