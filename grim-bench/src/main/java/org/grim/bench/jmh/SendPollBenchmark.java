// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.FrameClaim;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** What one message costs the processor, in ns: sent, polled and dispatched on one thread, over the null transport. */
public class SendPollBenchmark extends NanosecondBenchmark
{
    /** Payload bytes: inside the slot, and in the ring. */
    @Param({"0", "32", "256"})
    public int size;

    /** Whether the sender has the queue for itself, or could share it. */
    @Param({"exclusive", "shared"})
    public String queue;

    private final FrameClaim claim = new FrameClaim();
    private Grim grim;
    private Link link;
    private AtomicBuffer payload;
    private HandlerId handler;
    private long received;

    /** Made by JMH. */
    public SendPollBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Joins a cluster of one node. */
    @Setup
    public void setUp()
    {
        grim = Grim.enable(GrimConfig.builder().nodeName("send-poll").transports("null")
            .set("grim.queue.exclusive", "exclusive".equals(queue) ? 1 : 0).set("grim.queue.shared", 1).build());
        grim.handlers().register("count", message -> received++);
        grim.join();
        handler = grim.handlers().resolve("count");
        link = grim.endpoint().link(grim.endpoint().id());
        payload = Buffers.allocate(Math.max(1, size));
    }

    /** Leaves it. */
    @TearDown
    public void tearDown()
    {
        grim.close();
    }

    /**
     * With a copy of the payload.
     *
     * @return messages so far.
     */
    @Benchmark
    public long sendPoll()
    {
        require(link.send(handler, 1, 2, 3, 4, payload, 0, size));
        grim.poll();
        return received;
    }

    /**
     * Into claimed room, which is left as it is.
     *
     * @return messages so far.
     */
    @Benchmark
    public long claimPublishPoll()
    {
        require(link.tryClaim(handler, size, claim));
        claim.arguments(1, 2, 3, 4).publish();
        grim.poll();
        return received;
    }

    private static void require(final SendStatus status)
    {
        if (status != SendStatus.SENT)
        {
            throw new IllegalStateException("status=" + status);
        }
    }
}
