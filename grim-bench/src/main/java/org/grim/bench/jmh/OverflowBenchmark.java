// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.FrameClaim;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.queue.OverflowQueue;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What a message costs that waits in the overflow queue, in ns per message. {@code append} puts one in and takes the
 * oldest out, {@code appendMove} moves the oldest on to a receive queue, where it is polled; {@code fromHandler} is the
 * whole of it: a handler that sends a burst to a queue which holds a quarter of it.
 */
public class OverflowBenchmark extends NanosecondBenchmark
{
    private static final int CEILING = 1 << 20;
    private static final int WAITING_COUNT = 32;

    /** Payload bytes. */
    @Param({"32", "1024"})
    public int size;

    private final FrameClaim claim = new FrameClaim();
    private final FrameClaim room = new FrameClaim();
    private OverflowQueue overflow;
    private PrivateQueue next;
    private AtomicBuffer payload;
    private CrowdedNode node;

    /** Made by JMH. */
    public OverflowBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Makes an overflow queue with some messages in it, and an empty receive queue behind it. */
    @Setup
    public void setUp()
    {
        payload = Buffers.allocate(size);
        next = new PrivateQueue(false, size);
        overflow = new OverflowQueue(new OverflowQueue.Ceiling(CEILING));
        for (int i = 0; i < WAITING_COUNT; i++)
        {
            put();
        }
        node = new CrowdedNode(size);
        node.burst();
        if (node.queuedCount() == 0)
        {
            throw new IllegalStateException("nothing went through the overflow queue");
        }
    }

    /** Gives all of it up. */
    @TearDown
    public void tearDown()
    {
        node.close();
        next.close();
    }

    /**
     * One message in, the oldest out.
     *
     * @return messages that wait.
     */
    @Benchmark
    public int append()
    {
        put();
        overflow.removeFirst();
        return overflow.depth();
    }

    /**
     * One message in, the oldest to the next hop.
     *
     * @return a sum over all messages.
     */
    @Benchmark
    public long appendMove()
    {
        put();
        if (overflow.tryMove(next.hop(), room) != SendStatus.SENT)
        {
            throw new IllegalStateException("an empty queue has no room");
        }
        next.published();
        return next.pollAll();
    }

    /**
     * A handler sends a burst to its own node, which takes it.
     *
     * @return messages so far.
     */
    @Benchmark
    @OperationsPerInvocation(CrowdedNode.BURST)
    public long fromHandler()
    {
        return node.burst();
    }

    private void put()
    {
        overflow.claim(size, claim);
        next.fillHeader(claim);
        claim.buffer().putBytes(claim.offset(), payload, 0, size);
        claim.publish();
    }
}
