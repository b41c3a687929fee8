// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

import org.HdrHistogram.Histogram;
import org.grim.bench.report.HopReport;
import org.grim.ni.fabric.DirectFabric;

/**
 * Where the time of a message goes: two boards stepped by hand in one thread, first alone in private memory, then with
 * driver and shared wire. The clock's own time is taken off each figure.
 * <p>Thread: one. Allocates nothing while it measures.
 */
public final class HopStages
{
    private static final long NS_MAX = 10_000_000;
    private static final int SIGNIFICANT_DIGITS = 3;
    private static final int CLOCK_LOOKS = 10_000;
    private static final int PACKET_COUNT = 4;
    private static final int PACKET_LENGTH_MAX = 70_000;
    private static final int PAYLOAD_LENGTH = 32;
    private static final int STEP_LIMIT = 4;

    private final Stage append = new Stage("boards", "send into SRAM");
    private final Stage transmit = new Stage("boards", "firmware: transmit, onto a wire in memory");
    private final Stage deliver = new Stage("boards", "firmware: receive and deliver");
    private final Stage take = new Stage("boards", "take from the arrival queue");
    private final Stage settle = new Stage("boards", "both firmwares: ACK made and taken");
    private final Stage nodeSend = new Stage("nodes", "send: into SRAM, transmit, shared wire");
    private final Stage nodePoll = new Stage("nodes", "poll: shared wire, receive, deliver, dispatch");
    private final Stage nodeSettle = new Stage("nodes", "poll: acknowledged");
    private final long durationNs;

    /**
     * Makes a measurement.
     *
     * @param durationNs of all of it.
     */
    public HopStages(final long durationNs)
    {
        this.durationNs = durationNs;
    }

    /**
     * Measures. The first half of each part is warm-up.
     *
     * @return the figures.
     */
    public HopReport run()
    {
        final long partNs = durationNs / 4;
        measureBoards(partNs);
        measureNodes(partNs);
        final double clockNs = clockNs();
        final List<HopReport.Row> rows = new ArrayList<>();
        for (final Stage stage : List.of(append, transmit, deliver, take, settle, nodeSend, nodePoll, nodeSettle))
        {
            rows.add(stage.row(clockNs));
        }
        return new HopReport(PAYLOAD_LENGTH, rows);
    }

    private void measureBoards(final long partNs)
    {
        final DirectFabric fabric = new DirectFabric(2, PACKET_COUNT, PACKET_LENGTH_MAX);
        final BenchBoard near = new BenchBoard(0, 1, fabric.wire(0));
        final BenchBoard far = new BenchBoard(1, 1, fabric.wire(1));
        passBoards(near, far, partNs);
        forget();
        passBoards(near, far, partNs);
    }

    private void passBoards(final BenchBoard near, final BenchBoard far, final long partNs)
    {
        final long endNs = System.nanoTime() + partNs;
        long lastNs;
        int number = 0;
        do
        {
            final long startNs = System.nanoTime();
            near.send(0, 1, PAYLOAD_LENGTH, number++);
            final long appendedNs = System.nanoTime();
            near.program().step();
            final long transmittedNs = System.nanoTime();
            stepUntilArrival(far);
            final long deliveredNs = System.nanoTime();
            final boolean hasArrived = far.tryReceive(0);
            final long takenNs = System.nanoTime();
            stepUntilSettled(near, far);
            lastNs = System.nanoTime();
            if (hasArrived && near.isSettled(0))
            {
                append.record(appendedNs - startNs);
                transmit.record(transmittedNs - appendedNs);
                deliver.record(deliveredNs - transmittedNs);
                take.record(takenNs - deliveredNs);
                settle.record(lastNs - takenNs);
            }
            else
            {
                finish(near, far);
            }
        }
        while (lastNs - endNs < 0);
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

    /** The boards meet, or one had something else to do: such a message is not counted. */
    private static void finish(final BenchBoard near, final BenchBoard far)
    {
        while (!near.isSettled(0))
        {
            near.program().step();
            far.program().step();
            far.tryReceive(0);
        }
        far.tryReceive(0);
    }

    private void measureNodes(final long partNs)
    {
        try (TwoNodes nodes = new TwoNodes(PAYLOAD_LENGTH))
        {
            passNodes(nodes, partNs);
            nodeSend.histogram.reset();
            nodePoll.histogram.reset();
            nodeSettle.histogram.reset();
            passNodes(nodes, partNs);
        }
    }

    private void passNodes(final TwoNodes nodes, final long partNs)
    {
        final long endNs = System.nanoTime() + partNs;
        long lastNs;
        long count = nodes.receive();
        do
        {
            final long startNs = System.nanoTime();
            nodes.send();
            final long sentNs = System.nanoTime();
            final long received = nodes.receive();
            final long receivedNs = System.nanoTime();
            nodes.settle();
            lastNs = System.nanoTime();
            if (received == count + 1)
            {
                nodeSend.record(sentNs - startNs);
                nodePoll.record(receivedNs - sentNs);
                nodeSettle.record(lastNs - receivedNs);
            }
            count = received;
        }
        while (lastNs - endNs < 0);
    }

    private void forget()
    {
        for (final Stage stage : List.of(append, transmit, deliver, take, settle))
        {
            stage.histogram.reset();
        }
    }

    /** What stands between two looks at the clock with nothing between them. */
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

    /** Times of one stage. */
    private static final class Stage
    {
        private final Histogram histogram = new Histogram(NS_MAX, SIGNIFICANT_DIGITS);
        private final String part;
        private final String name;

        Stage(final String part, final String name)
        {
            this.part = part;
            this.name = name;
        }

        void record(final long ns)
        {
            histogram.recordValue(Math.min(ns, histogram.getHighestTrackableValue()));
        }

        HopReport.Row row(final double clockNs)
        {
            return new HopReport.Row(part, name, Math.max(0, histogram.getValueAtPercentile(50) - clockNs),
                Math.max(0, histogram.getValueAtPercentile(99) - clockNs), histogram.getTotalCount());
        }
    }
}
