// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.firmware;

import java.util.function.IntConsumer;

import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.ChannelWeight;
import org.grim.board.Doorbell;
import org.grim.ni.delivery.ReadyChannels;

import static org.grim.board.ChannelRegisters.WEIGHT;

/**
 * Chooses the channel that sends next: deficit round robin over bytes among the channels that have something to send
 * (Shreedhar and Varghese, 1995). A channel's turn adds its weight times the quantum to its deficit; it sends until its
 * deficit is used up or it has no more. Channels without work are never looked at.
 * <p>Thread: the board's stepper.
 */
final class ChannelScheduler implements ReadyChannels
{
    /** No channel has anything to send. */
    static final int NONE = -1;

    private static final int WORD_SHIFT = 6;

    private final Doorbell doorbell;
    private final long[] ready;
    private final long[] rung;
    private final long[] deficits;
    private final ChannelRegisters[] registers;
    private final int quantumLength;
    private final IntConsumer onRung;
    private int current = NONE;

    ChannelScheduler(
        final BoardGeometry geometry, final Doorbell doorbell, final ChannelRegisters[] registers,
        final int quantumLength, final IntConsumer onRung)
    {
        this.doorbell = doorbell;
        this.registers = registers;
        this.quantumLength = quantumLength;
        this.onRung = onRung;
        deficits = new long[geometry.channelCount()];
        ready = new long[Doorbell.WORD_COUNT];
        rung = new long[Doorbell.WORD_COUNT];
    }

    @Override
    public void onReady(final int channel)
    {
        ready[channel >>> WORD_SHIFT] |= 1L << channel;
    }

    /** Takes note of the doorbells that were rung. Returns how many. */
    int takeDoorbells()
    {
        if (!doorbell.isRung() || doorbell.take(rung) == 0)
        {
            return 0;
        }
        int count = 0;
        for (int word = 0; word < rung.length; word++)
        {
            for (long bits = rung[word]; bits != 0; bits &= bits - 1)
            {
                final int channel = (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
                if (channel < registers.length && registers[channel].isEnabledAcquire())
                {
                    onReady(channel);
                    onRung.accept(channel);
                    count++;
                }
            }
            rung[word] = 0;
        }
        return count;
    }

    /** The channel whose turn it is. */
    int current()
    {
        if (current == NONE)
        {
            turn();
        }
        return current;
    }

    /** Whether the current channel may send so much in this turn. */
    boolean affords(final int length)
    {
        return deficits[current] >= length;
    }

    /** The current channel sends. */
    void charge(final int length)
    {
        deficits[current] -= length;
    }

    /** The current channel has nothing to send: it is not looked at again until it is ready. */
    void idle()
    {
        ready[current >>> WORD_SHIFT] &= ~(1L << current);
        deficits[current] = 0;
        turn();
    }

    /** The current channel's turn ends; what is left of its deficit stays. */
    void turn()
    {
        current = following(current);
        if (current != NONE)
        {
            deficits[current] += (long)ChannelWeight.limited(registers[current].get(WEIGHT)) * quantumLength;
        }
    }

    /** Returns the next ready channel, without a turn. */
    int skip()
    {
        current = following(current);
        return current;
    }

    private int following(final int channel)
    {
        final int start = channel + 1;
        int word = start >>> WORD_SHIFT;
        long bits = word < ready.length ? ready[word] & -1L << start : 0;
        for (int i = 0; i <= ready.length; i++)
        {
            if (bits != 0)
            {
                return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
            }
            word = word + 1 < ready.length ? word + 1 : 0;
            bits = ready[word];
        }
        return NONE;
    }
}
