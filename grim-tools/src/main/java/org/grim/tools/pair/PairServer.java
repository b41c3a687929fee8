// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

import org.grim.tools.boards.BoardKind;
import org.grim.tools.process.BoundedSpin;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.process.Pinning;

/**
 * The second process: enters the cells that the first one names, until that ends.
 * <p>Thread: the measuring one.
 *
 * @param directory   that the first process made.
 * @param kinds       of peers, in its order.
 * @param sizeMax     most payload bytes.
 * @param cpu         to run on, or {@link Pinning#NO_CPU}.
 * @param isForEchoes whether there is room for echoes of large messages, and buffers check bounds.
 * @param board       kind of the boards; null for none.
 * @param hosts       addresses of both hosts, comma between; null for one host.
 */
public record PairServer(
    Path directory, List<PeerKind> kinds, int sizeMax, int cpu, boolean isForEchoes, BoardKind board, String hosts)
    implements ChildTask
{
    // Read before the thread is pinned: afterwards the JVM sees one core.
    private static final int CORE_COUNT = Runtime.getRuntime().availableProcessors();
    private static final long IDLE_NS = 50_000;

    @SuppressWarnings("try")            // The pinning is held, not used.
    @Override
    public void run()
    {
        if (isForEchoes)
        {
            System.setProperty(PeerPair.ECHO_PROPERTY, "true");
        }
        else
        {
            PeerPair.disableBoundsChecks();
        }
        if (board != null)
        {
            System.setProperty(BoardKind.PROPERTY, board.toString());
        }
        if (hosts != null)
        {
            System.setProperty(HostPlaces.PROPERTY, hosts);
        }
        final ParentWatch watch = ParentWatch.start();
        PeerPair.warmUpNodes();
        try (ControlBlock control = ControlBlock.open(directory.resolve(PeerPair.CONTROL_FILE));
            Sides sides = new Sides())
        {
            sides.open(kinds, Ends.SECOND, directory, sizeMax);
            sides.connect();
            try (Pinning pinning = Pinning.pin(cpu))        // Threads that peers start before are not pinned.
            {
                watch.announceReady();
                serve(control, sides, watch);
            }
        }
        catch (final ParentGone expected)
        {
            // The end of every run: the first process closes our input.
        }
    }

    private void serve(final ControlBlock control, final Sides sides, final ParentWatch watch)
    {
        final BoundedSpin spin = new BoundedSpin(
            CORE_COUNT < pollerCount(), Long.MAX_VALUE, "message", () -> requireParent(watch));
        while (true)
        {
            sides.idle();
            if (control.hasNext())
            {
                final PeerKind kind = control.peer();
                sides.get(kind).respond(control.cell(), control, spin);
            }
            else
            {
                requireParent(watch);
                LockSupport.parkNanos(IDLE_NS);         // The first process may be compiling, and needs the cores.
            }
        }
    }

    private int pollerCount()
    {
        return hosts != null ? HostPlaces.POLLER_COUNT : board == null ? PeerPair.POLLER_COUNT : board.pollerCount();
    }

    private static void requireParent(final ParentWatch watch)
    {
        if (watch.isEnded())
        {
            throw new ParentGone();
        }
    }

    /** Ends all waits. */
    private static final class ParentGone extends RuntimeException
    {
        private static final long serialVersionUID = 1;
    }
}
