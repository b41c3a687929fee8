// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.groups;

import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.agrona.MutableDirectBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.buffer.Uninterrupted;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Reduction;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;
import org.grim.tools.process.Pinning;

import static java.nio.ByteOrder.LITTLE_ENDIAN;
import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * A member of the group that {@link GroupComparison} measures: does its turns, and sleeps between them.
 * <p>Thread: one.
 */
public final class GroupMember
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String GROUP = "bench";
    private static final String NAME = "member-";
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(1);
    private static final String HANDLER = "bench-take";
    private static final int BURST_COUNT = 64;
    private static final int ELEMENT_COUNT_MAX = Collective.LENGTH_MAX / Long.BYTES;

    private final MutableDirectBuffer source;      // Registered, as is the target: members read it in place.
    private final MutableDirectBuffer target;
    private final Reduction sum = Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM);
    private final Group group;
    private final Group.Request request;
    private final HandlerId handler;
    private final Grim grim;
    private final Waiting waiting;
    private final Link neighbour;           // Its process has another CPU, if there is one.

    private GroupMember(
        final Grim grim, final Group group, final Waiting waiting, final int index, final int count)
    {
        final int other = (index ^ 1) < count ? index ^ 1 : index - 1;
        neighbour = grim.endpoint().link(grim.awaitNode(NAME + other, PATIENCE));
        this.grim = grim;
        source = grim.endpoint().memory().register(Collective.LENGTH_MAX).buffer();
        target = grim.endpoint().memory().register(Collective.LENGTH_MAX).buffer();
        this.waiting = waiting;
        this.group = group;
        request = group.newRequest();
        handler = grim.handlers().resolve(HANDLER);
        for (int i = 0; i < ELEMENT_COUNT_MAX; i++)
        {
            source.putLong(i * Long.BYTES, i * (group.rank() + 1L), LITTLE_ENDIAN);
        }
    }

    /** Runs until the command says that all turns are done, or ends. */
    public record Task(Path directory, int index, int count, int cpu, Waiting waiting) implements ChildTask
    {
        @Override
        public void run()
        {
            PeerPair.disableBoundsChecks();
            final ParentWatch watch = ParentWatch.start();
            try (Pinning pinning = Pinning.pin(cpu);
                TurnBlock turns = TurnBlock.open(directory.resolve(GroupComparison.TURNS));
                Grim grim = Grim.enable(GrimConfig.builder().directory(directory).nodeName(NAME + index)
                    .transports("shmem").build()))
            {
                if (cpu != Pinning.NO_CPU && !pinning.isPinned())
                {
                    System.err.println(pinning.description());
                }
                grim.handlers().register(HANDLER, message ->
                {
                });
                grim.start();
                grim.awaitNodes(count, PATIENCE);
                try (Group group = Groups.of(grim).join(GROUP, PATIENCE))
                {
                    group.awaitSize(count, PATIENCE);
                    watch.announceReady();
                    new GroupMember(grim, group, waiting, index, count).doTurns(turns, watch);
                }
            }
        }
    }

    /** Kind of wait for the end of an operation. */
    public enum Waiting
    {
        /** Polls over and over, as Open MPI's processes do on CPUs of their own. */
        POLL,
        /** Polls, and yields when nothing came, as Open MPI's processes do that share a CPU. */
        YIELD,
        /** In {@link org.grim.group.Group.Request#await()}, which polls, then yields, then sleeps. */
        AWAIT
    }

    @SuppressWarnings("EnumOrdinal")         // All members run the same classes.
    private void doTurns(final TurnBlock turns, final ParentWatch watch)
    {
        while (!watch.isEnded())
        {
            if (!turns.hasNext())
            {
                grim.endpoint().poll();
                Uninterrupted.park(SLEEP_NS);
            }
            else if (turns.isEnd())
            {
                return;
            }
            else if (turns.side() == TurnBlock.GRIM)
            {
                final Collective what = Collective.values()[turns.what()];
                turns.done(TurnBlock.GRIM, group.rank(), what.isOneWay() ?
                    measureSends(what, turns.count(), turns) : measure(what, turns.count()));
            }
            else
            {
                turns.seen(TurnBlock.GRIM, group.rank());
            }
        }
    }

    private long measure(final Collective what, final int count)
    {
        perform(Collective.BARRIER);
        final long startNs = System.nanoTime();
        for (int i = 0; i < count; i++)
        {
            perform(what);
        }
        perform(Collective.BARRIER);
        final long timeNs = System.nanoTime() - startNs;
        final long last = ELEMENT_COUNT_MAX - 1L;
        final long size = group.size();
        if (what == Collective.ALL_REDUCE_LONG &&
            target.getLong((int)last * Long.BYTES, LITTLE_ENDIAN) != last * size * (size + 1) / 2)
        {
            throw new GrimException(BAD_DATA, "a sum is wrong at rank=" + group.rank());
        }
        return timeNs;
    }

    /**
     * The first member's time for bursts, between which all wait for each other: nobody's memory is full. Unless the
     * others are to poll, they look at nothing that is sent before the burst is over.
     */
    private long measureSends(final Collective what, final int count, final TurnBlock turns)
    {
        long timeNs = 0;
        for (int i = 0; i < count; i += BURST_COUNT)
        {
            perform(Collective.BARRIER);
            if (group.rank() != 0)
            {
                while (!what.isPolled() && !turns.isBurstOver(i))
                {
                    yieldIfCrowded();
                }
            }
            else
            {
                final int burst = Math.min(count - i, BURST_COUNT);
                final long startNs = System.nanoTime();
                if (what.isMulticast())
                {
                    multicastAll(burst, what.length());
                }
                else
                {
                    sendAll(burst, what.length());
                }
                timeNs += System.nanoTime() - startNs;
                turns.burstIsOver(i);
            }
            while (grim.endpoint().poll() > 0)      // Else what is not read yet adds up until there is no room.
            {
                yieldIfCrowded();
            }
        }
        perform(Collective.BARRIER);
        return timeNs;
    }

    private void sendAll(final int count, final int length)
    {
        for (int i = 0; i < count; i++)
        {
            while (!neighbour.send(handler, 1, 2, 3, 4, source, 0, length).isAccepted())
            {
                grim.endpoint().poll();
            }
        }
    }

    private void multicastAll(final int count, final int length)
    {
        for (int i = 0; i < count; i++)
        {
            while (!group.multicast(handler, 1, 2, 3, 4, source, 0, length).isAccepted())
            {
                grim.endpoint().poll();
            }
        }
    }

    private void perform(final Collective what)
    {
        switch (what)
        {
            case BARRIER -> group.barrier(request);
            case ALL_REDUCE_SHORT, ALL_REDUCE_LONG ->
                group.allReduce(source, 0, target, 0, what.length() / Long.BYTES, sum, request);
            case BROADCAST -> group.broadcast(0, target, 0, what.length(), request);
            default -> throw new IllegalArgumentException(what + " is no collective operation");
        }
        final Group.Status status = waitForEnd();
        if (status != Group.Status.DONE)
        {
            throw new GrimException(BAD_DATA, what.label() + " at rank=" + group.rank() + " ended: status=" + status);
        }
    }

    @SuppressWarnings("ThreadPriorityCheck")        // Several members on a CPU: another one runs only if we let it.
    private void yieldIfCrowded()
    {
        if (waiting != Waiting.POLL)
        {
            Thread.yield();
        }
    }

    private Group.Status waitForEnd()
    {
        if (waiting == Waiting.AWAIT)
        {
            return request.await();
        }
        while (!request.isComplete())
        {
            if (grim.endpoint().poll() == 0)
            {
                yieldIfCrowded();
            }
        }
        return request.status();
    }
}
