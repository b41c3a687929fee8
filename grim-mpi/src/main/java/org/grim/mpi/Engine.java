// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;

import org.agrona.CloseHelper;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.shared.Awaited;
import org.grim.shared.PollingOrder;
import org.grim.shared.SharedEndpoint;
import org.grim.shared.Sleeper;
import org.grim.shared.Waiting;
import org.grim.thread.ErrorReports;

/**
 * One process of a job, and its messages from and to the others. A call that waits polls for all threads of the process
 * (see {@code org.grim.shared}); a thread of the library answers senders while none does.
 * <p>Thread: any. Owns: the node, and its thread.
 */
public final class Engine implements AutoCloseable
{
    private final Launch launch;
    private final Grim grim;
    private final SharedEndpoint shared;
    private final Transfers transfers;
    private final PollingOrder pollingOrder;
    private final Waiting waiting;
    private final boolean hasThread;

    private Engine(final Launch launch, final Grim grim, final MpiConfig config, final Sleeper deputySleeper,
        final ErrorReports reports)
    {
        this.launch = launch;
        this.grim = grim;
        hasThread = config.hasThread();
        shared = new SharedEndpoint(grim.endpoint());
        transfers = new Transfers(
            launch.size(), this::find, grim.handlers(), config.eagerLength(), config.unexpectedLength());
        pollingOrder = new PollingOrder("grim-mpi", shared, deputySleeper, reports);
        waiting = new Waiting(shared, pollingOrder, kernel(), config.spinNs());
        shared.afterPoll(this::afterPoll);
        grim.endpoint().onNodeGone(new PeerWatch());
    }

    /**
     * Joins the job, and waits until all its processes have.
     *
     * @param launch place of this process.
     * @param config of its node; the name is that of its rank.
     * @return the engine.
     * @throws org.grim.GrimException if the cluster cannot be joined, or some process is not there in time.
     */
    public static Engine start(final Launch launch, final GrimConfig config)
    {
        final MpiConfig mpi = MpiConfig.of(config);
        final Grim grim = Grim.enable(config.toBuilder().nodeName(Launch.nodeName(launch.rank())).build());
        Sleeper deputySleeper = null;
        Engine engine = null;
        boolean isReady = false;
        try
        {
            deputySleeper = new Sleeper(kernel().openSelector(), false);
            engine = new Engine(launch, grim, mpi, deputySleeper, new ErrorReports(config.errorHandler()));
            engine.meet(Duration.ofNanos(mpi.startTimeoutNs()));
            isReady = true;
            return engine;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            if (!isReady)
            {
                CloseHelper.quietCloseAll(engine == null ? grim : engine, deputySleeper);
            }
        }
    }

    /** Makes the selectors that threads sleep in. */
    private static SelectorProvider kernel()
    {
        return SelectorProvider.provider();
    }

    private void meet(final Duration timeout)
    {
        shared.acquire();
        try
        {
            grim.start();
            for (int rank = 0; rank < launch.size(); rank++)
            {
                transfers.peerOf(grim.awaitNode(Launch.nodeName(rank), timeout).number());
            }
        }
        finally
        {
            shared.release();
        }
        if (hasThread)
        {
            pollingOrder.start();
        }
    }

    /** {@return rank of this process} */
    public int rank()
    {
        return launch.rank();
    }

    /** {@return processes of the job} */
    public int size()
    {
        return launch.size();
    }

    /** {@return node of this process} */
    public Grim grim()
    {
        return grim;
    }

    /**
     * Begins to send elements. They belong to the send until it is done.
     *
     * @param send    not in progress.
     * @param members among whom.
     * @param target  rank among them.
     * @param tag     0 or more.
     * @param mode    when it is done.
     */
    public void begin(
        final Send send, final Members members, final int target, final int tag, final Send.Mode mode)
    {
        shared.acquire();
        try
        {
            send.peer = members.inJob(target);
            send.envelope(members.context, members.rank, tag);
            send.mode = mode;
            transfers.begin(send);
        }
        finally
        {
            release();
        }
    }

    /**
     * Begins to receive elements. Their place belongs to the receive until it is done.
     *
     * @param receive not in progress.
     * @param members among whom.
     * @param source  rank among them, or -1 for any.
     * @param tag     0 or more, or -1 for any.
     */
    public void begin(final Receive receive, final Members members, final int source, final int tag)
    {
        shared.acquire();
        try
        {
            receive.from(members, source, tag);
            transfers.begin(receive);
        }
        finally
        {
            release();
        }
    }

    /**
     * Begins to receive a message that was {@linkplain #take taken}.
     *
     * @param receive not in progress.
     * @param message that nobody else receives.
     */
    public void begin(final Receive receive, final Arrival message)
    {
        shared.acquire();
        try
        {
            transfers.begin(receive, message);
        }
        finally
        {
            release();
        }
    }

    /**
     * Begins to look for a message, which stays where it is.
     *
     * @param probe   not in progress.
     * @param members among whom.
     * @param source  rank among them, or -1 for any.
     * @param tag     0 or more, or -1 for any.
     */
    public void begin(final Probe probe, final Members members, final int source, final int tag)
    {
        shared.acquire();
        try
        {
            probe.from(members, source, tag);
            transfers.begin(probe);
        }
        finally
        {
            release();
        }
    }

    /**
     * Looks whether a message has come, and takes it out: only {@link #begin(Receive, Arrival)} gets it.
     *
     * @param members among whom.
     * @param source  rank among them, or -1 for any.
     * @param tag     0 or more, or -1 for any.
     * @return the message; null if none has come.
     */
    public Arrival take(final Members members, final int source, final int tag)
    {
        shared.acquire();
        try
        {
            final Arrival found = transfers.find(members.context, source, tag);
            if (found != null)
            {
                transfers.takeOut(found);
            }
            return found;
        }
        finally
        {
            release();
        }
    }

    /**
     * Takes an operation back of which nothing has happened yet.
     *
     * @param operation of this engine.
     * @return false if something has, or it is done.
     */
    public boolean tryCancel(final Operation operation)
    {
        shared.acquire();
        try
        {
            return transfers.tryCancel(operation);
        }
        finally
        {
            release();
        }
    }

    /**
     * Handles what has arrived.
     *
     * @param awaited that the caller looks for.
     * @return whether it is ready.
     */
    public boolean test(final Awaited awaited)
    {
        if (awaited.readyOperations() == 0)
        {
            shared.poll();
        }
        return awaited.readyOperations() != 0;
    }

    /**
     * Waits until something is ready. An interrupt does not end that: it is the caller's again afterwards.
     *
     * @param awaited an operation, or several.
     */
    public void await(final Awaited awaited)
    {
        boolean isInterrupted = false;
        try
        {
            while (awaited.readyOperations() == 0)
            {
                waiting.await(awaited, Operation.DONE, Long.MAX_VALUE);
                isInterrupted |= Thread.interrupted();
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        finally
        {
            if (isInterrupted)
            {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** {@return messages that came before their receives} */
    public int unexpectedCount()
    {
        shared.acquire();
        try
        {
            return transfers.unexpectedCount();
        }
        finally
        {
            shared.release();
        }
    }

    /** Leaves the job; operations in progress end as {@link Operation.Outcome#CLOSED}. */
    @Override
    public void close()
    {
        if (!shared.isClosed())
        {
            shared.acquire();
            try
            {
                transfers.close();
                shared.close();
            }
            finally
            {
                shared.release();
            }
            CloseHelper.closeAll(grim, waiting, pollingOrder::close);
        }
    }

    private void release()
    {
        shared.impatient(transfers.isWaitingForRoom());
        shared.release();
    }

    private void afterPoll()
    {
        transfers.step();
        shared.impatient(transfers.isWaitingForRoom());
    }

    private Peer find(final int node)
    {
        for (final NodeInfo info : grim.nodes())
        {
            final int rank = info.number() == node ? Launch.rankOf(info.name()) : -1;
            if (rank >= 0 && rank < launch.size())
            {
                return new Peer(rank, grim.endpoint().link(info));
            }
        }
        return null;
    }

    /** A process that is gone, or cut off: its operations end. */
    private final class PeerWatch implements Endpoint.NodeGoneListener
    {
        @Override
        public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
        {
            transfers.onGone(node.number());
        }

        @Override
        public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
        {
            transfers.onGone(node.number());
        }
    }
}
