// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.util.concurrent.atomic.AtomicIntegerFieldUpdater;

import org.grim.shared.Awaited;
import org.grim.shared.Sleeper;
import org.grim.shared.SpinTime;

/**
 * A send, a receive, a probe or a collective operation, that may be in progress. It can be used again when it is done.
 * <p>Thread: the engine's owner; {@link #isDone()} and what it makes visible any.
 */
public abstract class Operation extends Entry implements Awaited
{
    /** The end, for which threads wait. */
    static final int DONE = 1;

    private static final AtomicIntegerFieldUpdater<Operation> READY =
        AtomicIntegerFieldUpdater.newUpdater(Operation.class, "ready");
    private static final int[] NOBODY = {};

    Layout layout;
    Object place;
    Object owner;                   // Of the memory at the place, which is not freed while this is in progress.
    int offset;
    int count;
    int id;                         // By which the peer names it; 0 if it has no name.
    int peer;                       // Rank in the job; ANY for any.
    int[] members = NOBODY;         // Ranks in the job of those that any may be.
    Outcome outcome = Outcome.DONE;
    int resultSource;
    int resultTag;
    long resultLength;
    private final SpinTime spinTime = new SpinTime();
    private volatile int ready = DONE;          // Or 0: what a waiting thread looks for.
    private volatile Sleeper sleeper;

    /** Ends of an operation. */
    public enum Outcome
    {
        /** All that it was for has happened. */
        DONE,
        /** It was taken back before anything had happened. */
        CANCELLED,
        /** The message was longer than the receive's room. */
        TRUNCATED,
        /** The peer, or one of those that the message could have come from, is gone. */
        PEER_FAILED,
        /** This process has left. */
        CLOSED,
        /** Members called different collective operations, or with other roots, lengths or reductions. */
        MISMATCHED,
        /** A reduction threw. */
        FAILED,
        /** A member has revoked the communicator. */
        REVOKED,
        /** This process cannot reach others that may live, and that may go on without it. */
        CUT_OFF
    }

    Operation()
    {
        // Idle.
    }

    /** {@return whether it is not in progress; what it wrote is visible then} */
    public final boolean isDone()
    {
        return ready == DONE;
    }

    /** {@return how it ended} */
    public final Outcome outcome()
    {
        return outcome;
    }

    /** {@return the sender's rank in the communicator} */
    public final int source()
    {
        return resultSource;
    }

    /** {@return the message's tag} */
    public final int tag()
    {
        return resultTag;
    }

    /** {@return bytes of the message, as far as there was room} */
    public final long length()
    {
        return resultLength;
    }

    /**
     * Sets what is sent, or where a message goes.
     *
     * @param newPlace  array of the layout's basic type, or memory.
     * @param newOffset of the first element, in basic elements.
     * @param newCount  elements.
     * @param newLayout of each.
     */
    public void elements(final Object newPlace, final int newOffset, final int newCount, final Layout newLayout)
    {
        place = newPlace;
        offset = newOffset;
        count = newCount;
        layout = newLayout;
    }

    /**
     * Keeps a buffer reachable until the operation has ended: the elements are an address in it.
     *
     * @param newOwner the buffer; null for none.
     */
    public final void keep(final Object newOwner)
    {
        owner = newOwner;
    }

    /** Sets whose message is awaited. */
    final void from(final Members all, final int ofSource, final int ofTag)
    {
        peer = all.inJob(ofSource);
        members = all.ranks;
        envelope(all.context, ofSource, ofTag);
    }

    /** {@return bytes of all elements in a message} */
    final long packedLength()
    {
        return layout.packedLength() * count;
    }

    /** Names what is compared, in words. */
    final String envelopeInWords()
    {
        return "source=" + (source == ANY ? "any" : source) + " tag=" + (tag == ANY ? "any" : tag) + ' ' +
            Members.inWords(context);
    }

    @Override
    public int awaitedPeer()
    {
        return peer;
    }

    final void begin()
    {
        if (ready != DONE)
        {
            throw new IllegalStateException("the operation is in progress");
        }
        outcome = Outcome.DONE;
        READY.lazySet(this, 0);                 // Nobody waits for its end yet.
    }

    final void end(final Outcome newOutcome)
    {
        assert ready != DONE : "it ends twice";
        outcome = newOutcome;
        place = null;
        owner = null;
        ready = DONE;
        final Sleeper waiting = sleeper;
        if (waiting != null)
        {
            waiting.wakeUp();
        }
    }

    final void result(final int newSource, final int newTag, final long newLength)
    {
        resultSource = newSource;
        resultTag = newTag;
        resultLength = newLength;
    }

    @Override
    public final int readyOperations()
    {
        return ready;
    }

    @Override
    public final boolean isOpen()
    {
        return true;
    }

    @Override
    public final SpinTime spinTime()
    {
        return spinTime;
    }

    @Override
    public final void waiting(final int operations, final Sleeper newSleeper)
    {
        sleeper = newSleeper;
    }
}
