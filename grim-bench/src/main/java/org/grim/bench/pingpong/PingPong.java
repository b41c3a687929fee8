// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.bench.boards.BoardJvm;
import org.grim.bench.boards.BoardKind;
import org.grim.bench.peers.RawPass;
import org.grim.bench.process.BoundedSpin;
import org.grim.bench.process.ParentWatch;
import org.grim.bench.process.Pinning;
import org.grim.bench.process.PrivateCluster;
import org.grim.bench.process.SecondJvm;
import org.grim.bench.report.PingPongReport;

/**
 * The measurement as a whole, on either side: nodes, processes and CPUs.
 * <p>Thread: each method runs on the thread that measures.
 */
public final class PingPong
{
    /** Transport that needs no second process. */
    public static final String NULL_TRANSPORT = "null";

    private static final String CLIENT_NAME = "ping";
    private static final String SERVER_NAME = "pong";
    private static final String REFERENCE_TRANSPORT = "shmem";
    private static final String RAW_FILE = "raw-pass";
    // Read before any thread is pinned: afterwards the JVM sees one core.
    private static final int CORE_COUNT = Runtime.getRuntime().availableProcessors();
    private static final long WAIT_MS_MAX = 10_000;

    private final String transport;
    private final BoardKind board;
    private final int[] sizes;
    private final long durationNs;
    private final PrintWriter notes;

    /**
     * Makes a measurement.
     *
     * @param transport name of it.
     * @param board     who runs the boards' firmware, where the transport goes through boards; else null.
     * @param sizes     payload bytes, in the order of the rows.
     * @param seconds   for the whole run.
     * @param notes     gets a line on how it was measured.
     */
    public PingPong(
        final String transport, final BoardKind board, final int[] sizes, final int seconds, final PrintWriter notes)
    {
        this.transport = transport;
        this.board = board;
        this.sizes = sizes.clone();
        this.durationNs = TimeUnit.SECONDS.toNanos(seconds);
        this.notes = notes;
    }

    /**
     * What the first process needs to start the second one.
     */
    public interface PeerArguments
    {
        /**
         * The second command line.
         *
         * @param cluster   to join.
         * @param reference cluster of the transport that is measured beside it; null if there is none.
         * @param raw       file of the raw pass.
         * @param cpu       to run on, or {@link Pinning#NO_CPU}.
         * @return arguments.
         */
        List<String> of(String cluster, String reference, Path raw, int cpu);
    }

    /**
     * Measures a node's messages to itself, in one process.
     *
     * @param config without a node name.
     * @return what was measured; without raw pass.
     */
    public PingPongReport runAlone(final GrimConfig config)
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        final GrimConfig ownConfig = config.toBuilder().nodeName(CLIENT_NAME).transports(transport).build();
        try (Grim grim = Grim.enable(ownConfig);
            Pinning pinning = Pinning.pin(cpus.isEmpty() ? Pinning.NO_CPU : cpus.get(0)))
        {
            note(pinning, "one process", 1);
            final BoundedSpin spin = new BoundedSpin(false, WAIT_MS_MAX, "answer", () ->
            {
            });
            final EchoClient client = new EchoClient(grim, spin, sizeMax());
            registerServer(grim);
            grim.handlers().synchronise();
            client.connect(grim.host().id());
            requireSizes(client.payloadLengthMax());
            return new PingPongReport(transport, null,
                new PingPongRun(client, null, null, spin).run(sizes, durationNs));
        }
    }

    /**
     * Measures messages to a second process, in a cluster of their own; through boards with shared memory beside it, in
     * another cluster of the same processes.
     *
     * @param config    without a node name.
     * @param arguments for the second process, which calls {@link #serve}.
     * @param directory of clusters; null for the usual one.
     * @return what was measured.
     */
    public PingPongReport runWithPeer(final GrimConfig config, final PeerArguments arguments, final Path directory)
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        final boolean canPin = cpus.size() >= 2;
        try (PrivateCluster cluster = PrivateCluster.choose("pingpong", config);
            PrivateCluster referenceCluster = board == null ? null : PrivateCluster.choose("pingpong-shmem", config);
            BoardJvm boardJvm = BoardJvm.start(board, cluster.name(), directory);
            Grim grim = Grim.enable(nodeConfig(config, cluster.name(), CLIENT_NAME, transport, board));
            Grim reference = board == null ? null :
                Grim.enable(nodeConfig(config, referenceCluster.name(), CLIENT_NAME, REFERENCE_TRANSPORT, null));
            RawPass raw = RawPass.create(cluster.path().resolve(RAW_FILE));
            SecondJvm peer = SecondJvm.start(SERVER_NAME, arguments.of(cluster.name(),
                board == null ? null : referenceCluster.name(), cluster.path().resolve(RAW_FILE),
                canPin ? cpus.get(1) : Pinning.NO_CPU));
            // After the start, so that the second JVM does not inherit our one CPU.
            Pinning pinning = Pinning.pin(canPin ? cpus.get(0) : Pinning.NO_CPU))
        {
            note(pinning, pinning.isPinned() ? "that of the second JVM to CPU " + cpus.get(1) : "nor the second JVM's",
                pollerCount(board));
            final BoundedSpin spin =
                new BoundedSpin(hasTooFewCores(board), WAIT_MS_MAX, "answer of " + SERVER_NAME, () ->
                {
                    peer.requireAlive();
                    boardJvm.requireAlive();
                });
            final EchoClient client = new EchoClient(grim, spin, sizeMax());
            grim.handlers().synchronise();
            final EchoClient referenceClient = reference == null ? null : new EchoClient(reference, spin, sizeMax());
            if (reference != null)
            {
                reference.handlers().synchronise();
            }
            peer.awaitReady(() ->
            {
                grim.poll();
                if (reference != null)
                {
                    reference.poll();
                }
            });
            raw.deleteFile();
            connect(client, grim);
            if (reference != null)
            {
                connect(referenceClient, reference);
            }
            return new PingPongReport(transport, board == null ? null : board.toString(),
                new PingPongRun(client, referenceClient, raw, spin).run(sizes, durationNs));
        }
    }

    /**
     * The second process: answers until the first one ends.
     *
     * @param config    without a cluster.
     * @param transport name of it.
     * @param board     as in the first process.
     * @param clusters  to join: that of the measurement, and that of the reference or null.
     * @param rawFile   that the first process made.
     * @param cpu       to run on, or {@link Pinning#NO_CPU}.
     */
    @SuppressWarnings("try")            // The pinning is held, not used.
    public static void serve(
        final GrimConfig config, final String transport, final BoardKind board, final Clusters clusters,
        final Path rawFile, final int cpu)
    {
        final ParentWatch watch = ParentWatch.start();
        try (RawPass raw = RawPass.open(rawFile);
            Grim grim = Grim.enable(nodeConfig(config, clusters.measured(), SERVER_NAME, transport, board));
            Grim reference = clusters.reference() == null ? null :
                Grim.enable(nodeConfig(config, clusters.reference(), SERVER_NAME, REFERENCE_TRANSPORT, null));
            // After the board's thread has started, which does not inherit our one CPU then.
            Pinning pinning = Pinning.pin(cpu))
        {
            final EchoServer server = registerServer(grim);
            grim.handlers().synchronise();
            EchoServer referenceServer = null;
            if (reference != null)
            {
                referenceServer = registerServer(reference);
                reference.handlers().synchronise();
            }
            watch.announceReady();
            serve(grim, server, raw, reference, referenceServer, serverSpin(board, watch));
        }
        catch (final ParentGone expected)
        {
            // The end of every run: the first process closes our input.
        }
    }

    /**
     * Clusters of the second process.
     *
     * @param measured  that of the measurement.
     * @param reference that of the reference; null if there is none.
     */
    public record Clusters(String measured, String reference)
    {
    }

    private static void serve(
        final Grim grim, final EchoServer server, final RawPass raw, final Grim reference,
        final EchoServer referenceServer, final BoundedSpin spin)
    {
        while (true)
        {
            if (grim.poll() == 0)
            {
                spin.spin();
                continue;
            }
            spin.reset();
            if (server.takeRawWanted())
            {
                raw.respond(spin);
            }
            else if (server.takeSwitchWanted())
            {
                serveUntilSwitch(reference, referenceServer, spin);
            }
        }
    }

    private static void serveUntilSwitch(final Grim grim, final EchoServer server, final BoundedSpin spin)
    {
        while (!server.takeSwitchWanted())
        {
            if (grim.poll() == 0)
            {
                spin.spin();
            }
        }
    }

    private static BoundedSpin serverSpin(final BoardKind board, final ParentWatch watch)
    {
        return new BoundedSpin(hasTooFewCores(board), Long.MAX_VALUE, "message", () ->
        {
            if (watch.isEnded())
            {
                throw new ParentGone();
            }
        });
    }

    private void connect(final EchoClient client, final Grim grim)
    {
        client.connect(grim.locate(SERVER_NAME));
        requireSizes(client.payloadLengthMax());
    }

    private static GrimConfig nodeConfig(
        final GrimConfig config, final String cluster, final String name, final String transport,
        final BoardKind board)
    {
        final GrimConfig named =
            config.toBuilder().nodeName(name).transports(transport).set("grim.cluster.name", cluster).build();
        return board == null ? named : board.apply(named);
    }

    private static int pollerCount(final BoardKind board)
    {
        return board == null ? 2 : board.pollerCount();
    }

    private static boolean hasTooFewCores(final BoardKind board)
    {
        return CORE_COUNT < pollerCount(board);
    }

    private static EchoServer registerServer(final Grim grim)
    {
        return new EchoServer(grim);
    }

    private void note(final Pinning pinning, final String second, final int pollerCount)
    {
        notes.println("measuring thread " + pinning.description() + ", " + second + "; cores=" +
            CORE_COUNT + "; JVM=" + System.getProperty("java.vm.name") + " " +
            System.getProperty("java.vm.version"));
        if (CORE_COUNT < 2)
        {
            notes.println("warning: cores=1: both processes take turns, and the figures say how fast they do");
        }
        else if (CORE_COUNT < pollerCount)
        {
            notes.println("warning: cores=" + CORE_COUNT + " pollers=" + pollerCount +
                ": they take turns, and the figures are not comparable with others");
        }
        notes.flush();
    }

    private int sizeMax()
    {
        return Arrays.stream(sizes).max().orElse(0);
    }

    private void requireSizes(final int payloadLengthMax)
    {
        if (sizeMax() > payloadLengthMax)
        {
            throw new IllegalArgumentException("payload size=" + sizeMax() + " bytes exceeds max=" + payloadLengthMax +
                " of transport=" + transport);
        }
    }

    /** The way out of the second process's waits. */
    private static final class ParentGone extends RuntimeException
    {
        private static final long serialVersionUID = 1;
    }
}
