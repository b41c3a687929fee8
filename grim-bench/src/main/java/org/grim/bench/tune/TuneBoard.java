// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.tune;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.BackoffIdleStrategy;
import org.grim.GrimException;
import org.grim.bench.nodes.BenchBoard;
import org.grim.board.BoardGeometry;
import org.grim.board.ChannelRegisters;
import org.grim.buffer.Buffers;
import org.grim.myrinet.injection.DeadlineWait;
import org.grim.myrinet.injection.InjectionTarget;
import org.grim.myrinet.injection.Injectors;
import org.grim.myrinet.memory.DmaLayout;
import org.grim.myrinet.memory.DmaRegion;
import org.grim.myrinet.memory.MappedBoard;
import org.grim.myrinet.posix.Posix;
import org.grim.myrinet.tuning.InjectionBench;
import org.grim.ni.fabric.DirectFabric;
import org.grim.ni.firmware.ControlProgram;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.board.ChannelRegisters.ARRIVAL_MODE;
import static org.grim.board.ChannelRegisters.OWNER_ADDRESS;
import static org.grim.board.ChannelRegisters.WEIGHT;

/**
 * A board that nobody else uses: board file and DMA region mapped as the driver maps them, and the firmware, which has
 * no peers and never sends.
 * <p>Thread: one host; the firmware runs in a thread of its own, or whenever the host waits.
 * <p>Owns: both files and the firmware's thread.
 */
public final class TuneBoard implements AutoCloseable
{
    /** The model that it simulates. */
    public static final int LANAI_MODEL = 9;

    private static final int CHANNEL = 0;
    private static final int CONTEXT = 0;
    private static final int QUEUE_LENGTH = InjectionBench.QUEUE_LENGTH_MIN;
    private static final int SRAM_LENGTH = 2 << 20;
    private static final int ARRIVAL_LENGTH = Buffers.CACHE_LINE_LENGTH;
    private static final int BOUNCE_COUNT = 2;
    private static final int BOUNCE_LENGTH = 32 << 10;
    private static final int REGION_LENGTH = 1 << 20;
    private static final int PACKET_LENGTH_MAX = 1024;
    private static final int SPIN_COUNT_MAX = 1000;
    private static final long TIME_OUT_NS = TimeUnit.SECONDS.toNanos(2);

    private final Posix posix;
    private final MappedBoard board;
    private final DmaRegion region;
    private final ControlProgram program;
    private final AgentRunner runner;
    private volatile Throwable failure;

    /** Makes a board and starts its firmware. */
    public TuneBoard(final Posix posix, final Path directory, final boolean isStepped)
    {
        this.posix = posix;
        final BoardGeometry geometry =
            new BoardGeometry(LANAI_MODEL, 0, SRAM_LENGTH, 1, QUEUE_LENGTH, 1, 0, 0);
        board = MappedBoard.create(directory.resolve("board"), geometry, 1);
        region = DmaRegion.create(posix, directory.resolve("dma-1"),
            new DmaLayout(REGION_LENGTH, 1, ARRIVAL_LENGTH, BOUNCE_COUNT, BOUNCE_LENGTH), true);
        final ChannelRegisters registers = new ChannelRegisters(board.sram(), geometry, CHANNEL);
        registers.put(ChannelRegisters.CONTEXT, CONTEXT).put(WEIGHT, 1).put(OWNER_ADDRESS, 0)
            .put(ARRIVAL_MODE, ChannelRegisters.ARRIVAL_NONE);
        registers.enableRelease();
        program = BenchBoard.firmware(
            board.sram(), region.buffer(), 1, new DirectFabric(1, 1, PACKET_LENGTH_MAX).wire(0));
        runner = isStepped ? null : new AgentRunner(new BackoffIdleStrategy(SPIN_COUNT_MAX, Long.MAX_VALUE, 1, 1),
            error -> failure = error, null, new Firmware());
        if (runner != null)
        {
            AgentRunner.startOnThread(runner);
        }
    }

    /** {@return what the tuner measures on: the channel of the board, with its target; once only} */
    public InjectionBench bench()
    {
        final DeadlineWait wait =
            new DeadlineWait(System::nanoTime, TIME_OUT_NS, runner == null ? program::step : DeadlineWait.ELSEWHERE);
        final DmaLayout layout = region.layout();
        final InjectionTarget target = new InjectionTarget(board.sram(), board.geometry(), CHANNEL, CONTEXT,
            region.buffer(), layout.bounceOffset(CHANNEL, 0), BOUNCE_COUNT * BOUNCE_LENGTH, wait);
        return new InjectionBench(board.sram(), board.geometry(), CHANNEL, target,
            Buffers.wrap(region.buffer(), layout.registeredOffset(), layout.registeredLength()),
            new Injectors(posix));
    }

    /** Throws the error that ended the firmware, if one did. */
    public void requireAlive()
    {
        if (failure != null)
        {
            throw new GrimException(BAD_DATA, "the board's firmware failed: " + failure, failure);
        }
    }

    @Override
    public void close()
    {
        CloseHelper.close(runner);
        region.closeAndDelete();
        board.closeAndDelete();
    }

    /** Steps the control program until it fails. */
    private final class Firmware implements Agent
    {
        @Override
        public int doWork()
        {
            return failure == null ? program.step() : 0;
        }

        @Override
        public String roleName()
        {
            return "grim-board";
        }
    }
}
