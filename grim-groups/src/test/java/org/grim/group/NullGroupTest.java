// SPDX-License-Identifier: Apache-2.0
package org.grim.group;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.Allocation;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class NullGroupTest extends GroupContract
{
    @Override
    protected List<GrimConfig> configs()
    {
        return List.of(GrimConfig.builder().nodeName("alone").set("grim.transports", List.of("null")).build());
    }

    /** Covers what is done each second, which a short test of operations does not see. */
    @Test
    void shouldAllocateNothingWhileNothingHappens()
    {
        final GrimConfig config = configs().get(0).toBuilder().set("grim.liveness.interval", "1m").build();
        try (Grim grim = Grim.enable(config))
        {
            grim.start();
            Groups.of(grim).join("workers", Duration.ofSeconds(10));
            long least = Long.MAX_VALUE;
            for (int run = 0; run < 3; run++)
            {
                final long beginNs = System.nanoTime();
                final long before = Allocation.ofThisThread();
                while (System.nanoTime() - beginNs < TimeUnit.MILLISECONDS.toNanos(1_100))
                {
                    grim.endpoint().poll();
                }
                least = Math.min(least, Allocation.ofThisThread() - before);
            }
            assertEquals(0, least);
        }
    }
}
