// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair.peers;

import java.nio.file.Path;
import java.util.List;

import org.agrona.CloseHelper;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.SleepingIdleStrategy;
import org.grim.GrimException;
import org.grim.tools.pair.Cell;
import org.grim.tools.pair.ControlBlock;
import org.grim.tools.pair.Peer;
import org.grim.tools.pair.PeerKind;
import org.grim.tools.process.BoundedSpin;
import org.grim.tools.process.Pinning;

import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.UNAVAILABLE;

/**
 * The far end of a peer with both ends in this process: a thread, pinned like the second process's, which sleeps while
 * others are measured.
 * <p>Thread: the measuring one, and the one that it owns.
 */
final class FarThread implements Agent, AutoCloseable
{
    private static final String CONTROL_FILE = "threads-control";
    private static final long IDLE_NS = 50_000;

    private final Peer peer;
    private final Responder responder;
    private final ControlBlock nearControl;
    private final ControlBlock farControl;
    private final List<Integer> cpus = Pinning.allowedCpus();
    private final BoundedSpin spin = new BoundedSpin(cpus.size() < 2, Long.MAX_VALUE, "message", this::requireOpen);
    private final AgentRunner runner =
        new AgentRunner(new SleepingIdleStrategy(IDLE_NS), error -> failure = error, null, this);
    private Pinning pinning;
    private volatile boolean isClosed;
    private volatile Throwable failure;

    FarThread(final Peer peer, final Responder responder, final Path directory)
    {
        this.peer = peer;
        this.responder = responder;
        nearControl = ControlBlock.create(directory.resolve(CONTROL_FILE));
        farControl = ControlBlock.open(directory.resolve(CONTROL_FILE));
        AgentRunner.startOnThread(runner);
    }

    /** Calls the thread to a cell; returns what both ends tell each other by. */
    ControlBlock begin(final PeerKind kind, final Cell cell, final BoundedSpin nearSpin)
    {
        if (failure != null)
        {
            throw new GrimException(BAD_DATA, "the far thread failed: " + failure.getMessage(), failure);
        }
        nearControl.begin(kind, cell, nearSpin);
        return nearControl;
    }

    @Override
    public void onStart()
    {
        pinning = Pinning.pin(cpus.size() < 2 ? Pinning.NO_CPU : cpus.get(1));
    }

    @Override
    public int doWork()
    {
        if (failure != null || !farControl.hasNext())
        {
            return 0;
        }
        responder.respond(peer, farControl.cell(), farControl, spin);
        return 1;
    }

    @Override
    public void onClose()
    {
        pinning.close();
    }

    @Override
    public String roleName()
    {
        return "grim-bench-threads";
    }

    @Override
    public void close()
    {
        isClosed = true;
        CloseHelper.closeAll(runner, nearControl, farControl);
    }

    private void requireOpen()
    {
        if (isClosed)
        {
            throw new GrimException(UNAVAILABLE, "the far thread was closed while it was measured");
        }
    }
}
