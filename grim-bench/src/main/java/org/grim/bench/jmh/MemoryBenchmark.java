// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/** What one operation on remote memory costs the processor that begins it, in ns: all in one thread. */
public class MemoryBenchmark extends NanosecondBenchmark
{
    /** Whose memory: the node's own, or another node's of this JVM. */
    @Param({"null", "shmem"})
    public String transport;

    /** Bytes of an operation. */
    @Param({"8", "2048"})
    public int size;

    private NearAndFarMemory memory;

    /** Made by JMH. */
    public MemoryBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Joins, and registers a region on either side. */
    @Setup
    public void setUp()
    {
        memory = new NearAndFarMemory(transport, size);
    }

    /** Leaves. */
    @TearDown
    public void tearDown()
    {
        memory.close();
    }

    /**
     * RM-V with a notification word.
     *
     * @return the word.
     */
    @Benchmark
    public int writeVirtual()
    {
        return memory.writeVirtual();
    }

    /**
     * RM-P with a notification word.
     *
     * @return the word.
     */
    @Benchmark
    public int writePhysical()
    {
        return memory.writePhysical();
    }

    /**
     * RM-RV, until all bytes are there.
     *
     * @return true.
     */
    @Benchmark
    public boolean read()
    {
        return memory.read();
    }
}
