// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;
import org.grim.bench.jmh.SilentQueues;
import org.grim.bench.process.BoundedSpin;
import org.grim.bench.process.Pinning;
import org.grim.bench.process.PrivateDirectory;
import org.grim.bench.process.SecondJvm;
import org.grim.bench.report.ComparisonReport;
import org.grim.bench.ucx.UcxPerftest;

/**
 * The first process: rounds in which every peer is measured once at every cell, in turn, so that the peers of a cell
 * stand side by side in time. Who begins changes from round to round.
 * <p>Thread: the measuring one.
 */
public final class Comparison
{
    static final String CONTROL_FILE = "control";

    private static final String SERVER_NAME = "second";
    // Read before any thread is pinned: afterwards the JVM sees one core.
    private static final int CORE_COUNT = Runtime.getRuntime().availableProcessors();
    private static final int POLLER_COUNT = 2;
    private static final int WARM_UP_ROUNDS = 2;
    private static final long WAIT_MS_MAX = 10_000;

    private final Path ucx;
    private final boolean isUcxAbsent;
    private final ComparisonOptions options;
    private final PrintWriter notes;
    private final PrintWriter progress;
    private final long durationNs;
    private final Results results;
    private final Map<PeerKind, Side> sides = new EnumMap<>(PeerKind.class);
    private final Map<Integer, SilentQueues> queues = new TreeMap<>();

    /**
     * Makes a measurement.
     *
     * @param options  what to measure.
     * @param notes    gets the circumstances.
     * @param progress gets a line per round.
     */
    public Comparison(final ComparisonOptions options, final PrintWriter notes, final PrintWriter progress)
    {
        ucx = UcxPerftest.find(System.getenv("PATH"));
        isUcxAbsent = ucx == null && options.peers().contains(PeerKind.UCX);
        this.options = isUcxAbsent ? options.without(PeerKind.UCX) : options;
        this.notes = notes;
        this.progress = progress;
        durationNs = TimeUnit.MILLISECONDS.toNanos(options.roundMs());
        results = new Results(options.rounds());
    }

    /** What the first process needs to start the second one. */
    public interface PeerArguments
    {
        /**
         * The second command line.
         *
         * @param directory of the files.
         * @param kinds     of peers.
         * @param sizeMax   most payload bytes.
         * @param cpu       to run on, or {@link Pinning#NO_CPU}.
         * @return arguments.
         */
        List<String> of(Path directory, List<PeerKind> kinds, int sizeMax, int cpu);
    }

    /**
     * Tells whether figures can be compared with others.
     *
     * @return false if both processes share a core: they take turns, and the figures say how fast they do.
     */
    public static boolean isComparable()
    {
        return CORE_COUNT >= POLLER_COUNT;
    }

    /**
     * Why figures cannot be compared.
     *
     * @return a sentence.
     */
    public static String refusal()
    {
        return "not comparable: cores=" + CORE_COUNT + " < pollers=" + POLLER_COUNT + "; JSON has no rows";
    }

    /**
     * Measures.
     *
     * @param arguments for the second process, which calls {@link ComparisonServer#serve}.
     * @return what was measured.
     */
    public ComparisonReport run(final PeerArguments arguments)
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        final boolean canPin = cpus.size() >= POLLER_COUNT;
        final int[] pinned = canPin ? new int[] {cpus.get(0), cpus.get(1)} : new int[] {Pinning.NO_CPU, Pinning.NO_CPU};
        final List<PeerKind> kinds = options.peers().stream().sorted().toList();
        try (PrivateDirectory directory = PrivateDirectory.create("grim-bench-", options.directory());
            ControlBlock control = ControlBlock.create(directory.path().resolve(CONTROL_FILE));
            Sides all = new Sides(sides))
        {
            all.open(kinds, true, directory.path(), options.sizeMax());
            if (kinds.contains(PeerKind.UCX))
            {
                sides.put(PeerKind.UCX, new UcxSide(new UcxPerftest(ucx, pinned[0], pinned[1])));
            }
            // Pinned after the start, so that the second JVM does not inherit our one CPU.
            try (SecondJvm server = SecondJvm.start(SERVER_NAME,
                arguments.of(directory.path(), kinds, options.sizeMax(), pinned[1]));
                Pinning pinning = Pinning.pin(pinned[0]))
            {
                note(pinning, canPin ? "that of the second JVM to CPU " + cpus.get(1) : "nor the second JVM's");
                server.awaitReady(all::idle);
                all.connect();
                rounds(directory.path(), control, new BoundedSpin(CORE_COUNT < POLLER_COUNT, WAIT_MS_MAX,
                    "answer of " + SERVER_NAME, server::requireAlive));
            }
        }
        sides.forEach((kind, side) -> notes.println(kind + (kind.isAlone() ? ": operations=" + side.deliveredCount() :
            ": delivered=" + side.deliveredCount() + " messages, all that were sent")));
        return new ComparisonReport(results.rows(), results.tableRows());
    }

    private void rounds(final Path directory, final ControlBlock control, final BoundedSpin spin)
    {
        try
        {
            if (options.isPolled())
            {
                Benchmark.POLL.sizes().forEach(count -> queues.put(count, new SilentQueues(count, directory)));
            }
            final long startNs = System.nanoTime();
            for (int round = -WARM_UP_ROUNDS; round < options.rounds(); round++)
            {
                round(round, control, spin);
                progress.println((round < 0 ? "warm-up " + (round + WARM_UP_ROUNDS + 1) + " of " + WARM_UP_ROUNDS :
                    "round " + (round + 1) + " of " + options.rounds()) + " done after " +
                    TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs) / 1000 + " s");
                progress.flush();
            }
        }
        finally
        {
            queues.values().forEach(SilentQueues::close);
        }
    }

    private void round(final int round, final ControlBlock control, final BoundedSpin spin)
    {
        for (final Cell cell : options.cells())
        {
            final List<PeerKind> kinds = options.peersOf(cell);
            for (int i = 0; i < kinds.size(); i++)
            {
                final PeerKind kind = kinds.get((i + round + WARM_UP_ROUNDS) % kinds.size());
                final double figure = measure(kind, cell, control, spin);
                if (round >= 0)
                {
                    results.add(cell, kind, round, figure);
                }
            }
        }
        queues.forEach((count, silent) ->
        {
            final double figure = silent.measure(durationNs);
            if (round >= 0)
            {
                results.add(new Cell(Benchmark.POLL, count, false), PeerKind.GRIM, round, figure);
            }
        });
    }

    private double measure(final PeerKind kind, final Cell cell, final ControlBlock control, final BoundedSpin spin)
    {
        final Cell actual = kind == PeerKind.RAW ? new Cell(cell.benchmark(), PeerKind.RAW_SIZE, cell.isRead()) : cell;
        try
        {
            sides.values().forEach(Side::idle);
            if (!kind.isAlone())
            {
                control.begin(kind, actual, spin);
            }
            return sides.get(kind).measure(actual, durationNs, control, spin);
        }
        catch (final RuntimeException ex)
        {
            throw new GrimException("peer=" + kind + " failed at " + actual + ": " + SideLoader.describe(ex), ex);
        }
    }

    private void note(final Pinning pinning, final String second)
    {
        notes.println(Machine.describe(CORE_COUNT));
        notes.println("measuring thread " + pinning.description() + ", " + second +
            "; bounds checks of Agrona's buffers: " + (UnsafeBuffer.SHOULD_BOUNDS_CHECK ? "on" : "off") +
            ", for all peers");
        final long seconds = TimeUnit.MILLISECONDS.toSeconds(options.expectedMs(WARM_UP_ROUNDS));
        if (isUcxAbsent)
        {
            notes.println(PeerKind.UCX + ": absent: no ucx_perftest on the path (Debian has it in ucx-utils)");
        }
        notes.println("rounds=" + options.rounds() + " of " + options.roundMs() + " ms per figure, after " +
            WARM_UP_ROUNDS + " to warm up; takes about " + seconds + " s");
        notes.flush();
    }
}
