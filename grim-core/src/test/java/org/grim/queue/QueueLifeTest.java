// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.List;

import org.grim.RejectReason;
import org.grim.SendStatus;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class QueueLifeTest
{
    private final QueueFixture fixture = new QueueFixture(4, 1024, 65_535L * 4);

    @Test
    void shouldReadEverythingBeforeADetachedQueueIsTakenBack()
    {
        final ExclusiveSender sender = fixture.attach();
        fixture.send(sender, 0, 100);
        fixture.send(sender, 1, 8);
        sender.close();

        final int early = fixture.receiver.housekeep(1);
        fixture.pollAll();
        final int late = fixture.receiver.housekeep(2);

        assertEquals(0, early);
        assertEquals(1, late);
        assertEquals(List.of(0, 1), fixture.received);
        assertEquals(0, fixture.receiver.senderCount());
        assertEquals(0, fixture.inbox.owner(QueueFixture.CHANNEL, 0));
        assertEquals(2, fixture.inbox.lastPollMs());
    }

    @Test
    void shouldGiveATakenBackQueueToAnotherOwnerWithoutMixingMessages()
    {
        int number = 0;
        for (int life = 0; life < 12; life++)
        {
            final ExclusiveSender sender = fixture.attach();
            for (int i = 0; i <= life % 4; i++)
            {
                assertEquals(SendStatus.SENT, fixture.send(sender, number, 200));
                number++;
            }
            if (sender.tryClaim(150, fixture.claim) == SendStatus.SENT)
            {
                fixture.fill(9_999, 150);
            }
            sender.close();
            fixture.pollAll();
            assertEquals(1, fixture.receiver.housekeep(life), "life " + life);
        }

        assertEquals(number, fixture.received.size());
        assertEquals(number - 1, fixture.received.get(number - 1));
        assertEquals(List.of(), fixture.rejected);
    }

    @Test
    void shouldDrainAndTakeBackTheQueueOfAnOwnerThatIsGone()
    {
        final ExclusiveSender sender = fixture.attach();
        fixture.send(sender, 0, 8);
        fixture.receiverView.set(QueueFixture.SENDER, -1);

        fixture.receiver.housekeep(1);
        fixture.pollAll();
        fixture.receiver.housekeep(2);

        assertEquals(List.of(0), fixture.received);
        assertEquals(0, fixture.receiver.senderCount());
    }

    @Test
    void shouldTakeBackTheQueueOfAnEarlierIncarnation()
    {
        fixture.attach();
        fixture.pollAll();
        fixture.receiverView.set(QueueFixture.SENDER, 2);

        fixture.receiver.housekeep(1);

        assertEquals(0, fixture.receiver.senderCount());
    }

    @Test
    void shouldSayPeerGoneWhenTheReceiverIsOfAnotherIncarnation()
    {
        final ExclusiveSender sender = fixture.attach();
        fixture.senderView.set(QueueFixture.RECEIVER, 2);

        assertEquals(SendStatus.PEER_GONE, fixture.send(sender, 0, 8));
        assertNull(fixture.received.isEmpty() ? null : fixture.received);
    }

    @Test
    void shouldNotHarmTheNextOwnerOfAQueueThatWasStopped()
    {
        final ExclusiveSender hostile = fixture.attach();
        fixture.pollAll();
        fixture.send(hostile, 7, 8);
        fixture.send(hostile, 8, 8);
        fixture.send(hostile, 9, 8);
        fixture.memory.putInt(fixture.slot(0), 0xDEAD);
        fixture.pollAll();
        hostile.close();
        fixture.receiver.housekeep(1);

        final ExclusiveSender next = fixture.attach();
        fixture.pollAll();
        for (int i = 0; i < 20; i++)
        {
            assertEquals(SendStatus.SENT, fixture.send(next, i, 8));
            fixture.pollAll();
        }

        assertEquals(List.of(RejectReason.CORRUPT_STATE), fixture.rejected);
        assertEquals(20, fixture.received.size());
        assertEquals(0, fixture.received.get(0));
        assertEquals(19, fixture.received.get(19));
    }
}
