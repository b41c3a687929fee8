// SPDX-License-Identifier: Apache-2.0
package org.grim.board;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.wire.BigEndian;

import static org.agrona.BitUtil.SIZE_OF_INT;
import static org.agrona.BitUtil.SIZE_OF_LONG;
import static org.grim.board.BoardDescriptor.DOORBELL_OFFSET;
import static org.grim.board.BoardDescriptor.DOORBELL_SUMMARY_OFFSET;
import static org.grim.board.BoardDescriptor.DOORBELL_WORDS_OFFSET;
import static org.grim.board.BoardDescriptor.DOORBELL_WORD_COUNT;

/**
 * Notifies the firmware of channels with new messages: a ready bit per channel, and a summary with a bit per word of
 * ready bits, so that an idle board is found idle by one load.
 * <p>No wake-up is lost. A host stores its back (release), then changes its ready word, then the summary, each by an
 * atomic read-modify-write. The firmware takes the summary, then the words it names, each by a read-modify-write, and
 * only then reads a back. Read-modify-writes of one word stand in one order: either the firmware's take comes after
 * the host's ring and sees what was stored before it, or the bit stays for the next take. A bit may be taken before
 * its summary bit is set: then the next take finds nothing, which does no harm.
 * <p>Thread: {@link #ring} any host thread; {@link #take} the firmware's only.
 */
public final class Doorbell
{
    /** Words of ready bits. */
    public static final int WORD_COUNT = DOORBELL_WORD_COUNT;

    private static final int WORDS_INDEX = DOORBELL_OFFSET + DOORBELL_WORDS_OFFSET;
    private static final int SUMMARY_INDEX = DOORBELL_OFFSET + DOORBELL_SUMMARY_OFFSET;
    private static final int WORD_SHIFT = 6;

    private final AtomicBuffer sram;
    private final int channelCount;
    private final long[] existing = new long[WORD_COUNT];

    /** Looks at a board's doorbell. */
    public Doorbell(final AtomicBuffer sram, final BoardGeometry geometry)
    {
        this.sram = sram;
        channelCount = geometry.channelCount();
        for (int channel = 0; channel < channelCount; channel++)
        {
            existing[channel >> WORD_SHIFT] |= 1L << channel;
        }
    }

    /**
     * Says that a channel has something new. Earlier stores of the caller are visible to the firmware that takes it.
     */
    public void ring(final int channel)
    {
        if (channel < 0 || channel >= channelCount)
        {
            throw new IllegalArgumentException("channel=" + channel + " is outside 0 to " + (channelCount - 1));
        }
        final int word = channel >> WORD_SHIFT;
        setBit(WORDS_INDEX + word * SIZE_OF_LONG, 1L << channel);
        setBit(SUMMARY_INDEX, 1L << word);
    }

    /** {@return whether anything was rung since the last take; true if {@link #take} is worth its while} */
    public boolean isRung()
    {
        return sram.getLongAcquire(SUMMARY_INDEX) != 0;          // partner: the swap in setBit()
    }

    /**
     * Where a 32-bit word stands that is 0 while nothing is rung: the lower half of the summary, which has all its
     * bits. Returns the index in SRAM.
     */
    public static int wordIndex()
    {
        return SUMMARY_INDEX + SIZE_OF_INT;         // SRAM is big endian on any machine.
    }

    /**
     * Takes all ready bits, each of them once.
     *
     * @param ready {@value #WORD_COUNT} words that the bits are added to: channel 0 is the lowest bit of the first.
     * @return how many bits were taken.
     */
    public int take(final long[] ready)
    {
        if (!isRung())
        {
            return 0;
        }
        // Full fence, as are those below; partner: the swaps in setBit(). Backs are read after all of them.
        final long summary = BigEndian.order(sram.getAndSetLong(SUMMARY_INDEX, 0));
        int count = 0;
        for (int word = 0; word < WORD_COUNT; word++)
        {
            if ((summary & 1L << word) != 0)
            {
                final long rung = BigEndian.order(sram.getAndSetLong(WORDS_INDEX + word * SIZE_OF_LONG, 0));
                final long bits = rung & existing[word];         // Any host can write here: only channels that exist.
                ready[word] |= bits;
                count += Long.bitCount(bits);
            }
        }
        return count;
    }

    /** Swaps even if the bit stands already: a load alone could see it before this thread's back became visible. */
    private void setBit(final int index, final long bit)
    {
        final long mask = BigEndian.order(bit);
        long seen = sram.getLongVolatile(index);
        while (!sram.compareAndSetLong(index, seen, seen | mask))
        {
            seen = sram.getLongVolatile(index);
        }
    }
}
