// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.Side;
import org.grim.tools.process.BoundedSpin;
import org.grim.tools.process.ForeignProcess;
import org.grim.tools.process.Pinning;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * A ping-pong in C as a peer: compiled with {@code mpicc} and run with {@code mpirun}, two processes on a CPU each.
 * <p>Thread: one, which waits. Owns: two files in the directory that it is given.
 */
public final class MpiPingPong implements Side
{
    private static final String SOURCE = "pingpong.c";
    private static final long START_TIMEOUT_MS = 30_000;
    private static final int PASSES = 4;
    private static final double GIGABYTE = 1e9;
    private static final List<String> TCP =
        List.of("--mca", "pml", "ob1", "--mca", "btl", "tcp,self", "--mca", "btl_tcp_if_include", "lo");

    private final Path program;
    private final Path launcher;
    private final boolean isTcp;
    private final int[] cpus;
    private long runCount;

    private MpiPingPong(final Path program, final Path launcher, final boolean isTcp, final int[] cpus)
    {
        this.program = program;
        this.launcher = launcher;
        this.isTcp = isTcp;
        this.cpus = cpus.clone();
    }

    /** Its figures: half of the median round trip in ns, and the rate of a stream. */
    record Figures(double latencyNs, double messagesPerSecond)
    {
    }

    /** Compiles the program into a directory, for two CPUs or two times {@link Pinning#NO_CPU}. */
    public static MpiPingPong compile(
        final String searchPath, final Path directory, final boolean isTcp, final int... cpus)
    {
        return new MpiPingPong(OpenMpi.compile(searchPath, MpiPingPong.class, SOURCE, directory),
            OpenMpi.launcher(searchPath), isTcp, cpus);
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        runCount++;
        final Figures figures = measure(Math.max(1, TimeUnit.NANOSECONDS.toMillis(durationNs)), cell.size());
        return cell.benchmark().isTime() ? figures.latencyNs() : cell.benchmark() == Benchmark.RATE ?
            figures.messagesPerSecond() : figures.messagesPerSecond() * cell.size() / GIGABYTE;
    }

    @Override
    public long deliveredCount()
    {
        return runCount;
    }

    /** Measures both figures of a size, each for so long. */
    Figures measure(final long durationMs, final int size)
    {
        final List<String> command = new ArrayList<>(List.of(launcher.toString(), "--bind-to", "none"));
        if (isTcp)
        {
            command.addAll(TCP);
        }
        if (cpus[0] == Pinning.NO_CPU)
        {
            command.add("--oversubscribe");
        }
        for (int process = 0; process < 2; process++)
        {
            if (process > 0)
            {
                command.add(":");
            }
            command.addAll(List.of("-n", "1"));
            if (cpus[process] != Pinning.NO_CPU)
            {
                command.addAll(List.of("taskset", "-c", Integer.toString(cpus[process])));
            }
            command.addAll(List.of(program.toString(), Long.toString(durationMs), Integer.toString(size)));
        }
        return parse(ForeignProcess.run(command, OpenMpi.ENVIRONMENT, START_TIMEOUT_MS + PASSES * durationMs), size);
    }

    /** Reads lines of a word, a size and a number; lines of others (warnings of the launcher) are skipped. */
    static Figures parse(final String output, final int size)
    {
        return new Figures(number(output, "latency " + size), number(output, "stream " + size));
    }

    private static double number(final String output, final String name)
    {
        final String text = output.lines().map(line -> String.join(" ", line.trim().split("\\s+", -1)))
            .filter(line -> line.startsWith(name + " ")).findFirst().map(line -> line.substring(name.length() + 1))
            .orElseThrow(() -> new GrimException(BAD_DATA,
                "the MPI program said no " + name + ": " + String.join(" | ", output.lines().toList())));
        try
        {
            final double value = Double.parseDouble(text);
            if (Double.isFinite(value) && value >= 0)
            {
                return value;
            }
        }
        catch (final NumberFormatException ex)
        {
            throw new GrimException(BAD_DATA, "the MPI program said " + name + " " + text, ex);
        }
        throw new GrimException(BAD_DATA, "the MPI program said " + name + " " + text);
    }
}
