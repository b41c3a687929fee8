// SPDX-License-Identifier: Apache-2.0
package com.example.prices;

import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeHealth;
import org.grim.NodeInfo;
import org.grim.metrics.GrimMetrics;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The node, its health in {@code /actuator/health}, and its metrics in {@code /actuator/prometheus}. */
@Configuration
public class GrimConfiguration
{
    /** Joins when the application starts, polls on a thread of its own, and leaves when it ends. */
    @Bean(destroyMethod = "close")
    Grim grim(
        @Value("${grim.cluster}") final String cluster, @Value("${grim.node}") final String node,
        @Value("${grim.directory:}") final String directory)
    {
        final Grim grim = Grim.enable(GrimConfig.builder().set("grim.cluster.name", cluster)
            .set("grim.node.name", node).set("grim.cluster.directory", directory).build());
        grim.handlers().register("price", message -> message.reply("100.25"));
        grim.endpoint().onNodeGone((gone, undelivered, unknown) -> LoggerFactory.getLogger(GrimConfiguration.class)
            .warn("node {} is gone: {}, undelivered={} unknown={}", gone.name(), gone.goneReason(), undelivered,
            unknown));
        grim.startPolling();
        grim.start();
        return grim;
    }

    @Bean
    GrimMetrics grimMetrics(final Grim grim)
    {
        return new GrimMetrics(grim);
    }

    /** A node that is limited still answers; one that is down has to join again. */
    @Bean
    HealthIndicator grimHealthIndicator(final Grim grim)
    {
        return () ->
        {
            final NodeHealth health = grim.health();
            final Health.Builder builder = health.status() == NodeHealth.Status.DOWN ? Health.down() : Health.up();
            return builder.withDetail("status", health.status()).withDetail("problem", health.problem())
                .withDetail("nodes", health.nodeCount()).withDetail("backlog", health.backlogCount())
                .withDetail("gone", grim.nodes().stream().filter(node -> node.state() == NodeInfo.State.GONE)
                .map(node -> node.name() + " " + node.goneReason()).toList()).build();
        };
    }
}
