// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import org.grim.GrimException;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.ControlBlock;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.compare.Side;
import org.grim.bench.process.BoundedSpin;
import org.grim.bench.process.Pinning;

/**
 * A peer with both ends in this process: the other one has a thread, pinned like the second process's, which sleeps
 * while others are measured.
 * <p>Thread: the measuring one, and the one that it owns.
 */
public final class ThreadsSide implements Side
{
    private static final String CONTROL_FILE = "threads-control";
    private static final long IDLE_NS = 50_000;
    private static final long JOIN_TIMEOUT_MS = 5_000;

    private final Initiator initiator = new Initiator();
    private final Responder responder = new Responder();
    private final PeerKind kind;
    private final JcToolsPeer near;
    private final JcToolsPeer far;
    private final ControlBlock nearControl;
    private final ControlBlock farControl;
    private final Thread thread;
    private long deliveredCount;
    private volatile boolean isClosed;
    private volatile RuntimeException failure;

    /**
     * Opens the peer.
     *
     * @param kind        of peer.
     * @param isInitiator true.
     * @param directory   of the files.
     * @param sizeMax     most payload bytes.
     */
    public ThreadsSide(final PeerKind kind, final boolean isInitiator, final Path directory, final int sizeMax)
    {
        if (!isInitiator)
        {
            throw new IllegalArgumentException("peer=" + kind + " has both ends in the first process");
        }
        this.kind = kind;
        near = new JcToolsPeer(sizeMax, initiator);
        far = near.other(responder);
        nearControl = ControlBlock.create(directory.resolve(CONTROL_FILE));
        farControl = ControlBlock.open(directory.resolve(CONTROL_FILE));
        thread = new Thread(this::serve, "grim-bench-threads");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void connect()
    {
        // Queues are all there is.
    }

    @Override
    public void idle()
    {
        // Nothing to keep alive.
    }

    @Override
    public double measure(final Cell cell, final long durationNs, final ControlBlock control, final BoundedSpin spin)
    {
        if (failure != null)
        {
            throw failure;
        }
        nearControl.begin(kind, cell, spin);
        near.prepare(cell);
        final double figure = initiator.measure(near, cell, durationNs, nearControl, spin);
        deliveredCount += initiator.sentCount();
        return figure;
    }

    @Override
    public void respond(final Cell cell, final ControlBlock control, final BoundedSpin spin)
    {
        throw new IllegalStateException("the second process has no part in it");
    }

    @Override
    public long deliveredCount()
    {
        return deliveredCount;
    }

    @Override
    public void close()
    {
        isClosed = true;
        try
        {
            thread.join(JOIN_TIMEOUT_MS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive())
        {
            throw new GrimException("peer=" + kind + " still runs after " + JOIN_TIMEOUT_MS + " ms");
        }
        nearControl.close();
        farControl.close();
    }

    @SuppressWarnings("try")            // The pinning is held, not used.
    private void serve()
    {
        final List<Integer> cpus = Pinning.allowedCpus();
        final BoundedSpin spin = new BoundedSpin(cpus.size() < 2, Long.MAX_VALUE, "message", this::requireOpen);
        try (Pinning pinning = Pinning.pin(cpus.size() < 2 ? Pinning.NO_CPU : cpus.get(1)))
        {
            while (!isClosed)
            {
                if (farControl.hasNext())
                {
                    responder.respond(far, farControl.cell(), farControl, spin);
                }
                else
                {
                    LockSupport.parkNanos(IDLE_NS);
                }
            }
        }
        catch (final RuntimeException ex)
        {
            failure = ex;
        }
    }

    private void requireOpen()
    {
        if (isClosed)
        {
            throw new GrimException("peer=" + kind + " was closed while it was measured");
        }
    }
}
