// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.crash.CrashEnumeration;
import org.grim.crash.Lifetime;
import org.grim.transport.Hop;
import org.junit.jupiter.api.Test;

import static org.grim.queue.CrashRun.EXCLUSIVE;
import static org.grim.queue.CrashRun.LARGE;
import static org.grim.queue.CrashRun.SHARED;
import static org.grim.queue.CrashRun.SMALL;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Kills a sender before every single store that it makes, with every choice of its unordered stores made visible, and
 * checks that the receiver gives all that was published to the application, takes back all that was held, and disturbs
 * nobody.
 */
final class CrashEnumerationTest
{
    private static final int BYTES = 5;
    private static final int OVERLAPPING = 13;
    private static final int CASE_COUNT_MIN = 200;
    /** Slots enough for the victim, and for as many messages of the bystander as there are frames. */
    private static final InboxGeometry ROOMY = new InboxGeometry(1, 0, 1, 16, 64, 1024, 3, 256);

    @Test
    void shouldSurviveDeathBeforeEveryStoreOfAnExclusiveSender()
    {
        final int caseCount =
            CrashEnumeration.withVisibleStores("exclusive", life -> sendAndRecover(EXCLUSIVE, life));

        assertTrue(caseCount > CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    @Test
    void shouldSurviveDeathBeforeEveryStoreOfASharedSender()
    {
        final int caseCount = CrashEnumeration.withVisibleStores("shared", life -> sendAndRecover(SHARED, life));

        assertTrue(caseCount > CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    @Test
    void shouldKeepWhatTheDeadPublishedWhileOthersWantItsFrames()
    {
        final int caseCount = CrashEnumeration.withVisibleStores(
            "unread frames", life -> sendAndRecoverBeforeReading(ROOMY, life));

        assertTrue(caseCount > CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    @Test
    void shouldKeepWhatTheDeadPublishedInAQueueOfItsOwnUntilItIsRead()
    {
        final int caseCount = CrashEnumeration.withVisibleStores(
            "unread ring", life -> sendAndRecoverBeforeReading(EXCLUSIVE, life));

        assertTrue(caseCount > CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    private static void sendAndRecover(final InboxGeometry geometry, final Lifetime life)
    {
        final CrashRun run = new CrashRun(geometry, life, Lifetime.endless());
        try
        {
            sendInEveryForm(run);
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
        run.killVictim();
        run.recover();

        run.checkAll();
    }

    /** Claims, aborts and single steps, more than the queue has slots. Each drain makes room for four. */
    static void sendInEveryForm(final CrashRun run)
    {
        final Hop victim = run.attachVictim();
        run.send(victim, SMALL);
        run.send(run.bystander, LARGE);
        run.send(victim, LARGE);
        run.drain();
        run.claimAndAbort(victim, LARGE);
        run.sendInOneStep(victim, SMALL);
        run.drain();
        run.claimAndAbort(victim, SMALL);
        run.sendInOneStep(victim, LARGE);
        run.send(run.bystander, SMALL);
        run.sendInOneStep(victim, BYTES);
        run.drain();
        run.send(victim, LARGE);
        run.sendInOneStep(run.bystander, LARGE);
        run.send(victim, LARGE);
        run.drain();
        run.sendInOneStep(victim, OVERLAPPING);
        run.send(victim, LARGE);
        run.sendInOneStep(victim, 0);
        run.drain();
        victim.close();
    }

    /**
     * The dead one's messages stand unread while another and its own next incarnation, whose node number makes the
     * receiver trust it most, try to take every frame, and overwrite what they get.
     */
    private static void sendAndRecoverBeforeReading(final InboxGeometry geometry, final Lifetime life)
    {
        final CrashRun run = new CrashRun(geometry, life, Lifetime.endless());
        try
        {
            final Hop victim = run.attachVictim();
            run.send(victim, LARGE);
            run.sendInOneStep(victim, SMALL);
            run.send(victim, LARGE);
            victim.close();
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
        run.killVictim();
        run.receiver.housekeep(1);
        final Hop successor = run.attachSuccessor();
        for (int i = 0; i < ROOMY.frameCount(); i++)
        {
            run.trySend(i % 2 == 0 && successor != null ? successor : run.bystander, LARGE);
        }
        if (successor != null)
        {
            successor.close();
        }
        run.receiver.housekeep(1);
        run.recover();

        run.checkAll();
    }
}
