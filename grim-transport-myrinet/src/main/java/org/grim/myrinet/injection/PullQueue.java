// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.Doorbell;

import static org.grim.board.ChannelRegisters.PULLED_COUNT;
import static org.grim.board.ChannelRegisters.PULL_COUNT;
import static org.grim.board.ChannelRegisters.PULL_REFUSED;

/**
 * The host's end of a channel's pull slots: compares its requests with the board's count of pulls. The board's count is
 * checked: the board may be of another incarnation, or hostile.
 * <p>Thread: the channel's sender. Never allocates after construction.
 */
final class PullQueue
{
    private final ChannelRegisters registers;
    private final Doorbell doorbell;
    private final int channel;
    private final int refusedCount;
    private int askedCount;
    private int pulledCount;
    private boolean isBroken;

    /** Goes on where the channel's last sender ended. */
    PullQueue(final AtomicBuffer sram, final BoardGeometry geometry, final int channel)
    {
        this.channel = channel;
        registers = new ChannelRegisters(sram, geometry, channel);
        doorbell = new Doorbell(sram, geometry);
        refusedCount = registers.getAcquire(PULL_REFUSED);
        askedCount = registers.getAcquire(PULL_COUNT);
        pulledCount = registers.getAcquire(PULLED_COUNT);
        final int inFlight = askedCount - pulledCount;
        isBroken = inFlight < 0 || inFlight > ChannelRegisters.PULL_SLOT_COUNT;
    }

    /** Asks the board; only while fewer than {@link ChannelRegisters#PULL_SLOT_COUNT} are under way. */
    void ask(final long source, final int position, final int length)
    {
        if (askedCount - pulledCount >= ChannelRegisters.PULL_SLOT_COUNT)
        {
            throw new IllegalStateException(
                "channel=" + channel + " has " + (askedCount - pulledCount) + " pulls under way, its most");
        }
        registers.askPull(askedCount, source, position, length);
        askedCount++;
        doorbell.ring(channel);
    }

    /** Pulls that the board may still carry out, as it says now; pulls of a broken board stay for ever. */
    int inFlight()
    {
        if (askedCount != pulledCount && !isBroken)
        {
            // Partner: the board's release when a pull is done; bounce memory is refilled after this only.
            final int newPulledCount = registers.getAcquire(PULLED_COUNT);
            if (newPulledCount - pulledCount < 0 || askedCount - newPulledCount < 0)
            {
                isBroken = true;
            }
            else
            {
                pulledCount = newPulledCount;
            }
        }
        return isBroken ? Integer.MAX_VALUE : askedCount - pulledCount;
    }

    /** Whether the board refused a pull since this end was made, or counts what cannot be. */
    boolean isRefused()
    {
        return isBroken || registers.getAcquire(PULL_REFUSED) != refusedCount;
    }

    /** Returns whether the board's count is impossible: then nothing is known about pulls any more. */
    boolean isBroken()
    {
        return isBroken;
    }
}
