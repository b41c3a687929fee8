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

/**
 * What one message through two boards costs the processor, in ns: driver, firmware, shared wire, firmware, arrival
 * queue, handler, and the acknowledgement back, all in one thread.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(value = 3, jvmArgsAppend = {"--add-opens", "java.base/jdk.internal.misc=ALL-UNNAMED"})
public class MyrinetBenchmark
{
    /** Payload bytes. */
    @Param({"0", "32", "4096"})
    public int size;

    private TwoNodes nodes;

    /** Made by JMH. */
    public MyrinetBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Joins both nodes, and lets their boards meet. */
    @Setup
    public void setUp()
    {
        nodes = new TwoNodes(size);
    }

    /** Leaves. */
    @TearDown
    public void tearDown()
    {
        nodes.close();
    }

    /**
     * One message, there.
     *
     * @return messages so far.
     */
    @Benchmark
    public long sendPoll()
    {
        nodes.send();
        final long count = nodes.receive();
        nodes.settle();
        return count;
    }
}
