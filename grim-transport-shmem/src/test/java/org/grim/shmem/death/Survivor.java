// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.SplittableRandom;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.ActiveMessage;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.buffer.MappedFile;
import org.grim.death.Faults;
import org.grim.death.Patterns;
import org.grim.queue.Inbox;
import org.grim.queue.InboxHoldings;

/**
 * The node that receives from all victims, checks each message, and sends some messages back.
 * <p>Thread: its own; the maps are for all.
 */
final class Survivor implements Runnable, AutoCloseable
{
    private static final int LENGTH_MAX = 2048;
    private static final long HOLDINGS_INTERVAL_NS = 200_000;

    private final Path directory;
    private final Faults faults;
    private final SplittableRandom random;
    private final Map<Integer, RunNode> nodesByKey = new ConcurrentHashMap<>();
    private final Queue<RunNode> killed = new ConcurrentLinkedQueue<>();
    private final List<RunNode> pending = new ArrayList<>();
    private final RunNode[] current = new RunNode[DeathConfig.NODE_COUNT_MAX];
    private final UnsafeBuffer scratch = new UnsafeBuffer(new byte[LENGTH_MAX]);
    private final CountDownLatch started = new CountDownLatch(1);
    private final Thread thread = new Thread(this, "survivor");
    private volatile boolean isStopped;
    private volatile long deliveredCount;
    private volatile long dripCount;
    private Grim grim;
    private Inbox inbox;
    private HandlerId dripId;
    private long holdingsNs = System.nanoTime();

    Survivor(final Path directory, final Faults faults, final long seed)
    {
        this.directory = directory;
        this.faults = faults;
        random = new SplittableRandom(seed);
    }

    void start() throws InterruptedException
    {
        thread.start();
        if (!started.await(60, TimeUnit.SECONDS))
        {
            throw new IllegalStateException("the survivor does not start: " + faults);
        }
    }

    void expect(final RunNode node)
    {
        nodesByKey.put(node.key, node);
    }

    void onKilled(final RunNode node)
    {
        killed.add(node);
    }

    long deliveredCount()
    {
        return deliveredCount;
    }

    long dripCount()
    {
        return dripCount;
    }

    @Override
    public void close()
    {
        isStopped = true;
        try
        {
            thread.join(60_000);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void run()
    {
        try (Grim node = Grim.enable(DeathConfig.of(directory, DeathConfig.SURVIVOR)
            .errorHandler(ex -> faults.add(Faults.Kind.UNRESOLVED, 1, "handler of the survivor: " + ex)).build()))
        {
            grim = node;
            grim.handlers().register(DeathConfig.SINK, this::onMessage);
            grim.start();
            grim.endpoint().onNodeGone(this::onNodeGone);
            try (MappedFile file = MappedFile.open(directory.resolve(DeathConfig.CLUSTER).resolve("node-" +
                grim.node().number() + "-" + grim.node().incarnation() + ".inbox"), Inbox.MAGIC, 1024, false))
            {
                inbox = Inbox.wrap(file.buffer());
                started.countDown();
                loop();
            }
        }
        catch (final Throwable ex)
        {
            faults.add(Faults.Kind.UNRESOLVED, 1, "survivor failed: " + ex + " " + List.of(ex.getStackTrace()));
        }
    }

    private void loop()
    {
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        while (!isStopped)
        {
            int workCount = grim.endpoint().poll();
            if (dripId == null)
            {
                dripId = grim.handlers().tryResolve(DeathConfig.DRIP);
            }
            else if (random.nextInt(8) == 0)
            {
                workCount += drip(current[random.nextInt(current.length)]) ? 1 : 0;
            }
            watchKilled();
            idle.idle(workCount);
        }
    }

    private void onMessage(final ActiveMessage message)
    {
        final int stream = message.argument(1);
        final int sequence = message.argument(2);
        final RunNode node = nodesByKey.get(message.argument(0));
        final int number = message.source().node();
        if (node == null || (node.hasJoined() && node.number != number))
        {
            faults.add(Faults.Kind.PHANTOM, 1, "key=" + message.argument(0) + " from node=" + number + ": " + node);
            return;
        }
        if (message.argument(3) != Patterns.checksum(message.buffer(), message.offset(), message.length(), node.key,
            stream, sequence))
        {
            faults.add(Faults.Kind.CORRUPT, 1, node + " stream=" + stream + " sequence=" + sequence);
        }
        final int before = node.delivered.getOrDefault(stream, 0);
        if (sequence != before + 1)
        {
            faults.add(sequence <= before ? Faults.Kind.REPEATED : Faults.Kind.REORDERED, 1,
                node + " stream=" + stream + " after=" + before + " came=" + sequence);
        }
        node.delivered.put(stream, Math.max(before, sequence));
        deliveredCount = deliveredCount() + 1;
        if (current[number] == null || current[number].key < node.key)
        {
            current[number] = node;
        }
        if (random.nextInt(8) == 0 && node.hasJoined() && current[number] == node)
        {
            drip(node);         // From a handler: it overflows rather than finds no room.
        }
    }

    private boolean drip(final RunNode node)
    {
        if (node == null || !node.hasJoined() || node.isDripEnded || dripId == null || hasOldLink(node))
        {
            return false;
        }
        try
        {
            return drip(node, grim.endpoint().link(EndpointId.of(node.number, 0, 0)));
        }
        catch (final GrimException ex)
        {
            node.isDripEnded = true;        // Gone before there was a link.
            return false;
        }
    }

    /** Whether the link to this number may still be one to an incarnation whose death was not noticed yet. */
    private boolean hasOldLink(final RunNode node)
    {
        for (final RunNode other : nodesByKey.values())
        {
            if (other.number == node.number && other.incarnation < node.incarnation && other.dripSent > 0 &&
                other.goneNs == 0)
            {
                return true;
            }
        }
        return false;
    }

    private boolean drip(final RunNode node, final Link link)
    {
        final int next = node.dripSent + 1;
        final int length = random.nextInt(3) > 0 ? random.nextInt(33) :
            random.nextInt(Math.min(LENGTH_MAX, link.payloadLengthMax()));
        Patterns.fill(scratch, 0, length, node.key, next);
        final SendStatus status = link.send(dripId, node.key, 0, next,
            Patterns.checksum(scratch, 0, length, node.key, 0, next), scratch, 0, length);
        if (status.isAccepted())
        {
            node.dripSent = next;
            dripCount = dripCount() + 1;
        }
        else if (status == SendStatus.PEER_GONE)
        {
            node.isDripEnded = true;
            if (node.peerGoneNs == 0)
            {
                node.peerGoneNs = System.nanoTime();
            }
        }
        return status.isAccepted();
    }

    private void watchKilled()
    {
        while (!killed.isEmpty())
        {
            pending.add(killed.remove());
        }
        if (pending.isEmpty())
        {
            return;
        }
        final long nowNs = System.nanoTime();
        final boolean isHoldingsTime = nowNs - holdingsNs > 0;
        if (isHoldingsTime)
        {
            holdingsNs = nowNs + HOLDINGS_INTERVAL_NS;
        }
        for (int i = pending.size() - 1; i >= 0; i--)
        {
            final RunNode node = pending.get(i);
            if (current[node.number] == node && node.peerGoneNs == 0)
            {
                drip(node);
            }
            if (isHoldingsTime && node.reclaimedNs == 0 &&
                InboxHoldings.of(inbox, 0, node.number, node.incarnation) == 0)
            {
                node.reclaimedNs = nowNs;
            }
            if (node.isSettled())
            {
                pending.remove(i);
            }
        }
    }

    private void onNodeGone(final NodeInfo info, final long undelivered, final long unknown)
    {
        final long nowNs = System.nanoTime();
        for (final RunNode node : nodesByKey.values())
        {
            if (node.number == info.number() && node.incarnation == info.incarnation() && node.goneNs == 0)
            {
                node.undelivered = undelivered;
                node.unknown = unknown;
                node.goneNs = nowNs;
            }
        }
    }
}
