// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.nio.file.Path;
import java.util.List;

import org.grim.GrimConfig;

/** Small nodes, and short waits. */
final class Settings
{
    private Settings()
    {
    }

    static GrimConfig.Builder small(final Path directory)
    {
        return GrimConfig.builder().directory(directory)
            .set("grim.transports", List.of("shmem"))
            .set("grim.cluster.nodes-max", 16)
            .set("grim.channels.count", 3)
            .set("grim.channels.host", 1)
            .set("grim.queue.slot-count", 64)
            .set("grim.queue.ring-length", "16KiB")
            .set("grim.queue.frame-count", 8)
            .set("grim.queue.frame-length", 4_096)
            .set("grim.memory.length-max", "8MiB")
            .set("grim.memory.arena-length", "1MiB")
            .set("grim.message.length-max", "256KiB")
            .set("grim.message.reassembly-length", "1MiB")
            .set("grim.message.outbox-length", "1MiB")
            .set("grim.overflow.ceiling", "1MiB")
            .set("grim.handlers.resolve-timeout", "200ms")
            .set("grim.ni.reserved-length", 4_096)
            .set("grim.myrinet.firmware", "duty-cycle")
            .set("grim.myrinet.queue-length", "8KiB")
            .set("grim.myrinet.arrival.frame-length", 4_096)
            .set("grim.myrinet.arrival.frame-count", 8)
            .set("grim.myrinet.registered-length", "256KiB")
            .set("grim.myrinet.deadline", "500ms")
            .set("grim.myrinet.linger", "100ms");
    }
}
