// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.timing;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.ArrivalReader;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelAppender;
import org.grim.board.ChannelRegisters;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Board;
import org.grim.ni.board.HostMemory;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.delivery.NiListener;
import org.grim.ni.delivery.Routes;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.LinkTiming;
import org.grim.ni.fabric.Topology;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.ni.guard.Guards;
import org.grim.wire.MessageHeader;
import org.grim.wire.MessageType;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * One-way latency in the time of the original boards, from the sender's doorbell to the word that tells the receiving
 * host, for both ways of telling it. Two boards back to back, one channel, nothing else on the way.
 */
final class ArrivalLatencyTest
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ArrivalLatencyTest.class);
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

    /** The table's rows for advancing the pointer and moving it to the host: what the tail flag does without. */
    @ParameterizedTest(name = "LANai {0}, payload {1} bytes")
    @CsvSource({"4, 32, 1500, 4000", "4, 4096, 1500, 4000", "9, 32, 500, 1500", "9, 4096, 500, 1500"})
    void shouldSaveThePointersTransferWithATailFlag(
        final int model, final int payloadLength, final long advanceNs, final long pointerDmaNs)
    {
        final long tailFlagNs = latencyNs(model, ChannelRegisters.ARRIVAL_TAIL_FLAG, payloadLength);
        final long pointerNs = latencyNs(model, ChannelRegisters.ARRIVAL_QUEUE_POINTER, payloadLength);

        LOGGER.info("LANai {}, payload {} bytes: tail flag {} ns, queue pointer {} ns, saved {} ns", model,
            payloadLength, tailFlagNs, pointerNs, pointerNs - tailFlagNs);
        assertEquals(tailFlagNs, latencyNs(model, ChannelRegisters.ARRIVAL_TAIL_FLAG, payloadLength));
        // The message itself is charged by another row of the table when it has no tail word: nearly the same.
        final LanaiTiming timing = timing(model);
        final int messageLength = MessageHeader.LENGTH + payloadLength;
        final long otherRowNs =
            timing.remoteDmaNs(messageLength) - timing.hostDmaNs(messageLength + Integer.BYTES);
        final long savedNs = pointerNs - tailFlagNs;
        // The pointer is advanced while the message is still on its way to the host, as far as that takes longer.
        assertTrue(savedNs >= pointerDmaNs && savedNs <= advanceNs + pointerDmaNs + Math.max(0, otherRowNs),
            () -> "saved=" + savedNs + " ns");
    }

    private static long latencyNs(final int model, final int arrivalMode, final int payloadLength)
    {
        final LanaiTiming timing = timing(model);
        final VirtualClock clock = new VirtualClock();
        final Fabric fabric = new Fabric(clock, Topology.backToBack(),
            new LinkTiming(LINK_LATENCY_NS, timing.linkBytesPerSecond(), 4));
        final TimedBoard near = new TimedBoard(0, model, arrivalMode, timing, clock, fabric);
        final TimedBoard far = new TimedBoard(1, model, arrivalMode, timing, clock, fabric);
        measure(clock, near, far, payloadLength);               // The boards meet; the scoreboard learns of the triple.
        clock.runUntil(clock.nowNs() + TIMEOUT_NS / 10);
        return measure(clock, near, far, payloadLength);
    }

    private static long measure(
        final VirtualClock clock, final TimedBoard near, final TimedBoard far, final int payloadLength)
    {
        final long startNs = clock.nowNs();
        near.send(1, payloadLength);
        while (!far.reader.hasMessage())
        {
            assertTrue(clock.runNext() && clock.nowNs() - startNs < TIMEOUT_NS, "nothing arrives");
        }
        far.reader.release();
        return clock.nowNs() - startNs;
    }

    private static LanaiTiming timing(final int model)
    {
        return model == 4 ? LanaiTiming.lanai4() : LanaiTiming.lanai9();
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
            registers.context(0).weight(1).ownerAddress(ni << NODE_SHIFT).arrivalMode(arrivalMode)
                .frameLength(FRAME_LENGTH).frameCount(FRAME_COUNT).arrivalAddress(HostMemory.address(0, 0))
                .pointerAddress(HostMemory.address(0, ARRIVAL_LENGTH));
            registers.enableRelease();
            appender = new ChannelAppender(sram, geometry, 0);
            reader = ArrivalReader.of(region, registers);
            processor = VirtualProcessor.of(timing, 1);
            final VirtualHostEngine engine = VirtualHostEngine.of(memory, clock, processor, timing, this::wake);
            fabric.onWake(ni, this::wake);
            program = new ControlProgram(new Board(sram, memory, engine, fabric.wire(ni), processor, processor,
                context -> wake()), FirmwareConfig.DEFAULT.withReplyChannel(false), new SameNumber(), NiListener.NONE,
                Guards.ALL);
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

    private static final class SameNumber implements Routes
    {
        @Override
        public int niOf(final int node)
        {
            return node < 2 ? node : NONE;
        }

        @Override
        public int nodeOf(final int ni)
        {
            return ni;
        }

        @Override
        public int niCount()
        {
            return 2;
        }
    }
}
