// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What the way from a message in the queue to its handler costs, in ns per message: a poll of {@value #BATCH} messages
 * of 32 bytes that wait, over the null transport. {@link QueueBenchmark#poll} is the same without endpoint, dispatch
 * and handler.
 */
public class DispatchBenchmark extends NanosecondBenchmark
{
    private static final int BATCH = 256;
    private static final int PAYLOAD_LENGTH = 32;
    private static final HandlerId UNKNOWN = HandlerId.of(HandlerId.NUMBER_MAX);

    /** Whether the message names a handler, or none: then it is counted and refused. */
    @Param({"known", "unknown"})
    public String handler;

    private final AtomicBuffer payload = Buffers.allocate(PAYLOAD_LENGTH);
    private Grim grim;
    private Link link;
    private HandlerId handlerId;
    private long handledSum;

    /** Made by JMH. */
    public DispatchBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Joins a cluster of one node. */
    @Setup
    public void setUp()
    {
        grim = Grim.enable(GrimConfig.builder().nodeName("dispatch").transports("null").build());
        grim.handlers().register("count", message -> handledSum += message.length() + message.argument(0));
        grim.join();
        final boolean isKnown = "known".equals(handler);
        handlerId = isKnown ? grim.handlers().resolve("count") : UNKNOWN;
        link = grim.endpoint().link(grim.endpoint().id());
        fill();
        dispatch();
        if (handledSum > 0 != isKnown)
        {
            throw new IllegalStateException("handler=" + handlerId + " is " + handler + ", and handled=" + handledSum);
        }
    }

    /** Leaves it. */
    @TearDown
    public void tearDown()
    {
        grim.close();
    }

    /** Sends the batch. */
    @Setup(Level.Invocation)
    public void fill()
    {
        for (int i = 0; i < BATCH; i++)
        {
            final SendStatus status = link.send(handlerId, 1, 2, 3, 4, payload, 0, PAYLOAD_LENGTH);
            if (status != SendStatus.SENT)
            {
                throw new IllegalStateException("message=" + i + " status=" + status);
            }
        }
    }

    /**
     * Takes the batch.
     *
     * @return a sum of what the handler saw.
     */
    @Benchmark
    @OperationsPerInvocation(BATCH)
    public long dispatch()
    {
        int workCount;
        do
        {
            workCount = grim.poll();        // Housekeeping counts as work, too: only 0 says that the queue is empty.
        }
        while (workCount > 0);
        return handledSum;
    }
}
