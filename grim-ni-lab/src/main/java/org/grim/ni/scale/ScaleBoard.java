// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import org.agrona.BitUtil;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.board.BoardDescriptor;
import org.grim.board.BoardGeometry;
import org.grim.buffer.Buffers;
import org.grim.ni.board.Board;
import org.grim.ni.board.Routes;
import org.grim.ni.clock.Event;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.delivery.ReliableDelivery;
import org.grim.ni.event.NiListener;
import org.grim.ni.event.Outcome;
import org.grim.ni.event.PeerState;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.firmware.ControlProgram;
import org.grim.ni.firmware.FirmwareConfig;
import org.grim.ni.timing.VirtualProcessor;
import org.grim.wire.MessageType;

/**
 * A board with one channel and its host. The event is the next step of its control program, which sleeps while nothing
 * happens.
 * <p>Thread: the run's. Owns: SRAM and host, as small as the channel's queue allows.
 */
final class ScaleBoard extends Event implements NiListener
{
    private static final int LANAI_9 = 9;
    private static final int QUEUE_LENGTH_MIN = 4096;
    private static final int QUOTA_MAX = 128;
    private static final int TRANSLATION_PAGE_COUNT = 32;
    private static final long QUESTION_NS_MAX = 100_000_000;
    private static final int SECTION_ALIGNMENT = 4096;

    private final VirtualClock clock;
    private final ScaleCounts counts;
    private final ScaleHost host;
    private final VirtualProcessor processor;
    private final ControlProgram program;
    private final long turnNs;
    private long freeNs;
    private boolean isStepping;
    private boolean isWoken;

    ScaleBoard(
        final int ni, final ScaleOptions options, final VirtualClock clock, final Fabric fabric,
        final Traffic traffic, final Routes routes, final ScaleCounts counts)
    {
        this.clock = clock;
        this.counts = counts;
        turnNs = options.wire().turnNs();
        final int sramLength = sramLength(options);
        final AtomicBuffer sram = Buffers.wrap(new byte[sramLength]);
        final BoardGeometry geometry =
            new BoardGeometry(LANAI_9, ni, sramLength, 1, queueLength(options), 1, 0, 0);
        geometry.write(sram);
        BoardDescriptor.epoch(sram, 1);
        host = new ScaleHost(ni, options, clock, traffic, counts, sram, geometry, this::wake);
        processor = options.wire().processor();
        final Board board = new Board(
            sram, host.memory(), options.wire().engine(host.memory(), clock, processor, this::onTransferComplete),
            fabric.wire(ni), processor, processor, context -> wake());
        program = new ControlProgram(board, config(options), routes, this);
        fabric.onWake(ni, this::wake);
        wake();
    }

    /** Bytes of SRAM that a board needs for these messages. */
    static int sramLength(final ScaleOptions options)
    {
        final int offset = new BoardGeometry(
            LANAI_9, 0, BoardGeometry.SRAM_LENGTH_MIN, 1, QUEUE_LENGTH_MIN, 1, 0, 0).queueOffset(0);
        return Math.max(BoardGeometry.SRAM_LENGTH_MIN,
            BitUtil.align(offset + queueLength(options), SECTION_ALIGNMENT));
    }

    ScaleHost host()
    {
        return host;
    }

    ReliableDelivery delivery()
    {
        return program.delivery();
    }

    @Override
    protected void run()
    {
        isWoken = false;
        isStepping = true;
        processor.begin(clock.nowNs());
        final int workCount = program.step();
        isStepping = false;
        freeNs = Math.max(clock.nowNs() + turnNs, processor.nowNs());
        if (workCount > 0 || isWoken)
        {
            clock.schedule(this, freeNs);
            return;
        }
        final long deadlineNs = program.nextDeadlineNs();
        if (deadlineNs != Long.MAX_VALUE)
        {
            clock.schedule(this, Math.max(freeNs, deadlineNs));
        }
    }

    @Override
    public void onTransmitted(
        final int channel, final int position, final int destinationNi, final int destinationChannel,
        final int sequence, final int token, final boolean isRepeated)
    {
        counts.dataCount++;
        counts.repeatedCount += isRepeated ? 1 : 0;
    }

    @Override
    public void onAnswered(
        final MessageType type, final int channel, final int destinationNi, final int destinationChannel,
        final int sequence, final int token)
    {
        counts.nackCount += type == MessageType.NACK ? 1 : 0;
    }

    @Override
    public void onSettled(final int channel, final int position, final Outcome outcome)
    {
        counts.acknowledgedCount += outcome == Outcome.ACKNOWLEDGED ? 1 : 0;
        counts.lostCount += outcome == Outcome.ACKNOWLEDGED ? 0 : 1;
        host.onSettled();
    }

    @Override
    public void onPeer(final int ni, final PeerState state)
    {
        counts.convictionCount += state == PeerState.GONE ? 1 : 0;
    }

    private void wake()
    {
        if (isStepping || program == null)
        {
            isWoken = true;
            return;
        }
        final long timeNs = Math.max(clock.nowNs(), freeNs);
        if (!isScheduled() || timeNs() > timeNs)
        {
            clock.reschedule(this, timeNs);
        }
    }

    private void onTransferComplete()
    {
        host.onTransferComplete();
        wake();
    }

    private static int queueLength(final ScaleOptions options)
    {
        return Math.max(QUEUE_LENGTH_MIN,
            BitUtil.findNextPositivePowerOfTwo(options.messageLength() * ScaleHost.QUEUE_COUNT));
    }

    private static FirmwareConfig config(final ScaleOptions options)
    {
        final int quota = Math.min(QUOTA_MAX,
            BitUtil.findNextPositivePowerOfTwo(queueLength(options) / options.messageLength()));
        return FirmwareConfig.DEFAULT.with(values ->
        {
            values.hasReplyChannel = false;
            values.channelQuota = quota;
            values.translationPageCount = TRANSLATION_PAGE_COUNT;
            values.questionNsMax = options.isConvicting() ? 0 : QUESTION_NS_MAX;
        });
    }
}
