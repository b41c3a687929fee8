// SPDX-License-Identifier: Apache-2.0
package org.grim.network.campaign;

import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import org.grim.death.ShmDirectory;
import org.grim.network.namespaces.NetworkNamespaces;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Hosts whose cables are cut, and whose processes are killed, stopped and told to leave. {@code campaign.seconds} says
 * for how long, {@code campaign.seed} repeats a run as far as the machine's own chance allows: {@code ./campaign
 * network}; the build leaves it out.
 */
@Tag("process")
@Tag("slow")
final class NetworkCampaignIT
{
    private static final int SECONDS_DEFAULT = 30;
    private static final long SEED_DEFAULT = 1;

    @TempDir
    private Path logs;

    @Test
    @Timeout(14_400)
    void shouldBecomeOneClusterAgainWhateverHappens()
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        final long seed = Long.getLong("campaign.seed", SEED_DEFAULT);
        final long durationMs = TimeUnit.SECONDS.toMillis(Integer.getInteger("campaign.seconds", SECONDS_DEFAULT));
        final Path directory = ShmDirectory.create();
        final String report;
        final int faultCount;
        try (HostCampaign campaign = new HostCampaign(directory, logs, seed))
        {
            campaign.run(durationMs);
            report = "network: seed=" + seed + " " + campaign.report();
            faultCount = campaign.faults.total();
        }
        finally
        {
            ShmDirectory.delete(directory);
        }

        LoggerFactory.getLogger(NetworkCampaignIT.class).warn(report);
        assertEquals(0, faultCount, () -> report + "\n" + tails());
    }

    /** What the processes logged. */
    private String tails()
    {
        final StringBuilder text = new StringBuilder();
        ShmDirectory.tree(logs).stream().filter(path -> path.toString().endsWith(".log")).forEach(log ->
        {
            final String all = ShmDirectory.text(log);
            text.append(log.getFileName()).append('\n').append(all.substring(Math.max(0, all.length() - 4_000)))
                .append('\n');
        });
        return text.toString();
    }
}
