// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

import org.HdrHistogram.Histogram;
import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.buffer.Buffers;
import org.grim.tools.boards.BoardKind;
import org.grim.tools.boards.BoardServer;
import org.grim.tools.process.BoundedSpin;
import org.grim.tools.process.Pinning;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The first process of two with all peers between them: each measuring thread pinned, each peer with its own copy of
 * the measuring code.
 * <p>Thread: one, the measuring one. Owns: the second process, the sides, the files, and the thread's pinning.
 */
public final class PeerPair implements AutoCloseable
{
    /** Read before any thread is pinned: afterwards the JVM sees one core. */
    public static final int CORE_COUNT = Runtime.getRuntime().availableProcessors();

    /** Threads that spin while something is measured. */
    public static final int POLLER_COUNT = 2;

    /** System property by which both processes make room for echoes of large messages. */
    public static final String ECHO_PROPERTY = "bench.large-echoes";

    private static final String WARM_UP_KEY = "grim.warm-up";
    private static final String WARM_UP_TIME_MAX = "10s";

    static final String CONTROL_FILE = "control";

    private static final String SERVER_NAME = "second";
    private static final long WAIT_MS_MAX = 10_000;

    private final Sides sides = new Sides();
    private final PrivateDirectory directory;
    private final Ends ends;
    private final boolean isForEchoes;
    private final BoardKind board;
    private final HostPlaces hosts;
    private final List<Integer> cpus = Pinning.allowedCpus();
    private final boolean canPin = cpus.size() >= POLLER_COUNT;
    private ControlBlock control;
    private SecondJvm server;
    private SecondJvm boardServer;
    private Pinning pinning;
    private BoundedSpin spin;

    private PeerPair(
        final Path base, final Ends ends, final boolean isForEchoes, final BoardKind board, final HostPlaces hosts)
    {
        directory = PrivateDirectory.create("grim-bench-", base);
        this.ends = ends;
        this.isForEchoes = isForEchoes;
        this.board = board;
        this.hosts = hosts;
    }

    /** Why a peer cannot be measured here. Returns a reason, or null if it can. */
    public static String absence(final PeerKind kind)
    {
        return kind.isForeign() ? PeerFactory.ofPrograms().absence(kind) : null;
    }

    /**
     * Starts the second process, a {@link PairServer}. It may not be ready on return.
     *
     * @param kinds   of peers, in the order of {@link PeerKind}.
     * @param sizeMax most payload bytes.
     * @param base    where files are made; null for the usual place.
     * @return the pair, to be connected.
     */
    public static PeerPair start(final List<PeerKind> kinds, final int sizeMax, final Path base)
    {
        return start(new PeerPair(base, Ends.FIRST, false, null, null), kinds, sizeMax);
    }

    /**
     * Opens both ends of all peers in this process, which measures them alone.
     *
     * @param kinds   of peers, those that take part in {@link Benchmark#COST}.
     * @param sizeMax most payload bytes.
     * @param base    where files are made; null for the usual place.
     * @return the pair, to be connected.
     */
    public static PeerPair startAlone(final List<PeerKind> kinds, final int sizeMax, final Path base)
    {
        return start(new PeerPair(base, Ends.BOTH, false, null, null), kinds, sizeMax);
    }

    /**
     * As {@link #start}, with room for echoes of large messages, and for boards of a kind.
     *
     * @param kinds   of peers.
     * @param sizeMax most payload bytes.
     * @param base    where files are made; null for the usual place.
     * @param board   who runs the firmware of boards; null for no boards.
     * @param hosts   that both processes are; null for one host.
     * @return the pair, to be connected.
     */
    public static PeerPair startForEchoes(
        final List<PeerKind> kinds, final int sizeMax, final Path base, final BoardKind board, final HostPlaces hosts)
    {
        System.setProperty(ECHO_PROPERTY, "true");
        if (board != null)
        {
            System.setProperty(BoardKind.PROPERTY, board.toString());
        }
        if (hosts != null)
        {
            System.setProperty(HostPlaces.PROPERTY, hosts.text());
        }
        return start(new PeerPair(base, Ends.FIRST, true, board, hosts), kinds, sizeMax);
    }

    private static PeerPair start(final PeerPair pair, final List<PeerKind> kinds, final int sizeMax)
    {
        try
        {
            pair.open(kinds, sizeMax);
        }
        catch (final RuntimeException ex)
        {
            CloseHelper.quietClose(pair);
            throw ex;
        }
        return pair;
    }

    /** Waits for the second process, and connects all peers. */
    public void connect()
    {
        if (server != null)
        {
            server.awaitReady(sides::idle);
        }
        sides.connect();
    }

    /**
     * Measures one peer once.
     *
     * @param kind       of peer.
     * @param cell       what.
     * @param durationNs how long.
     * @return the figure in the benchmark's unit.
     */
    public double measure(final PeerKind kind, final Cell cell, final long durationNs)
    {
        final Cell actual = kind == PeerKind.RAW ? new Cell(cell.benchmark(), PeerKind.RAW_SIZE, cell.isRead()) : cell;
        try
        {
            begin(kind, actual);
            return sides.get(kind).measure(actual, durationNs, control, spin);
        }
        catch (final RuntimeException ex)
        {
            throw failed(kind, actual, ex);
        }
    }

    /**
     * Times of the last latency of a peer, one by one.
     *
     * @param kind of peer.
     * @return in ns; overwritten by its next measurement.
     */
    public Histogram times(final PeerKind kind)
    {
        return sides.get(kind).times();
    }

    /** Offers messages to one peer, which echoes them. */
    public Side.OfferedLoad offer(final PeerKind kind, final Side.Offer offer)
    {
        final Cell cell = new Cell(Benchmark.LATENCY, offer.size(), true);
        try
        {
            begin(kind, cell);
            return sides.get(kind).offer(offer, control, spin);
        }
        catch (final RuntimeException ex)
        {
            throw failed(kind, cell, ex);
        }
    }

    /** {@return where files are: a directory that goes when this is closed} */
    public Path path()
    {
        return directory.path();
    }

    /** {@return CPUs of both measuring threads, and their pauses; part of a sentence} */
    public String description()
    {
        return "measuring thread " + pinning.description() + ", " +
            (server == null ? "one process" :
            canPin ? "that of the second JVM to CPU " + cpus.get(1) : "nor the second JVM's") +
            ", " + spin.description();
    }

    /** {@return messages and operations so far; by kind; all were verified to have come} */
    public Map<PeerKind, Long> deliveredCounts()
    {
        return sides.deliveredCounts();
    }

    /** {@return bytes that the measuring thread of this process allocated for a message: medians of rates; by kind} */
    public Map<PeerKind, Double> allocatedLengths()
    {
        return sides.allocatedLengths();
    }

    /** {@return threads that work while something is measured} */
    public int pollerCount()
    {
        return hosts != null ? HostPlaces.POLLER_COUNT : board != null ? board.pollerCount() : POLLER_COUNT;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(pinning, server, sides, boardServer, control, directory);
    }

    private void open(final List<PeerKind> kinds, final int sizeMax)
    {
        Buffers.requireAccess();
        warmUpNodes();
        if (board != null)
        {
            boardServer = BoardServer.startIfNeeded(board, kinds.get(kinds.size() - 1).label(), directory.path());
        }
        control = ControlBlock.create(directory.path().resolve(CONTROL_FILE));
        sides.open(kinds, ends, directory.path(), sizeMax);
        final int[] pinned = canPin ? new int[] {cpus.get(0), cpus.get(1)} : new int[] {Pinning.NO_CPU, Pinning.NO_CPU};
        for (final PeerKind kind : kinds)
        {
            if (kind.isForeign())
            {
                sides.put(kind, PeerFactory.ofPrograms().openProgram(kind, directory.path(), pinned));
            }
        }
        // Pinned after the start, so that the second JVM does not inherit our one CPU.
        if (ends == Ends.FIRST && !kinds.stream().allMatch(PeerKind::isAlone))
        {
            server = SecondJvm.start(SERVER_NAME, hosts == null ? UnaryOperator.identity() : hosts::place,
                new PairServer(
                directory.path(), kinds, sizeMax, pinned[1], isForEchoes, board, hosts == null ? null : hosts.text()));
        }
        pinning = Pinning.pin(pinned[0]);
        spin = new BoundedSpin(server != null && CORE_COUNT < pollerCount(), WAIT_MS_MAX, "answer of " + SERVER_NAME,
            this::requireAlive);
    }

    /** As Aeron's experts do. Must run before the first buffer is made, and holds for all peers alike. */
    public static void disableBoundsChecks()
    {
        System.setProperty("agrona.disable.bounds.checks", "true");
    }

    /** Nodes of this process that join later warm up before, unless a setting says otherwise. */
    static void warmUpNodes()
    {
        if (System.getProperty(WARM_UP_KEY) == null)
        {
            System.setProperty(WARM_UP_KEY, WARM_UP_TIME_MAX);
        }
    }

    private void requireAlive()
    {
        if (server != null)
        {
            server.requireAlive();
        }
        if (boardServer != null)
        {
            boardServer.requireAlive();
        }
    }

    private void begin(final PeerKind kind, final Cell cell)
    {
        sides.idle();
        if (server != null && !kind.isAlone())
        {
            control.begin(kind, cell, spin);
        }
    }

    private static GrimException failed(final PeerKind kind, final Cell cell, final RuntimeException ex)
    {
        return new GrimException(SYSTEM_REFUSED,
            "peer=" + kind + " failed at " + cell + ": " + SideLoader.describe(ex), ex);
    }
}
