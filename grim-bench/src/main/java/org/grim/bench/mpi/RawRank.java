// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.time.Duration;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.group.Group;
import org.grim.group.Groups;
import org.grim.group.Reduction;

import static org.grim.GrimException.Reason.BAD_DATA;

/** Messages and groups of GRIM beneath MPI, between the same arrays. */
public final class RawRank extends MpiRank
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String NAME = "raw-";
    private static final String GROUP = "raw";
    private static final String HANDLER = "bench-raw";

    private final UnsafeBuffer sourceView = new UnsafeBuffer(source);
    private final UnsafeBuffer targetView = new UnsafeBuffer(target);
    private final UnsafeBuffer addendsView = new UnsafeBuffer(new byte[MpiOperation.LENGTH_MAX]);
    private final UnsafeBuffer sumsView = new UnsafeBuffer(new byte[MpiOperation.LENGTH_MAX]);
    private final Reduction sum = Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM);
    private final Grim grim;
    private final Group group;
    private final Group.Request request;
    private final Link link;
    private final HandlerId handler;
    private long received;
    private long taken;

    private RawRank(final Grim grim, final int rank)
    {
        super(rank);
        this.grim = grim;
        handler = grim.handlers().register(HANDLER, message ->
        {
            message.buffer().getBytes(message.offset(), target, 0, message.length());
            received++;
        });
        grim.start();
        link = grim.endpoint().link(grim.awaitNode(NAME + other(), PATIENCE));
        group = joinInOrder(rank);
        request = group.newRequest();
        for (int i = 0; i < addends.length; i++)
        {
            addendsView.putLong(i * Long.BYTES, addends[i]);
        }
    }

    /** Members have the order in which they join. */
    private Group joinInOrder(final int rank)
    {
        if (rank != 0)
        {
            receive(1, false);
        }
        final Group joined = Groups.of(grim).join(GROUP, PATIENCE);
        if (rank == 0)
        {
            send(false, 1, false);
        }
        joined.awaitSize(2, PATIENCE);
        return joined;
    }

    /** Runs a rank. */
    public static void main(final String... arguments)
    {
        final int rank = Integer.parseInt(arguments[0]);
        try (Grim grim = Grim.enable(GrimConfig.load().toBuilder().nodeName(NAME + rank).build()))
        {
            new RawRank(grim, rank).doTurns(arguments);
        }
    }

    @Override
    void send(final boolean isEcho, final int length, final boolean isDirect)
    {
        while (!link.send(handler, 0, 0, 0, 0, isEcho ? targetView : sourceView, 0, length).isAccepted())
        {
            grim.endpoint().poll();
        }
    }

    @Override
    void receive(final int length, final boolean isDirect)
    {
        while (received == taken)
        {
            grim.endpoint().poll();
        }
        taken++;
    }

    @Override
    void allReduce(final int length)
    {
        group.allReduce(addendsView, 0, sumsView, 0, length / Long.BYTES, sum, request);
        await();
        sums[length / Long.BYTES - 1] = sumsView.getLong(length - Long.BYTES);
    }

    @Override
    void broadcast(final int length)
    {
        group.broadcast(0, targetView, 0, length, request);
        await();
    }

    @Override
    void allToAll(final int length)
    {
        group.allToAll(sourceView, 0, length, targetView, 0, request);
        await();
    }

    @Override
    void barrier()
    {
        group.barrier(request);
        await();
    }

    @Override
    byte received(final int index, final boolean isDirect)
    {
        return target[index];
    }

    private void await()
    {
        while (!request.isComplete())
        {
            grim.endpoint().poll();
        }
        if (request.status() != Group.Status.DONE)
        {
            throw new GrimException(BAD_DATA, "an operation of the group ended: status=" + request.status());
        }
    }
}
