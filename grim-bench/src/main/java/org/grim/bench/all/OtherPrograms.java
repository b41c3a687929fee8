// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.nio.file.Path;
import java.util.List;
import java.util.OptionalDouble;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

import org.grim.bench.compare.Benchmark;
import org.grim.bench.figures.PointKey;
import org.grim.bench.mpi.MpiFigures;
import org.grim.bench.mpi.MpiPingPong;
import org.grim.bench.process.Pinning;
import org.grim.bench.ucx.UcxFigures;
import org.grim.bench.ucx.UcxPerftest;
import org.grim.tools.process.PrivateDirectory;

/**
 * Messages of UCX and of Open MPI, each in two processes of its own, where they are installed. They do not stand in the
 * rounds of the others: starting them takes longer than a figure.
 * <p>Thread: the measuring one, which waits, and must not be pinned: what it starts would be, too.
 */
final class OtherPrograms
{
    private static final String UCX = "ucx";
    private static final String OPEN_MPI = "open-mpi";
    private static final String UCX_ABSENT = "no ucx_perftest on the path (Debian has it in ucx-utils)";

    private static final String MODE = "ignore";
    private static final long ITERATIONS_MIN = 100;
    private static final double OPERATION_NS = 500;
    private static final double BYTE_NS = 0.3;
    private static final double GIGABYTE = 1e9;

    private OtherPrograms()
    {
    }

    static void messages(final Part part)
    {
        final UcxPerftest perftest = findUcx(part);
        if (perftest != null)
        {
            ucx(part, perftest);
        }
        final String path = System.getenv("PATH");
        final String absence = MpiPingPong.absence(path);
        if (absence != null)
        {
            part.figures().absent(OPEN_MPI, absence);
        }
        else
        {
            openMpi(part, path, cpus());
        }
    }

    /** Writes and reads from one side; UCX only. */
    static void memory(final Part part, final List<Integer> sizes)
    {
        final UcxPerftest perftest = findUcx(part);
        if (perftest == null)
        {
            return;
        }
        for (final int size : sizes)
        {
            addMemory(part, Benchmark.PUT_LATENCY, size, run(part, perftest, "ucp_put_lat", size).latencyNs());
            addMemory(part, Benchmark.PUT_BANDWIDTH, size,
                run(part, perftest, "ucp_put_bw", size).bytesPerSecond() / GIGABYTE);
            final UcxFigures get = run(part, perftest, "ucp_get", size);
            addMemory(part, Benchmark.GET_LATENCY, size, get.latencyNs());
            addMemory(part, Benchmark.GET_BANDWIDTH, size, get.bytesPerSecond() / GIGABYTE);
        }
    }

    private static UcxPerftest findUcx(final Part part)
    {
        final Path program = UcxPerftest.find(System.getenv("PATH"));
        if (program == null)
        {
            part.figures().absent(UCX, UCX_ABSENT);
            return null;
        }
        final int[] cpus = cpus();
        return new UcxPerftest(program, cpus[0], cpus[1]);
    }

    private static int[] cpus()
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        return cpus.size() < 2 ? new int[] {Pinning.NO_CPU, Pinning.NO_CPU} : new int[] {cpus.get(0), cpus.get(1)};
    }

    private static void ucx(final Part part, final UcxPerftest perftest)
    {
        final Effort effort = part.effort();
        for (int round = 0; round < effort.choose(1, 1, 2); round++)
        {
            for (final int size : effort.choose(List.of(32), List.of(32, 2048, 65504), latencySizes(effort)))
            {
                add(part, UCX, Benchmark.LATENCY, size, run(part, perftest, "ucp_am_lat", size).latencyNs());
            }
            for (final int size : effort.choose(List.<Integer>of(), List.of(32), MessagesSection.rateSizes(effort)))
            {
                add(part, UCX, Benchmark.RATE, size,
                    run(part, perftest, "ucp_am_bw", size).bytesPerSecond() / size);
            }
            for (final int size : effort.choose(List.<Integer>of(), List.of(65504),
                MessagesSection.bandwidthSizes(effort)))
            {
                add(part, UCX, Benchmark.BANDWIDTH, size,
                    run(part, perftest, "ucp_am_bw", size).bytesPerSecond() / GIGABYTE);
            }
        }
    }

    private static UcxFigures run(final Part part, final UcxPerftest perftest, final String test, final int size)
    {
        final long durationNs = part.effort().cellNs() * 4;
        return perftest.run(test, size,
            Math.max(ITERATIONS_MIN, Math.round(durationNs / (OPERATION_NS + size * BYTE_NS))));
    }

    private static void openMpi(final Part part, final String path, final int... cpus)
    {
        final Effort effort = part.effort();
        final Set<Integer> sizes = new TreeSet<>(MessagesSection.latencySizes(effort));
        sizes.addAll(MessagesSection.rateSizes(effort));
        sizes.addAll(MessagesSection.bandwidthSizes(effort));
        try (PrivateDirectory directory = PrivateDirectory.create("grim-mpi-", part.directory()))
        {
            final MpiPingPong program = MpiPingPong.compile(path, directory.path(), cpus);
            for (int round = 0; round < effort.choose(1, 1, 2); round++)
            {
                final MpiFigures figures = program.measure((int)TimeUnit.NANOSECONDS.toMillis(effort.cellNs() * 2),
                    List.copyOf(sizes));
                figures.latencyNs().forEach((size, ns) -> add(part, OPEN_MPI, Benchmark.LATENCY, size, ns));
                MessagesSection.rateSizes(effort).forEach(size -> add(part, OPEN_MPI, Benchmark.RATE, size,
                    figures.messagesPerSecond().get(size)));
                MessagesSection.bandwidthSizes(effort).forEach(size -> add(part, OPEN_MPI, Benchmark.BANDWIDTH, size,
                    figures.messagesPerSecond().get(size) * size / GIGABYTE));
            }
        }
    }

    private static List<Integer> latencySizes(final Effort effort)
    {
        return MessagesSection.latencySizes(effort).stream().filter(size -> size > 0).toList();
    }

    private static void add(
        final Part part, final String peer, final Benchmark benchmark, final int size, final double figure)
    {
        part.figures().add(new PointKey(MessagesSection.SUITE, benchmark.label(), peer, MODE, "size", size),
            benchmark.unit(), PairRounds.direction(benchmark), figure, OptionalDouble.empty());
    }

    private static void addMemory(final Part part, final Benchmark benchmark, final int size, final double figure)
    {
        part.figures().add(new PointKey(MemorySection.SUITE, benchmark.label(), UCX, MODE, "size", size),
            benchmark.unit(), PairRounds.direction(benchmark), figure, OptionalDouble.empty());
    }
}
