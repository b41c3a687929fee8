// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.pair.Side;
import org.grim.tools.process.BoundedSpin;

/**
 * A program of others as a peer: two processes of its own for every figure, on the CPUs of the two measuring threads,
 * which wait meanwhile.
 */
public final class ForeignSide implements Side
{
    // What an operation may take at least and per byte, from which follows how many fit the time.
    private static final double OPERATION_NS = 100;
    private static final double TCP_OPERATION_NS = 5_000;
    private static final double BYTE_NS = 0.1;
    private static final long ITERATIONS_MIN = 10;
    private static final long ITERATIONS_MAX = 1_000_000;
    private static final double GIGABYTE = 1e9;

    private final Program program;
    private long figureCount;

    private ForeignSide(final Program program)
    {
        this.program = program;
    }

    /** {@return why a kind of peer cannot be measured here; null if it can} */
    public static String absence(final PeerKind kind)
    {
        final String path = System.getenv("PATH");
        return switch (kind)
        {
            case UCX, UCX_TCP -> UcxPerftest.absence(path);
            case OPEN_MPI, OMPI_TCP -> OpenMpi.absence(path);
            default -> null;
        };
    }

    /** Opens a program. */
    public static ForeignSide open(final PeerKind kind, final Path directory, final int... cpus)
    {
        final String path = System.getenv("PATH");
        final boolean isTcp = kind == PeerKind.UCX_TCP || kind == PeerKind.OMPI_TCP;
        if (kind == PeerKind.UCX || kind == PeerKind.UCX_TCP)
        {
            final UcxPerftest perftest = new UcxPerftest(path, isTcp, cpus[0], cpus[1]);
            return new ForeignSide((cell, durationNs) -> ucx(
                perftest, cell, iterations(isTcp ? TCP_OPERATION_NS : OPERATION_NS, cell.size(), durationNs)));
        }
        final MpiPingPong pingPong = MpiPingPong.compile(path, directory, isTcp, cpus);
        return new ForeignSide((cell, durationNs) -> mpi(pingPong, cell, durationNs));
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        figureCount++;
        return program.measure(cell, durationNs);
    }

    /** Runs; what happens in one is its own affair. */
    @Override
    public long deliveredCount()
    {
        return figureCount;
    }

    private static long iterations(final double operationNs, final int size, final long durationNs)
    {
        return Math.max(ITERATIONS_MIN,
            Math.min(ITERATIONS_MAX, Math.round(durationNs / (operationNs + size * BYTE_NS))));
    }

    private static double ucx(final UcxPerftest perftest, final Cell cell, final long iterations)
    {
        final UcxPerftest.Figures figures =
            perftest.run(test(cell.benchmark()), cell.size(), iterations);
        return cell.benchmark().isTime() ? figures.latencyNs() : cell.benchmark() == Benchmark.RATE ?
            figures.bytesPerSecond() / cell.size() : figures.bytesPerSecond() / GIGABYTE;
    }

    private static double mpi(final MpiPingPong pingPong, final Cell cell, final long durationNs)
    {
        final MpiPingPong.Figures figures =
            pingPong.measure(Math.max(1, TimeUnit.NANOSECONDS.toMillis(durationNs)), cell.size());
        return cell.benchmark().isTime() ? figures.latencyNs() : cell.benchmark() == Benchmark.RATE ?
            figures.messagesPerSecond() : figures.messagesPerSecond() * cell.size() / GIGABYTE;
    }

    private static String test(final Benchmark benchmark)
    {
        return switch (benchmark)
        {
            case LATENCY -> "ucp_am_lat";
            case RATE, BANDWIDTH -> "ucp_am_bw";
            case PUT_LATENCY -> "ucp_put_lat";
            case PUT_BANDWIDTH -> "ucp_put_bw";
            case GET_LATENCY, GET_BANDWIDTH -> "ucp_get";
            case POLL, COST, LARGE_MESSAGE, SELECT, BLOCKING, CONNECT, TRANSFER ->
                throw new IllegalArgumentException("ucx_perftest has no benchmark=" + benchmark);
        };
    }

    /** How a program measures a cell. */
    private interface Program
    {
        double measure(Cell cell, long durationNs);
    }
}
