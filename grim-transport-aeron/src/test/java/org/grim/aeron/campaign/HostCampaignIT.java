// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.grim.campaign.CampaignLogs;
import org.grim.death.ShmDirectory;
import org.grim.network.namespaces.NetworkNamespaces;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/**
 * Nodes of three hosts send to each other over shared memory and Aeron, while cables are cut, power is lost, joins
 * fail, disks are full, and processes are killed, stopped, started and have to leave. {@code campaign.seconds} says for
 * how long, {@code campaign.seed} repeats a run as far as the machine's own chance allows: {@code ./campaign hosts};
 * the build leaves it out. With {@code campaign.events}, names of {@link HostEvent} and commas, only these happen.
 */
@Tag("process")
@Tag("slow")
final class HostCampaignIT
{
    private static final int SECONDS_DEFAULT = 30;
    private static final long SEED_DEFAULT = 1;

    @Test
    @Timeout(14_400)
    void shouldLoseNoMessageAndBecomeOneClusterAgainWhateverHappens() throws IOException
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        final long seed = Long.getLong("campaign.seed", SEED_DEFAULT);
        final long durationMs = TimeUnit.SECONDS.toMillis(Integer.getInteger("campaign.seconds", SECONDS_DEFAULT));
        final Path directory = ShmDirectory.create();
        final Path logs = CampaignLogs.create("hosts");
        try (HostCampaign campaign = new HostCampaign(directory, logs, seed, events()))
        {
            campaign.run(durationMs);
            final String report = "hosts: seed=" + seed + " " + campaign.report();

            LoggerFactory.getLogger(HostCampaignIT.class).warn(report);
            assertEquals(0, campaign.faults.total(), () -> report + "\n" + CampaignLogs.tail(logs));
            assertTrue(campaign.ledger.deliveredCount() > 0, report);
        }
        finally
        {
            ShmDirectory.delete(directory);
        }
    }

    private static List<HostEvent> events()
    {
        final String names = System.getProperty("campaign.events", "");
        return names.isEmpty() ? List.of(HostEvent.values()) :
            Stream.of(names.split(",")).map(HostEvent::valueOf).toList();
    }
}
