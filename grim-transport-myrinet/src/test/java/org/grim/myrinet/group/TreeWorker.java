// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.group;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.stream.IntStream;

import org.agrona.MutableDirectBuffer;
import org.agrona.collections.LongArrayList;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.NodeInfo;
import org.grim.buffer.Buffers;
import org.grim.group.Group;
import org.grim.group.Group.Status;
import org.grim.group.Groups;
import org.grim.group.Reduction;

/**
 * A member with a board that multicasts all the time, and does a collective operation after each few. It checks what
 * comes: each sender's numbers rise, and none is missing but while members die.
 */
final class TreeWorker
{
    private static final Duration TIMEOUT = Duration.ofSeconds(60);
    private static final int BURST_COUNT = 12;
    private static final int LENGTH_MAX = 5_000;
    private static final int LENGTH_STEP = 37;
    private static final Reduction SUM = Reduction.of(Reduction.Type.LONG, Reduction.Operation.SUM);

    private final Grim grim;
    private final Group group;
    private final Group.Request request;
    private final HandlerId handler;
    private final AtomicLong graceEpoch;
    private final int senderId = ThreadLocalRandom.current().nextInt();
    private final MutableDirectBuffer payload = Buffers.wrap(new byte[LENGTH_MAX]);
    private final MutableDirectBuffer sum = Buffers.wrap(new byte[Long.BYTES]);
    private final Map<Integer, Integer> next = new HashMap<>();             // By id of a sender.
    private final Map<Integer, Long> heard = new ConcurrentHashMap<>();     // Epoch of the latest, by id.
    private final LongArrayList seen = new LongArrayList();
    private final AtomicLong doneCount = new AtomicLong();
    private volatile int size;
    private volatile long epoch;
    private volatile String owner = "";
    private volatile String root = "";
    private long missingCount;
    private String fault = "";
    private int sentCount;

    private TreeWorker(final Grim grim, final int nodeCount, final AtomicLong graceEpoch)
    {
        this.grim = grim;
        this.graceEpoch = graceEpoch;
        handler = grim.handlers().register("numbers", this::onMulticast);
        grim.start();
        grim.awaitNodes(nodeCount, TIMEOUT);
        group = Groups.of(grim).join("workers", TIMEOUT);
        request = group.newRequest();
    }

    /**
     * Becomes a member.
     *
     * @param nodeCount  nodes that are awaited before.
     * @param graceEpoch what was sent in an epoch up to this one may be missing.
     */
    static TreeWorker join(
        final Path directory, final String name, final int nodeCount, final AtomicLong graceEpoch)
    {
        return new TreeWorker(Grim.enable(GrimConfig.builder().nodeName(name).transports("myrinet")
            .directory(directory).set("grim.group.ni-multicast", true).set("grim.myrinet.firmware", "duty-cycle")
            .set("grim.myrinet.arrival.frame-length", "2KiB").set("grim.myrinet.arrival.frame-count", 8)
            .set("grim.myrinet.queue-length", "16KiB").set("grim.myrinet.registered-length", 0)
            .set("grim.myrinet.linger", "20ms").set("grim.myrinet.deadline", "30s").build()), nodeCount, graceEpoch);
    }

    /** Works until it is to end; then leaves group and cluster. */
    void run(final BooleanSupplier isToEnd)
    {
        try (grim; group)
        {
            while (!isToEnd.getAsBoolean())
            {
                group.renew(TIMEOUT);
                nameMembers();
                epoch = group.epoch();
                size = group.size();
                while (!isToEnd.getAsBoolean() && isDone())
                {
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

    /** Number of that epoch. */
    long epoch()
    {
        return epoch;
    }

    /** Name of the node that owns the group. */
    String owner()
    {
        return owner;
    }

    /** Name of the node whose board is the tree's root. */
    String root()
    {
        return root;
    }

    /** Operations that it has done. */
    long doneCount()
    {
        return doneCount.get();
    }

    /** Multicasts that did not come while members died. For who waits for its end. */
    long missingCount()
    {
        return missingCount;
    }

    /** Members of which something has come that they sent in an epoch, or later. */
    long heardCount(final long sinceEpoch)
    {
        return heard.values().stream().filter(latest -> latest >= sinceEpoch).count();
    }

    /** Messages that came, in order, by id and number of the sender. For a wait for its end. */
    LongArrayList seen()
    {
        return seen;
    }

    @Override
    public String toString()
    {
        return "node=" + grim.node().number() + " epoch=" + group.epoch() + " size=" + size + " done=" + doneCount +
            " changed=" + group.isChanged() + " sent=" + sentCount + " heard=" + heard + " " + fault;
    }

    private void nameMembers()
    {
        final int[] nodes = IntStream.range(0, group.size()).map(rank -> group.member(rank).node()).toArray();
        owner = name(nodes[0]);
        root = name(IntStream.of(nodes).min().getAsInt());
    }

    private String name(final int node)
    {
        return grim.nodes().stream().filter(info -> info.number() == node).findAny().map(NodeInfo::name).orElse("");
    }

    private void onMulticast(final ActiveMessage message)
    {
        final int sender = message.argument(0);
        final int number = message.argument(1);
        final int expected = next.getOrDefault(sender, number);
        if (number < expected || (number > expected && heard.get(sender) > graceEpoch.get()))
        {
            fail(message, "expected=" + expected + " after epoch=" + heard.get(sender) + " grace=" + graceEpoch);
        }
        if (message.length() != length(number))
        {
            fail(message, "length=" + message.length());
        }
        for (int i = 0; i < message.length(); i++)
        {
            if (message.buffer().getByte(message.offset() + i) != (byte)number)
            {
                fail(message, "another byte at " + i);
                break;
            }
        }
        missingCount += Math.max(0, number - expected);
        next.put(sender, number + 1);
        heard.put(sender, (long)message.argument(2));
        seen.addLong((long)sender << Integer.SIZE | number);
    }

    private void fail(final ActiveMessage message, final String what)
    {
        fault = fault.isEmpty() ? "multicast=" + message.argument(1) + " of epoch=" + message.argument(2) +
            " from node=" + message.source().node() + ": " + what : fault;
    }

    private static int length(final int number)
    {
        return number * LENGTH_STEP % LENGTH_MAX;
    }

    private boolean isDone()
    {
        for (int i = 0; i < BURST_COUNT; i++)
        {
            payload.setMemory(0, LENGTH_MAX, (byte)sentCount);
            if (group.multicast(
                handler, senderId, sentCount, (int)group.epoch(), 0, payload, 0, length(sentCount)).isAccepted())
            {
                sentCount++;
            }
        }
        sum.putLong(0, 1);
        group.allReduce(sum, 0, sum, 0, 1, SUM, request);
        final Status status = request.await();
        if (!fault.isEmpty())
        {
            throw new IllegalStateException("node=" + grim.node().number() + " epoch=" + group.epoch() + ": " + fault);
        }
        if (status == Status.GROUP_CHANGED)
        {
            return false;
        }
        if (status != Status.DONE || sum.getLong(0) != group.size())
        {
            throw new IllegalStateException("status=" + status + " sum=" + sum.getLong(0) + " of " + group.size());
        }
        return true;
    }
}
