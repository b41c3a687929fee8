// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.window;

/** The receiver's half of go-back-N for one triple: which sequence it expects. Thread: the board's stepper. */
public class ReceiveWindow
{
    /** Relation of a sequence to a receiver's window. */
    public enum Judgement
    {
        /** The next one: deliver it, or refuse it. */
        EXPECTED,
        /** One before it was refused or lost: drop it and say nothing; the sender will roll back. */
        LATER,
        /** A copy of something accepted: drop it, and acknowledge again. */
        EARLIER,
        /** A copy of what was refused for good: drop it, and refuse it again. */
        DENIED
    }

    private final SequenceSpace space;
    private int expected;
    private boolean isDenialLatest;     // Nothing was accepted since something was refused for good.

    /** A triple that has received nothing. */
    public ReceiveWindow(final SequenceSpace space)
    {
        this.space = space;
    }

    /**
     * Judges a sequence.
     *
     * @param sequence from a header.
     * @return what it is.
     */
    public Judgement judge(final int sequence)
    {
        final int distance = space.distance(expected, sequence);
        if (distance == 0)
        {
            return Judgement.EXPECTED;
        }
        if (isDenialLatest)
        {
            final int earlier = space.distance(sequence, expected);
            if (earlier <= space.skippedByDenial() + 1)
            {
                return earlier == space.skippedByDenial() + 1 ? Judgement.DENIED : Judgement.LATER;
            }
        }
        if (distance < space.window())
        {
            return Judgement.LATER;
        }
        return Judgement.EARLIER;
    }

    /**
     * A message was accepted.
     *
     * @param sequence of the message, which was {@link Judgement#EXPECTED}.
     */
    public void accept(final int sequence)
    {
        expected = space.following(sequence);
        isDenialLatest = false;
    }

    /**
     * A message was refused for good. The next one is expected under a sequence that its sender gives only when it
     * knows of the refusal; what it had sent before under other sequences is {@link Judgement#LATER}.
     *
     * @param sequence of the message, which was {@link Judgement#EXPECTED}.
     */
    public void deny(final int sequence)
    {
        expected = space.sequence(space.following(sequence) + space.skippedByDenial());
        isDenialLatest = true;
    }

    /** {@return the sequence of the next message; what {@link #judge} calls expected} */
    public int expected()
    {
        return expected;
    }
}
