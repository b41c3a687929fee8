// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.FRAME_COUNT;
import static org.grim.board.ChannelRegisters.FRAME_LENGTH;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/**
 * A process on one board that keeps its channel's queue full, and reads what arrives, a message at a time. Writing
 * costs it nothing. Each message carries its source, its number among those of its pair, and both once more as its last
 * bytes; what comes out of order, twice, or with other bytes is an exception.
 * <p>Thread: the run's. Owns: its region. Bounds: allocates nothing after construction.
 */
final class ScaleHost
{
    /** Messages that a queue holds at least, in SRAM and in the host. */
    static final int QUEUE_COUNT = 16;

    private static final int NODE_SHIFT = 4;
    private static final int HANDLER = 1;
    private static final int REFILL_COUNT = 8;
    private static final int FRAME_ALIGNMENT = 64;

    private final int ni;
    private final ScaleOptions options;
    private final VirtualClock clock;
    private final Traffic traffic;
    private final ScaleCounts counts;
    private final AtomicBuffer sram;
    private final AtomicBuffer region;
    private final HostMemory memory = new HostMemory(1);
    private final ChannelAppender appender;
    private final ArrivalReader reader;
    private final MessageHeader header = new MessageHeader();
    private final short[] sentTo;               // By target, modulo 65,536.
    private final short[] readFrom;             // By source, modulo 65,536.
    private final Runnable wakeBoard;
    private final Event fill = Event.of(this::offer);
    private final Event drain = Event.of(this::drain);
    private final long drainNs;
    private final int messageCount;
    private final int messageLength;
    private int offeredCount;
    private int unsettledCount;
    private int settledCount;
    private int pendingTarget = -1;

    ScaleHost(
        final int ni, final ScaleOptions options, final VirtualClock clock, final Traffic traffic,
        final ScaleCounts counts, final AtomicBuffer sram, final BoardGeometry geometry, final Runnable wakeBoard)
    {
        this.ni = ni;
        this.options = options;
        this.clock = clock;
        this.traffic = traffic;
        this.counts = counts;
        this.sram = sram;
        this.wakeBoard = wakeBoard;
        messageLength = options.messageLength();
        messageCount = options.messageCount(ni);
        drainNs = options.chosenDrainNs();
        sentTo = new short[options.niCount()];
        readFrom = new short[options.niCount()];
        final int frameLength = frameLength(options);
        region = Buffers.wrap(new byte[regionLength(options)]);
        memory.attach(0, region);
        final ChannelRegisters registers = new ChannelRegisters(sram, geometry, 0);
        registers.put(CONTEXT, 0).put(WEIGHT, 1).put(OWNER_ADDRESS, ni << NODE_SHIFT)
            .put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_TAIL_FLAG)
            .put(FRAME_LENGTH, frameLength).put(FRAME_COUNT, QUEUE_COUNT)
            .put(ARRIVAL_ADDRESS, HostMemory.address(0, 0));
        registers.enableRelease();
        appender = new ChannelAppender(sram, geometry, 0);
        reader = ArrivalReader.of(region, registers);
    }

    /** Bytes of memory that a host takes for its arrivals. */
    static int regionLength(final ScaleOptions options)
    {
        return frameLength(options) * QUEUE_COUNT;
    }

    HostMemory memory()
    {
        return memory;
    }

    /** Begins to send some time after the run's start. */
    void start(final long delayNs)
    {
        if (messageCount > 0)
        {
            clock.schedule(fill, clock.nowNs() + delayNs);
        }
    }

    /** The board has settled a message: there will be room when its step is over. */
    void onSettled()
    {
        unsettledCount--;
        settledCount++;
        if ((settledCount >= REFILL_COUNT || unsettledCount == 0) && offeredCount < messageCount &&
            !fill.isScheduled())
        {
            clock.schedule(fill, clock.nowNs());
        }
    }

    /** Something may have come. */
    void onTransferComplete()
    {
        if (!drain.isScheduled() && reader.hasMessage())
        {
            clock.schedule(drain, clock.nowNs() + drainNs);
        }
    }

    boolean hasUnread()
    {
        return drain.isScheduled();
    }

    private void offer()
    {
        settledCount = 0;
        boolean hasRoom = true;
        while (hasRoom && offeredCount < messageCount)
        {
            if (pendingTarget < 0)
            {
                pendingTarget = traffic.target(ni, offeredCount);
            }
            final int index = appender.claim(messageLength);
            hasRoom = index != ChannelAppender.NO_ROOM;
            if (hasRoom)
            {
                write(index, pendingTarget);
                appender.publish();
                pendingTarget = -1;
                offeredCount++;
                unsettledCount++;
            }
        }
        wakeBoard.run();
    }

    private void write(final int index, final int target)
    {
        final long name = MessageHeader.pair(ni, sentTo[target]++ & 0xFFFF);
        header.wrap(sram, index).identity(0, 0);
        header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, ni << NODE_SHIFT), target << NODE_SHIFT,
            MessageHeader.routeWord(0, 0), HANDLER, options.size(), name, target);
        sram.putLong(index + messageLength - Long.BYTES, name);
    }

    private void read()
    {
        final int index = reader.index();
        final long name = MessageHeader.arguments01(region, index);
        final int source = (int)(name >>> Integer.SIZE);
        final long end = region.getLong(index + messageLength - Long.BYTES);
        if (reader.length() != messageLength || MessageHeader.arguments23(region, index) != ni || end != name ||
            source < 0 || source >= readFrom.length)
        {
            throw new IllegalStateException("NI " + ni + " was handed a message that nobody sent: length=" +
                reader.length() + ", name=" + name + " and at its end " + end);
        }
        final short number = (short)name;
        final int skippedCount = (short)(number - readFrom[source]);
        // Behind messages that were reported as lost there may be a gap, but never a step back.
        if (skippedCount < 0 || (skippedCount > 0 && counts.lostCount == 0))
        {
            throw new IllegalStateException("NI " + ni + " was handed message " + (number & 0xFFFF) + " of NI " +
                source + " instead of " + (readFrom[source] & 0xFFFF));
        }
        readFrom[source] = (short)(number + 1);
        reader.release();
        counts.delivered(source, ni);
    }

    private static int frameLength(final ScaleOptions options)
    {
        return BitUtil.align(options.messageLength() + Integer.BYTES, FRAME_ALIGNMENT);
    }

    /** Has read one message. */
    private void drain()
    {
        read();
        onTransferComplete();
    }
}
