// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.ucx;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

import org.grim.GrimException;
import org.grim.bench.process.Pinning;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Runs {@code ucx_perftest}: a server and a client, each on a CPU of its own, over posix shared memory and nothing
 * else.
 * <p>Thread: one, which waits.
 */
public final class UcxPerftest
{
    private static final String PROGRAM = "ucx_perftest";
    private static final String TRANSPORTS = "posix,self";
    private static final long TIMEOUT_MS = 60_000;
    private static final long END_TIMEOUT_MS = 2_000;
    private static final long CONNECT_TIMEOUT_MS = 5_000;
    private static final long CONNECT_INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(20);

    private final Path program;
    private final int serverCpu;
    private final int clientCpu;

    /**
     * A way to run it.
     *
     * @param program   that {@link #find} found.
     * @param clientCpu of the process that measures, or {@link Pinning#NO_CPU}.
     * @param serverCpu of the other one, or {@link Pinning#NO_CPU}.
     */
    public UcxPerftest(final Path program, final int clientCpu, final int serverCpu)
    {
        this.program = program;
        this.clientCpu = clientCpu;
        this.serverCpu = serverCpu;
    }

    /**
     * Looks for the program.
     *
     * @param searchPath directories, as in the variable {@code PATH}; may be null.
     * @return the file, or null if it is not installed.
     */
    public static Path find(final String searchPath)
    {
        if (searchPath == null)
        {
            return null;
        }
        for (final String directory : searchPath.split(File.pathSeparator, -1))
        {
            final Path candidate = Path.of(directory, PROGRAM);
            if (!directory.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate))
            {
                return candidate;
            }
        }
        return null;
    }

    /**
     * Runs one test.
     *
     * @param test       such as {@code ucp_put_lat}.
     * @param size       bytes of each operation.
     * @param iterations to measure; a tenth as many go before, to warm up.
     * @return what it found.
     * @throws GrimException if it fails.
     */
    public UcxFigures run(final String test, final int size, final long iterations)
    {
        try
        {
            final int port = freePort();
            final Process server = start(serverCpu, test, size, iterations, port, false);
            try
            {
                return UcxFigures.parse(runClient(server, test, size, iterations, port));
            }
            finally
            {
                end(server);
            }
        }
        catch (final IOException ex)
        {
            throw new GrimException(PROGRAM + " cannot be run: " + ex.getMessage(), ex);
        }
    }

    /** Again while the server does not listen yet. */
    private String runClient(
        final Process server, final String test, final int size, final long iterations, final int port)
        throws IOException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(CONNECT_TIMEOUT_MS);
        while (true)
        {
            LockSupport.parkNanos(CONNECT_INTERVAL_NS);
            final Process client = start(clientCpu, test, size, iterations, port, true);
            final int code = exitCode(client);
            final String output = new String(client.getInputStream().readAllBytes(), UTF_8);
            if (code == 0)
            {
                return output;
            }
            if (!server.isAlive() || System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException(PROGRAM + " -t " + test + " -s " + size + " ended with code " + code + ": " +
                    output.lines().reduce((first, last) -> last).orElse("no output"));
            }
        }
    }

    private Process start(
        final int cpu, final String test, final int size, final long iterations, final int port,
        final boolean isClient)
        throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(program.toString()));
        if (isClient)
        {
            command.add(InetAddress.getLoopbackAddress().getHostAddress());
        }
        command.addAll(List.of("-t", test, "-s", Integer.toString(size), "-n", Long.toString(iterations), "-w",
            Long.toString(Math.max(1, iterations / 10)), "-p", Integer.toString(port), "-v", "-f"));
        if (cpu != Pinning.NO_CPU)
        {
            command.addAll(List.of("-c", Integer.toString(cpu)));
        }
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (!isClient)
        {
            builder.redirectOutput(ProcessBuilder.Redirect.DISCARD);
        }
        builder.environment().put("UCX_TLS", TRANSPORTS);
        return builder.start();
    }

    /** Its few lines of output fit the pipe. */
    private static int exitCode(final Process process)
    {
        if (!hasEnded(process, TIMEOUT_MS))
        {
            process.destroyForcibly();
            throw new GrimException(PROGRAM + " did not end within " + TIMEOUT_MS + " ms");
        }
        return process.exitValue();
    }

    /** A server that is done ends by itself; one whose client failed does not. */
    private static void end(final Process process)
    {
        if (!hasEnded(process, END_TIMEOUT_MS))
        {
            process.destroyForcibly();
            hasEnded(process, END_TIMEOUT_MS);
        }
    }

    private static boolean hasEnded(final Process process, final long timeoutMs)
    {
        try
        {
            return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private static int freePort() throws IOException
    {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress()))
        {
            return socket.getLocalPort();
        }
    }
}
