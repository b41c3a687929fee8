// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;

/**
 * How many sequence numbers there are, and how many messages of one triple may be in flight, so that a receiver on a
 * wire that keeps order can tell a later message from a copy of an earlier one: {@code 2 x window - 1 <= 2^bits}.
 * Immutable.
 */
public final class SequenceSpace
{
    /** Width of the field in the header. */
    public static final int BITS_MAX = 8;
    /** Most messages of one triple in flight with {@value #BITS_MAX} bits. */
    public static final int WINDOW_MAX = (1 << (BITS_MAX - 1)) - 1;

    private final int mask;
    private final int window;
    private final boolean isWrapped;
    private final boolean isDenialKept;

    /**
     * Checks and keeps the limits.
     *
     * @param bits   of a sequence number, 1 to {@value #BITS_MAX}.
     * @param window most messages of one triple in flight, 1 or more.
     * @param guards that hold; without {@link Guard#WINDOW_LIMIT} any window passes.
     */
    public SequenceSpace(final int bits, final int window, final Guards guards)
    {
        if (bits < 1 || bits > BITS_MAX)
        {
            throw new IllegalArgumentException("sequence bits=" + bits + " is outside 1 to " + BITS_MAX);
        }
        final int windowMax = ((1 << bits) + 1) >>> 1;
        if (window < 1 || (window > windowMax && guards.has(Guard.WINDOW_LIMIT)))
        {
            throw new IllegalArgumentException("window=" + window + " is outside 1 to " + windowMax +
                ", which is what " + bits + " bits of sequence can tell apart");
        }
        mask = (1 << bits) - 1;
        this.window = window;
        isWrapped = guards.has(Guard.SEQUENCE_WRAP);
        isDenialKept = guards.has(Guard.REFUSAL_KEPT);
    }

    /**
     * Most messages of one triple in flight.
     *
     * @return 1 or more.
     */
    public int window()
    {
        return window;
    }

    /**
     * Sequence number of a message.
     *
     * @param ordinal number of the message in its triple, from 0, never wrapping.
     * @return what its header carries.
     */
    public int sequence(final long ordinal)
    {
        return (int)ordinal & mask;
    }

    /**
     * The widest window on a wire that may lose packets: there, copies of all messages since the base may come after a
     * refusal for good has left out a window of numbers, and all of them must be told apart
     * ({@code 3 x window - 1 <= 2^bits}).
     *
     * @param bits of a sequence number.
     * @return 1 or more.
     */
    public static int lossyWindowMax(final int bits)
    {
        return Math.max(1, ((1 << bits) + 1) / 3);
    }

    /** Sequence numbers that are left out behind a message that was refused for good. */
    int skippedByDenial()
    {
        return isDenialKept ? window - 1 : 0;
    }

    /**
     * How much later one sequence is than another.
     *
     * @param from     sequence.
     * @param sequence that may be later.
     * @return 0 for the same, up to the largest sequence number.
     */
    int distance(final int from, final int sequence)
    {
        return isWrapped ? sequence - from & mask : sequence < from ? mask : sequence - from;
    }

    /**
     * The sequence after another.
     *
     * @param sequence any.
     * @return the following one.
     */
    int following(final int sequence)
    {
        return isWrapped ? sequence + 1 & mask : sequence + 1;
    }
}
