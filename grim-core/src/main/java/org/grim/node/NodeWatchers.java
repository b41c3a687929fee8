// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

import org.grim.endpoint.EndpointLink;
import org.grim.endpoint.GuardedLink;
import org.grim.large.OutgoingStream;
import org.grim.remote.EndpointRemoteLink;
import org.grim.transport.HopClaim;

/**
 * Waits, for a bounded time, until another thread is in none of a node's calls. The thread pays nothing for it: every
 * call that sends looks first whether the node has left, so a stack that was taken after that was said, and that shows
 * no such call, proves that none is under way (decision 20).
 * <p>Thread: any; no state.
 */
final class NodeWatchers
{
    private static final long WAIT_NS = TimeUnit.SECONDS.toNanos(2);
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(200);
    private static final Set<String> SENDING = Set.of(EndpointLink.class.getName(), GuardedLink.class.getName(),
        EndpointRemoteLink.class.getName(), HopClaim.class.getName(), OutgoingStream.class.getName());

    private NodeWatchers()
    {
    }

    /** Waits until a thread sends nothing, and neither polls nor runs a handler. False: it did all the time. */
    static boolean awaitOutside(final Thread thread, final BooleanSupplier isPolling)
    {
        // The stack first: to take it is a fence, after which the other thread's stores are seen.
        return await(() -> !isSending(thread) && !isPolling.getAsBoolean());
    }

    /** Waits until a thread has ended. False: it has not. */
    static boolean awaitEnd(final Thread thread)
    {
        return await(() -> !thread.isAlive());
    }

    /** Waits until a node has left, however long that takes: it is bounded. */
    static void awaitOpen(final CountDownLatch latch)
    {
        while (latch.getCount() > 0)
        {
            await(() -> latch.getCount() == 0);
        }
    }

    private static boolean await(final BooleanSupplier isSo)
    {
        final boolean isInterrupted = Thread.interrupted();
        final long startNs = System.nanoTime();
        boolean isDone = isSo.getAsBoolean();
        while (!isDone && System.nanoTime() - startNs < WAIT_NS)
        {
            LockSupport.parkNanos(PAUSE_NS);
            isDone = isSo.getAsBoolean();
        }
        if (isInterrupted)
        {
            Thread.currentThread().interrupt();
        }
        return isDone;
    }

    private static boolean isSending(final Thread thread)
    {
        for (final StackTraceElement frame : thread.getStackTrace())
        {
            if (SENDING.contains(frame.getClassName()))
            {
                return true;
            }
        }
        return false;
    }
}
