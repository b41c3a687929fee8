// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.injection;

import org.agrona.BufferUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.PhysicalAddress;
import org.grim.board.QueueFormat;
import org.grim.buffer.Buffers;

import static org.grim.board.ChannelRegisters.PULLED_COUNT;
import static org.grim.board.ChannelRegisters.PULL_COUNT;
import static org.grim.board.ChannelRegisters.PULL_LENGTHS;
import static org.grim.board.ChannelRegisters.PULL_POSITIONS;
import static org.grim.board.ChannelRegisters.PULL_SOURCES;

/** A board of one channel whose firmware can only pull, when the test says so. */
final class PullingBoard
{
    static final int CHANNEL = 0;
    static final int CONTEXT = 1;
    static final int QUEUE_LENGTH = 256 * 1024;
    static final int BOUNCE_INDEX = 4096;
    static final int BOUNCE_LENGTH = 8192;
    static final int REGISTERED_INDEX = 64 * 1024;
    static final int REGION_LENGTH = 512 * 1024;
    static final int TIME_OUT_NS = 1000;

    private static final int SRAM_LENGTH = 1 << 20;

    /** Runs after each release of two words: only what the host publishes is released so. */
    Runnable onPublish = () -> { };
    final AtomicBuffer sram = new WatchedMemory();
    final AtomicBuffer region = Buffers.allocate(REGION_LENGTH);
    final BoardGeometry geometry = new BoardGeometry(9, 0, SRAM_LENGTH, 1, QUEUE_LENGTH, 2, 0, 0);
    final ChannelRegisters registers;
    /** Pulls that the firmware does when stepped next; less than 0 for any number. */
    int willing = -1;
    /** Time that each step adds to the clock. */
    long stepNs = 1;
    long nowNs;
    int pullCount;
    int underWayMax;

    PullingBoard()
    {
        geometry.write(sram);
        registers = new ChannelRegisters(sram, geometry, CHANNEL);
    }

    InjectionTarget target()
    {
        return target(BOUNCE_LENGTH);
    }

    InjectionTarget target(final int bounceLength)
    {
        return new InjectionTarget(sram, geometry, CHANNEL, CONTEXT, region, BOUNCE_INDEX, bounceLength,
            new DeadlineWait(() -> nowNs, TIME_OUT_NS, this::step));
    }

    int queueIndex()
    {
        return geometry.queueOffset(CHANNEL);
    }

    /** One pull, if there is one and the firmware is willing. */
    int step()
    {
        nowNs += stepNs;
        final int done = registers.getAcquire(PULLED_COUNT);
        final int underWay = registers.getAcquire(PULL_COUNT) - done;
        underWayMax = Math.max(underWayMax, underWay);
        if (underWay == 0 || willing == 0)
        {
            return 0;
        }
        willing--;
        pullCount++;
        if (PhysicalAddress.context(registers.get(PULL_SOURCES, ChannelRegisters.pullSlot(done))) != CONTEXT)
        {
            throw new IllegalStateException("source of another context");
        }
        sram.putBytes(queueIndex() + QueueFormat.offset(registers.get(PULL_POSITIONS, ChannelRegisters.pullSlot(done)),
            QUEUE_LENGTH), region,
            (int)PhysicalAddress.offset(registers.get(PULL_SOURCES, ChannelRegisters.pullSlot(done))),
            registers.get(PULL_LENGTHS, ChannelRegisters.pullSlot(done)));
        registers.putRelease(PULLED_COUNT, done + 1);
        return 1;
    }

    /** Memory that reports a publication. */
    private final class WatchedMemory extends UnsafeBuffer
    {
        WatchedMemory()
        {
            super(BufferUtil.allocateDirectAligned(SRAM_LENGTH, Buffers.CACHE_LINE_LENGTH));
        }

        @Override
        public void putLongRelease(final int index, final long value)
        {
            super.putLongRelease(index, value);
            onPublish.run();
        }
    }
}
