// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.concurrent.TimeUnit;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** What one operation on remote memory costs the processor that begins it, in ns: all in one thread. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class MemoryBenchmark
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
