// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.memory;

import java.util.Arrays;
import java.util.function.IntConsumer;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.QueueFormat;

import static org.grim.board.ChannelRegisters.FRONT;
import static org.grim.board.ChannelRegisters.PULLED_COUNT;
import static org.grim.board.ChannelRegisters.PULL_COUNT;
import static org.grim.board.ChannelRegisters.PULL_LENGTHS;
import static org.grim.board.ChannelRegisters.PULL_POSITIONS;
import static org.grim.board.ChannelRegisters.PULL_REFUSED;
import static org.grim.board.ChannelRegisters.PULL_SOURCES;

/**
 * Fetches payloads from host memory into the channels' queues. One pull at a time for the whole board, a bounded piece
 * of it per step; channels with pulls take turns. A host's request is read once and checked: an invalid pull is
 * refused, and its channel is stopped.
 * <p>Thread: the board's stepper. Never allocates after construction.
 */
@SuppressWarnings("exports")              // The board's layout is open to GRIM's own modules only.
public final class PullEngine
{
    /** Most bytes that one step moves. */
    public static final int STEP_LENGTH_MAX = 16 << 10;

    private static final int NONE = -1;
    private static final int WORD_SHIFT = 6;

    private final AtomicBuffer sram;
    private final BoardGeometry geometry;
    private final HostAccess host;
    private final IntConsumer onRefused;
    private final ChannelRegisters[] registers;
    private final int[] pulledCounts;       // The registers are copies: others can write there.
    private final boolean[] isClosed;
    private final long[] pending;
    private int pendingCount;
    private int current = NONE;
    private int last;
    private long source;
    private int index;
    private int remaining;

    /**
     * An engine with nothing to do.
     *
     * @param sram      of the board.
     * @param geometry  of it.
     * @param host      whose memory is read.
     * @param onRefused stops a channel whose host has asked for what must not be.
     */
    public PullEngine(
        final AtomicBuffer sram, final BoardGeometry geometry, final HostAccess host, final IntConsumer onRefused)
    {
        this.sram = sram;
        this.geometry = geometry;
        this.host = host;
        this.onRefused = onRefused;
        registers = new ChannelRegisters[geometry.channelCount()];
        Arrays.setAll(registers, channel -> new ChannelRegisters(sram, geometry, channel));
        pulledCounts = new int[registers.length];
        // Of an earlier firmware.
        Arrays.setAll(pulledCounts, channel -> registers[channel].getAcquire(PULLED_COUNT));
        isClosed = new boolean[registers.length];
        pending = new long[(registers.length >> WORD_SHIFT) + 1];
    }

    /**
     * A channel's doorbell has rung, or the firmware starts.
     *
     * @param channel that exists and is enabled.
     */
    public void onRung(final int channel)
    {
        final long bit = 1L << channel;
        if (registers[channel].getAcquire(PULL_COUNT) != pulledCounts[channel] && !isClosed[channel] &&
            channel != current &&
            (pending[channel >> WORD_SHIFT] & bit) == 0)
        {
            pending[channel >> WORD_SHIFT] |= bit;
            pendingCount++;
        }
    }

    /** Goes on with what is under way. Returns 1 if something happened, otherwise 0. */
    public int step()
    {
        if (current == NONE)
        {
            return pendingCount != 0 && begin() ? 1 : 0;
        }
        if (remaining > 0)
        {
            return transfer();
        }
        if (!host.engine().isIdle())
        {
            return 0;
        }
        done(current);
        return 1;
    }

    /**
     * Begins no more pulls of a channel.
     *
     * @param channel of the board.
     */
    public void close(final int channel)
    {
        isClosed[channel] = true;
        clear(channel);
    }

    /**
     * Whether a pull of a channel is under way.
     *
     * @param channel of the board.
     * @return false if its context's memory is not read.
     */
    public boolean isPulling(final int channel)
    {
        return current == channel;
    }

    /**
     * The channel is as new.
     *
     * @param channel that was closed, with no pull under way.
     */
    public void reset(final int channel)
    {
        pulledCounts[channel] = 0;
        isClosed[channel] = false;
    }

    private boolean begin()
    {
        final int channel = following(last);
        last = channel;
        clear(channel);
        final int number = pulledCounts[channel];
        final int askedCount = registers[channel].getAcquire(PULL_COUNT) - number;
        if (askedCount == 0)
        {
            return true;
        }
        source = registers[channel].get(PULL_SOURCES, ChannelRegisters.pullSlot(number));
        remaining = registers[channel].get(PULL_LENGTHS, ChannelRegisters.pullSlot(number));
        final int position = registers[channel].get(PULL_POSITIONS, ChannelRegisters.pullSlot(number));
        if (Integer.compareUnsigned(askedCount, ChannelRegisters.PULL_SLOT_COUNT) > 0 || !isPossible(channel, position))
        {
            isClosed[channel] = true;
            remaining = 0;
            registers[channel].addRelease(PULL_REFUSED, 1);
            onRefused.accept(channel);
            done(channel);
            return true;
        }
        current = channel;
        index = geometry.queueOffset(channel) + QueueFormat.offset(position, geometry.queueLength());
        transfer();
        return true;
    }

    /** Returns whether a message stands where its host may write, and in the memory of the channel's context. */
    private boolean isPossible(final int channel, final int position)
    {
        final int queueLength = geometry.queueLength();
        final int ahead = position - registers[channel].get(FRONT);
        return remaining > 0 && remaining <= QueueFormat.endLength(position, queueLength) && ahead >= 0 &&
            ahead <= queueLength - remaining &&
            host.memory().isReachable(host.contextOf(channel), source, remaining);
    }

    private int transfer()
    {
        if (host.engine().room() == 0)
        {
            return 0;
        }
        final int length = Math.min(remaining, STEP_LENGTH_MAX);
        host.engine().read(source, sram, index, length);
        source += length;
        index += length;
        remaining -= length;
        return 1;
    }

    private void done(final int channel)
    {
        current = NONE;
        pulledCounts[channel]++;
        registers[channel].putRelease(PULLED_COUNT, pulledCounts[channel]);
        onRung(channel);                    // There may be one more.
    }

    /** The next channel behind another with pulls; there is one. */
    private int following(final int channel)
    {
        int word = (channel + 1) >> WORD_SHIFT;
        long bits = word < pending.length ? pending[word] & -1L << (channel + 1) : 0;
        while (bits == 0)
        {
            word = word + 1 < pending.length ? word + 1 : 0;
            bits = pending[word];
        }
        return (word << WORD_SHIFT) + Long.numberOfTrailingZeros(bits);
    }

    private void clear(final int channel)
    {
        final long bit = 1L << channel;
        if ((pending[channel >> WORD_SHIFT] & bit) != 0)
        {
            pending[channel >> WORD_SHIFT] &= ~bit;
            pendingCount--;
        }
    }
}
