// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.history;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

/** What the nodes of one cluster reach each other by, and whether long messages are read in place. */
record RoundKind(Ways ways, boolean hasOutbox)
{
    /** Which transports. */
    enum Ways
    {
        /** All share memory. */
        SHMEM,
        /** All have boards of their own. */
        BOARDS,
        /** Two hosts: shared memory on each, boards between them. */
        MIXED
    }

    static final int COUNT = 2 * Ways.values().length;

    static RoundKind of(final long seed)
    {
        final int number = Math.floorMod(seed, COUNT);
        return new RoundKind(Ways.values()[number / 2], number % 2 == 0);
    }

    /** Label of the host of a slot's process. */
    String hostOf(final int slot)
    {
        return ways == Ways.MIXED && slot % 2 == 1 ? "b" : "a";
    }

    boolean isShared(final String host, final String otherHost)
    {
        return ways != Ways.BOARDS && host.equals(otherHost);
    }

    /** Queues so short that they are full at times; a message of 8 KB is a long one. */
    String configuration(final Path directory)
    {
        final Map<String, Object> settings = new HashMap<>();
        settings.put("grim.cluster.directory", directory.toString());
        settings.put("grim.cluster.nodes-max", 32);
        settings.put("grim.transports", ways == Ways.SHMEM ? List.of("shmem") :
            ways == Ways.BOARDS ? List.of("myrinet") : List.of("shmem", "myrinet"));
        settings.put("grim.channels.count", Sending.CHANNEL_COUNT);
        settings.put("grim.channels.host", Sending.CHANNEL_COUNT);
        settings.put("grim.queue.exclusive", 2);
        settings.put("grim.queue.shared", 1);
        settings.put("grim.queue.slot-count", 64);
        settings.put("grim.queue.ring-length", "16KiB");
        settings.put("grim.queue.frame-count", 8);
        settings.put("grim.queue.frame-length", 4_096);
        settings.put("grim.memory.length-max", "8MiB");
        settings.put("grim.memory.arena-length", "1MiB");
        settings.put("grim.message.length-max", "256KiB");
        settings.put("grim.message.reassembly-length", "1MiB");
        settings.put("grim.message.outbox-length", hasOutbox ? "1MiB" : "0");
        settings.put("grim.overflow.ceiling", "4MiB");
        settings.put("grim.handlers.resolve-timeout", "30s");
        settings.put("grim.myrinet.firmware", "duty-cycle");
        settings.put("grim.myrinet.queue-length", "16KiB");
        settings.put("grim.myrinet.arrival.frame-length", 4_096);
        settings.put("grim.myrinet.arrival.frame-count", 16);
        settings.put("grim.myrinet.registered-length", "1MiB");
        settings.put("grim.myrinet.deadline", "20s");
        settings.put("grim.myrinet.linger", "20s");
        return ConfigFactory.parseMap(settings).root().render(ConfigRenderOptions.concise());
    }

    @Override
    public String toString()
    {
        return ways.name().toLowerCase(Locale.ROOT) + (hasOutbox ? "+outbox" : "");
    }
}
