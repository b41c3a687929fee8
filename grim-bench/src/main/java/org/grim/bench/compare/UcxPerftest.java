// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.GrimException;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.Side;
import org.grim.tools.process.BoundedSpin;
import org.grim.tools.process.ForeignProcess;
import org.grim.tools.process.Pinning;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * {@code ucx_perftest} as a peer: for each figure a server and a client, each on a CPU of its own, over one transport
 * and nothing else.
 * <p>Thread: one, which waits.
 */
public final class UcxPerftest implements Side
{
    private static final String PROGRAM = "ucx_perftest";
    private static final Map<String, String> SHARED_MEMORY = Map.of("UCX_TLS", "posix,self");
    private static final Map<String, String> TCP = Map.of("UCX_TLS", "tcp,self", "UCX_NET_DEVICES", "lo");
    private static final String ITERATIONS = "iterations";
    private static final String LATENCY_US = "50.0_percentile_lat";
    private static final String BANDWIDTH_MIB = "overall_bw";
    private static final double NS_PER_US = 1e3;
    private static final double MEBIBYTE = 1 << 20;
    private static final long TIMEOUT_MS = 60_000;
    private static final long CONNECT_TIMEOUT_MS = 5_000;
    private static final long CONNECT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    // Time of an operation at least, and per byte: how many fit the time of a figure.
    private static final double OPERATION_NS = 100;
    private static final double TCP_OPERATION_NS = 5_000;
    private static final double BYTE_NS = 0.1;
    private static final long ITERATIONS_MIN = 10;
    private static final long ITERATIONS_MAX = 1_000_000;
    private static final double GIGABYTE = 1e9;

    private final double operationNs;
    private final Path program;
    private final Map<String, String> environment;
    private final int clientCpu;
    private final int serverCpu;
    private long runCount;

    /** For the CPUs of the process that measures and of the other one, each perhaps {@link Pinning#NO_CPU}. */
    public UcxPerftest(final String searchPath, final boolean isTcp, final int clientCpu, final int serverCpu)
    {
        environment = isTcp ? TCP : SHARED_MEMORY;
        operationNs = isTcp ? TCP_OPERATION_NS : OPERATION_NS;
        program = ForeignProcess.find(PROGRAM, searchPath);
        this.clientCpu = clientCpu;
        this.serverCpu = serverCpu;
    }

    /** Its figures: measured iterations, the median of one way or of one read, and bytes over all of them. */
    record Figures(long iterations, double latencyNs, double bytesPerSecond)
    {
    }

    /** Why it cannot be run from directories as in the variable {@code PATH}, which may be null; null if it can. */
    public static String absence(final String searchPath)
    {
        return ForeignProcess.find(PROGRAM, searchPath) == null ?
            "no ucx_perftest on the path (Debian has it in ucx-utils)" : null;
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        runCount++;
        final Figures figures = run(test(cell.benchmark()), cell.size(), Math.max(ITERATIONS_MIN,
            Math.min(ITERATIONS_MAX, Math.round(durationNs / (operationNs + cell.size() * BYTE_NS)))));
        return cell.benchmark().isTime() ? figures.latencyNs() : cell.benchmark() == Benchmark.RATE ?
            figures.bytesPerSecond() / cell.size() : figures.bytesPerSecond() / GIGABYTE;
    }

    @Override
    public long deliveredCount()
    {
        return runCount;
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

    /** Runs one test, such as {@code ucp_put_lat}, for a payload and a number of iterations. */
    Figures run(final String test, final int size, final long iterations)
    {
        final List<String> server = command(serverCpu, test, size, iterations);
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            server.addAll(List.of("-p", Integer.toString(socket.getLocalPort())));
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "no port for " + PROGRAM + ": " + ex.getMessage(), ex);
        }
        final List<String> client = command(clientCpu, test, size, iterations);
        client.addAll(server.subList(server.size() - 2, server.size()));
        client.add(1, InetAddress.getLoopbackAddress().getHostAddress());
        try (ForeignProcess process = ForeignProcess.start(server, environment))
        {
            return parse(runClient(process, client));
        }
    }

    /** Again while the server does not listen yet. */
    private String runClient(final ForeignProcess server, final List<String> command)
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS);
        while (true)
        {
            LockSupport.parkNanos(CONNECT_INTERVAL_NS);
            try (ForeignProcess client = ForeignProcess.start(command, environment))
            {
                final int code = client.exitCode(TIMEOUT_MS);
                if (code == 0)
                {
                    return client.output();
                }
                if (!server.isAlive() || System.nanoTime() - deadlineNs > 0)
                {
                    throw new GrimException(BAD_DATA, String.join(" ", command.subList(2, 6)) + ": " + PROGRAM +
                        " ended with code " + code + ": " + ForeignProcess.lastLine(client.output()));
                }
            }
        }
    }

    private List<String> command(final int cpu, final String test, final int size, final long iterations)
    {
        final List<String> command = new ArrayList<>(List.of(program.toString(), "-t", test, "-s",
            Integer.toString(size), "-n", Long.toString(iterations), "-w",
            Long.toString(Math.max(1, iterations / 10)), "-v", "-f"));
        if (cpu != Pinning.NO_CPU)
        {
            command.addAll(List.of("-c", Integer.toString(cpu)));
        }
        return command;
    }

    /**
     * Reads what {@code -v -f} prints: a line of names and a line of numbers, separated by commas. Lines between them
     * that begin with something else are how far it was.
     */
    static Figures parse(final String output)
    {
        final List<String> lines = output.lines().map(String::trim).toList();
        for (int i = 0; i + 1 < lines.size(); i++)
        {
            final List<String> names = split(lines.get(i));
            if (names.containsAll(List.of(ITERATIONS, LATENCY_US, BANDWIDTH_MIB)))
            {
                final List<String> values = split(lines.get(lines.size() - 1));
                return new Figures((long)number(names, values, ITERATIONS),
                    number(names, values, LATENCY_US) * NS_PER_US, number(names, values, BANDWIDTH_MIB) * MEBIBYTE);
            }
        }
        throw new GrimException(BAD_DATA, "ucx_perftest said nothing that can be read: " + String.join(" | ", lines));
    }

    private static double number(final List<String> names, final List<String> values, final String name)
    {
        final int index = names.indexOf(name);
        try
        {
            if (index < values.size())
            {
                return Double.parseDouble(values.get(index));
            }
        }
        catch (final NumberFormatException ex)
        {
            throw new GrimException(BAD_DATA, "ucx_perftest said " + name + "=" + values.get(index), ex);
        }
        throw new GrimException(BAD_DATA, "ucx_perftest said no " + name + ": " + values);
    }

    private static List<String> split(final String line)
    {
        return Arrays.asList(line.split(",", -1));
    }
}
