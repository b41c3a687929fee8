// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.List;

import org.grim.GrimConfig;

/** The same tiny cluster for all: queues so short that they are full most of the time. */
final class DeathConfig
{
    static final String SURVIVOR = "survivor";
    static final String SINK = "sink";
    static final String DRIP = "drip";
    static final String CLUSTER = "deaths";
    static final int NODE_COUNT_MAX = 32;

    private DeathConfig()
    {
    }

    static GrimConfig.Builder of(final Path directory, final String name)
    {
        return GrimConfig.builder().directory(directory).nodeName(name)
            .set("grim.cluster.name", CLUSTER)
            .set("grim.cluster.nodes-max", NODE_COUNT_MAX)
            .set("grim.transports", List.of("shmem"))
            .set("grim.channels.count", 1)
            .set("grim.queue.exclusive", 1)
            .set("grim.queue.shared", 1)
            .set("grim.queue.slot-count", 64)
            .set("grim.queue.ring-length", "16KiB")
            .set("grim.queue.frame-count", 4)
            .set("grim.queue.frame-length", 4096)
            .set("grim.handlers.resolve-timeout", "60s");
    }
}
