// SPDX-License-Identifier: Apache-2.0
package org.grim.shmem.death;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Real processes die at random times. {@code campaign.seconds} says for how long, {@code campaign.seed} repeats a run
 * as far as the machine's own chance allows; {@code ./campaign deaths} sets them, the build runs it for a moment.
 */
@Tag("process")
class DeathCampaignIT
{
    private static final int SECONDS_DEFAULT = 3;
    private static final long SEED_DEFAULT = 1;

    @Test
    @Timeout(7_200)
    void shouldLoseNothingWhenProcessesAreKilledAtRandomTimes(@TempDir final Path logs) throws InterruptedException
    {
        final long seed = Long.getLong("campaign.seed", SEED_DEFAULT);
        final long durationMs = TimeUnit.SECONDS.toMillis(Integer.getInteger("campaign.seconds", SECONDS_DEFAULT));
        final Path directory = ShmDirectory.create();
        final String report;
        final int faultCount;
        final int killedNodeCount;
        try (DeathCampaign campaign = new DeathCampaign(directory, logs.resolve("victims.log"), seed))
        {
            campaign.run(durationMs);
            report = "deaths: seed=" + seed + " duration=" + durationMs + " ms\n" + campaign.report();
            faultCount = campaign.faults.total();
            killedNodeCount = campaign.killedNodeCount;
        }
        finally
        {
            ShmDirectory.delete(directory);
        }

        LoggerFactory.getLogger(DeathCampaignIT.class).warn(report);
        assertEquals(0, faultCount, () -> report + "\n" + ShmDirectory.text(logs.resolve("victims.log")));
        assertTrue(killedNodeCount > 0, report);
    }
}
