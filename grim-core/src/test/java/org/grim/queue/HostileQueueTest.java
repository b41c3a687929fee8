// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.List;
import java.util.Random;

import org.grim.RejectReason;
import org.grim.SendStatus;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class HostileQueueTest
{
    private final QueueFixture fixture = new QueueFixture(4, 1024, 0);

    @Test
    void shouldStopOnlyTheQueueWhoseStateIsCorrupt()
    {
        final ExclusiveSender bad = fixture.attach();
        final ExclusiveSender good = fixture.attach();
        fixture.send(bad, 0, 8);
        fixture.pollAll();
        fixture.memory.putInt(fixture.slot(1), 0x1234);

        fixture.pollAll();
        for (int i = 1; i < 30; i++)
        {
            assertEquals(SendStatus.SENT, fixture.send(good, i, 100));
            fixture.pollAll();
            fixture.release();
        }
        fixture.sendUntilFull(bad, 99, 8);

        assertEquals(List.of(RejectReason.CORRUPT_STATE), fixture.rejected);
        assertEquals(30, fixture.received.size());
        assertTrue(fixture.inbox.isStopped(QueueFixture.CHANNEL, 0));
        assertEquals(SendStatus.CLOSED, fixture.send(bad, 99, 8));
        assertEquals(false, fixture.inbox.isStopped(QueueFixture.CHANNEL, 1));
    }

    @Test
    void shouldCountEachBadHeaderAndGoOn()
    {
        final ExclusiveSender sender = fixture.attach();
        fixture.pollAll();

        spoil(sender, slot -> fixture.memory.putByte(slot + 4, (byte)0), RejectReason.UNKNOWN_TYPE);
        spoil(sender, slot -> fixture.memory.putByte(slot + 8, (byte)0xFF), RejectReason.BAD_LENGTH);
        spoil(sender, slot -> fixture.memory.putByte(slot + 6, (byte)0xFF), RejectReason.WRONG_SOURCE);
        spoil(sender, slot -> fixture.memory.putByte(slot + 13, (byte)0), RejectReason.WRONG_CHANNEL);
        assertEquals(SendStatus.SENT, fixture.send(sender, 5, 8));
        fixture.pollAll();

        assertEquals(List.of(5), fixture.received);
    }

    @Test
    void shouldNotDeliverAPayloadOutsideTheRing()
    {
        final ExclusiveSender sender = fixture.attach();
        fixture.pollAll();

        for (final int offset : new int[]{-1, Integer.MIN_VALUE, 1024 - 99, 1024, Integer.MAX_VALUE})
        {
            fixture.rejected.clear();
            assertEquals(SendStatus.SENT, sender.tryClaim(100, fixture.claim));
            fixture.fill(0, 100);
            fixture.memory.putInt(fixture.claim.headerOffset() + MessageHeader.LENGTH, offset);
            fixture.claim.publish();
            fixture.pollAll();
            fixture.release();
            assertEquals(List.of(RejectReason.BAD_PAYLOAD_LOCATION), fixture.rejected, "offset " + offset);
        }

        assertEquals(List.of(), fixture.received);
    }

    @Test
    void shouldRefuseAndCountACorruptOwner()
    {
        for (final long owner : new long[]{1, -1, Long.MAX_VALUE, QueueOwner.of(4, 0, 1), 1L << 62})
        {
            fixture.rejected.clear();
            fixture.memory.putLong(fixture.descriptor(), owner);
            fixture.inbox.announceAttach();
            fixture.pollAll();
            assertEquals(List.of(RejectReason.CORRUPT_OWNER), fixture.rejected);
        }

        assertEquals(0, fixture.receiver.senderCount());
    }

    @Test
    void shouldFreeNothingForAHostileHead()
    {
        final ExclusiveSender sender = fixture.attach();
        assertEquals(4, fixture.sendUntilFull(sender, 0, 8));

        for (final long head : new long[]{5, 100, Long.MAX_VALUE, Long.MIN_VALUE, -1, -4})
        {
            fixture.memory.putLong(fixture.descriptor() + InboxLayout.HEAD_OFFSET, head);
            assertEquals(SendStatus.BACK_PRESSURED, fixture.send(sender, 99, 8), "head " + head);
            assertEquals(SendStatus.BACK_PRESSURED, fixture.send(sender, 99, 448), "head " + head);
        }
    }

    @Test
    void shouldFreeNoRingForAHostileRingHeadAndAllOfItWhenAllWasRead()
    {
        for (final long ringHead : new long[]{0, -1, 897, 5_000, Long.MAX_VALUE, Long.MIN_VALUE})
        {
            final QueueFixture own = new QueueFixture(4, 1024, 0);
            final ExclusiveSender sender = own.attach();
            assertEquals(SendStatus.SENT, own.send(sender, 0, 448));
            assertEquals(SendStatus.SENT, own.send(sender, 1, 448));
            own.memory.putLong(own.descriptor() + InboxLayout.RING_HEAD_OFFSET, ringHead);
            own.memory.putLong(own.descriptor() + InboxLayout.HEAD_OFFSET, 1);

            assertEquals(SendStatus.BACK_PRESSURED, own.send(sender, 2, 448), "ring head " + ringHead);

            own.memory.putLong(own.descriptor() + InboxLayout.HEAD_OFFSET, 2);
            assertEquals(SendStatus.SENT, own.send(sender, 3, 448), "ring head " + ringHead);
        }
    }

    @Test
    void shouldNeverThrowWhateverIsScribbled()
    {
        for (long seed = 1; seed <= 300; seed++)
        {
            scribble(seed);
        }
    }

    private static void scribble(final long seed)
    {
        final Random random = new Random(seed);
        final QueueFixture fixture = new QueueFixture(4, 1024, 0);
        fixture.isLenient = true;
        final ExclusiveSender bad = fixture.attach();
        final ExclusiveSender good = fixture.attach();
        int goodCount = 0;
        try
        {
            for (int step = 0; step < 200; step++)
            {
                fixture.send(bad, -1, random.nextInt(449));
                scribbleOnce(fixture, random);
                goodCount += fixture.send(good, step, random.nextInt(449)) == SendStatus.SENT ? 1 : 0;
                fixture.poll(1 + random.nextInt(8));
                fixture.release();
                if (random.nextInt(30) == 0)
                {
                    fixture.receiver.housekeep(step);
                }
            }
            fixture.pollAll();
        }
        catch (final RuntimeException ex)
        {
            throw new AssertionError("seed=" + seed, ex);
        }
        final long delivered = fixture.received.stream().filter(number -> number >= 0 && number < 200).count();
        assertTrue(delivered >= goodCount, "seed=" + seed + " delivered=" + delivered + " sent=" + goodCount);
    }

    /** A word somewhere in the first queue's slots, owner, or head; the second queue is nobody's target. */
    private static void scribbleOnce(final QueueFixture fixture, final Random random)
    {
        final int word = random.nextInt(4) == 0 ? MessageHeader.identityWord(random.nextInt(60)) : random.nextInt();
        switch (random.nextInt(8))
        {
            case 0 -> fixture.memory.putLong(fixture.descriptor(),
                random.nextBoolean() ? random.nextLong() : QueueOwner.of(random.nextInt(4), 0, random.nextInt(3)));
            case 1 -> fixture.memory.putLong(fixture.descriptor() +
                (random.nextBoolean() ? InboxLayout.HEAD_OFFSET : InboxLayout.RING_HEAD_OFFSET),
                random.nextBoolean() ? random.nextLong() : random.nextInt(200));
            default -> fixture.memory.putInt(
                fixture.slot(random.nextInt(4)) + (random.nextInt(fixture.geometry.slotLength()) & ~3), word);
        }
    }

    private void spoil(
        final ExclusiveSender sender, final java.util.function.IntConsumer damage, final RejectReason reason)
    {
        fixture.rejected.clear();
        assertEquals(SendStatus.SENT, sender.tryClaim(8, fixture.claim));
        fixture.fill(0, 8);
        damage.accept(fixture.claim.headerOffset());
        fixture.claim.publish();
        fixture.pollAll();
        fixture.release();
        assertEquals(List.of(reason), fixture.rejected);
    }
}
