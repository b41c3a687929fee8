// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.window;

/**
 * Number of sequence numbers, and of messages of one triple that may be in flight, so that a receiver on a wire that
 * keeps order can distinguish a later message from a copy of an earlier one: {@code 2 x window - 1 <= 2^bits}. Makes
 * the windows over it. Immutable.
 */
public class SequenceSpace
{
    /** Width of the field in the header. */
    public static final int BITS_MAX = 8;
    /** Most messages of one triple in flight with {@value #BITS_MAX} bits. */
    public static final int WINDOW_MAX = (1 << (BITS_MAX - 1)) - 1;

    private final int mask;
    private final int window;

    /**
     * Checks and keeps the limits.
     *
     * @param bits   of a sequence number, 1 to {@value #BITS_MAX}.
     * @param window most messages of one triple in flight, 1 or more.
     */
    public SequenceSpace(final int bits, final int window)
    {
        this(bits, window, ((1 << bits) + 1) >>> 1);
    }

    /**
     * Keeps limits of its own.
     *
     * @param bits      of a sequence number, 1 to {@value #BITS_MAX}.
     * @param window    most messages of one triple in flight, 1 or more.
     * @param windowMax widest window.
     */
    protected SequenceSpace(final int bits, final int window, final int windowMax)
    {
        if (bits < 1 || bits > BITS_MAX)
        {
            throw new IllegalArgumentException("sequence bits=" + bits + " is outside 1 to " + BITS_MAX);
        }
        if (window < 1 || window > windowMax)
        {
            throw new IllegalArgumentException("window=" + window + " is outside 1 to " + windowMax +
                ", which is what " + bits + " bits of sequence can tell apart");
        }
        mask = (1 << bits) - 1;
        this.window = window;
    }

    /** {@return most messages of one triple in flight; 1 or more} */
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
     * Returns the widest window on a wire that may lose packets: there, copies of all messages since the base may come
     * after a refusal for good has left out a window of numbers, and all of them must be distinguished
     * ({@code 3 x window - 1 <= 2^bits}).
     *
     * @param bits of a sequence number.
     * @return 1 or more.
     */
    public static int lossyWindowMax(final int bits)
    {
        return Math.max(1, ((1 << bits) + 1) / 3);
    }

    /** A window for a triple that has never sent. */
    public SendWindow sendWindow()
    {
        return new SendWindow(this);
    }

    /** A window for a triple that has received nothing. */
    public ReceiveWindow receiveWindow()
    {
        return new ReceiveWindow(this);
    }

    /** {@return sequence numbers that are left out behind a message that was refused for good; their count} */
    protected int skippedByDenial()
    {
        return window - 1;
    }

    /**
     * Returns the distance from one sequence to a later one.
     *
     * @param from     sequence.
     * @param sequence that may be later.
     * @return 0 for the same, up to the largest sequence number.
     */
    protected int distance(final int from, final int sequence)
    {
        return sequence - from & mask;
    }

    /**
     * The sequence after another.
     *
     * @param sequence any.
     * @return the following one.
     */
    protected int following(final int sequence)
    {
        return sequence + 1 & mask;
    }
}
