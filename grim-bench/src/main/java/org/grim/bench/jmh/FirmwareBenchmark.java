// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.grim.bench.nodes.BenchBoard;
import org.grim.ni.fabric.DirectFabric;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * The cost of the control program in real time: two boards joined in one thread, one channel of many in use.
 * {@code message} is the whole path of a 32-byte message: append, two firmwares, arrival in host memory, ACK, room
 * freed; {@code grim bench hops} times its stages. {@code idle} is a step with nothing to do.
 */
public class FirmwareBenchmark extends NanosecondBenchmark
{
    private static final int PAYLOAD_LENGTH = 32;
    private static final int STEP_LIMIT = 100;

    /** Channels of each board; one of them is used. */
    @Param({"1", "8", "32", "256"})
    public int channels;

    private BenchBoard near;
    private BenchBoard far;
    private int channel;
    private int number;

    /** Makes the boards and lets them synchronise. */
    @Setup
    public void setUp()
    {
        channel = channels / 2;
        final DirectFabric fabric = BenchBoard.fabric();
        near = new BenchBoard(0, channels, fabric.wire(0));
        far = new BenchBoard(1, channels, fabric.wire(1));
        message();
    }

    /** One message through two boards. */
    @Benchmark
    public int message()
    {
        near.send(channel, 1, PAYLOAD_LENGTH, number++);
        int steps = 0;
        while (!near.isSettled(channel) && steps < STEP_LIMIT)
        {
            near.program().step();
            far.program().step();
            far.tryReceive(channel);
            steps++;
        }
        if (steps == STEP_LIMIT)
        {
            throw new IllegalStateException("a message is not settled after " + STEP_LIMIT + " steps");
        }
        return steps;
    }

    /** A step with nothing to do. */
    @Benchmark
    public int idle()
    {
        return near.program().step();
    }
}
