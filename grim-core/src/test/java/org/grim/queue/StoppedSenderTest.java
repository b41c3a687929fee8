// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;

import org.grim.SendStatus;
import org.grim.crash.CrashEnumeration;
import org.grim.crash.Lifetime;
import org.grim.crash.StoppableLife;
import org.grim.transport.Hop;
import org.grim.transport.HopClaim;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import static org.grim.queue.CrashRun.BYSTANDER;
import static org.grim.queue.CrashRun.LARGE;
import static org.grim.queue.CrashRun.SMALL;
import static org.grim.queue.CrashRun.VICTIM;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Stops a sender of a shared queue, alive, before every store that it makes. Others' messages are accepted wherever it
 * stands, and delivered at once unless it has claimed a slot and not published it: then they wait behind that slot, in
 * order, until the sender goes on or dies (decision 07). Nothing that a stopped process holds is taken back.
 */
@Timeout(120)
final class StoppedSenderTest
{
    private static final InboxGeometry GEOMETRY = new InboxGeometry(1, 0, 1, 16, 64, 1024, 4, 256);

    private static final String SLOT = "slot ";
    private static final String FRAME = "frame ";

    private int caseCount;
    private int slotCount;
    private int frameCount;

    @Test
    void shouldDeliverOthersMessagesWhenAStoppedSenderGoesOn()
    {
        stopEverywhere("stopped sender goes on", false);
    }

    @Test
    void shouldDeliverOthersMessagesWhenAStoppedSenderDies()
    {
        stopEverywhere("stopped sender dies", true);
    }

    @Test
    void shouldDeliverOthersMessagesAtOnceWhileASenderFillsWhatItClaimed()
    {
        for (final int length : new int[]{SMALL, LARGE})
        {
            final CrashRun run = new CrashRun(GEOMETRY, Lifetime.endless(), Lifetime.endless());
            final HopClaim claim = new HopClaim();
            final Hop victim = run.attachVictim();

            assertEquals(SendStatus.SENT, victim.tryClaim(length, claim));
            final List<String> held = held(run);
            sendOthers(run);

            assertEquals(3, run.sentBy(BYSTANDER).size());
            assertEquals(run.bystanding, run.sentBy(BYSTANDER));
            assertEquals(length == LARGE, holds(held, FRAME));
            assertFalse(holds(held, SLOT));
            assertEquals(held, held(run));
            run.publish(victim, claim);
            victim.close();
            run.recover();
            run.checkAll();
        }
    }

    private void stopEverywhere(final String name, final boolean isKilled)
    {
        boolean isStopped = true;
        for (int step = 0; isStopped; step++)
        {
            isStopped = stopAt(new StoppableLife(step), isKilled);
            caseCount++;
        }

        CrashEnumeration.report(name, caseCount);
        assertTrue(slotCount > 0 && frameCount > 0, () -> "slots=" + slotCount + " frames=" + frameCount);
    }

    /** False: the victim lived through its whole script. */
    private boolean stopAt(final StoppableLife life, final boolean isKilled)
    {
        final CrashRun run = new CrashRun(GEOMETRY, life, Lifetime.endless());
        final boolean isStopped = life.runUntilStopped(() -> live(run));
        if (!isStopped)
        {
            return false;
        }
        run.drain();
        final List<String> held = held(run);
        final boolean isSlotClaimed = holds(held, SLOT);
        slotCount += isSlotClaimed ? 1 : 0;
        frameCount += holds(held, FRAME) && !isSlotClaimed ? 1 : 0;

        sendOthers(run);

        assertEquals(isSlotClaimed ? List.of() : run.bystanding, run.sentBy(BYSTANDER), life.toString());
        assertEquals(held, held(run), life.toString());

        if (isKilled)
        {
            life.kill();
            run.killVictim();
        }
        else
        {
            life.goOn();
        }
        run.recover();

        run.checkAll();
        return true;
    }

    private static void sendOthers(final CrashRun run)
    {
        run.send(run.bystander, SMALL);
        run.send(run.bystander, LARGE);
        run.sendInOneStep(run.bystander, SMALL);
        for (int i = 0; i < 3; i++)
        {
            run.drain();
            run.receiver.housekeep(1);
        }
    }

    private static void live(final CrashRun run)
    {
        final Hop victim = run.attachVictim();
        run.send(victim, SMALL);
        run.sendInOneStep(victim, SMALL);
        run.send(victim, LARGE);
        victim.close();
    }

    /** Resources that the victim holds: entries of the table of senders, frames, the one slot. */
    private static List<String> held(final CrashRun run)
    {
        final InboxView view = new InboxView(run.inbox);
        final List<String> held = new ArrayList<>();
        for (int sender = 0; sender < view.senderCount(); sender++)
        {
            if (isVictim(view.sender(0, sender)))
            {
                held.add("entry " + sender);
            }
        }
        for (int frame = 0; frame < GEOMETRY.frameCount(); frame++)
        {
            if (isVictim(view.holderOfFrame(frame)))
            {
                held.add(FRAME + frame);
            }
        }
        final InboxView.Slots slots = view.slots(0, 0);
        if (slots.firstClaim() >= 0)
        {
            assertTrue(isVictim(view.sender(0, slots.claimant())));
            held.add(SLOT + slots.firstClaim());
        }
        return held;
    }

    private static boolean holds(final List<String> held, final String what)
    {
        return held.stream().anyMatch(holding -> holding.startsWith(what));
    }

    private static boolean isVictim(final long owner)
    {
        return owner != 0 && QueueOwner.node(owner) == VICTIM;
    }
}
