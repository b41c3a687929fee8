// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.SendStatus;
import org.grim.crash.CrashEnumeration;
import org.grim.crash.Lifetime;
import org.grim.transport.FrameClaim;
import org.grim.transport.Hop;
import org.junit.jupiter.api.Test;

import static org.grim.queue.CrashRun.BYSTANDER;
import static org.grim.queue.CrashRun.EXCLUSIVE;
import static org.grim.queue.CrashRun.LARGE;
import static org.grim.queue.CrashRun.RECEIVER;
import static org.grim.queue.CrashRun.SHARED;
import static org.grim.queue.CrashRun.SMALL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Cuts the recovery of what a dead sender held, before every store of it, for every store that the sender died before.
 * If the receiver died there, its peers say so and tools can read what it left; if it was merely interrupted, the next
 * housekeeping completes what the first one began.
 */
final class RecoveryCrashTest
{
    private static final int CASE_COUNT_MIN = 500;

    @Test
    void shouldCompleteAnInterruptedRecoveryOfAnExclusiveQueue()
    {
        final int[] caseCount = new int[1];
        CrashEnumeration.count(victim -> caseCount[0] +=
            CrashEnumeration.count(recovery -> cutTwice(EXCLUSIVE, again(victim), recovery)));

        CrashEnumeration.report("recovery of an exclusive queue, cut twice", caseCount[0]);
        assertTrue(caseCount[0] > CASE_COUNT_MIN, () -> "cases=" + caseCount[0]);
    }

    @Test
    void shouldCompleteAnInterruptedRecoveryOfASharedQueue()
    {
        final int[] caseCount = new int[1];
        CrashEnumeration.count(victim -> caseCount[0] +=
            CrashEnumeration.count(recovery -> cutTwice(SHARED, again(victim), recovery)));

        CrashEnumeration.report("recovery of a shared queue, cut twice", caseCount[0]);
        assertTrue(caseCount[0] > CASE_COUNT_MIN, () -> "cases=" + caseCount[0]);
    }
}
