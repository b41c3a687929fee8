// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.apache.commons.math3.stat.StatUtils;
import org.grim.tools.report.Json;

/** The command {@code poll}: silent queues of all transports in interleaved rounds. Thread: the measuring one. */
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
     * @return a row for each count of queues: medians over rounds, by transport.
     */
    public static List<Map<String, Object>> run(final int roundCount, final int roundMs)
    {
        final List<Map<String, Object>> rows = new ArrayList<>();
        for (final int queueCount : QUEUE_COUNTS)
        {
            final List<SilentQueues> queues = new ArrayList<>();
            try
            {
                TRANSPORTS.forEach(transport -> queues.add(new SilentQueues(transport, queueCount, null)));
                rows.add(row(queueCount, queues.stream().mapToInt(SilentQueues::wordCount).toArray(),
                    medians(queues, roundCount, TimeUnit.MILLISECONDS.toNanos(roundMs))));
            }
            finally
            {
                CloseHelper.closeAll(queues);
            }
        }
        return rows;
    }

    /** From words that are polled, and times of one poll, of each transport. */
    static Map<String, Object> row(final int queueCount, final int[] words, final double[] ns)
    {
        final Map<String, Object> row = Json.object("queues", queueCount);
        for (int i = 0; i < words.length; i++)
        {
            row.put(TRANSPORTS.get(i),
                Json.object("words", words[i], "ns", rounded(ns[i]), "nsPerWord", rounded(ns[i] / words[i])));
        }
        for (int i = 1; i < words.length; i++)
        {
            row.put(TRANSPORTS.get(i) + "ToNull", rounded(ns[i] / words[i] / (ns[0] / words[0])));
        }
        return row;
    }

    private static double[] medians(final List<SilentQueues> queues, final int roundCount, final long roundNs)
    {
        final double[][] ns = new double[queues.size()][roundCount];
        for (int round = -roundCount / 2; round < roundCount; round++)
        {
            for (int i = 0; i < ns.length; i++)
            {
                ns[i][Math.max(0, round)] = queues.get(i).measure(roundNs);
            }
        }
        final double[] medians = new double[ns.length];
        for (int i = 0; i < ns.length; i++)
        {
            medians[i] = StatUtils.percentile(ns[i], 50);
        }
        return medians;
    }

    private static double rounded(final double value)
    {
        return Math.round(value * 1000) / 1000.0;
    }
}
