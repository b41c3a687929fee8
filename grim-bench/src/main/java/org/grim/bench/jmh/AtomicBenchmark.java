// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.Map;

import org.grim.GrimException;
import org.grim.MemoryRegion;
import org.grim.RemoteLink;
import org.grim.RemoteMemory;
import org.grim.RemoteRegion;
import org.grim.bench.nodes.NodePair;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

import static org.grim.GrimException.Reason.BAD_DATA;

/**
 * The cost of an atomic operation on another node's memory for the processor, in ns, beside a read of as many bytes and
 * the processor's own instruction: from the call until the handle says that it is complete, on one thread. Over boards
 * that is driver, firmware, shared wire, firmware, and the reply back.
 */
public class AtomicBenchmark extends NanosecondBenchmark
{
    private static final int REGION_LENGTH = 4096;

    /** The memory: a node's own, another node's in shared memory, or another node's behind two boards. */
    @Param({"null", "shmem", "myrinet"})
    public String transport;

    private NodePair nodes;
    private MemoryRegion far;
    private RemoteRegion region;
    private RemoteLink link;
    private MemoryRegion target;
    private RemoteMemory.Atomic done;

    /** Joins both nodes, and registers memory of both. */
    @Setup
    public void setUp()
    {
        nodes = new NodePair(transport, 1, 0, null, Map.of("grim.liveness.interval", "1m"));
        far = nodes.far().endpoint().memory().register(REGION_LENGTH);
        region = far.remote();
        link = nodes.near().endpoint().memory().link(region);
        target = nodes.near().endpoint().memory().register(REGION_LENGTH);
        done = nodes.near().endpoint().memory().newAtomic();
    }

    /** Leaves. */
    @TearDown
    public void tearDown()
    {
        nodes.close();
    }

    /** An atomic addition, and the word before. */
    @Benchmark
    public long fetchAdd()
    {
        while (!link.fetchAddLong(region, 0, 1, done).isAccepted())
        {
            poll();
        }
        await();
        return done.previous();
    }

    /** A read of eight bytes. */
    @Benchmark
    public long read()
    {
        while (!link.read(region, 0, target, 0, Long.BYTES, done).isAccepted())
        {
            poll();
        }
        await();
        return target.buffer().getLong(0);
    }

    /** The owner's own addition, without the library. */
    @Benchmark
    public long ownFetchAdd()
    {
        return far.buffer().getAndAddLong(Long.BYTES, 1);
    }

    private void await()
    {
        while (!done.isComplete())
        {
            poll();
        }
        if (done.refusal() != null)
        {
            throw new GrimException(BAD_DATA, "remote memory refused an operation: " + done.refusal());
        }
    }

    private void poll()
    {
        nodes.pollFar();
        if (!nodes.isAlone())
        {
            nodes.pollNear();
        }
    }
}
