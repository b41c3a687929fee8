// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets;

import java.io.IOException;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;
import org.grim.sockets.node.SocketNode;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.helpers.NOPLoggerFactory;

/**
 * Thread that keeps the process in its cluster. It joins, enters the server channels that are bound, and publishes the
 * node; when the node is out of its cluster it closes it and joins again. A failed attempt is repeated after a pause
 * that grows, unless no later attempt can succeed.
 * <p>Thread: any, unless a method says otherwise.
 * <p>Owns: its thread, and the node until it is closed.
 */
final class NodeKeeper implements Runnable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(NodeKeeper.class);
    private static final long PAUSE_NS_MIN = TimeUnit.SECONDS.toNanos(1);
    private static final long PAUSE_NS_MAX = TimeUnit.SECONDS.toNanos(30);
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final int CAUSE_COUNT_MAX = 8;           // An exception may be its own cause.

    private final Joining joining;
    private final Thread thread = new Thread(null, this, "grim-sockets-join", 0, false);
    private final Set<BoundChannel> bound = new HashSet<>();
    private volatile SocketNode node;
    private volatile boolean hasTried;
    private volatile boolean isHopeless;
    private volatile boolean isClosed;
    private SocketNode unclosed;                            // Also while the keeper closes it; under the lock.
    private int earlyTcpCount;
    private boolean hasFailed;                              // The keeper's thread alone, as the next one.
    private boolean isLate;

    /** Joins a cluster once. */
    @FunctionalInterface
    interface Joining
    {
        /**
         * Joins the cluster.
         *
         * @param isFirst whether it is the keeper's first attempt.
         * @param onOut   to be called by any thread when the node is out of its cluster.
         * @return the node.
         * @throws IOException      if the system refuses.
         * @throws RuntimeException if it cannot join.
         */
        SocketNode join(boolean isFirst, Consumer<GrimException> onOut) throws IOException;
    }

    /**
     * Joins nothing yet.
     *
     * @param joining run by the keeper's thread.
     */
    NodeKeeper(final Joining joining)
    {
        this.joining = joining;
        thread.setDaemon(true);
    }

    /** Begins to join. */
    void start()
    {
        thread.start();
    }

    /** {@return the node; null while the process is in no cluster} */
    SocketNode node()
    {
        return node;
    }

    /** {@return whether the first attempt to join has ended, or none will be made} */
    boolean hasTried()
    {
        return hasTried || isClosed;
    }

    /**
     * Waits until the first attempt to join has ended.
     *
     * @param isWanted   whether the caller still waits.
     * @param deadlineNs of {@link System#nanoTime()}; {@link Long#MAX_VALUE} for none.
     */
    void awaitAttempt(final BooleanSupplier isWanted, final long deadlineNs)
    {
        while (!hasTried() && isWanted.getAsBoolean() && isBefore(deadlineNs))
        {
            Uninterrupted.park(LOOK_NS);
        }
    }

    /**
     * Waits until the process is in its cluster.
     *
     * @param deadlineNs as of {@link #awaitAttempt}.
     * @return false if it is not, because the time is over or no attempt will be made any more.
     */
    boolean awaitNode(final long deadlineNs)
    {
        while (node == null && !isClosed && !isHopeless && isBefore(deadlineNs))
        {
            Uninterrupted.park(LOOK_NS);
        }
        return node != null;
    }

    private static boolean isBefore(final long deadlineNs)
    {
        return deadlineNs == Long.MAX_VALUE || deadlineNs - System.nanoTime() > 0;
    }

    /**
     * Enters a server channel in this node and all later ones, until it is {@linkplain #remove removed}.
     *
     * @param channel that is bound; nothing is done if it is closed.
     */
    synchronized void add(final BoundChannel channel)
    {
        if (channel.isOpen())                               // Otherwise it was removed before, or will be.
        {
            bound.add(channel);
            if (node != null)
            {
                channel.enter(node);
            }
        }
    }

    /**
     * Takes a server channel out.
     *
     * @param channel that is closed, or was refused.
     */
    synchronized void remove(final BoundChannel channel)
    {
        bound.remove(channel);
        channel.leave();
    }

    /** Counts a connection that was made over TCP, for tools. */
    void countTcp()
    {
        final SocketNode current = node;
        if (current != null)
        {
            current.countTcp();
        }
        else
        {
            countEarlyTcp();
        }
    }

    private synchronized void countEarlyTcp()
    {
        earlyTcpCount++;
    }

    /**
     * Leaves the cluster for good, and has left when it returns, whichever thread closes the node. One that is about to
     * join leaves when it has; nobody waits for that.
     */
    void leave()
    {
        final SocketNode last = end();
        LockSupport.unpark(thread);
        close(last);
    }

    private synchronized SocketNode end()
    {
        isClosed = true;
        return unclosed;
    }

    /** Leaves the cluster for good, and waits for the thread to end. */
    void close()
    {
        leave();
        if (Thread.currentThread() != thread)
        {
            Uninterrupted.join(thread);
        }
    }

    /** The keeper's thread. */
    @Override
    public void run()
    {
        try
        {
            keepJoined();
        }
        finally
        {
            isHopeless = true;
            hasTried = true;
        }
    }

    private void keepJoined()
    {
        long pauseNs = PAUSE_NS_MIN;
        while (!isClosed && !isHopeless)
        {
            final long startNs = System.nanoTime();
            try
            {
                joinAndWatch();
            }
            catch (final IOException | RuntimeException | Error ex)
            {
                onFailure(ex);                              // Such as a library that is missing, or is too old.
            }
            hasTried = true;
            pauseNs = System.nanoTime() - startNs > PAUSE_NS_MAX ? PAUSE_NS_MIN : pauseNs;
            pause(pauseNs);
            pauseNs = Math.min(pauseNs * 2, PAUSE_NS_MAX);
        }
    }

    /** Returns when the node is out of its cluster, or is to leave it. */
    private void joinAndWatch() throws IOException
    {
        final AtomicReference<GrimException> conviction = new AtomicReference<>();
        final SocketNode joined = joining.join(!hasTried, reason ->
        {
            conviction.set(reason);
            LockSupport.unpark(thread);
        });
        try
        {
            if (tryPublish(joined))
            {
                onJoined();
                while (!isClosed && conviction.get() == null)
                {
                    Uninterrupted.park(PAUSE_NS_MAX);
                }
            }
        }
        finally
        {
            if (conviction.get() != null)
            {
                isLate = true;
                LOGGER.warn("this process is out of its cluster: its connections over GRIM are reset, and new ones " +
                    "are TCP until it has joined again: {}", conviction.get().getMessage());
            }
            close(joined);
        }
    }

    private synchronized boolean tryPublish(final SocketNode joined)
    {
        if (isClosed)
        {
            return false;
        }
        bound.forEach(channel -> channel.enter(joined));    // First: a client of this process may connect to them.
        node = joined;
        unclosed = joined;
        while (earlyTcpCount > 0)
        {
            joined.countTcp();
            earlyTcpCount--;
        }
        hasTried = true;
        return true;
    }

    private void onJoined()
    {
        if (isLate)
        {
            LOGGER.info("this process is in its cluster now: new connections can be over GRIM");
        }
        isLate = false;
        hasFailed = false;
    }

    private void onFailure(final Throwable cause)
    {
        isHopeless = isHopeless(cause);
        if (hasFailed)
        {
            LOGGER.debug("the cluster cannot be joined yet", cause);
        }
        else
        {
            final String text = "all connections of this process are TCP: the cluster cannot be joined" +
                (isHopeless ? "" : ", and is tried again") + ": " + cause;
            LOGGER.warn(text, cause);
            if (LoggerFactory.getILoggerFactory() instanceof NOPLoggerFactory)
            {
                StandardError.print(text);                  // Nothing else would say why it has no effect.
            }
        }
        hasFailed = true;
        isLate = true;
    }

    /** A wrong setting stays wrong, and a class that cannot be linked stays so. */
    private static boolean isHopeless(final Throwable failure)
    {
        Throwable cause = failure;
        boolean isHopeless = false;
        for (int i = 0; i < CAUSE_COUNT_MAX && cause != null; i++)
        {
            isHopeless |= cause instanceof IllegalArgumentException || cause instanceof LinkageError;
            cause = cause.getCause();
        }
        return isHopeless;
    }

    /** Connections are TCP before the node's end begins. */
    private void close(final SocketNode old)
    {
        retire(old);
        if (old != null)
        {
            try
            {
                old.close();
            }
            catch (final RuntimeException | Error ex)
            {
                LOGGER.warn("the node of this process did not leave in order: GRIM removes what it leaves", ex);
            }
            closed(old);
        }
    }

    private synchronized void closed(final SocketNode old)
    {
        unclosed = unclosed == old ? null : unclosed;
    }

    private synchronized void retire(final SocketNode old)
    {
        if (node == old)
        {
            node = null;
            bound.forEach(BoundChannel::forgetNode);
        }
    }

    private void pause(final long pauseNs)
    {
        final long deadlineNs = System.nanoTime() + pauseNs;
        long remainingNs = pauseNs;
        while (!isClosed && !isHopeless && remainingNs > 0)
        {
            Uninterrupted.park(remainingNs);
            remainingNs = deadlineNs - System.nanoTime();
        }
    }
}
