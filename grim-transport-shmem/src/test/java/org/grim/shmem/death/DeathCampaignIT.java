// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;

import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Real processes die at random times. {@code deaths.ms} says for how long, {@code deaths.seed} repeats a run as
 * far as the machine's own chance allows.
 */
@Tag("process")
class DeathCampaignIT
{
    private static final long DURATION_MS_DEFAULT = 30_000;
    private static final long MEDIAN_MS_MAX = 2_000;        // 100 at most on a machine of one's own; CI's is shared.

    @Test
    @Timeout(1_200)
    void shouldLoseNothingWhenProcessesAreKilledAtRandomTimes(@TempDir final Path logs) throws InterruptedException
    {
        final long seed = Long.getLong("deaths.seed", System.nanoTime());
        final long durationMs = Long.getLong("deaths.ms", DURATION_MS_DEFAULT);
        final Path directory = ShmDirectory.create();
        final String report;
        final int faultCount;
        final int killCount;
        final long medianMs;
        try (DeathCampaign campaign = new DeathCampaign(directory, logs.resolve("victims.log"), seed))
        {
            campaign.run(durationMs);
            report = "deaths: seed=" + seed + " duration=" + durationMs + " ms\n" + campaign.report();
            faultCount = campaign.faults.total();
            killCount = campaign.killCount;
            medianMs = campaign.medianMs();
        }
        finally
        {
            ShmDirectory.delete(directory);
        }

        LoggerFactory.getLogger(DeathCampaignIT.class).warn(report);
        assertEquals(0, faultCount, () -> report + "\n" + ShmDirectory.text(logs.resolve("victims.log")));
        assertTrue(killCount > 0, report);
        assertTrue(medianMs < MEDIAN_MS_MAX, report);
    }
}
