// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalDouble;

import org.agrona.CloseHelper;
import org.grim.bench.figures.Direction;
import org.grim.bench.figures.PointKey;
import org.grim.bench.nodes.SilentQueues;

/** What a poll costs where nothing comes, against the number of queues. Thread: the measuring one, pinned. */
final class PollSection
{
    private static final String SUITE = "poll";

    private PollSection()
    {
    }

    @SuppressWarnings("try")            // The CPU is held, not used.
    static void run(final Part part)
    {
        final Effort effort = part.effort();
        final Map<Integer, SilentQueues> queues = new LinkedHashMap<>();
        try (OneCpu cpu = OneCpu.take(part))
        {
            for (final int count : effort.choose(List.of(1, 8), List.of(1, 4, 16, 64), List.of(1, 2, 4, 8, 16, 32, 64)))
            {
                queues.put(count, new SilentQueues(part.name(), count, part.directory()));
            }
            measure(part, queues);
        }
        finally
        {
            CloseHelper.closeAll(queues.values());
        }
    }

    private static void measure(final Part part, final Map<Integer, SilentQueues> queues)
    {
        final Effort effort = part.effort();
        final FixedWork work = new FixedWork();
        final Samples workNs = new Samples();
        for (int round = -effort.choose(1, 8, 15); round < effort.rounds(); round++)
        {
            for (final Map.Entry<Integer, SilentQueues> of : queues.entrySet())
            {
                workNs.reset();
                for (int i = 0; i < 100; i++)
                {
                    workNs.add((double)work.pass());
                }
                final double ns = of.getValue().measure(effort.roundNs());
                if (round >= 0)
                {
                    part.figures().add(
                        new PointKey(SUITE, "poll", "grim-" + part.name(), "-", "queues", of.getKey()), "ns",
                        Direction.LOWER_IS_BETTER, ns, OptionalDouble.of(workNs.median()));
                }
            }
        }
    }
}
