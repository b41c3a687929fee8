// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.function.Consumer;

import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.crash.CrashEnumeration;
import org.grim.crash.Lifetime;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
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
    private static final int CASE_COUNT_MIN = 100;
    private static final int HOUSEKEEPING_COUNT = 3;
    /** Slots enough for the head to be published two messages at a time: so that recovery finds one that was not. */
    private static final InboxGeometry BATCHED = new InboxGeometry(1, 2, 0, 16, 64, 1024, 0, 0);

    @Test
    void shouldCompleteAnInterruptedRecoveryOfAnExclusiveQueue()
    {
        enumerate("recovery of an exclusive queue", BATCHED, CrashEnumerationTest::sendInEveryForm);
    }

    @Test
    void shouldCompleteAnInterruptedRecoveryOfASharedQueue()
    {
        enumerate("recovery of a shared queue", SHARED, CrashEnumerationTest::sendInEveryForm);
    }

    @Test
    void shouldCompleteAnInterruptedRecoveryOfAQueueThatCorruptBytesStopped()
    {
        enumerate("recovery of a stopped queue", EXCLUSIVE, RecoveryCrashTest::sendAndScribble);
    }

    private static void enumerate(final String name, final InboxGeometry geometry, final Consumer<CrashRun> script)
    {
        final int[] caseCount = new int[1];
        CrashEnumeration.count(victim -> caseCount[0] += CrashEnumeration.count(recovery ->
        {
            victim.again();
            cutTwice(geometry, script, victim, recovery);
        }));

        CrashEnumeration.report(name, caseCount[0]);
        assertTrue(caseCount[0] > CASE_COUNT_MIN, () -> "cases=" + caseCount[0]);
    }

    private static void sendAndScribble(final CrashRun run)
    {
        final Hop victim = run.attachVictim();
        run.expectedReason = RejectReason.CORRUPT_STATE;
        run.send(victim, SMALL);
        run.drain();
        run.send(victim, LARGE);
        run.sendInOneStep(victim, SMALL);
        run.scribble(run.published.size());
        victim.close();
    }

    private static void cutTwice(
        final InboxGeometry geometry, final Consumer<CrashRun> script, final Lifetime victim, final Lifetime recovery)
    {
        recovery.immortal(true);
        final CrashRun run = new CrashRun(geometry, victim, recovery);
        try
        {
            script.accept(run);
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(victim.isOver());
        }
        run.killVictim();
        try
        {
            for (int i = 0; i < HOUSEKEEPING_COUNT; i++)
            {
                recovery.immortal(false);
                run.receiver.housekeep(1);
                recovery.immortal(true);
                run.read();
            }
        }
        catch (final Lifetime.Death ex)
        {
            recovery.immortal(true);
            checkWhatADeadReceiverLeaves(run);
        }
        run.recover();

        run.checkAll();
    }

    private static void checkWhatADeadReceiverLeaves(final CrashRun run)
    {
        final int status = run.incarnations.getInt(RECEIVER * Integer.BYTES);
        FixedMembership.kill(run.incarnations, RECEIVER);

        assertTrue(run.bystander.isPeerGone());
        assertEquals(SendStatus.PEER_GONE, run.bystander.tryClaim(SMALL, new HopClaim()));
        assertEquals(SendStatus.PEER_GONE,
            run.bystander.trySend(0, 0, 0, 0, Buffers.wrap(new byte[SMALL]), 0, SMALL));
        checkReadable(new InboxView(run.inbox));

        run.incarnations.putInt(RECEIVER * Integer.BYTES, status);
    }

    /** Everything that is held names a holder, at any instant. */
    private static void checkReadable(final InboxView view)
    {
        for (int queue = 0; queue < view.geometry().queueCount(); queue++)
        {
            final InboxView.Slots slots = view.slots(0, queue);
            assertTrue(slots.publishedCount() <= view.geometry().slotCount());
            if (slots.firstClaim() >= 0)
            {
                assertNames(view.sender(0, slots.claimant()));
            }
            if (queue < view.geometry().exclusiveQueueCount() && view.owner(0, queue) != 0)
            {
                assertNames(view.owner(0, queue));
            }
        }
        for (int frame = 0; frame < view.geometry().frameCount(); frame++)
        {
            if (view.isFrameUsed(frame))
            {
                assertNames(view.holderOfFrame(frame));
            }
        }
    }

    private static void assertNames(final long owner)
    {
        assertTrue(QueueOwner.isValid(owner, BYSTANDER + 1) && QueueOwner.node(owner) != RECEIVER);
    }
}
