// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.campaign;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import org.grim.campaign.CampaignLogs;
import org.grim.campaign.history.Worker;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Real processes send messages of 0 to 200,000 bytes to each other by all kinds of send, and are killed, stopped,
 * restarted and asked to leave, round after round, each a cluster of its own; an independent ledger compares their
 * histories. {@code campaign.seconds} says for how long; {@code campaign.seed} is the first round's seed, the next one
 * has the next. Run it by {@code ./campaign history}; the build leaves it out.
 */
@Tag("process")
@Tag("slow")
final class HistoryCampaignIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(HistoryCampaignIT.class);
    private static final int SECONDS_DEFAULT = 4;
    private static final long SEED_DEFAULT = 4;                 // Mixed, with outbox.
    private static final long ROUND_MS_MAX = 15_000;
    private static final int ROUND_COUNT_MAX = 8;
    private static final int SPARE_COUNT = 3;

    private final Queue<Worker> spares = new ArrayDeque<>();
    private final Tally total = new Tally();

    private final Path logs = CampaignLogs.create("history");

    @Test
    void shouldLoseNothingAndHangNowhere()
    {
        final long seed = Long.getLong("campaign.seed", SEED_DEFAULT);
        final long durationMs = TimeUnit.SECONDS.toMillis(Integer.getInteger("campaign.seconds", SECONDS_DEFAULT));
        final long startNs = System.nanoTime();
        final StringBuilder failures = new StringBuilder();
        int faultCount = 0;
        int roundCount = 0;
        long leftMs = durationMs;
        try
        {
            // Processes of a busy machine may take longer to start than the time that there is.
            while (leftMs > 0 || (eventCount() == 0 && roundCount < ROUND_COUNT_MAX))
            {
                faultCount += round(
                    seed + roundCount, leftMs > 0 ? Math.min(leftMs, ROUND_MS_MAX) : ROUND_MS_MAX, failures);
                roundCount++;
                leftMs = durationMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            }
        }
        finally
        {
            spares.forEach(Worker::close);
        }
        LOGGER.warn("history: seed={} rounds={} {} faults={}", seed, roundCount, total, faultCount);

        assertEquals(0, faultCount, failures::toString);
        assertTrue(eventCount() > 0, total::toString);
    }

    private int eventCount()
    {
        return total.killCount + total.stopCount + total.leaveCount + total.rejoinCount;
    }

    private int round(final long seed, final long durationMs, final StringBuilder failures)
    {
        final RoundKind kind = RoundKind.of(seed);
        final Path directory = ShmDirectory.create();
        final Path log = logs.resolve("round-" + seed + ".log");
        try (Round round = new Round(kind, directory, seed, spares))
        {
            round.run(durationMs, () -> refill(log));
            total.add(round.tally);
            LOGGER.warn("history: {} seed={} {} faults: {}", kind, seed, round.tally, round.faults);
            if (round.faults.total() > 0)
            {
                failures.append(kind).append(" seed=").append(seed).append(' ').append(round.faults)
                    .append("\nrepeat: ./campaign history --minutes 1 --seed ").append(seed).append('\n')
                    .append(CampaignLogs.tail(logs)).append('\n');
            }
            return round.faults.total();
        }
        finally
        {
            ShmDirectory.delete(directory);
        }
    }

    private void refill(final Path log)
    {
        spares.removeIf(spare -> !spare.jvm.process().isAlive());
        if (spares.size() < SPARE_COUNT)
        {
            spares.add(new Worker(log));
        }
    }
}
