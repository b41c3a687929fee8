// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.bench.boards.BoardJvm;
import org.grim.bench.peers.RawPass;
import org.grim.bench.process.BoundedSpin;
import org.grim.bench.process.Pinning;
import org.grim.bench.process.PrivateCluster;
import org.grim.bench.process.SecondJvm;
import org.grim.bench.report.PingPongReport;
import org.grim.bench.report.PingPongRow;

/**
 * The measurement as a whole, in the first process: nodes, processes and CPUs.
 * <p>Thread: each method runs on the thread that measures.
 */
public final class PingPong
{
    private static final String CLIENT_NAME = "ping";
    private static final String RAW_FILE = "raw-pass";
    private static final long WAIT_MS_MAX = 10_000;

    private final PingSetup setup;
    private final int[] sizes;
    private final long durationNs;
    private final PrintWriter notes;

    /**
     * Makes a measurement.
     *
     * @param setup   of both sides.
     * @param sizes   payload bytes, in the order of the rows.
     * @param seconds for the whole run.
     * @param notes   gets a line on how it was measured.
     */
    public PingPong(final PingSetup setup, final int[] sizes, final int seconds, final PrintWriter notes)
    {
        this.setup = setup;
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
     * Measures what a node sends to itself, in one process.
     *
     * @param config without a node name.
     * @return what was measured; without raw pass.
     */
    public PingPongReport runAlone(final GrimConfig config)
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        try (Grim grim = Grim.enable(setup.nodeConfig(config, CLIENT_NAME));
            Pinning pinning = Pinning.pin(cpus.isEmpty() ? Pinning.NO_CPU : cpus.get(0)))
        {
            note(pinning, "one process", 1);
            final BoundedSpin spin = new BoundedSpin(false, WAIT_MS_MAX, "answer", () ->
            {
            });
            final PingServer server = setup.newServer(grim, spin);
            final PingClient client = setup.newClient(grim, spin, server::step);
            grim.handlers().synchronise();
            client.connect(grim.host().id());
            return report(new PingPongRun(setup.mode(), client, null, null, spin));
        }
    }

    /**
     * Measures what goes to a second process, in a cluster of their own; through boards with shared memory beside it,
     * in another cluster of the same processes.
     *
     * @param config    without a node name.
     * @param arguments for the second process, which calls {@link PingServer#serve}.
     * @param directory of clusters; null for the usual one.
     * @return what was measured.
     */
    public PingPongReport runWithPeer(final GrimConfig config, final PeerArguments arguments, final Path directory)
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        final boolean canPin = cpus.size() >= 2;
        final boolean hasReference = setup.board() != null;
        try (PrivateCluster cluster = PrivateCluster.choose("pingpong", config);
            PrivateCluster referenceCluster = hasReference ? PrivateCluster.choose("pingpong-shmem", config) : null;
            BoardJvm boardJvm = BoardJvm.start(setup.board(), cluster.name(), directory);
            Grim grim = Grim.enable(setup.nodeConfig(config, cluster.name(), CLIENT_NAME));
            Grim reference = hasReference ?
                Grim.enable(setup.reference().nodeConfig(config, referenceCluster.name(), CLIENT_NAME)) : null;
            RawPass raw = RawPass.create(cluster.path().resolve(RAW_FILE));
            SecondJvm peer = SecondJvm.start(PingServer.NAME, arguments.of(cluster.name(),
                hasReference ? referenceCluster.name() : null, cluster.path().resolve(RAW_FILE),
                canPin ? cpus.get(1) : Pinning.NO_CPU));
            // After the start, so that the second JVM does not inherit our one CPU.
            Pinning pinning = Pinning.pin(canPin ? cpus.get(0) : Pinning.NO_CPU))
        {
            note(pinning, pinning.isPinned() ? "that of the second JVM to CPU " + cpus.get(1) : "nor the second JVM's",
                setup.pollerCount());
            final BoundedSpin spin =
                new BoundedSpin(setup.hasTooFewCores(), WAIT_MS_MAX, "answer of " + PingServer.NAME, () ->
                {
                    peer.requireAlive();
                    boardJvm.requireAlive();
                });
            final PingClient client = newClient(setup, grim, spin);
            final PingClient referenceClient =
                reference == null ? null : newClient(setup.reference(), reference, spin);
            peer.awaitReady(() ->
            {
                grim.poll();
                if (reference != null)
                {
                    reference.poll();
                }
            });
            raw.deleteFile();
            client.connect(grim.locate(PingServer.NAME));
            if (reference != null)
            {
                client.requestSwitch();
                referenceClient.connect(reference.locate(PingServer.NAME));
                referenceClient.requestSwitch();
            }
            return report(new PingPongRun(setup.mode(), client, referenceClient, raw, spin));
        }
    }

    private PingPongReport report(final PingPongRun run)
    {
        final List<PingPongRow> rows = run.run(sizes, durationNs);
        return new PingPongReport(setup.transport(), setup.board() == null ? null : setup.board().toString(),
            setup.mode().toString(), rows);
    }

    private static PingClient newClient(final PingSetup setup, final Grim grim, final BoundedSpin spin)
    {
        final PingClient client = setup.newClient(grim, spin, () -> false);
        grim.handlers().synchronise();
        return client;
    }

    private void note(final Pinning pinning, final String second, final int pollerCount)
    {
        final int coreCount = PingSetup.coreCount();
        notes.println("measuring thread " + pinning.description() + ", " + second + "; cores=" + coreCount +
            "; JVM=" + System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        if (coreCount < 2)
        {
            notes.println("warning: cores=1: both processes take turns, and the figures say how fast they do");
        }
        else if (coreCount < pollerCount)
        {
            notes.println("warning: cores=" + coreCount + " pollers=" + pollerCount +
                ": they take turns, and the figures are not comparable with others");
        }
        notes.flush();
    }
}
