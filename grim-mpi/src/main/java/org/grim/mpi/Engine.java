// SPDX-License-Identifier: Apache-2.0
package org.grim.mpi;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.spi.SelectorProvider;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import org.agrona.CloseHelper;
import org.agrona.collections.Int2ObjectHashMap;
import org.agrona.collections.IntHashSet;
import org.grim.Endpoint;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.LongWait;
import org.grim.NodeInfo;
import org.grim.group.Group;
import org.grim.group.Groups;
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
    private static final String GROUP_NAME = "grim-mpi";
    private static final int SELF_COUNT = 1;                // The world's is 0.
    private static final int FIRST_COUNT = 2;

    private final Launch launch;
    private final Grim grim;
    private final SharedEndpoint shared;
    private final Transfers transfers;
    private final PollingOrder pollingOrder;
    private final Waiting waiting;
    private final boolean hasThread;
    private final ErrorReports reports;
    private final List<Collective> collectives = new ArrayList<>();     // In progress.
    private final List<Responder> responders = new ArrayList<>();
    private Group all;                      // All processes of the job, by rank; those that are gone, too.
    private Communicator world;
    private Communicator self;
    private int numberCount = FIRST_COUNT;
    private final Int2ObjectHashMap<Communicator> communicators = new Int2ObjectHashMap<>();      // By number.
    private final Deque<Integer> revocations = new ArrayDeque<>();  // That have come: a whole's before its parts'.
    private final IntHashSet earlyRevocations = new IntHashSet();   // Of communicators that are not made here yet.
    private boolean hasSeenDeath;

    private Engine(final Launch launch, final Grim grim, final MpiConfig config, final Sleeper deputySleeper,
        final ErrorReports reports)
    {
        this.launch = launch;
        this.grim = grim;
        hasThread = config.hasThread();
        this.reports = reports;
        shared = new SharedEndpoint(grim.endpoint());
        transfers = new Transfers(
            launch.size(), this::find, this::onWord, grim.handlers(), grim.endpoint().newClaim(), config.eagerLength(),
            config.unexpectedLength());
        pollingOrder = new PollingOrder("grim-mpi", shared, deputySleeper, reports);
        waiting = new Waiting(shared, pollingOrder, kernel(), config.spinNs());
        waiting.onLongWait(this::reportWait);
        shared.afterPoll(this::afterPoll);
        shared.driveLimit(1);
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
        final Grim grim = Grim.enable(launch.node(config));
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
            all = allByRank(timeout);
            final int[] ranks = IntStream.range(0, launch.size()).toArray();
            world = register(new Communicator(this, 0, ranks, all));
            self = newCommunicator(SELF_COUNT * launch.size() + launch.rank(), launch.rank());
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

    /** Members of a named group have the order in which they joined. */
    private Group allByRank(final Duration timeout)
    {
        final Group named = Groups.of(grim).join(GROUP_NAME, timeout);
        named.awaitSize(launch.size(), timeout);
        final int[] inGroup = new int[launch.size()];
        for (int i = 0; i < inGroup.length; i++)
        {
            inGroup[transfers.peerOf(named.member(i).node()).rank] = i;
        }
        return named.subgroup(inGroup);
    }

    /** {@return communicator of all processes of the job} */
    public Communicator world()
    {
        return world;
    }

    /** {@return communicator of this process alone} */
    public Communicator self()
    {
        return self;
    }

    /** A number that no process has had, or will have, for another communicator. */
    int nextNumber()
    {
        return inside(() ->
        {
            final int number = Math.addExact(Math.multiplyExact(numberCount, launch.size()), launch.rank());
            numberCount++;
            return number;
        });
    }

    /** Makes a communicator whose members know its number, and each other. */
    Communicator newCommunicator(final int number, final int... ranks)
    {
        return inside(() -> register(new Communicator(this, number, ranks, all.agreedSubgroup(number, ranks))));
    }

    /** Begins a collective operation. */
    void begin(final Collective collective)
    {
        shared.acquire();
        try
        {
            collective.call(transfers);
            if (!collective.isOver(reports))
            {
                collectives.add(collective);
            }
        }
        finally
        {
            release();
        }
    }

    /** Waits for the collective operations among some processes that are in progress. */
    void awaitCollectives(final Members among)
    {
        inside(() -> collectives.stream().filter(each -> each.isAmong(among)).toList()).forEach(this::await);
    }

    /** Whether a process is gone. */
    boolean isGone(final int rank)
    {
        return inside(() -> transfers.isGone(rank));
    }

    /** Makes what members of a communicator agree by. */
    Agreement newAgreement(final int number, final Members members)
    {
        return new Agreement(transfers, this::nextNumber, this::mayLive, number, members);
    }

    /** Words about a communicator are for it from now on. */
    Communicator register(final Communicator communicator)
    {
        return inside(() ->
        {
            communicators.put(communicator.number(), communicator);
            if (earlyRevocations.remove(communicator.number()))
            {
                communicator.endRevoked(transfers);
            }
            return communicator;
        });
    }

    /** Begins to agree. */
    void begin(final Vote vote, final Agreement agreement, final int flags)
    {
        inside(() ->
        {
            if (shared.isClosed())
            {
                vote.begin();
                vote.end(Operation.Outcome.CLOSED);
            }
            else
            {
                agreement.begin(vote, flags);
            }
        });
    }

    /** Waits for a decision; looks at intervals, as news of the membership rings no bell. */
    void await(final Vote vote, final Agreement agreement)
    {
        final long startNs = System.nanoTime();
        LongWait report = null;
        try
        {
            while (!awaitUntil(vote, System.nanoTime() + Agreement.LOOK_NS))
            {
                inside(agreement::step);
                if (System.nanoTime() - startNs > Waiting.REPORT_NS)
                {
                    report = reportWait(vote, report);
                }
            }
        }
        finally
        {
            CloseHelper.close(report);
        }
    }

    /** Ends a communicator's operations, here and at all members. */
    void revoke(final Communicator communicator)
    {
        inside(() ->
        {
            endRevoked(communicator);
            endCollectives();
        });
    }

    /** Has a communicator be revoked with another one, which may be revoked already; null for with none. */
    void join(final Communicator part, final Communicator whole)
    {
        inside(() ->
        {
            part.partOf(whole);
            if (whole != null && whole.isRevoked())
            {
                endRevoked(part);
            }
        });
    }

    /** Ends a communicator that is not used any more. */
    void close(final Communicator communicator)
    {
        inside(() ->
        {
            communicator.endGroup();
            transfers.dropAll(communicator.number());
            if (!communicator.agreement().isUsed())
            {
                communicators.remove(communicator.number());
            }
        });
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
            send.to(members, target, tag, mode);
            if (!isRevoked(send, members))
            {
                transfers.begin(send);
            }
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
            if (!isRevoked(receive, members))
            {
                transfers.begin(receive);
                if (!receive.isDone())
                {
                    shared.drive();         // It may be there already: the call that waits for it need not look.
                }
            }
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
            if (!isRevoked(probe, members))
            {
                transfers.begin(probe);
            }
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
        awaitUntil(awaited, Long.MAX_VALUE);
    }

    /** Waits until something is ready, or a time; returns whether it is ready. */
    private boolean awaitUntil(final Awaited awaited, final long deadlineNs)
    {
        boolean isInterrupted = false;
        try
        {
            while (awaited.readyOperations() == 0 &&
                (deadlineNs == Long.MAX_VALUE || deadlineNs - System.nanoTime() > 0))
            {
                waiting.await(awaited, Operation.DONE, deadlineNs);
                isInterrupted |= Thread.interrupted();
            }
            return awaited.readyOperations() != 0;
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
                collectives.forEach(collective -> collective.end(Operation.Outcome.CLOSED));
                collectives.clear();
                communicators.values().forEach(communicator -> communicator.agreement().close());
                shared.close();
            }
            finally
            {
                shared.release();
            }
            CloseHelper.closeAll(grim, waiting, pollingOrder::close);
        }
    }

    /** Says what a thread waits for. */
    private LongWait reportWait(final Awaited awaited, final LongWait report)
    {
        return inside(() ->
        {
            final String what = awaited.inWords();
            final int node = transfers.nodeOf(awaited.awaitedPeer());
            if (report == null)
            {
                return grim.reportWait(what, node);
            }
            report.update(what, node);
            return report;
        });
    }

    /** An operation of a revoked communicator ends at once. */
    private static boolean isRevoked(final Operation operation, final Members members)
    {
        final boolean isRevoked = members.isRevoked();
        if (isRevoked)
        {
            operation.begin();
            operation.end(Operation.Outcome.REVOKED);
        }
        return isRevoked;
    }

    private void inside(final Runnable work)
    {
        inside(() ->
        {
            work.run();
            return null;
        });
    }

    /** Does something under the lock. For calls that are seldom: it allocates. */
    private <T> T inside(final Supplier<T> work)
    {
        shared.acquire();
        try
        {
            return work.get();
        }
        finally
        {
            release();
        }
    }

    private void release()
    {
        shared.impatient(isWaitingForRoom());
        shared.release();
    }

    /**
     * Begins to answer requests.
     *
     * @param responder that answers.
     */
    public void add(final Responder responder)
    {
        inside(() ->
        {
            responder.begin(transfers);
            responders.add(responder);
        });
    }

    /**
     * Ends to answer requests.
     *
     * @param responder that was added.
     */
    public void remove(final Responder responder)
    {
        inside(() ->
        {
            responders.remove(responder);
            responder.end();
        });
    }

    private void afterPoll()
    {
        transfers.step();
        for (int i = responders.size() - 1; i >= 0; i--)
        {
            responders.get(i).step();
        }
        if (hasSeenDeath)
        {
            hasSeenDeath = false;
            communicators.values().forEach(communicator -> communicator.agreement().step());
        }
        while (!revocations.isEmpty())
        {
            final int number = revocations.remove();
            final Communicator communicator = communicators.get(number);
            if (communicator == null)
            {
                earlyRevocations.add(number);
            }
            else
            {
                endRevoked(communicator);
            }
        }
        endCollectives();
        shared.impatient(isWaitingForRoom());
    }

    /** Words are taken in a handler, in which a group cannot end. */
    private void onWord(final int rank, final Peer.Control word)
    {
        final Communicator communicator = communicators.get(word.a0());
        if (word.word() == Peer.Word.REVOKE)
        {
            revocations.add(word.a0());
        }
        else if (communicator != null)
        {
            communicator.agreement().onWord(rank, word);
        }
    }

    /** Ends a communicator and its parts. Under the lock, outside of handlers. */
    private void endRevoked(final Communicator communicator)
    {
        communicator.endRevoked(transfers);
        for (final Communicator each : List.copyOf(communicators.values()))
        {
            if (each.isPartOf(communicator))
            {
                endRevoked(each);
            }
        }
    }

    private void endCollectives()
    {
        for (int i = collectives.size() - 1; i >= 0; i--)
        {
            if (collectives.get(i).isOver(reports))
            {
                collectives.remove(i);
            }
        }
    }

    private boolean isWaitingForRoom()
    {
        boolean isWaiting = transfers.isWaitingForRoom();
        for (int i = 0; i < collectives.size() && !isWaiting; i++)
        {
            isWaiting = collectives.get(i).isLong();
        }
        return isWaiting;
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

    private void onGone(final NodeInfo node, final boolean isCutOff)
    {
        transfers.onGone(node, isCutOff);
        hasSeenDeath = true;
    }

    /** Whether a process that is gone for this one may live: it was cut off, and its node is up. */
    private boolean mayLive(final int rank)
    {
        final NodeInfo cutOff = transfers.cutOff(rank);
        return cutOff != null && grim.nodes().stream().anyMatch(node -> node.state() == NodeInfo.State.UP &&
            node.number() == cutOff.number() && node.incarnation() == cutOff.incarnation());
    }

    /** A process that is gone, or cut off: its operations end. */
    private final class PeerWatch implements Endpoint.NodeGoneListener
    {
        @Override
        public void onNodeGone(final NodeInfo node, final long undelivered, final long unknown)
        {
            onGone(node, false);
        }

        @Override
        public void onPathLost(final NodeInfo node, final long undelivered, final long unknown)
        {
            onGone(node, true);
        }
    }
}
