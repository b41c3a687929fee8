// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.ActiveMessage;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of a message that waits in the overflow queue, in ns per message: a handler sends a burst to its own node,
 * whose receive queue holds a quarter of it.
 */
public class OverflowBenchmark extends NanosecondBenchmark
{
    private static final int BURST = 64;
    private static final int SLOT_COUNT = 16;

    /** Payload bytes. */
    @Param({"32", "1024"})
    public int size;

    private AtomicBuffer payload;
    private Grim grim;
    private Link link;
    private HandlerId burstHandler;
    private HandlerId countHandler;
    private long receivedCount;
    private long queuedCount;

    /** Joins a cluster of one node. */
    @Setup
    public void setUp()
    {
        payload = Buffers.allocate(size);
        grim = Grim.enable(GrimConfig.builder().nodeName("crowded").transports("null")
            .set("grim.queue.exclusive", 1).set("grim.queue.slot-count", SLOT_COUNT).build());
        grim.handlers().register("burst", this::onBurst);
        grim.handlers().register("count", message -> receivedCount++);
        grim.start();
        burstHandler = grim.handlers().resolve("burst");
        countHandler = grim.handlers().resolve("count");
        link = grim.endpoint().link(grim.endpoint().id());
        fromHandler();
        require(queuedCount > 0);
    }

    /** Leaves it. */
    @TearDown
    public void tearDown()
    {
        grim.close();
    }

    /** A handler sends a burst to its own node, which takes it. */
    @Benchmark
    @OperationsPerInvocation(BURST)
    public long fromHandler()
    {
        final long expectedCount = receivedCount + BURST;
        require(link.send(burstHandler, payload, 0, 0) == SendStatus.SENT);
        while (receivedCount < expectedCount)
        {
            require(grim.endpoint().poll() > 0);
        }
        return receivedCount;
    }

    private void onBurst(final ActiveMessage message)
    {
        for (int i = 0; i < BURST; i++)
        {
            final SendStatus status = link.send(countHandler, i, 0, 0, 0, payload, 0, size);
            queuedCount += status == SendStatus.QUEUED ? 1 : 0;
        }
    }

    private void require(final boolean isGood)
    {
        if (!isGood)
        {
            throw new IllegalStateException("received=" + receivedCount + " queued=" + queuedCount);
        }
    }
}
