// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What one message through two boards costs the processor, in ns: driver, firmware, shared wire, firmware, arrival
 * queue, handler, and the acknowledgement back, all in one thread.
 */
public class MyrinetBenchmark extends NanosecondBenchmark
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
