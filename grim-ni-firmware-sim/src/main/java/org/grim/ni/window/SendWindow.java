// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.window;

/**
 * The sender's half of optimistic go-back-N for one triple. Messages have ordinals from 0; {@code base} is the oldest
 * that is not acknowledged, {@code next} the next to send, {@code high} one past the latest that was ever sent,
 * {@code end} one past the last that there is: {@code base <= next <= high <= end}.
 * <p>After a refusal or a time-out the window is <em>probing</em>: the oldest message goes out alone, and the others
 * follow when it is acknowledged, so that a receiver without room costs one message per retry and not a window.
 * <p>Source: go-back-N as in HPVM's and GRIM's NI protocols; an acknowledgement stands for all earlier messages too,
 * which they did not need on a wire without loss. It supposes a wire that keeps order (see {@link SequenceSpace}).
 * <p>Thread: the board's stepper.
 */
public class SendWindow
{
    /** Value of {@link #refuse} for a NACK that answers no message in flight. */
    public static final int STALE = -1;

    private final SequenceSpace space;
    private long base;
    private long next;
    private long high;
    private long end;
    private boolean isProbing;
    private long skippedCount;          // Sequence numbers that denials have left out.

    /** A triple that has never sent. */
    public SendWindow(final SequenceSpace space)
    {
        this.space = space;
    }

    /** Appends one message to those to send. */
    public void append()
    {
        end++;
    }

    /** The last message will not be sent: the receiver has not accepted it, and never will. */
    public void withdraw()
    {
        end--;
        next = Math.min(next, end);
        high = Math.min(high, end);
        assert isOrdered() : this;
    }

    /** The last message was cut while it was sent: it has not left. The receiver has not accepted it. */
    public void recall()
    {
        next = Math.min(next, end - 1);
        high = Math.min(high, end - 1);
        assert isOrdered() : this;
    }

    /** {@return whether the next message may leave now; false if there is none, or too many are in flight} */
    public boolean canSend()
    {
        return next < end && next - base < (isProbing ? 1 : space.window());
    }

    /** {@return sequence of the next message; what its header must carry} */
    public int nextSequence()
    {
        return sequence(next);
    }

    /** {@return whether the next message left before; true for a retransmission} */
    public boolean isNextRepeated()
    {
        return next < high;
    }

    /** The next message has left. */
    public void sent()
    {
        next++;
        high = Math.max(high, next);
        assert isOrdered() : this;
    }

    /**
     * An ACK has come. It settles the message and all before it. Returns how many messages it settles; 0 if it is
     * stale.
     */
    public int acknowledge(final int sequence)
    {
        final int distance = space.distance(sequence(base), sequence);
        if (distance >= high - base)
        {
            return 0;
        }
        advance(distance + 1);
        isProbing = false;
        return distance + 1;
    }

    /**
     * A refusal for good has come. It settles the message and all before it; the later ones will be sent again, under
     * sequences that begin a window further on. The receiver takes nothing else of this triple before it sees one of
     * those: so a refusal that was lost comes again, and no later answer can stand for it. Returns how many messages it
     * settles, the last of them refused; 0 if it is stale.
     */
    public int deny(final int sequence)
    {
        final int distance = space.distance(sequence(base), sequence);
        if (distance >= high - base)
        {
            return 0;
        }
        base += distance + 1;
        next = base;
        high = base;
        isProbing = false;
        skippedCount += space.skippedByDenial();
        assert isOrdered() : this;
        return distance + 1;
    }

    /**
     * A NACK has come. It settles all messages before the refused one; that and the later ones will be sent again.
     * Returns how many messages it settles, or {@link #STALE} if the message is not in flight any more: it has been
     * rolled back already, or was accepted meanwhile.
     */
    public int refuse(final int sequence)
    {
        final int distance = space.distance(sequence(base), sequence);
        if (distance >= next - base)
        {
            return STALE;
        }
        advance(distance);
        rollBack();
        return distance;
    }

    /** The oldest message was not answered in time: it and the later ones will be sent again. */
    public void timeOut()
    {
        rollBack();
    }

    /** {@return messages that left and are not answered; 0 to the window} */
    public int inFlightCount()
    {
        return (int)(next - base);
    }

    /**
     * Messages that left at least once and are not acknowledged; more than {@link #inFlightCount()} after a roll back.
     *
     * @return 0 to the window: an ACK settles at most so many.
     */
    public int unacknowledgedCount()
    {
        return (int)(high - base);
    }

    /** {@return messages that are not acknowledged, sent or not; 0 or more} */
    public int pendingCount()
    {
        return (int)(end - base);
    }

    /**
     * Whether only the oldest message may be in flight. True after a refusal or a time-out, until something is
     * acknowledged.
     */
    public boolean isProbing()
    {
        return isProbing;
    }

    @Override
    public String toString()
    {
        return "base=" + base + " next=" + next + " high=" + high + " end=" + end;
    }

    private boolean isOrdered()
    {
        return base >= 0 && base <= next && next <= high && high <= end;
    }

    private int sequence(final long ordinal)
    {
        return space.sequence(ordinal + skippedCount);
    }

    private void advance(final int count)
    {
        base += count;
        next = Math.max(next, base);
        assert isOrdered() : this;
    }

    private void rollBack()
    {
        next = base;
        isProbing = true;
    }
}
