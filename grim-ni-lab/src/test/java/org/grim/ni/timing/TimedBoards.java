// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.board.host.ArrivalReader;
import org.grim.board.host.ChannelAppender;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Board;
import org.grim.ni.board.HostMemory;
import org.grim.ni.board.Routes;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.event.NiListener;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.LinkTiming;
import org.grim.ni.fabric.Topology;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;

import static org.grim.board.ChannelRegisters.ARRIVAL_ADDRESS;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.CONTEXT;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.POINTER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two boards back to back in virtual time, with the real control program and one channel. Measures a message from the
 * sender's doorbell to the word that tells the receiving host.
 */
public final class TimedBoards
{
    private static final int SRAM_LENGTH = 1 << 20;
    private static final int QUEUE_LENGTH = 64 << 10;
    private static final int FRAME_LENGTH = 8 << 10;
    private static final int FRAME_COUNT = 16;
    private static final int ARRIVAL_LENGTH = FRAME_LENGTH * FRAME_COUNT;
    private static final int REGION_LENGTH = ARRIVAL_LENGTH + Buffers.CACHE_LINE_LENGTH;
    private static final int NODE_SHIFT = 4;
    private static final int HANDLER = 1;
    private static final long LINK_LATENCY_NS = 500;
    private static final long TIMEOUT_NS = 1_000_000_000;

    private TimedBoards()
    {
    }

    /**
     * What a message took.
     *
     * @param latencyNs     from the doorbell to the word.
     * @param transferCount by the receiving host engine, that of the word included if it is one of its own.
     */
    public record Arrival(long latencyNs, int transferCount)
    {
    }

    /**
     * Measures a second message: with the first one the boards meet.
     *
     * @param timing        of both boards.
     * @param model         of both, 4 or 9.
     * @param arrivalMode   of both hosts.
     * @param payloadLength bytes, a multiple of 4.
     * @return what it took.
     */
    public static Arrival arrival(
        final LanaiTiming timing, final int model, final int arrivalMode, final int payloadLength)
    {
        final VirtualClock clock = new VirtualClock();
        final Fabric fabric = new Fabric(clock, Topology.backToBack(),
            new LinkTiming(LINK_LATENCY_NS, timing.linkBytesPerSecond(), 4));
        final TimedBoard near = new TimedBoard(0, model, arrivalMode, timing, clock, fabric);
        final TimedBoard far = new TimedBoard(1, model, arrivalMode, timing, clock, fabric);
        measure(clock, near, far, payloadLength);               // The boards meet; the scoreboard learns of the triple.
        clock.runUntil(clock.nowNs() + TIMEOUT_NS / 10);
        return measure(clock, near, far, payloadLength);
    }

    private static Arrival measure(
        final VirtualClock clock, final TimedBoard near, final TimedBoard far, final int payloadLength)
    {
        final long startNs = clock.nowNs();
        final int startCount = far.transferCount;
        near.send(1, payloadLength);
        while (!far.reader.hasMessage())
        {
            assertTrue(clock.runNext() && clock.nowNs() - startNs < TIMEOUT_NS, "nothing arrives");
        }
        far.reader.release();
        return new Arrival(clock.nowNs() - startNs, far.transferCount - startCount);
    }

    /** A board with its host; the event is its next step. */
    private static final class TimedBoard extends Event
    {
        private final int ni;
        private final VirtualClock clock;
        private final AtomicBuffer sram = Buffers.allocate(SRAM_LENGTH);
        private final MessageHeader header = new MessageHeader();
        private final ChannelAppender appender;
        private final ArrivalReader reader;
        private final VirtualProcessor processor;
        private final ControlProgram program;
        private int transferCount;
        private boolean isStepping;
        private boolean isWoken;

        TimedBoard(
            final int ni, final int model, final int arrivalMode, final LanaiTiming timing, final VirtualClock clock,
            final Fabric fabric)
        {
            this.ni = ni;
            this.clock = clock;
            final BoardGeometry geometry = new BoardGeometry(model, ni, SRAM_LENGTH, 1, QUEUE_LENGTH, 1, 0, 0);
            geometry.write(sram);
            BoardDescriptor.epoch(sram, 1);
            final AtomicBuffer region = Buffers.allocate(REGION_LENGTH);
            final HostMemory memory = new HostMemory(1);
            memory.attach(0, region);
            final ChannelRegisters registers = new ChannelRegisters(sram, geometry, 0);
            registers.put(CONTEXT, 0).put(WEIGHT, 1).put(OWNER_ADDRESS, ni << NODE_SHIFT).put(ARRIVAL_MODE, arrivalMode)
                .put(ChannelRegisters.FRAME_LENGTH, FRAME_LENGTH).put(ChannelRegisters.FRAME_COUNT, FRAME_COUNT)
                .put(ARRIVAL_ADDRESS, HostMemory.address(0, 0))
                .put(POINTER_ADDRESS, HostMemory.address(0, ARRIVAL_LENGTH));
            registers.enableRelease();
            appender = new ChannelAppender(sram, geometry, 0);
            reader = ArrivalReader.of(region, registers);
            processor = VirtualProcessor.of(timing, 1);
            final VirtualHostEngine engine = VirtualHostEngine.of(memory, clock, processor, timing, this::onTransfer);
            fabric.onWake(ni, this::wake);
            program = new ControlProgram(new Board(sram, memory, engine, fabric.wire(ni), processor, processor,
                context -> wake()), FirmwareConfig.DEFAULT.withReplyChannel(false), Routes.sameNumber(2),
                NiListener.NONE);
            wake();
        }

        void send(final int destinationNi, final int payloadLength)
        {
            final int index = appender.claim(MessageHeader.LENGTH + payloadLength);
            header.wrap(sram, index).identity(0, 0);
            header.put(MessageHeader.typeWord(MessageType.ACTIVE_MESSAGE, ni << NODE_SHIFT),
                destinationNi << NODE_SHIFT, MessageHeader.routeWord(0, 0), HANDLER, payloadLength, 0, 0);
            appender.publish();
            wake();
        }

        @Override
        protected void run()
        {
            isWoken = false;
            isStepping = true;
            processor.begin(clock.nowNs());
            final int workCount = program.step();
            isStepping = false;
            final long freeNs = Math.max(clock.nowNs() + 1, processor.nowNs());
            if (workCount > 0 || isWoken)
            {
                clock.schedule(this, freeNs);
            }
            else if (program.nextDeadlineNs() != Long.MAX_VALUE)
            {
                clock.schedule(this, Math.max(freeNs, program.nextDeadlineNs()));
            }
        }

        private void onTransfer()
        {
            transferCount++;
            wake();
        }

        private void wake()
        {
            if (isStepping || program == null)
            {
                isWoken = true;
                return;
            }
            final long timeNs = Math.max(clock.nowNs(), processor.nowNs());
            if (!isScheduled() || timeNs() > timeNs)
            {
                clock.reschedule(this, timeNs);
            }
        }
    }
}
