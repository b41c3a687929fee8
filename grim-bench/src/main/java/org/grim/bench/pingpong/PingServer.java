// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.pingpong;

import java.nio.file.Path;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.bench.peers.RawPass;
import org.grim.bench.process.BoundedSpin;
import org.grim.bench.process.ParentWatch;
import org.grim.bench.process.Pinning;

/**
 * The answering side as a whole: in the second process, until the first one ends.
 * <p>Thread: the measuring one.
 */
public final class PingServer
{
    static final String NAME = "pong";

    private final Grim grim;
    private final BoundedSpin spin;
    private final EchoServer echo;
    private final MemoryServer memory;

    /** A server on a node; {@code memory} is null where messages are measured. */
    PingServer(final Grim grim, final BoundedSpin spin, final MemoryServer memory)
    {
        this.grim = grim;
        this.spin = spin;
        this.memory = memory;
        echo = new EchoServer(grim);
    }

    /** What the client has asked for that is not done in handlers. */
    enum Duty
    {
        /** Take part in the raw pass. */
        RAW,
        /** Go on with the other transport. */
        SWITCH
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

    /**
     * The second process: answers until the first one ends.
     *
     * @param config   without a cluster.
     * @param setup    as in the first process.
     * @param clusters to join.
     * @param rawFile  that the first process made.
     * @param cpu      to run on, or {@link Pinning#NO_CPU}.
     */
    @SuppressWarnings("try")            // The pinning is held, not used.
    public static void serve(
        final GrimConfig config, final PingSetup setup, final Clusters clusters, final Path rawFile, final int cpu)
    {
        final ParentWatch watch = ParentWatch.start();
        final BoundedSpin spin = new BoundedSpin(setup.hasTooFewCores(), Long.MAX_VALUE, "message",
            () -> requireParent(watch));
        try (RawPass raw = RawPass.open(rawFile);
            Grim grim = Grim.enable(setup.nodeConfig(config, clusters.measured(), NAME));
            Grim reference = clusters.reference() == null ? null :
                Grim.enable(setup.reference().nodeConfig(config, clusters.reference(), NAME));
            // After the board's thread has started, which does not inherit our one CPU then.
            Pinning pinning = Pinning.pin(cpu))
        {
            final PingServer server = setup.newServer(grim, spin);
            grim.handlers().synchronise();
            PingServer referenceServer = null;
            if (reference != null)
            {
                referenceServer = setup.reference().newServer(reference, spin);
                reference.handlers().synchronise();
            }
            watch.announceReady();
            while (true)
            {
                switch (server.awaitDuty())
                {
                    case RAW -> raw.respond(spin);
                    case SWITCH -> referenceServer.awaitDuty();         // Only ever asked to come back.
                }
            }
        }
        catch (final ParentGone expected)
        {
            // The end of every run: the first process closes our input.
        }
    }

    /** A step of a ping-pong that no handler runs for, where client and server share a thread. */
    boolean step()
    {
        return memory != null && memory.step();
    }

    /** Answers until there is something else to do. */
    private Duty awaitDuty()
    {
        while (true)
        {
            if (grim.poll() == 0)
            {
                spin.spin();
                continue;
            }
            spin.reset();
            if (memory != null)
            {
                memory.echoUntilEnd();
            }
            if (echo.takeRawWanted())
            {
                return Duty.RAW;
            }
            if (echo.takeSwitchWanted())
            {
                return Duty.SWITCH;
            }
        }
    }

    private static void requireParent(final ParentWatch watch)
    {
        if (watch.isEnded())
        {
            throw new ParentGone();
        }
    }

    /** The way out of the second process's waits. */
    private static final class ParentGone extends RuntimeException
    {
        private static final long serialVersionUID = 1;
    }
}
