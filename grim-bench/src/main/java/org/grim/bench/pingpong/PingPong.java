// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.Grim;
import org.grim.GrimConfig;
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
    private static final String RAW_FILE = "raw-pass";
    // Read before any thread is pinned: afterwards the JVM sees one core.
    private static final int CORE_COUNT = Runtime.getRuntime().availableProcessors();
    private static final long WAIT_MS_MAX = 10_000;

    private final String transport;
    private final int[] sizes;
    private final long durationNs;
    private final PrintWriter notes;

    /**
     * Makes a measurement.
     *
     * @param transport name of it.
     * @param sizes     payload bytes, in the order of the rows.
     * @param seconds   for the whole run.
     * @param notes     gets a line on how it was measured.
     */
    public PingPong(final String transport, final int[] sizes, final int seconds, final PrintWriter notes)
    {
        this.transport = transport;
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
         * @param cluster to join.
         * @param raw     file of the raw pass.
         * @param cpu     to run on, or {@link Pinning#NO_CPU}.
         * @return arguments.
         */
        List<String> of(String cluster, Path raw, int cpu);
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
            note(pinning, "one process");
            final BoundedSpin spin = new BoundedSpin(false, WAIT_MS_MAX, "answer", () ->
            {
            });
            final EchoClient client = new EchoClient(grim, spin, sizeMax());
            registerServer(grim);
            grim.handlers().synchronise();
            client.connect(grim.host().id());
            requireSizes(client.payloadLengthMax());
            return new PingPongReport(transport, new PingPongRun(client, null, spin).run(sizes, durationNs));
        }
    }

    /**
     * Measures messages to a second process, in a cluster of their own.
     *
     * @param config    without a node name.
     * @param arguments for the second process, which calls {@link #serve}.
     * @return what was measured.
     */
    public PingPongReport runWithPeer(final GrimConfig config, final PeerArguments arguments)
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        final boolean canPin = cpus.size() >= 2;
        try (PrivateCluster cluster = PrivateCluster.choose("pingpong", config);
            Grim grim = Grim.enable(config.toBuilder().nodeName(CLIENT_NAME).transports(transport)
                .set("grim.cluster.name", cluster.name()).build());
            RawPass raw = RawPass.create(cluster.path().resolve(RAW_FILE));
            SecondJvm peer = SecondJvm.start(SERVER_NAME, arguments.of(cluster.name(),
                cluster.path().resolve(RAW_FILE), canPin ? cpus.get(1) : Pinning.NO_CPU));
            // After the start, so that the second JVM does not inherit our one CPU.
            Pinning pinning = Pinning.pin(canPin ? cpus.get(0) : Pinning.NO_CPU))
        {
            note(pinning, pinning.isPinned() ? "that of the second JVM to CPU " + cpus.get(1) : "nor the second JVM's");
            final BoundedSpin spin =
                new BoundedSpin(CORE_COUNT < 2, WAIT_MS_MAX, "answer of " + SERVER_NAME, peer::requireAlive);
            final EchoClient client = new EchoClient(grim, spin, sizeMax());
            grim.handlers().synchronise();
            peer.awaitReady(grim::poll);
            raw.deleteFile();
            client.connect(grim.locate(SERVER_NAME));
            requireSizes(client.payloadLengthMax());
            return new PingPongReport(transport, new PingPongRun(client, raw, spin).run(sizes, durationNs));
        }
    }

    /**
     * The second process: answers until the first one ends.
     *
     * @param config    with the cluster.
     * @param transport name of it.
     * @param rawFile   that the first process made.
     * @param cpu       to run on, or {@link Pinning#NO_CPU}.
     */
    @SuppressWarnings("try")            // The pinning is held, not used.
    public static void serve(final GrimConfig config, final String transport, final Path rawFile, final int cpu)
    {
        final ParentWatch watch = ParentWatch.start();
        try (Pinning pinning = Pinning.pin(cpu);
            RawPass raw = RawPass.open(rawFile);
            Grim grim = Grim.enable(config.toBuilder().nodeName(SERVER_NAME).transports(transport).build()))
        {
            final EchoServer server = registerServer(grim);
            grim.handlers().synchronise();
            watch.announceReady();
            serve(grim, server, raw, watch);
        }
        catch (final ParentGone expected)
        {
            // The end of every run: the first process closes our input.
        }
    }

    private static void serve(final Grim grim, final EchoServer server, final RawPass raw, final ParentWatch watch)
    {
        final BoundedSpin spin = new BoundedSpin(CORE_COUNT < 2, Long.MAX_VALUE, "message", () ->
        {
            if (watch.isEnded())
            {
                throw new ParentGone();
            }
        });
        while (true)
        {
            if (grim.poll() == 0)
            {
                spin.spin();
            }
            else if (server.takeRawWanted())
            {
                raw.respond(spin);
            }
        }
    }

    private static EchoServer registerServer(final Grim grim)
    {
        return new EchoServer(grim);
    }

    private void note(final Pinning pinning, final String second)
    {
        notes.println("measuring thread " + pinning.description() + ", " + second + "; cores=" +
            CORE_COUNT + "; JVM=" + System.getProperty("java.vm.name") + " " +
            System.getProperty("java.vm.version"));
        if (CORE_COUNT < 2)
        {
            notes.println("warning: cores=1: both processes take turns, and the figures say how fast they do");
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
