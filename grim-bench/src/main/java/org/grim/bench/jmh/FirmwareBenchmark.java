// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.grim.ni.fabric.DirectFabric;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;

/**
 * What the control program costs in real time: two boards joined in one thread, one channel of many in use.
 * {@code message} is the whole way of a 32-byte message: append, two firmwares, arrival in host memory, ACK, room
 * freed. {@code send} is the sender's part of it: append, the step that finds and transmits the message, the step that
 * takes the ACK. {@code receive} is the receiver's part: the step that judges and delivers the message, the step that
 * sends the ACK. {@code idle} is a step with nothing to do.
 */
public class FirmwareBenchmark extends NanosecondBenchmark
{
    private static final int PAYLOAD_LENGTH = 32;
    private static final int STEP_LIMIT = 100;
    private static final int PACKET_LENGTH_MAX = 70_000;

    /** Channels of each board; one of them is used. */
    @Param({"1", "8", "32", "256"})
    public int channels;

    private BenchBoard near;
    private BenchBoard far;
    private BenchBoard alone;
    private BenchBoard called;
    private CallingWire caller;
    private int channel;
    private int number;

    /** Made by JMH. */
    public FirmwareBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /** Makes the boards and lets them synchronise. */
    @Setup
    public void setUp()
    {
        channel = channels / 2;
        final DirectFabric fabric = new DirectFabric(2, 4, PACKET_LENGTH_MAX);
        near = new BenchBoard(0, channels, fabric.wire(0));
        far = new BenchBoard(1, channels, fabric.wire(1));
        alone = new BenchBoard(0, channels, new AnsweringWire());
        caller = new CallingWire(PAYLOAD_LENGTH);
        called = new BenchBoard(0, channels, caller);
        called.program().step();
        message();
        send();
        receive();
    }

    /**
     * One message through two boards.
     *
     * @return steps that it took.
     */
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
        return require(steps);
    }

    /**
     * The sender's part.
     *
     * @return steps that it took.
     */
    @Benchmark
    public int send()
    {
        alone.send(channel, 1, PAYLOAD_LENGTH, number++);
        int steps = 0;
        while (!alone.isSettled(channel) && steps < STEP_LIMIT)
        {
            alone.program().step();
            steps++;
        }
        return require(steps);
    }

    /**
     * The receiver's part.
     *
     * @return steps that it took.
     */
    @Benchmark
    public int receive()
    {
        caller.send(channel);
        int steps = 0;
        while (!caller.isAnswered() && steps < STEP_LIMIT)
        {
            called.program().step();
            steps++;
        }
        if (!called.tryReceive(channel))
        {
            throw new IllegalStateException("a message was answered and is not there");
        }
        return require(steps);
    }

    /**
     * A step with nothing to do.
     *
     * @return 0.
     */
    @Benchmark
    public int idle()
    {
        return alone.program().step();
    }

    private static int require(final int steps)
    {
        if (steps == STEP_LIMIT)
        {
            throw new IllegalStateException("a message is not settled after " + STEP_LIMIT + " steps");
        }
        return steps;
    }
}
