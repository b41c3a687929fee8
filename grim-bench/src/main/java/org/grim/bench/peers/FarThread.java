// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.peers;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import org.grim.GrimException;
import org.grim.bench.compare.Cell;
import org.grim.bench.compare.ControlBlock;
import org.grim.bench.compare.PeerKind;
import org.grim.bench.peers.pair.Peer;
import org.grim.bench.process.BoundedSpin;
import org.grim.bench.process.Pinning;

/**
 * The far end of a peer with both ends in this process: a thread, pinned like the second process's, which sleeps while
 * others are measured.
 * <p>Thread: the measuring one, and the one that it owns.
 */
final class FarThread implements AutoCloseable
{
    private static final String CONTROL_FILE = "threads-control";
    private static final long IDLE_NS = 50_000;
    private static final long JOIN_TIMEOUT_MS = 5_000;

    private final Peer peer;
    private final Responder responder;
    private final ControlBlock nearControl;
    private final ControlBlock farControl;
    private final Thread thread;
    private volatile boolean isClosed;
    private volatile RuntimeException failure;

    FarThread(final Peer peer, final Responder responder, final Path directory)
    {
        this.peer = peer;
        this.responder = responder;
        nearControl = ControlBlock.create(directory.resolve(CONTROL_FILE));
        farControl = ControlBlock.open(directory.resolve(CONTROL_FILE));
        thread = new Thread(this::serve, "grim-bench-threads");
        thread.setDaemon(true);
        thread.start();
    }

    /** Calls the thread to a cell; returns what both ends tell each other by. */
    ControlBlock begin(final PeerKind kind, final Cell cell, final BoundedSpin spin)
    {
        if (failure != null)
        {
            throw failure;
        }
        nearControl.begin(kind, cell, spin);
        return nearControl;
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
            throw new GrimException("the far thread still runs after " + JOIN_TIMEOUT_MS + " ms");
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
                    responder.respond(peer, farControl.cell(), farControl, spin);
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
            throw new GrimException("the far thread was closed while it was measured");
        }
    }
}
