// SPDX-License-Identifier: Apache-2.0
package org.grim.members;

import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.TimeUnit;

import org.grim.campaign.CampaignLogs;
import org.grim.death.ShmDirectory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Members of a group that are slow, stopped, killed, that give up joining, leave with full queues, hold claims, and
 * throw in reductions, pass multicasts, plain and in total order, and do operations, some of them different ones, over
 * small rings, ceilings and outboxes, round after round, each a cluster of its own; an independent ledger compares
 * their histories. {@code campaign.seconds} says for how long; {@code campaign.seed} is the first round's seed, the
 * next one has the next. Run it by {@code ./campaign members}; the build leaves it out.
 */
@Tag("process")
@Tag("slow")
final class MemberCampaignIT
{
    private static final Logger LOGGER = LoggerFactory.getLogger(MemberCampaignIT.class);
    private static final int SECONDS_DEFAULT = 10;
    private static final long SEED_DEFAULT = 1;
    private static final long ROUND_MS_MAX = 12_000;
    private static final long ROUND_MS_MIN = 2_000;
    private static final int SPARE_COUNT = 3;

    private final Queue<Member> spares = new ArrayDeque<>();
    private final MemberTally total = new MemberTally();
    private final Path logs = CampaignLogs.create("members");

    @Test
    void shouldAgreeOnEverythingAndHangNowhere()
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
            while (leftMs > 0)
            {
                faultCount += round(
                    seed + roundCount, Math.max(ROUND_MS_MIN, Math.min(leftMs, ROUND_MS_MAX)), failures);
                roundCount++;
                leftMs = durationMs - TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - startNs);
            }
        }
        finally
        {
            spares.forEach(Member::close);
        }
        LOGGER.warn("members: seed={} rounds={} {} faults={}", seed, roundCount, total, faultCount);

        assertEquals(0, faultCount, failures::toString);
        assertTrue(total.joinCount.get() > 0, total::toString);
    }

    private int round(final long seed, final long durationMs, final StringBuilder failures)
    {
        final Path directory = ShmDirectory.create();
        final Path log = logs.resolve("round-" + seed + ".log");
        try (MemberRound round = new MemberRound(directory, log, seed, spares))
        {
            round.run(durationMs, () -> refill(log));
            total.add(round.ledger.tally);
            LOGGER.warn(
                "members: seed={} {} {} faults: {}", seed, round.settings, round.ledger.tally, round.faults);
            if (round.faults.total() > 0)
            {
                failures.append("seed=").append(seed).append(' ').append(round.faults)
                    .append("\nrepeat: ./campaign members --minutes 0.2 --seed ").append(seed).append("\n  ")
                    .append(round.events()).append('\n');
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
            spares.add(new Member(log));
        }
    }
}
