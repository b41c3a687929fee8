// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.grim.bench.groups.TurnBlock;
import org.grim.buffer.Uninterrupted;
import org.grim.tools.process.Pinning;

/**
 * One of two processes: does its turns, and sleeps between them. Its last three arguments are the file of turns, the
 * number of its side, and the CPUs of both ranks.
 * <p>Thread: main.
 */
abstract class MpiRank
{
    /** Arguments of ours, behind those of a library. */
    private static final int ARGUMENT_COUNT = 3;

    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(5);
    private static final int LOOK_SLEEPS = 100;
    private static final int WINDOW = 64;
    private static final int FACTOR = 7;

    final byte[] source = new byte[MpiOperation.LENGTH_MAX];
    final byte[] target = new byte[MpiOperation.LENGTH_MAX];
    final long[] addends = new long[MpiOperation.LENGTH_MAX / Long.BYTES];
    final long[] sums = new long[MpiOperation.LENGTH_MAX / Long.BYTES];
    private final int rank;

    MpiRank(final int rank)
    {
        this.rank = rank;
        for (int i = 0; i < source.length; i++)
        {
            source[i] = (byte)(i * FACTOR);
        }
        for (int i = 0; i < addends.length; i++)
        {
            addends[i] = i * (rank + 1L);
        }
    }

    /** Sends the source, or what has come to the target. */
    abstract void send(boolean isEcho, int length, boolean isDirect);

    /** Receives in the target. */
    abstract void receive(int length, boolean isDirect);

    abstract void allReduce(int length);

    abstract void broadcast(int length);

    abstract void allToAll(int length);

    abstract void barrier();

    /** The target's byte, of an operation with direct buffers in theirs. */
    abstract byte received(int index, boolean isDirect);

    final int other()
    {
        return 1 - rank;
    }

    /** Runs until the command says that all turns are done, or is gone. */
    final void doTurns(final String... arguments)
    {
        final int first = arguments.length - ARGUMENT_COUNT;
        final Path file = Path.of(arguments[first]);
        final int side = Integer.parseInt(arguments[first + 1]);
        final int cpu = Integer.parseInt(arguments[first + 2].split(",", -1)[rank]);
        try (Pinning pinning = Pinning.pin(cpu); TurnBlock turns = TurnBlock.open(file))
        {
            if (cpu != Pinning.NO_CPU && !pinning.isPinned())
            {
                throw new IllegalStateException(pinning.description());
            }
            long sleepCount = 0;
            while (!turns.isEnd() && (sleepCount % LOOK_SLEEPS != 0 || Files.exists(file)))
            {
                if (!turns.hasNext())
                {
                    Uninterrupted.park(SLEEP_NS);
                    sleepCount++;
                }
                else if (turns.side() == side && !turns.isEnd())
                {
                    turns.done(side, rank, measure(MpiOperation.of(turns.what()), turns.length(), turns.count()));
                }
                else
                {
                    turns.seen(side, rank);
                }
            }
        }
    }

    private long measure(final MpiOperation operation, final int length, final int count)
    {
        final boolean isDirect = operation == MpiOperation.LATENCY_DIRECT;
        final boolean isLatency = isDirect || operation == MpiOperation.LATENCY;
        barrier();
        final long startNs = System.nanoTime();
        switch (operation)
        {
            case LATENCY, LATENCY_DIRECT -> pass(length, isDirect, count);
            case RATE -> stream(length, count);
            default -> perform(operation, length, count);
        }
        barrier();
        final long timeNs = (System.nanoTime() - startNs) / (isLatency ? 2 : 1);
        final int last = length / Long.BYTES - 1;
        if ((isLatency && received(length - 1, isDirect) != (byte)((length - 1) * FACTOR)) ||
            (operation == MpiOperation.ALL_REDUCE && sums[last] != last * 3L))
        {
            throw new IllegalStateException("a result of " + operation + " is wrong: length=" + length);
        }
        return timeNs;
    }

    private void pass(final int length, final boolean isDirect, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (rank == 0)
            {
                send(false, length, isDirect);
                receive(length, isDirect);
            }
            else
            {
                receive(length, isDirect);
                send(true, length, isDirect);
            }
        }
    }

    private void stream(final int length, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            if (rank == 0)
            {
                send(false, length, false);
            }
            else
            {
                receive(length, false);
            }
            if (i % WINDOW == 0)
            {
                if (rank == 0)
                {
                    receive(1, false);
                }
                else
                {
                    send(true, 1, false);
                }
            }
        }
    }

    private void perform(final MpiOperation operation, final int length, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            switch (operation)
            {
                case ALL_REDUCE -> allReduce(length);
                case BROADCAST -> broadcast(length);
                default -> allToAll(length);
            }
        }
    }
}
