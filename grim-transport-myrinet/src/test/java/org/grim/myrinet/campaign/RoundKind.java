// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.campaign;

import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import org.grim.campaign.history.Settings;

import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigRenderOptions;

/** Transports between the nodes of one cluster, and whether long messages are read in place. */
record RoundKind(Transports transports, boolean hasOutbox)
{
    /** Which transports. */
    enum Transports
    {
        /** All share memory. */
        SHMEM,
        /** All have boards of their own. */
        BOARDS,
        /** Two hosts: shared memory on each, boards between them. */
        MIXED
    }

    static final int COUNT = 2 * Transports.values().length;

    static RoundKind of(final long seed)
    {
        final int number = Math.floorMod(seed, COUNT);
        return new RoundKind(Transports.values()[number / 2], number % 2 == 0);
    }

    /** Label of the host of a slot's process. */
    String hostOf(final int slot)
    {
        return transports == Transports.MIXED && slot % 2 == 1 ? "b" : "a";
    }

    boolean isShared(final String host, final String otherHost)
    {
        return transports != Transports.BOARDS && host.equals(otherHost);
    }

    String configuration(final Path directory)
    {
        final Map<String, Object> settings = Settings.tight(directory);
        settings.put("grim.cluster.nodes-max", 32);
        settings.put("grim.transports", transports == Transports.SHMEM ? List.of("shmem") :
            transports == Transports.BOARDS ? List.of("myrinet") : List.of("shmem", "myrinet"));
        settings.put("grim.message.outbox-length", hasOutbox ? "1MiB" : "0");
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
        return transports.name().toLowerCase(Locale.ROOT) + (hasOutbox ? "+outbox" : "");
    }
}
