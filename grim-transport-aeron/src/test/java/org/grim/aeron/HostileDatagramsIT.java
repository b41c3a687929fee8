// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

import org.agrona.concurrent.status.CountersReader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import io.aeron.Aeron;
import io.aeron.driver.status.SystemCounterDescriptor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Two hosts whose ports strangers send to: first those who know nothing or repeat what they saw, with intervals of
 * quiet between; then those who change it. {@code campaign.seconds} says for how long, {@code campaign.seed} repeats a
 * run as far as the machine's own chance allows: {@code ./campaign hostile}; the build leaves it out.
 */
@Tag("process")
@Tag("slow")
@ExtendWith(ProxiedAeronProvider.Networks.class)
final class HostileDatagramsIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HostileDatagramsIT.class);
    private static final int SECONDS_DEFAULT = 30;
    private static final long SEED_DEFAULT = 1;
    /** Shorter runs say nothing of rates. */
    private static final int SECONDS_OF_RATES = 120;
    private static final double KEPT_SHARE_MIN = 0.8;
    private static final long WINDOW_NS = TimeUnit.MILLISECONDS.toNanos(1_500);
    private static final long HEAP_GROWTH_MAX = 64 << 20;

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Timeout(14_400)
    void shouldDeliverNothingElseAndGoOn(final boolean hasKey) throws IOException, InterruptedException
    {
        final long seed = Long.getLong("campaign.seed", SEED_DEFAULT);
        final int seconds = Integer.getInteger("campaign.seconds", SECONDS_DEFAULT);
        final long thirdNs = TimeUnit.SECONDS.toNanos(seconds) / 2 / 3;
        final Path keyFile = hasKey ? AeronSettings.keyFile(directory, "cluster.key", 1) : null;
        final Path hosts = directory.resolve("hosts-" + hasKey);
        try (HostilePair pair = new HostilePair(hosts, keyFile, seed);
            DatagramAttacker attacker = new DatagramAttacker(seed, pair.ports[0], pair.ports[1]))
        {
            for (final HostilePair.Peer peer : pair.peers)
            {
                ProxiedAeronProvider.proxyOf(peer.grim.node().number()).tap(attacker::see);
            }
            pair.run(WINDOW_NS);
            final long heapBefore = usedHeap();
            long quietCount = 0;
            long attackedCount = 0;
            long windowCount = 0;
            for (final long startNs = System.nanoTime(); System.nanoTime() - startNs < 2 * thirdNs; windowCount++)
            {
                quietCount += pair.run(WINDOW_NS);
                attacker.begin(DatagramAttacker.Kind.STRANGER);
                attackedCount += pair.run(WINDOW_NS);
                attacker.end();
            }
            pair.awaitAccounts();
            final double kept = (double)attackedCount / quietCount;
            final String strangers = "hostile: seed=" + seed + " key=" + hasKey + " windows=" + windowCount +
                " quiet=" + quietCount + " attacked=" + attackedCount + " kept=" + kept + state(pair, attacker, hosts);
            LOGGER.warn(strangers);
            assertTrue(pair.wrongCount() == 0 && pair.missingCount() == 0 && pair.lostCount() == 0, strangers);

            attacker.begin(DatagramAttacker.Kind.EAVESDROPPER);
            final long changedCount = pair.run(thirdNs);
            attacker.end();
            final long wrongCount = pair.wrongCount();
            pair.awaitTraffic();
            if (hasKey)
            {
                pair.awaitAccounts();
            }
            final long growth = usedHeap() - heapBefore;
            final String report = "hostile: then with changed ones: came=" + changedCount + " wrong=" +
                wrongCount + " heap-growth=" + growth + state(pair, attacker, hosts);
            LOGGER.warn(report);

            assertTrue(pair.isOneCluster(), report);
            assertTrue(growth < HEAP_GROWTH_MAX, report);
            assertTrue(seconds < SECONDS_OF_RATES || kept >= KEPT_SHARE_MIN, report);
            if (hasKey)
            {
                assertEquals(0, pair.wrongCount(), report);
                assertTrue(pair.missingCount() <= pair.lostCount(), report);
            }
        }
    }

    private static String state(final HostilePair pair, final DatagramAttacker attacker, final Path hosts)
        throws IOException
    {
        return " received=" + pair.receivedCount() + " wrong=" + pair.wrongCount() + " missing=" +
            pair.missingCount() + " lost=" + pair.lostCount() + " datagrams=" + attacker.datagramCount() + " random=" +
            attacker.randomCount + " repeated=" + attacker.repeatedCount + " changed=" + attacker.changedCount +
            " unsent=" + attacker.unsentCount + " connections=" + attacker.connectionCount + " invalid=" +
            invalidCount(hosts) + " refused:" + pair.refused();
    }

    /** {@return datagrams that the drivers refused} */
    private static long invalidCount(final Path hosts) throws IOException
    {
        long count = 0;
        try (Stream<Path> files = Files.walk(hosts))
        {
            for (final Path file : files.filter(path -> path.endsWith("cnc.dat")).toList())
            {
                try (Aeron aeron = Aeron.connect(new Aeron.Context().aeronDirectoryName(file.getParent().toString())))
                {
                    final CountersReader counters = aeron.countersReader();
                    count += counters.getCounterValue(SystemCounterDescriptor.INVALID_PACKETS.id());
                }
            }
        }
        return count;
    }

    private static long usedHeap()
    {
        System.gc();
        return Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
    }
}
