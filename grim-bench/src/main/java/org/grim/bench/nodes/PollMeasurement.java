// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.apache.commons.math3.stat.StatUtils;
import org.grim.bench.report.PollReport;

/** Polls of silent queues, transports side by side in interleaved rounds. Thread: the measuring one. */
public final class PollMeasurement
{
    private static final int[] QUEUE_COUNTS = {1, 2, 4, 8, 16, 64};
    private static final List<String> TRANSPORTS = List.of("null", "shmem", "myrinet", SilentQueues.ALL);

    private PollMeasurement()
    {
    }

    /**
     * Measures. The first third of the rounds is warm-up.
     *
     * @param roundCount counted rounds.
     * @param roundMs    length of a figure in a round.
     * @return medians over rounds.
     */
    public static PollReport run(final int roundCount, final int roundMs)
    {
        final List<PollReport.Row> rows = new ArrayList<>();
        for (final int queueCount : QUEUE_COUNTS)
        {
            final List<SilentQueues> queues = new ArrayList<>();
            try
            {
                TRANSPORTS.forEach(transport -> queues.add(new SilentQueues(transport, queueCount, null)));
                rows.add(PollReport.row(queueCount, cells(queues, roundCount, TimeUnit.MILLISECONDS.toNanos(roundMs))));
            }
            finally
            {
                CloseHelper.closeAll(queues);
            }
        }
        return new PollReport(rows);
    }

    private static List<PollReport.Cell> cells(
        final List<SilentQueues> queues, final int roundCount, final long roundNs)
    {
        final double[][] ns = new double[queues.size()][roundCount];
        for (int round = -roundCount / 2; round < roundCount; round++)
        {
            for (int i = 0; i < queues.size(); i++)
            {
                ns[i][Math.max(0, round)] = queues.get(i).measure(roundNs);
            }
        }
        final List<PollReport.Cell> cells = new ArrayList<>();
        for (int i = 0; i < queues.size(); i++)
        {
            cells.add(PollReport.cell(queues.get(i).wordCount(), StatUtils.percentile(ns[i], 50)));
        }
        return cells;
    }
}
