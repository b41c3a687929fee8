// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.scale;

import java.time.Duration;
import java.util.Locale;
import java.util.function.ObjLongConsumer;

import org.grim.ni.board.Routes;
import org.grim.ni.clock.VirtualClock;
import org.grim.ni.fabric.Fabric;
import org.grim.ni.fabric.RandomStream;

/**
 * One run: boards, hosts and fabric, from the first message to the last one's outcome. The same options give the same
 * figures, except for real time and heap.
 * <p>Thread: the caller's. Bounds: the limits; they are looked at every few milliseconds.
 */
public final class ScaleRun
{
    private static final int EVENTS_BETWEEN_LOOKS = 1 << 14;
    private static final long PROGRESS_INTERVAL_NS = 1_000_000_000L;
    private static final long QUIET_NS_MAX = 60_000_000_000L;
    private static final long START_SPREAD_NS = 1_000;
    private static final double SECOND_NS = 1e9;
    private static final double MILLISECOND_NS = 1e6;
    private static final double MINUTE_NS = 60e9;
    private static final double MEGA = 1e6;
    private static final double GIBI = 1L << 30;
    /** Of the control program, host, engine and wire of a board, besides SRAM and host memory; measured, rounded up. */
    private static final int BOARD_HEAP_LENGTH = 64 << 10;

    private final ScaleOptions options;
    private final ScaleLimits limits;
    private final ObjLongConsumer<String> progress;
    private final VirtualClock clock = new VirtualClock();
    private final ScaleCounts counts;
    private final Fabric fabric;
    private final ScaleBoard[] boards;
    private final long startNs = System.nanoTime();
    private final long startCpuNs = cpuNs();
    private long eventCount;
    private long heapBytesMax;
    private long boardHeapBytes;
    private long peerHeapBytes;
    private long nextProgressNs = PROGRESS_INTERVAL_NS;

    /**
     * Prepares a run.
     *
     * @param options  of it.
     * @param limits   of its cost.
     * @param progress receives, now and then, the boards' time and the number of messages read.
     */
    public ScaleRun(final ScaleOptions options, final ScaleLimits limits, final ObjLongConsumer<String> progress)
    {
        this.options = options;
        this.limits = limits;
        this.progress = progress;
        counts = new ScaleCounts(clock, options);
        fabric = new Fabric(clock, options.wire().topology(options.niCount()),
            options.wire().linkTiming(options.messageLength()));
        boards = new ScaleBoard[options.niCount()];
    }

    /** Runs it. Once. */
    public ScaleResult run()
    {
        final long boardBytes = (long)options.niCount() *
            (BOARD_HEAP_LENGTH + ScaleBoard.sramLength(options) + ScaleHost.regionLength(options));
        if (boardBytes > limits.memoryBytes())
        {
            return result(String.format(Locale.ROOT, "memory: %d boards and hosts alone take %.1f GiB of %.1f",
                options.niCount(), boardBytes / GIBI, limits.memoryBytes() / GIBI));
        }
        System.gc();                            // Garbage of an earlier run takes a second collection now and then.
        final long beforeBytes = usedAfterCollection();
        build();
        final long builtBytes = usedAfterCollection();
        boardHeapBytes = Math.max(builtBytes - beforeBytes, 0) / boards.length;
        final String stop = loop();
        if (stop == null)
        {
            checkAtRest();
        }
        measurePeers(builtBytes);
        return result(stop);
    }

    private void build()
    {
        final Routes routes = Routes.sameNumber(options.niCount());
        final Traffic traffic = new Traffic(options);
        for (int ni = 0; ni < boards.length; ni++)
        {
            boards[ni] = new ScaleBoard(ni, options, clock, fabric, traffic, routes, counts);
        }
        final RandomStream starts = new RandomStream(options.seed()).fork("start");
        for (final ScaleBoard board : boards)
        {
            board.host().start(starts.nextLong(0, START_SPREAD_NS));
        }
    }

    /** Runs until everything is settled and read. Returns what stopped it before, or null. */
    private String loop()
    {
        while (!isComplete())
        {
            // When all is settled, hosts read what they have: a few events, each looked behind.
            final int count = counts.settledCount() == options.totalCount() ? 1 : EVENTS_BETWEEN_LOOKS;
            for (int i = 0; i < count && (count == 1 || counts.settledCount() < options.totalCount()); i++)
            {
                if (!clock.runNext())
                {
                    throw new IllegalStateException("nothing is going to happen any more: " + soFar());
                }
                eventCount++;
            }
            final String stop = exceeded();
            if (stop != null)
            {
                return stop;
            }
        }
        return null;
    }

    private boolean isComplete()
    {
        if (counts.settledCount() < options.totalCount())
        {
            return false;
        }
        if (counts.lostCount == 0)
        {
            return counts.deliveredCount == options.totalCount();
        }
        boolean hasUnread = false;
        for (final ScaleBoard board : boards)
        {
            hasUnread |= board.host().hasUnread();
        }
        return !hasUnread;
    }

    private String exceeded()
    {
        final long elapsedNs = System.nanoTime() - startNs;
        if (elapsedNs - nextProgressNs >= 0)
        {
            nextProgressNs = elapsedNs + PROGRESS_INTERVAL_NS;
            progress.accept(virtualMs(), counts.deliveredCount);
        }
        if (elapsedNs >= limits.durationNs())
        {
            return String.format(
                Locale.ROOT, "time: %.1f minutes are over, %s", limits.durationNs() / MINUTE_NS, soFar());
        }
        if (used() > limits.memoryBytes() && usedAfterCollection() > limits.memoryBytes())
        {
            return String.format(
                Locale.ROOT, "memory: more than %.1f GiB in use, %s", limits.memoryBytes() / GIBI, soFar());
        }
        if (clock.nowNs() - counts.lastNs > QUIET_NS_MAX)
        {
            throw new IllegalStateException("nothing was delivered for a virtual minute: " + soFar());
        }
        return null;
    }

    private String soFar()
    {
        return String.format(Locale.ROOT, "%,d of %,d messages were delivered in %s", counts.deliveredCount,
            options.totalCount(), virtualMs());
    }

    private String virtualMs()
    {
        return String.format(Locale.ROOT, "%.3f virtual ms", clock.nowNs() / MILLISECOND_NS);
    }

    /** Nothing is lost but what was reported, and nothing was delivered that nobody sent. */
    private void checkAtRest()
    {
        final long deliveredCount = counts.deliveredCount;
        if (deliveredCount < counts.acknowledgedCount || deliveredCount > options.totalCount())
        {
            throw new IllegalStateException("delivered=" + deliveredCount + " messages, acknowledged=" +
                counts.acknowledgedCount + ", sent=" + options.totalCount());
        }
    }

    private void measurePeers(final long builtBytes)
    {
        long peerCount = 0;
        for (final ScaleBoard board : boards)
        {
            peerCount += board.delivery().peerCount();
        }
        final long grownBytes = usedAfterCollection() - builtBytes - fabric.packetBytes();
        peerHeapBytes = Math.max(grownBytes, 0) / Math.max(peerCount, 1);
    }

    private ScaleResult result(final String stop)
    {
        final double total = rate(counts.deliveredCount * SECOND_NS / Math.max(counts.lastNs, 1));
        final double middle = rate(counts.middleRate());
        final double linkRate = options.pattern() == TrafficPattern.HOT_SPOT ? counts.hotRate() :
            counts.middleRate() / options.niCount();
        final double wireShare = linkRate * options.messageLength() / options.wire().bytesPerSecond();
        int peerCount = 0;
        int tripleCount = 0;
        long tableBytes = 0;
        for (final ScaleBoard board : boards)
        {
            if (board != null)
            {
                final int sendCount = board.delivery().sendTripleCount();
                final int triples = board.delivery().tripleCount();
                peerCount = Math.max(peerCount, board.delivery().peerCount());
                tripleCount = Math.max(tripleCount, triples);
                tableBytes = Math.max(tableBytes,
                    PackedState.tableLength(board.delivery().peerCount(), sendCount, triples - sendCount));
            }
        }
        return new ScaleResult(options, stop,
            new ScaleResult.Goodput(counts.deliveredCount, total, total / options.niCount(), middle, wireShare),
            new ScaleResult.Packets(counts.dataCount, counts.repeatedCount,
                (double)counts.repeatedCount / Math.max(counts.dataCount, 1), counts.nackCount,
                counts.convictionCount, counts.lostCount),
            new ScaleResult.Fairness(counts.senderFairness(),
                options.pattern() == TrafficPattern.HOT_SPOT ? counts.hotFairness() : null),
            new ScaleResult.Memory(peerCount, tripleCount, ScaleBoard.sramLength(options), tableBytes, boardHeapBytes,
                peerHeapBytes),
            new ScaleResult.Cost(fabric.topology().hopCountMax(), counts.lastNs / MILLISECOND_NS,
                (System.nanoTime() - startNs) / SECOND_NS, (cpuNs() - startCpuNs) / SECOND_NS, eventCount,
                heapBytesMax));
    }

    private double rate(final double messagesPerSecond)
    {
        return messagesPerSecond * options.size() / MEGA;
    }

    private static long cpuNs()
    {
        return ProcessHandle.current().info().totalCpuDuration().orElse(Duration.ZERO).toNanos();
    }

    private long usedAfterCollection()
    {
        System.gc();
        return used();
    }

    private long used()
    {
        final long usedBytes = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        heapBytesMax = Math.max(heapBytesMax, usedBytes);
        return usedBytes;
    }
}
