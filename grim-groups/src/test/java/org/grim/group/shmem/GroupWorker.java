// SPDX-License-Identifier: Apache-2.0
package org.grim.group.shmem;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

import org.agrona.MutableDirectBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.group.Group;
import org.grim.group.Group.Status;
import org.grim.group.Groups;
import org.grim.group.Reduction;

/** Does all collective operations in turn, from the first one in each epoch, and checks each result. */
final class GroupWorker
{
    static final int KIND_COUNT = 8;
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int[] LENGTHS = {8, 4_000, 200_000};
    private static final int MULTICAST_LENGTH_MAX = 3_000;
    private static final Reduction SUM = Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM);

    private final Grim grim;
    private final Group group;
    private final Group.Request request;
    private final MutableDirectBuffer source;        // Registered: others read long parts in place.
    private final MutableDirectBuffer target;
    private volatile int size;
    private volatile int owner;
    private volatile int kind;
    private volatile long changedNs;
    private final AtomicLong doneCount = new AtomicLong();
    private final AtomicLong multicastCount = new AtomicLong();
    private final Map<Integer, Integer> next = new HashMap<>();         // By life of a sender.
    private final int life = ThreadLocalRandom.current().nextInt();
    private final HandlerId handler;
    private String fault = "";
    private int sentCount;

    private GroupWorker(final Grim grim, final int nodeCount)
    {
        this.grim = grim;
        source = grim.endpoint().memory().register(LENGTHS[2] * 8L).buffer();
        target = grim.endpoint().memory().register(LENGTHS[2] * 8L).buffer();
        handler = grim.handlers().register("numbers", this::onMulticast);
        grim.start();
        grim.awaitNodes(nodeCount, TIMEOUT);
        group = Groups.of(grim).join("workers", TIMEOUT);
        request = group.newRequest();
    }

    /** A node that has become a member, after others have joined the cluster. */
    static GroupWorker join(final Path directory, final String name, final int nodeCount)
    {
        return new GroupWorker(Grim.enable(GrimConfig.builder().nodeName(name).transports("shmem")
            .directory(directory).set("grim.handlers.resolve-timeout", "60s").build()), nodeCount);
    }

    /** Works until it is to end; then leaves group and cluster. */
    void run(final BooleanSupplier isToEnd)
    {
        try (grim; group)
        {
            while (!isToEnd.getAsBoolean())
            {
                group.renew(TIMEOUT);
                owner = group.member(0).node();
                size = group.size();
                int number = 0;
                while (!isToEnd.getAsBoolean() && isDone(number))
                {
                    number++;
                    doneCount.incrementAndGet();
                }
            }
        }
    }

    /** Members of the epoch that it is in. */
    int size()
    {
        return size;
    }

    /** Number of the node that owns the group. */
    int owner()
    {
        return owner;
    }

    /** The kind of operation that it is in. */
    int kind()
    {
        return kind;
    }

    /** When it last learnt that members had changed. */
    long changedNs()
    {
        return changedNs;
    }

    /** Operations that it has done. */
    long doneCount()
    {
        return doneCount.get();
    }

    /** Multicasts that came. */
    long multicastCount()
    {
        return multicastCount.get();
    }

    @Override
    public String toString()
    {
        return "epoch=" + group.epoch() + " size=" + size + " kind=" + kind + " done=" + doneCount + " changed=" +
            group.isChanged();
    }

    /** Of each sender all come, from the first one that comes. */
    private void onMulticast(final ActiveMessage message)
    {
        final int number = message.argument(1);
        final int expected = next.getOrDefault(message.argument(0), number);
        if (number != expected || message.length() != number % MULTICAST_LENGTH_MAX)
        {
            fault = "multicast=" + number + " of length=" + message.length() + " from node=" + message.source().node() +
                " expected=" + expected;
        }
        for (int i = 0; i < message.length(); i++)
        {
            fault = message.buffer().getByte(message.offset() + i) == (byte)number ? fault :
                "multicast=" + number + " differs at " + i;
        }
        next.put(message.argument(0), number + 1);
        multicastCount.incrementAndGet();
    }

    private void multicast()
    {
        source.setMemory(0, MULTICAST_LENGTH_MAX, (byte)sentCount);
        if (group.multicast(
            handler, life, sentCount, 0, 0, source, 0, sentCount % MULTICAST_LENGTH_MAX).isAccepted())
        {
            sentCount++;
        }
    }

    private boolean isDone(final int number)
    {
        multicast();
        multicast();
        final int length = LENGTHS[number / KIND_COUNT % LENGTHS.length];
        kind = number % KIND_COUNT;
        begin(kind, number, length);
        final Status status = request.await();
        if (status == Status.GROUP_CHANGED)
        {
            changedNs = System.nanoTime();
            return false;
        }
        require(status == Status.DONE, "status=" + status);
        check(kind, number, length);
        require(fault.isEmpty(), fault);
        return true;
    }

    private void begin(final int ofKind, final int number, final int length)
    {
        final int root = number % group.size();
        source.setMemory(0, length, (byte)(group.rank() + number));
        switch (ofKind)
        {
            case 0 -> group.barrier(request);
            case 1 ->
            {
                target.setMemory(0, length, (byte)(group.rank() == root ? number : -1));
                group.broadcast(root, target, 0, length, request);
            }
            case 2, 3 ->
            {
                source.putLong(0, group.rank() + number);
                source.putLong(length - 8, group.rank() - number);
                if (ofKind == 2)
                {
                    group.reduce(root, source, 0, target, 0, length / 8, SUM, request);
                }
                else
                {
                    group.allReduce(source, 0, target, 0, length / 8, SUM, request);
                }
            }
            case 4 -> group.gather(root, source, 0, length / 8, target, 0, request);
            case 5 -> group.allGather(source, 0, length / 8, target, 0, request);
            case 6 ->
            {
                for (int rank = 0; rank < group.size(); rank++)
                {
                    source.setMemory(rank * (length / 8), length / 8, (byte)(rank + number));
                }
                group.scatter(root, source, 0, length / 8, target, 0, request);
            }
            default -> group.allToAll(source, 0, length / 8, target, 0, request);
        }
    }

    private void check(final int ofKind, final int number, final int length)
    {
        final boolean isRoot = number % group.size() == group.rank();
        final int part = length / 8;
        final long ranks = (long)group.size() * (group.size() - 1) / 2;
        switch (ofKind)
        {
            case 0 ->
            {
                // Nothing but that all came.
            }
            case 1 -> require(target.getByte(length - 1) == (byte)number, "broadcast");
            case 2, 3 ->
            {
                if (ofKind == 3 || isRoot)
                {
                    final long sum = length == 8 ? ranks - (long)group.size() * number :
                        ranks + (long)group.size() * number;
                    require(target.getLong(0) == sum, "sum=" + target.getLong(0) + " expected=" + sum);
                    require(target.getLong(length - 8) == ranks - (long)group.size() * number, "last sum");
                }
            }
            case 6 -> require(target.getByte(part - 1) == (byte)(group.rank() + number), "scatter");
            default ->
            {
                for (int rank = 0; rank < group.size() && (ofKind != 4 || isRoot); rank++)
                {
                    require(target.getByte((rank + 1) * part - 1) == (byte)(rank + number), "part of rank=" + rank);
                }
            }
        }
    }

    private void require(final boolean isSo, final String what)
    {
        if (!isSo)
        {
            throw new IllegalStateException("kind=" + kind + " epoch=" + group.epoch() + " members=" + group.size() +
                " rank=" + group.rank() + ": " + what);
        }
    }
}
