// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.programs;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

import org.agrona.CloseHelper;
import org.grim.GrimException;
import org.grim.tools.pair.Benchmark;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.process.SecondJvm;

/**
 * A server and a client with the channels of one provider. While the other pair has its turn both sleep.
 * <p>Thread: one. Owns: both processes.
 */
public final class ProgramPair implements AutoCloseable
{
    private static final double NS_PER_S = 1e9;
    private static final long SHORT_TIMEOUT_MS = 60_000;

    private final SecondJvm server;
    private final SecondJvm client;
    private ProgramRow row;

    private ProgramPair(final SecondJvm server, final SecondJvm client)
    {
        this.server = server;
        this.client = client;
    }

    /** Exchanges of a round, its figure in the unit of the benchmark, and two percentiles of single exchanges. */
    public record Round(long count, double figure, double medianNs, double tailNs)
    {
    }

    /** Starts both processes; {@link #awaitReady()} waits for them. */
    public static ProgramPair start(final PeerKind kind, final Path directory)
    {
        final UnaryOperator<List<String>> place = kind == PeerKind.GRIM_SOCKETS ?
            command -> withProvider(command, directory) : UnaryOperator.identity();
        final SecondJvm server = SecondJvm.start(kind + " server", place, new ProgramSide.Task(true, directory));
        try
        {
            return new ProgramPair(server,
                SecondJvm.start(kind + " client", place, new ProgramSide.Task(false, directory)));
        }
        catch (final GrimException ex)
        {
            CloseHelper.quietClose(server);
            throw ex;
        }
    }

    /** Name of the file to transfer, which the caller makes. */
    public static Path file(final Path directory)
    {
        return directory.resolve(ProgramSide.FILE);
    }

    /** Waits for both processes. */
    public void awaitReady()
    {
        server.awaitReady(client::requireAlive);
        client.awaitReady(server::requireAlive);
    }

    /** Begins a row: all connections are made. */
    public void begin(final ProgramRow next)
    {
        row = next;
        final String port = server.ask(ProgramSide.BEGIN + " 0 " + row.words(), SHORT_TIMEOUT_MS);
        askClient(ProgramSide.BEGIN + " " + port + " " + row.words(), SHORT_TIMEOUT_MS);
    }

    /** Runs a round that takes a time at least. */
    public Round round(final long roundMs)
    {
        final String[] words = askClient(ProgramSide.ROUND + " " + roundMs,
            roundMs + ProgramSide.ROUND_TIMEOUT_MS + SHORT_TIMEOUT_MS).split(" ", -1);
        final double elapsedNs = Double.parseDouble(words[0]);
        final long count = Long.parseLong(words[1]);
        return new Round(count, figure(row, elapsedNs, count), Double.parseDouble(words[2]),
            Double.parseDouble(words[3]));
    }

    /** Ends the row: all connections are closed. */
    public void end()
    {
        askClient(ProgramSide.END, SHORT_TIMEOUT_MS);
        server.ask(ProgramSide.END, SHORT_TIMEOUT_MS);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(client, server);
    }

    private static double figure(final ProgramRow row, final double elapsedNs, final long count)
    {
        return row.benchmark().isTime() ? elapsedNs / count :
            row.benchmark() == Benchmark.CONNECT ? count * NS_PER_S / elapsedNs : count * row.size() / elapsedNs;
    }

    /** Where the server has failed, too, its reason comes first: the client saw a closed connection only. */
    private String askClient(final String line, final long timeoutMs)
    {
        try
        {
            return client.ask(line, timeoutMs);
        }
        catch (final GrimException ex)
        {
            try
            {
                server.ask(ProgramSide.END, SHORT_TIMEOUT_MS);
            }
            catch (final GrimException cause)
            {
                cause.addSuppressed(ex);
                throw cause;
            }
            throw ex;
        }
    }

    /** As users start a program; the flags that both need stand on each second JVM's command line. */
    private static List<String> withProvider(final List<String> command, final Path directory)
    {
        final List<String> placed = new ArrayList<>(command);
        placed.addAll(1, List.of("-Djava.nio.channels.spi.SelectorProvider=org.grim.sockets.GrimSelectorProvider",
            "-Dgrim.cluster.directory=" + directory, "-Dgrim.cluster.name=programs",
            // A connection that cannot be GRIM's fails, and is not measured as TCP; on a busy machine it takes longer.
            "-Dgrim.sockets.only.0=*:*", "-Dgrim.sockets.connect-timeout=30s"));
        return placed;
    }
}
