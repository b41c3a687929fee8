// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.DirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.PhysicalAddress;
import org.grim.board.QueueFormat;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * One channel's queue as injectors see it: where the next payload goes, memory that the board can pull from, and how to
 * wait for the board.
 * <p>Thread: the channel's sender. Owns: the bounce memory, and the pull slots of the channel. Never allocates after
 * construction.
 * <p>Bounds: 2 pulls under way. After a deadline they may still be: see {@link #isSettled()}.
 */
public final class InjectionTarget
{
    /** Least bounce memory, if any. */
    public static final int BOUNCE_LENGTH_MIN = 2048;

    private static final int WORD_MASK = QueueFormat.ALIGNMENT - 1;

    private final AtomicBuffer sram;
    private final AtomicBuffer region;
    private final PullQueue pulls;
    private final BoardWait wait;
    private final int channel;
    private final int context;
    private final int bounceIndex;
    private final int bounceLength;
    private int index;
    private int position;
    private boolean isWaiting;

    /**
     * Looks at a channel's queue.
     *
     * @param sram         the board's memory.
     * @param geometry     of the board.
     * @param channel      NI channel, 0 to one less than the geometry's count.
     * @param context      that owns the channel.
     * @param region       DMA region of the context.
     * @param bounceIndex  first byte of this channel's bounce memory in the region, a multiple of 64.
     * @param bounceLength bytes of it, a multiple of 128 from {@value #BOUNCE_LENGTH_MIN}; or 0 for no copying DMA.
     * @param wait         for the board.
     * @throws IllegalArgumentException if the bounce memory does not lie in the region.
     */
    public InjectionTarget(
        final AtomicBuffer sram, final BoardGeometry geometry, final int channel, final int context,
        final AtomicBuffer region, final int bounceIndex, final int bounceLength, final BoardWait wait)
    {
        if (bounceIndex % CACHE_LINE_LENGTH != 0 || bounceIndex < 0 || bounceLength < 0 ||
            bounceIndex + (long)bounceLength > region.capacity())
        {
            throw new IllegalArgumentException("bounce memory at index=" + bounceIndex + " of length=" + bounceLength +
                " does not lie on a line in the region's " + region.capacity() + " bytes");
        }
        if (bounceLength % (CACHE_LINE_LENGTH * 2) != 0 || (bounceLength != 0 && bounceLength < BOUNCE_LENGTH_MIN))
        {
            throw new IllegalArgumentException("bounce length=" + bounceLength + " is neither 0 nor a multiple of " +
                CACHE_LINE_LENGTH * 2 + " from " + BOUNCE_LENGTH_MIN);
        }
        this.sram = sram;
        this.region = region;
        this.wait = wait;
        this.channel = channel;
        this.context = context;
        this.bounceIndex = bounceIndex;
        this.bounceLength = bounceLength;
        pulls = new PullQueue(sram, geometry, channel);
    }

    /**
     * Says where the next payload goes: into room that was claimed.
     *
     * @param newIndex    of the payload's first byte in the board's memory, a multiple of 4.
     * @param newPosition of the same byte in the channel's queue, free-running.
     * @return this.
     */
    public InjectionTarget at(final int newIndex, final int newPosition)
    {
        index = newIndex;
        position = newPosition;
        return this;
    }

    /**
     * Whether the board will write nothing more into the queue on behalf of earlier injections. Ask before each claim:
     * until it is true, no room of the channel may be claimed and no bounce memory reused.
     *
     * @return false after an injection was {@link InjectionResult#PENDING}, until the board has caught up; for ever if
     *     the board counts what cannot be.
     */
    public boolean isSettled()
    {
        return pulls.inFlight() == 0;
    }

    AtomicBuffer sram()
    {
        return sram;
    }

    int index()
    {
        return index;
    }

    int position()
    {
        return position;
    }

    /** Bytes of the whole bounce memory. */
    int bounceLength()
    {
        return bounceLength;
    }

    /** Whether the board can pull these bytes from where they lie. */
    boolean isRegistered(final DirectBuffer source, final int offset, final int length)
    {
        final long regionOffset = source.addressOffset() + offset - region.addressOffset();
        return source.byteArray() == null && region.byteArray() == null && regionOffset >= 0 &&
            regionOffset <= (long)region.capacity() - length && (regionOffset & WORD_MASK) == 0;
    }

    /** Begins an injection by pulls. */
    void beginPulls()
    {
        if (!isSettled())
        {
            throw new IllegalStateException("channel=" + channel + " has pulls under way: it is not settled");
        }
        isWaiting = false;
    }

    /** Asks the board to pull whole words from bounce memory that was filled. */
    void pullBounce(final int offset, final int payloadOffset, final int length)
    {
        pulls.ask(PhysicalAddress.of(context, bounceIndex + (long)offset), position + payloadOffset, length);
    }

    /** Asks the board to pull whole words from a source that {@link #isRegistered}. */
    void pullRegistered(final DirectBuffer source, final int offset, final int length)
    {
        final long regionOffset = source.addressOffset() + offset - region.addressOffset();
        pulls.ask(PhysicalAddress.of(context, regionOffset), position, length);
    }

    void fillBounce(final int bounceOffset, final DirectBuffer source, final int offset, final int length)
    {
        region.putBytes(bounceIndex + bounceOffset, source, offset, length);
    }

    /** Waits until at most so many pulls are under way. One deadline for all waits of an injection. */
    InjectionResult awaitPulls(final int inFlightMax)
    {
        while (pulls.inFlight() > inFlightMax)
        {
            if (pulls.isBroken())
            {
                return InjectionResult.REFUSED;
            }
            if (!isWaiting)
            {
                isWaiting = true;
                wait.begin();
            }
            if (!wait.idle() && pulls.inFlight() > inFlightMax)
            {
                return InjectionResult.PENDING;
            }
        }
        return pulls.isRefused() ? InjectionResult.REFUSED : InjectionResult.COMPLETE;
    }

    /** The board pulls whole words only: stores what remains of the payload, if anything. Gives the words' length. */
    int storeTail(final DirectBuffer source, final int offset, final int length)
    {
        final int wordsLength = length & ~WORD_MASK;
        for (int i = wordsLength; i < length; i++)
        {
            sram.putByte(index + i, source.getByte(offset + i));
        }
        return wordsLength;
    }
}
