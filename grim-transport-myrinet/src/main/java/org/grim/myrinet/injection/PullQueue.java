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
 * The host's end of a channel's pull slots: counts what it asked for against what the board says that it did. What the
 * board says is checked: it may be of another life, or hostile.
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
        final int underWay = askedCount - pulledCount;
        isBroken = underWay < 0 || underWay > ChannelRegisters.PULL_SLOT_COUNT;
    }

    /** Asks the board; only while fewer than {@link ChannelRegisters#SLOT_COUNT} are under way. */
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

    /** Pulls that the board may still carry out, as it says now. Those of a broken board stay for ever. */
    int underWay()
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

    /** Whether the board's count cannot be: nothing can be told about pulls any more. */
    boolean isBroken()
    {
        return isBroken;
    }
}
