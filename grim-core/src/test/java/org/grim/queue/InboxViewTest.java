// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import org.grim.SendStatus;
import org.junit.jupiter.api.Test;

import static org.grim.queue.QueueFixture.CHANNEL;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class InboxViewTest
{
    private static final int SLOT_COUNT = 8;

    @Test
    void shouldSaySinceWhenASenderFindsNoRoom()
    {
        final QueueFixture fixture = new QueueFixture(SLOT_COUNT, 4096, 0);
        final InboxView view = new InboxView(fixture.inbox);
        final ExclusiveSender sender = fixture.attach();
        fixture.sendUntilFull(sender, 0, 8);
        final long sinceMs = view.refusedSinceMs(CHANNEL, 0);

        assertTrue(sinceMs > 0);
        assertEquals(SLOT_COUNT, view.slots(CHANNEL, 0).publishedCount());
        assertEquals(SendStatus.BACK_PRESSURED, fixture.send(sender, SLOT_COUNT, 8));
        assertEquals(sinceMs, view.refusedSinceMs(CHANNEL, 0));

        fixture.pollAll();
        fixture.release();
        assertEquals(SendStatus.SENT, fixture.send(sender, SLOT_COUNT, 8));
        assertEquals(0, view.refusedSinceMs(CHANNEL, 0));
        assertEquals(1, view.slots(CHANNEL, 0).publishedCount());
    }

    @Test
    void shouldForgetWhatTheSenderBeforeFound()
    {
        final QueueFixture fixture = new QueueFixture(SLOT_COUNT, 4096, 0);
        final ExclusiveSender sender = fixture.attach();
        fixture.sendUntilFull(sender, 0, 8);
        sender.close();
        fixture.pollAll();
        fixture.receiver.housekeep(1);

        fixture.attach();

        assertEquals(0, new InboxView(fixture.inbox).refusedSinceMs(CHANNEL, 0));
    }

    @Test
    void shouldTellPerChannelWhoPolls()
    {
        final QueueFixture fixture = new QueueFixture(SLOT_COUNT, 4096, 0);
        final InboxView view = new InboxView(fixture.inbox);

        fixture.receiver.housekeep(1234);
        fixture.inbox.asleep(CHANNEL, 1);

        assertEquals(1234, view.lastPollMs(CHANNEL));
        assertEquals(0, view.lastPollMs(0));
        assertEquals(1234, fixture.inbox.lastPollMs());
        assertTrue(view.isAsleep(CHANNEL));
        assertFalse(view.isAsleep(0));
    }

    @Test
    void shouldNameWhoHoldsAClaimOrAFrame()
    {
        final QueueFixture fixture = new QueueFixture(new InboxGeometry(2, 0, 1, SLOT_COUNT, 64, 1024, 2, 256), 400);
        final InboxView view = new InboxView(fixture.inbox);
        final long owner = QueueOwner.of(QueueFixture.SENDER, 0, 1);
        SharedSender.tryAttach(fixture.inbox, CHANNEL, 0, fixture.senderView, new SilentHost())
            .tryClaim(100, fixture.claim);
        fixture.memory.putInt(fixture.inbox.slotsOffset(CHANNEL, 0), SlotState.claimed(400, 3, 0));

        assertEquals(new InboxView.Slots(400, 0, 0, 0), view.slots(CHANNEL, 0));
        assertEquals(owner, view.sender(CHANNEL, 0));
        assertEquals(owner, view.holderOfFrame(0));
        assertTrue(view.isFrameUsed(0));
        assertFalse(view.isFrameUsed(1));
        assertEquals(0, view.holderOfFrame(1));
        assertEquals(SLOT_COUNT / 2, view.roomOf(0));
    }
}
