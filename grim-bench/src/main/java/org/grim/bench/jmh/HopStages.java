// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

import org.HdrHistogram.Histogram;
import org.grim.bench.nodes.BenchBoard;
import org.grim.bench.nodes.NodePair;
import org.grim.ni.fabric.DirectFabric;

/**
 * Where the time of a message goes: two boards stepped by hand in one thread, first alone in private memory, then with
 * driver and shared wire. The clock's own time is taken off each figure.
 * <p>Thread: one. Allocates nothing while it measures.
 */
public final class HopStages
{
    /** Bytes of the message. */
    public static final int PAYLOAD_LENGTH = 32;

    private static final long NS_MAX = 10_000_000;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int CLOCK_LOOKS = 10_000;
    private static final int STEP_LIMIT = 4;

    private final long durationNs;
    private int number;

    /** Makes a measurement. */
    public HopStages(final long durationNs)
    {
        this.durationNs = durationNs;
    }

    /** Figures of one stage; its components are the JSON. */
    public record Row(String part, String stage, double p50Ns, double p99Ns, long messages)
    {
    }

    /** Measures. The first half of each part is warm-up. Returns a row per stage. */
    public List<Row> run()
    {
        final List<Stage> stages = new ArrayList<>(boards());
        stages.addAll(nodes());
        final double clockNs = clockNs();
        return stages.stream().map(stage -> stage.row(clockNs)).toList();
    }

    private List<Stage> boards()
    {
        final DirectFabric fabric = BenchBoard.fabric();
        final BenchBoard near = new BenchBoard(0, 1, fabric.wire(0));
        final BenchBoard far = new BenchBoard(1, 1, fabric.wire(1));
        final boolean[] hasArrived = new boolean[1];
        final List<Stage> stages = List.of(
            new Stage("boards", "send into SRAM", () -> near.send(0, 1, PAYLOAD_LENGTH, number++)),
            new Stage("boards", "firmware: transmit, onto a wire in memory", () -> near.program().step()),
            new Stage("boards", "firmware: receive and deliver", () -> stepUntilArrival(far)),
            new Stage("boards", "take from the arrival queue", () -> hasArrived[0] = far.tryReceive(0)),
            new Stage("boards", "both firmwares: ACK made and taken", () -> stepUntilSettled(near, far)));
        passTwice(stages, () ->
        {
            final boolean isWhole = hasArrived[0] && near.isSettled(0);
            while (!isWhole && !near.isSettled(0))
            {
                stepUntilSettled(near, far);
                far.tryReceive(0);
            }
            if (!isWhole)
            {
                far.tryReceive(0);
            }
            return isWhole;
        });
        return stages;
    }

    private List<Stage> nodes()
    {
        try (NodePair nodes = new NodePair("myrinet", 1, PAYLOAD_LENGTH, null, Map.of()))
        {
            final long[] count = new long[1];
            final List<Stage> stages = List.of(
                new Stage("nodes", "send: into SRAM, transmit, shared wire", () -> nodes.send(0, PAYLOAD_LENGTH)),
                new Stage("nodes", "poll: shared wire, receive, deliver, dispatch", nodes::pollFar),
                new Stage("nodes", "poll: acknowledged", nodes::pollNear));
            passTwice(stages, () ->
            {
                final long before = count[0];
                count[0] = nodes.receivedCount();
                return count[0] == before + 1;
            });
            return stages;
        }
    }

    private void passTwice(final List<Stage> stages, final BooleanSupplier isWhole)
    {
        pass(stages, isWhole);
        stages.forEach(stage -> stage.histogram.reset());
        pass(stages, isWhole);
    }

    /** A message with which something else happened, too (boards meet, housekeeping) is not counted. */
    private void pass(final List<Stage> stages, final BooleanSupplier isWhole)
    {
        final int count = stages.size();
        final long[] timesNs = new long[count + 1];
        final long endNs = System.nanoTime() + durationNs / 4;
        do
        {
            timesNs[0] = System.nanoTime();
            for (int i = 0; i < count; i++)
            {
                stages.get(i).step.run();
                timesNs[i + 1] = System.nanoTime();
            }
            if (isWhole.getAsBoolean())
            {
                for (int i = 0; i < count; i++)
                {
                    stages.get(i).histogram.recordValue(Math.min(timesNs[i + 1] - timesNs[i], NS_MAX));
                }
            }
        }
        while (timesNs[count] - endNs < 0);
    }

    private static void stepUntilArrival(final BenchBoard far)
    {
        for (int i = 0; i < STEP_LIMIT && !far.hasArrived(0); i++)
        {
            far.program().step();
        }
    }

    private static void stepUntilSettled(final BenchBoard near, final BenchBoard far)
    {
        for (int i = 0; i < STEP_LIMIT && !near.isSettled(0); i++)
        {
            far.program().step();
            near.program().step();
        }
    }

    /** The time between two looks at the clock with nothing between them. */
    private static double clockNs()
    {
        final long[] times = new long[CLOCK_LOOKS];
        for (int i = 0; i < CLOCK_LOOKS; i++)
        {
            final long startNs = System.nanoTime();
            times[i] = System.nanoTime() - startNs;
        }
        Arrays.sort(times);
        return times[CLOCK_LOOKS / 2];
    }

    /** One stage and its times. */
    private static final class Stage
    {
        private final Histogram histogram = new Histogram(NS_MAX, SIGNIFICANT_DIGITS);
        private final String part;
        private final String name;
        private final Runnable step;

        Stage(final String part, final String name, final Runnable step)
        {
            this.part = part;
            this.name = name;
            this.step = step;
        }

        Row row(final double clockNs)
        {
            return new Row(part, name, Math.max(0, histogram.getValueAtPercentile(50) - clockNs),
                Math.max(0, histogram.getValueAtPercentile(99) - clockNs), histogram.getTotalCount());
        }
    }
}
