// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import org.grim.bench.process.BoundedSpin;
import org.grim.bench.ucx.UcxFigures;
import org.grim.bench.ucx.UcxPerftest;

/**
 * {@code ucx_perftest} as a peer: two processes of its own for every figure, on the CPUs of the two measuring threads,
 * which wait meanwhile.
 */
final class UcxSide implements Side
{
    // What an operation may take at least and per byte, from which follows how many fit the time.
    private static final double OPERATION_NS = 100;
    private static final double BYTE_NS = 0.1;
    private static final long ITERATIONS_MIN = 10;
    private static final long ITERATIONS_MAX = 1_000_000;
    private static final double GIGABYTE = 1e9;

    private final UcxPerftest perftest;
    private long iterationCount;

    UcxSide(final UcxPerftest perftest)
    {
        this.perftest = perftest;
    }

    @Override
    public void connect()
    {
        // Its processes live for one figure.
    }

    @Override
    public void idle()
    {
        // Nothing to keep alive.
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        final UcxFigures figures =
            perftest.run(test(cell.benchmark()), cell.size(), iterations(cell.size(), durationNs));
        iterationCount += figures.iterations();
        return cell.benchmark() == Benchmark.PUT_LATENCY || cell.benchmark() == Benchmark.GET_LATENCY ?
            figures.latencyNs() : figures.bytesPerSecond() / GIGABYTE;
    }

    @Override
    public void respond(final Cell cell, final ControlBlock control, final BoundedSpin spin)
    {
        throw new IllegalStateException("the second process has no part in it");
    }

    @Override
    public long deliveredCount()
    {
        return iterationCount;
    }

    @Override
    public void close()
    {
        // Nothing is left between figures.
    }

    static long iterations(final int size, final long durationNs)
    {
        return Math.max(ITERATIONS_MIN,
            Math.min(ITERATIONS_MAX, Math.round(durationNs / (OPERATION_NS + size * BYTE_NS))));
    }

    private static String test(final Benchmark benchmark)
    {
        return switch (benchmark)
        {
            case PUT_LATENCY -> "ucp_put_lat";
            case PUT_BANDWIDTH -> "ucp_put_bw";
            case GET_LATENCY, GET_BANDWIDTH -> "ucp_get";
            case LATENCY, RATE, BANDWIDTH, POLL, LARGE_MESSAGE ->
                throw new IllegalArgumentException("ucx_perftest has no benchmark=" + benchmark);
        };
    }
}
