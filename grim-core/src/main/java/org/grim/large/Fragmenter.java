// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

/**
 * The sender's side of a transfer: what has to be sent next. One transfer per link at a time.
 * <p>Thread: the endpoint's owner. Sends nothing itself; allocates nothing.
 */
public final class Fragmenter
{
    private State state = State.IDLE;
    private long transfer;
    private long totalLength;
    private long position;

    /** State of the transfer. */
    public enum State
    {
        /** There is none. */
        IDLE,
        /** Room in the next hop for the question. */
        ASKING,
        /** The receiver's answer. */
        WAITING,
        /** Room for the next part. */
        SENDING,
        /** The receiver said no, before or after the first parts: it must be reported. */
        REFUSED,
        /** Room to tell the receiver that there will be nothing more. */
        ABORTING
    }

    /** Makes a machine at rest. */
    public Fragmenter()
    {
        // IDLE.
    }

    /**
     * Begins a transfer.
     *
     * @param newTransfer    its name.
     * @param newTotalLength bytes of the message.
     */
    public void begin(final long newTransfer, final long newTotalLength)
    {
        transition(State.ASKING, State.IDLE, State.IDLE);
        transfer = newTransfer;
        totalLength = newTotalLength;
        position = 0;
    }

    /** The question was sent. */
    public void asked()
    {
        transition(State.WAITING, State.ASKING, State.ASKING);
    }

    /**
     * The receiver answered; that it wants no more it may say after it had agreed, too.
     *
     * @param answeredTransfer that it means.
     * @param verdict          as {@link FragmentDescriptor} says.
     * @return false if nobody asked that: nothing has happened.
     */
    public boolean onVerdict(final long answeredTransfer, final int verdict)
    {
        final boolean isGrant = verdict == FragmentDescriptor.VERDICT_GRANTED;
        if (isGrant && state == State.SENDING && answeredTransfer == transfer)
        {
            return true;                    // Once more: the receiver does not know that the first one came.
        }
        if (verdict == FragmentDescriptor.VERDICT_REFUSED && answeredTransfer == transfer &&
            (state == State.REFUSED || state == State.IDLE))
        {
            return true;                    // Once more, too.
        }
        final boolean isAwaited = state == State.WAITING || (state == State.SENDING && !isGrant);
        if (!isAwaited || answeredTransfer != transfer ||
            (!isGrant && verdict != FragmentDescriptor.VERDICT_REFUSED))
        {
            return false;
        }
        transition(isGrant ? State.SENDING : State.REFUSED, State.WAITING, State.SENDING);
        return true;
    }

    /**
     * Length of the next part.
     *
     * @param availableLength bytes of the message that are there from {@link #position()} on.
     * @param lengthMax       most bytes of one part.
     * @return 0 to {@code lengthMax}.
     */
    public int nextLength(final long availableLength, final int lengthMax)
    {
        return (int)Math.min(Math.min(availableLength, lengthMax), totalLength - position);
    }

    /** A part was sent. */
    public void sent(final int length)
    {
        if (state != State.SENDING || length > totalLength - position)
        {
            throw new IllegalStateException("sent length=" + length + " in state=" + state + " at position=" +
                position + " of " + totalLength);
        }
        position += length;
    }

    /** Gives the transfer up; the receiver must be informed if it knows of it. */
    public void abort()
    {
        if (state == State.ASKING || state == State.REFUSED)
        {
            state = State.IDLE;
        }
        else
        {
            transition(State.ABORTING, State.WAITING, State.SENDING);
        }
    }

    /** The transfer is over: the final part was sent, or the receiver knows that it is not wanted or is gone. */
    public void end()
    {
        state = State.IDLE;
    }

    /** {@return what it waits for} */
    public State state()
    {
        return state;
    }

    /** {@return name of the transfer; as begun} */
    public long transfer()
    {
        return transfer;
    }

    /** {@return bytes that were sent; 0 to the total length} */
    public long position()
    {
        return position;
    }

    /** {@return whether every byte was sent; true if only the final part may follow} */
    public boolean isComplete()
    {
        return position == totalLength;
    }

    private void transition(final State next, final State from, final State orFrom)
    {
        if (state != from && state != orFrom)
        {
            throw new IllegalStateException("state=" + state + " cannot become " + next);
        }
        state = next;
    }
}
