// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pipelines;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.IdleStrategy;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.tools.report.Json;
import org.grim.tools.report.Table;

/**
 * Connections of a cluster's streams: their stages, states, and items per second between two looks. Joins the cluster
 * for that, as a node without streams, since owners and accelerators answer messages.
 * <p>Thread: one.
 */
public final class Pipelines
{
    private static final double NANOS = TimeUnit.SECONDS.toNanos(1);

    private Pipelines()
    {
    }

    /**
     * Output of the command.
     *
     * @param json for programs.
     * @param text for people.
     */
    public record Report(Object json, String text)
    {
    }

    /**
     * Looks twice.
     *
     * @param config     of the cluster, which is there.
     * @param intervalNs from one look to the other.
     * @return what was seen.
     * @throws org.grim.GrimException if the cluster cannot be joined.
     */
    public static Report look(final GrimConfig config, final long intervalNs)
    {
        try (Grim grim = Grim.enable(config))
        {
            grim.start();
            final PipelineLook look = new PipelineLook(grim);
            final Map<String, Long> before = counts(look.look());
            final long startNs = System.nanoTime();
            pause(grim, startNs, intervalNs);
            final List<PipelineSample> samples = look.look();
            return report(samples, before, (System.nanoTime() - startNs) / NANOS, look);
        }
    }

    private static void pause(final Grim grim, final long startNs, final long intervalNs)
    {
        final IdleStrategy idle = grim.endpoint().idleStrategy();
        while (System.nanoTime() - startNs < intervalNs)
        {
            idle.idle(grim.endpoint().poll());
        }
    }

    /**
     * Finds streams that stand still, and why. Looks twice.
     *
     * @param config     of the cluster, which is there.
     * @param intervalNs from one look to the other.
     * @return entries as those of the command {@code why}, as a list and as a text that is empty if none waits.
     * @throws org.grim.GrimException if the cluster cannot be joined.
     */
    public static Report waits(final GrimConfig config, final long intervalNs)
    {
        try (Grim grim = Grim.enable(config))
        {
            grim.start();
            final PipelineLook look = new PipelineLook(grim);
            final StreamWaits.Look before = look.lookForWaits();
            final long startNs = System.nanoTime();
            pause(grim, startNs, intervalNs);
            final StreamWaits waits = new StreamWaits(before, look.lookForWaits(), look::name,
                TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs));
            final StringBuilder text = new StringBuilder(waits.text());
            look.missing().forEach(line -> text.append(line).append('\n'));
            return new Report(waits.entries(), text.toString());
        }
    }

    /** Counts of items, by what has them. */
    private static Map<String, Long> counts(final List<PipelineSample> samples)
    {
        final Map<String, Long> counts = new HashMap<>();
        for (final PipelineSample sample : samples)
        {
            for (final PipelineSample.Pipeline pipeline : sample.connections())
            {
                counts.put(key(sample, pipeline), pipeline.delivered());
                for (int i = 0; i < pipeline.stages().size(); i++)
                {
                    counts.put(key(sample, pipeline, i), pipeline.stages().get(i).items());
                }
            }
        }
        return counts;
    }

    private static String key(final PipelineSample sample, final PipelineSample.Pipeline pipeline)
    {
        return sample.owner() + " " + pipeline.number();
    }

    /** An entry that was set again counts from 0. */
    private static String key(final PipelineSample sample, final PipelineSample.Pipeline pipeline, final int index)
    {
        final PipelineSample.StageSample stage = pipeline.stages().get(index);
        return key(sample, pipeline) + " " + index + " " + stage.device() + " " + stage.slot();
    }

    private static Report report(
        final List<PipelineSample> samples, final Map<String, Long> before, final double seconds,
        final PipelineLook look)
    {
        final List<Map<String, Object>> connections = new ArrayList<>();
        final StringBuilder text = new StringBuilder();
        for (final PipelineSample sample : samples)
        {
            for (final PipelineSample.Pipeline pipeline : sample.connections())
            {
                final String perSecond = rate(before.get(key(sample, pipeline)), pipeline.delivered(), seconds);
                final List<Map<String, Object>> stages = new ArrayList<>();
                for (int i = 0; i < pipeline.stages().size(); i++)
                {
                    final PipelineSample.StageSample stage = pipeline.stages().get(i);
                    stages.add(Json.object("stage", i, "kernel", stage.kernel(), "operation", stage.operation(),
                        "node", look.name(stage.device()), "device", stage.device().device(), "state", stage.state(),
                        "items", stage.items(), "itemsPerSecond",
                        rate(before.get(key(sample, pipeline, i)), stage.items(), seconds)));
                }
                connections.add(Json.object("name", pipeline.name(), "number", pipeline.number(), "owner",
                    sample.owner(), "sink", look.name(pipeline.sink()), "state", pipeline.state(), "epoch",
                    pipeline.epoch(), "window", pipeline.window(), "injected", pipeline.injected(), "delivered",
                    pipeline.delivered(), "failed", pipeline.failed(), "lost", pipeline.lost(), "unknown",
                    pipeline.unknown(), "pending", pipeline.pending(), "itemsPerSecond", perSecond, "failure",
                    pipeline.failure(), "stages", stages));
                text.append("connection ").append(pipeline.name()).append(" of ").append(sample.owner()).append(" to ")
                    .append(look.name(pipeline.sink())).append(": ").append(pipeline.state()).append(", epoch ")
                    .append(pipeline.epoch()).append(", items/s ").append(perSecond).append(", injected ")
                    .append(pipeline.injected()).append(", delivered ").append(pipeline.delivered())
                    .append(", failed ").append(pipeline.failed()).append(", lost ").append(pipeline.lost())
                    .append(", unknown ").append(pipeline.unknown()).append(", under way ").append(pipeline.pending())
                    .append(" of ").append(pipeline.window()).append('\n')
                    .append(pipeline.failure().isEmpty() ? "" : "  failure: " + pipeline.failure() + "\n");
                Table.of(stages, "stage", "kernel", "operation", "node", "device", "state", "items",
                    "items/s=itemsPerSecond").lines().forEach(line -> text.append("  ").append(line).append('\n'));
            }
        }
        look.missing().forEach(line -> text.append(line).append('\n'));
        return new Report(Json.object("command", "pipelines", "connections", connections, "missing", look.missing()),
            text.isEmpty() ? "no streams\n" : text.toString());
    }

    /** Rate between two counts; a dash if one is missing. */
    private static String rate(final Long before, final long now, final double seconds)
    {
        return before == null || before < 0 || now < before ? "-" :
            String.format(Locale.ROOT, "%.1f", (now - before) / seconds);
    }
}
