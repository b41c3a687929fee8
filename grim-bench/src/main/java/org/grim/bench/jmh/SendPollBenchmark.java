// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.Map;

import org.grim.bench.nodes.NodePair;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The cost of one message for the processor, in ns: sent, polled and dispatched on one thread. Over boards that is
 * driver, firmware, shared wire, firmware, arrival queue, handler, and the acknowledgement back.
 */
public class SendPollBenchmark extends NanosecondBenchmark
{
    /** The queues: a node's own, another node's in shared memory, or another node's behind two boards. */
    @Param({"null", "shmem", "myrinet"})
    public String transport;

    /** Payload bytes: inside the slot, and in the ring. */
    @Param({"0", "32", "256"})
    public int size;

    /** Whether the sender has the queue for itself, or could share it. */
    @Param({"exclusive", "shared"})
    public String queue;

    private NodePair nodes;

    /** Joins both nodes, and lets boards meet. */
    @Setup
    public void setUp()
    {
        // Nobody dies meanwhile: looking for it allocates a little, by time and not by message.
        nodes = new NodePair(transport, 1, size, null, Map.of("grim.queue.exclusive",
            "exclusive".equals(queue) ? 1 : 0, "grim.queue.shared", 1, "grim.liveness.interval", "1m"));
    }

    /** Leaves. */
    @TearDown
    public void tearDown()
    {
        nodes.close();
    }

    /** With a copy of the payload. */
    @Benchmark
    public long sendPoll()
    {
        nodes.send(0, size);
        return poll();
    }

    /** Into claimed room, which is left as it is. */
    @Benchmark
    public long claimPublishPoll()
    {
        nodes.claimAndPublish(size);
        return poll();
    }

    private long poll()
    {
        nodes.pollFar();
        if (!nodes.isAlone())
        {
            nodes.pollNear();                   // A board's acknowledgement.
        }
        return nodes.receivedCount();
    }
}
