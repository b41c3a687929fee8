// SPDX-License-Identifier: Apache-2.0
package org.grim.metrics;

import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.status.CountersReader;
import org.grim.Grim;
import org.grim.NodeHealth;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import io.micrometer.core.instrument.binder.MeterBinder;

/**
 * The counters, queues and health of a node as meters: {@code messages-sent} of channel 0 is
 * {@code grim.messages.sent} with the tags {@code node} and {@code channel=0}. Levels are gauges, everything else is a
 * counter. A counter of reasons has the tag {@code reason}.
 * <p>Thread: any. Registries read the node's own counters: the node does nothing for it, and pays nothing. Meters of a
 * node that has left keep their last values; {@code grim.status} is 0 then.
 */
public final class GrimMetrics implements MeterBinder
{
    private static final String PREFIX = "grim.";
    private static final String CHANNEL = "channel=";
    private static final String SHARED_LINKS = "shared-links";
    private static final Set<String> GAUGES = Set.of("overflow-depth", "overflow-length", "overflow-ceiling",
        "kept-messages", "kept-length", "kept-ceiling", "reassembly-length", "outbox-length", "regions",
        "registered-length", "quarantined-length");

    private final Grim grim;
    private final Tags tags;

    /**
     * Meters of a node.
     *
     * @param grim the node.
     * @param tags of all meters, besides {@code node}.
     */
    public GrimMetrics(final Grim grim, final Tag... tags)
    {
        this.grim = grim;
        this.tags = Tags.of("node", grim.node().name()).and(tags);
    }

    @Override
    public void bindTo(final MeterRegistry registry)
    {
        final CountersReader reader = grim.counters();
        reader.forEach((value, counterId, label) -> bind(registry, reader, counterId, label));
        Gauge.builder(PREFIX + "nodes", grim, node -> node.health().nodeCount()).tags(tags)
            .description("Nodes of the cluster that are up").register(registry);
        Gauge.builder(PREFIX + "status", grim, node -> status(node.health().status())).tags(tags)
            .description("2: up, 1: limited, 0: down").register(registry);
        TimeGauge.builder(PREFIX + "poll.age", grim, TimeUnit.MILLISECONDS, node -> node.health().pollAgeMs())
            .tags(tags).description("Time since the host endpoint did its housekeeping").register(registry);
    }

    private void bind(
        final MeterRegistry registry, final CountersReader reader, final int counterId, final String label)
    {
        final List<String> words = List.of(label.split(" ", 2));
        final String name = words.get(0);
        final Tags own = words.size() == 1 ? tags : tags.and(tag(words.get(1)));
        final String meter = PREFIX + name.replace('-', '.');
        if (GAUGES.contains(name))
        {
            Gauge.builder(meter, reader, counters -> counters.getCounterValue(counterId)).tags(own).register(registry);
        }
        else
        {
            FunctionCounter.builder(meter, reader, counters -> counters.getCounterValue(counterId)).tags(own)
                .register(registry);
        }
    }

    private static Tag tag(final String key)
    {
        return key.startsWith(CHANNEL) ? Tag.of("channel", key.substring(CHANNEL.length())) :
            SHARED_LINKS.equals(key) ? Tag.of("channel", "shared") : Tag.of("reason", key);
    }

    private static int status(final NodeHealth.Status status)
    {
        return switch (status)
        {
            case UP -> 2;
            case LIMITED -> 1;
            case DOWN -> 0;
        };
    }
}
