// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import org.agrona.DirectBuffer;
import org.grim.board.ChannelRegisters;
import org.grim.board.StopReason;
import org.grim.ni.board.Action;

import static org.grim.board.ChannelRegisters.ARRIVAL_BACK;
import static org.grim.board.ChannelRegisters.ARRIVAL_FRONT;
import static org.grim.board.ChannelRegisters.DELIVERED;
import static org.grim.board.ChannelRegisters.STATUS;

/**
 * The firmware's side of one channel's arrival queue in host memory: room, places, and the order in which messages
 * become visible. The subclass decides how the host is notified.
 * <p>A firmware may be killed between any two of its actions, and its engine with it. The state that the host can see
 * is therefore the only truth: {@link #recover()} takes the back from host memory and never from what the firmware
 * meant to do. So the publishing DMA is started first and the {@code arrivalBack} register stored after it; a register
 * that is one behind, or ahead of DMA that was lost with the engine, is put right. An acknowledgement leaves after
 * both: an acknowledged message is visible, hence neither lost nor delivered again.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
abstract class ArrivalQueue
{
    final HostAccess host;
    final ChannelRegisters registers;
    final long queueAddress;
    /** Free-running back, in the units of the channel's registers. The register is a copy: others can write there. */
    int back;
    DirectBuffer packet;
    int packetOffset;
    int length;
    long address;
    int startedLength;

    private final RecoveryWord recoveryWord;
    private State state = State.UNKNOWN;
    private boolean isBusy;             // A message was begun.

    /** Life cycle of a queue. */
    private enum State
    {
        /** A word of host memory must be read, which says what was published. */
        UNKNOWN,
        /** That word was asked for. */
        READING,
        /** Messages are taken. */
        READY,
        /** The host wrote what cannot be: nothing is taken any more. */
        STOPPED;

        private boolean canBecome(final State next)
        {
            return switch (this)
            {
                case UNKNOWN -> true;
                case READING -> next == UNKNOWN;
                case READY -> next == STOPPED;
                case STOPPED -> false;
            };
        }
    }

    ArrivalQueue(
        final HostAccess host, final ChannelRegisters registers, final RecoveryWord recoveryWord,
        final long queueAddress)
    {
        this.host = host;
        this.registers = registers;
        this.recoveryWord = recoveryWord;
        this.queueAddress = queueAddress;
        back = registers.get(ARRIVAL_BACK);
    }

    /**
     * Learns from host memory what was published before the firmware started. Goes on when called again, as the words
     * that it reads arrive. Returns true when messages can be taken, or the channel was stopped.
     */
    final boolean recover()
    {
        while (!isRecovered() && host.engine().isIdle())
        {
            if (state == State.READING)
            {
                transition(State.UNKNOWN);
                recovered(recoveryWord.value());
            }
            else if (host.engine().room() > 0)
            {
                transition(State.READING);
                recoveryWord.read(host.engine(), recoveryAddress());
            }
        }
        return isRecovered();
    }

    private boolean isRecovered()
    {
        return state == State.READY || state == State.STOPPED;
    }

    /** Whether the channel takes no arrivals any more. */
    final boolean isStopped()
    {
        return state == State.STOPPED;
    }

    /** Whether a message of this length fits into the empty queue. */
    abstract boolean canFit(int messageLength);

    /** Whether it fits now; stops the channel if the receiver's front is impossible. */
    final boolean hasRoom(final int messageLength)
    {
        host.meter().spend(Action.CHECK_CAPACITY);
        final int front = registers.getAcquire(ARRIVAL_FRONT);   // Partner: the receiver's release of what it has read.
        return hasRoom(front, messageLength) && state != State.STOPPED;
    }

    /** Begins a message for which there is room. */
    final void begin(final DirectBuffer newPacket, final int newOffset, final int newLength)
    {
        packet = newPacket;
        packetOffset = newOffset;
        length = newLength;
        startedLength = 0;
        isBusy = true;
        place();
    }

    /** Starts DMA of what has arrived and has not been started. */
    final void advance(final int arrivedLength)
    {
        if (isBusy && transfer(Math.min(arrivedLength, length)))
        {
            isBusy = false;
            registers.put(ARRIVAL_BACK, back);            // After the DMA that publishes: see the class's comment.
            registers.addRelease(DELIVERED, 1);
        }
    }

    final boolean isComplete()
    {
        return !isBusy;
    }

    /** Forgets the message that was begun. Its bytes lie where the host does not look, and are overwritten. */
    final void cancel()
    {
        isBusy = false;
    }

    /** Returns the place of the word that shows how far the queue was published. */
    abstract long recoveryAddress();

    /** That word has come: calls {@link #ready} or {@link #stop}, or asks for another word by returning. */
    abstract void recovered(int word);

    abstract boolean hasRoom(int front, int messageLength);

    /** Finds the place of the message that was begun, behind {@code back}, which stays. */
    abstract void place();

    /** Starts DMA up to a length, as far as the engine has room; true, with a new back, once all is started. */
    abstract boolean transfer(int arrivedLength);

    final void ready(final int newBack)
    {
        published(newBack);
        transition(State.READY);
    }

    /** More was published than was known. */
    final void published(final int newBack)
    {
        back = newBack;
        registers.put(ARRIVAL_BACK, newBack);
    }

    final void stop(final StopReason reason)
    {
        if (state != State.STOPPED)
        {
            transition(State.STOPPED);
        }
        registers.putRelease(STATUS, reason.code());
    }

    private void transition(final State next)
    {
        if (!state.canBecome(next))
        {
            throw new IllegalStateException("arrival queue cannot become " + next + ": it is " + state);
        }
        state = next;
    }
}
