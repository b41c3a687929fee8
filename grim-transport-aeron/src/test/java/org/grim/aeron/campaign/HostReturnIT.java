// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

import org.grim.campaign.CampaignLogs;
import org.grim.campaign.history.Ledger;
import org.grim.death.Faults;
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
 * Time until a host is back whose only process was killed, or that lost its power and all its state: from the start of
 * the JVM until all hosts see its node. Only a machine that has nothing else to do keeps these times:
 * {@code ./campaign times}; the build leaves it out.
 */
@Tag("process")
@Tag("slow")
final class HostReturnIT
{
    private static final int COUNT = 10;
    private static final long SILENCE_TIMEOUT_MS = 2_000;
    private static final long LIMIT_MS = 3_000;

    @Test
    @Timeout(1_800)
    void shouldBeBackSoonWhenItWasKilledOrLostItsPower() throws IOException
    {
        final String refusal = NetworkNamespaces.refusal();
        assumeTrue(refusal.isEmpty(), refusal);
        final Path directory = ShmDirectory.create();
        final Path logs = CampaignLogs.create("returns");
        final Faults faults = new Faults();
        final Ledger ledger = new Ledger(faults, (sender, receiver) -> false);
        final List<Integer> all = IntStream.range(0, HostNodes.HOST_COUNT).boxed().toList();
        try (NetworkNamespaces hosts = new NetworkNamespaces(HostNodes.HOST_COUNT + 1);
            HostNodes nodes = new HostNodes(hosts, ledger, directory, logs, new SplittableRandom(1), null, 1))
        {
            final Convergence convergence = new Convergence(nodes, ledger);
            nodes.startHosts(all, Map.of());
            convergence.awaitOneCluster("the start");
            for (int i = 0; i < COUNT && faults.total() == 0; i++)
            {
                final int host = i % HostNodes.HOST_COUNT;
                nodes.kill(nodes.of(host));
                convergence.returnTimes.begin("killed", nodes.startHosts(List.of(host), Map.of()));
                convergence.awaitOneCluster("a kill");
                nodes.losePower(List.of(host));
                hosts.restorePower(host);
                convergence.returnTimes.begin("lost power", nodes.startHosts(List.of(host), Map.of()));
                convergence.awaitOneCluster("a loss of power");
            }

            LoggerFactory.getLogger(HostReturnIT.class).warn("hosts: {}", convergence);
            assertEquals(0, faults.total(), () -> faults + "\n" + CampaignLogs.tail(logs));
            assertTrue(convergence.returnTimes.medianMs("killed") <= LIMIT_MS, convergence::toString);
            assertTrue(convergence.returnTimes.medianMs("lost power") <= SILENCE_TIMEOUT_MS + LIMIT_MS,
                convergence::toString);
        }
        finally
        {
            ShmDirectory.delete(directory);
        }
    }
}
