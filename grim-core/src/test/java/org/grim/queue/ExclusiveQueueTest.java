// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.agrona.BitUtil;
import org.grim.SendStatus;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class ExclusiveQueueTest
{
    private static final int SLOT_COUNT = 4;
    private static final int RING_LENGTH = 1024;

    @ParameterizedTest
    @ValueSource(longs = {0, 65_534L * 4, 65_535L * 4, 65_536L * 4 - 8, (1L << 31) - 8, (1L << 32) - 8,
        Long.MAX_VALUE - 7})
    void shouldWrapSlotsLapsAndRing(final long firstPosition)
    {
        final QueueFixture fixture = new QueueFixture(SLOT_COUNT, RING_LENGTH, firstPosition);
        final ExclusiveSender sender = fixture.attach();

        for (int i = 0; i < 200; i++)
        {
            assertEquals(SendStatus.SENT, fixture.send(sender, i, i * 7 % 120), "message " + i);
            fixture.pollAll();
            fixture.release();
        }

        assertEquals(IntStream.range(0, 200).boxed().toList(), fixture.received);
        assertEquals(List.of(), fixture.rejected);
        assertEquals(firstPosition + 200, fixture.head());
    }

    @Test
    void shouldRefuseWithoutTraceWhenSlotsAreFull()
    {
        final QueueFixture fixture = new QueueFixture(SLOT_COUNT, RING_LENGTH, 0);
        final ExclusiveSender sender = fixture.attach();
        assertEquals(SLOT_COUNT, fixture.sendUntilFull(sender, 0, 8));
        final byte[] before = bytes(fixture);

        final SendStatus status = fixture.send(sender, 99, 8);

        assertEquals(SendStatus.BACK_PRESSURED, status);
        assertArrayEquals(before, bytes(fixture));
        fixture.pollAll();
        fixture.release();
        assertEquals(SendStatus.SENT, fixture.send(sender, 4, 8));
        fixture.pollAll();
        assertEquals(List.of(0, 1, 2, 3, 4), fixture.received);
    }

    @Test
    void shouldRefuseWithoutTraceWhenTheRingIsFull()
    {
        final QueueFixture fixture = new QueueFixture(64, RING_LENGTH, 0);
        final ExclusiveSender sender = fixture.attach();
        assertEquals(2, fixture.sendUntilFull(sender, 0, 448));
        final byte[] before = bytes(fixture);

        final SendStatus status = fixture.send(sender, 99, 129);

        assertEquals(SendStatus.BACK_PRESSURED, status);
        assertArrayEquals(before, bytes(fixture));
        assertEquals(SendStatus.SENT, fixture.send(sender, 2, 128));
        assertEquals(SendStatus.SENT, fixture.send(sender, 3, 32));
        fixture.pollAll();
        assertEquals(List.of(0, 1, 2, 3), fixture.received);
    }

    @Test
    void shouldLeaveNothingAfterAnAbort()
    {
        final QueueFixture fixture = new QueueFixture(SLOT_COUNT, RING_LENGTH, 0);
        final ExclusiveSender sender = fixture.attach();

        for (int i = 0; i < 50; i++)
        {
            assertEquals(SendStatus.SENT, sender.tryClaim(448, fixture.claim));
            fixture.fill(1_000, 448);
            fixture.claim.abort();
            fixture.pollAll();
        }
        fixture.send(sender, 0, 448);
        fixture.pollAll();

        assertEquals(List.of(0), fixture.received);
        assertEquals(List.of(), fixture.rejected);
    }

    @Test
    void shouldTakeEverySizeUpToTheMaximumFromAnEmptyQueueWhereverTheRingStands()
    {
        for (int lead = 33; lead <= 448; lead += 64)
        {
            final QueueFixture fixture = new QueueFixture(64, RING_LENGTH, 0);
            final ExclusiveSender sender = fixture.attach();
            int number = 0;
            for (final int length : new int[]{lead, lead, 448, 33, 448, 31, 32, 447, lead, 448, 448, 0, 448})
            {
                assertEquals(SendStatus.SENT, fixture.send(sender, number, length),
                    "lead " + lead + " number " + number);
                fixture.pollAll();
                number++;
            }
            assertEquals(number, fixture.received.size());
        }
    }

    @Test
    void shouldTakeTheLargestPayloadAlthoughTheReceiverKeepsBackSmallOnes()
    {
        final int lengthMax = 4096 / 16 * 7;
        for (int lead = 0; lead <= 64; lead++)
        {
            for (int kept = 0; kept < 20; kept++)
            {
                final QueueFixture fixture = new QueueFixture(1024, 4096, 0);
                final ExclusiveSender sender = fixture.attach();
                for (int i = 0; i < lead + kept; i++)
                {
                    assertEquals(SendStatus.SENT, fixture.send(sender, i, 33));
                    fixture.pollAll();
                    if (i == lead - 1)
                    {
                        fixture.release();
                    }
                }

                final SendStatus status = fixture.send(sender, lead + kept, lengthMax);

                assertEquals(SendStatus.SENT, status, "lead " + lead + " kept " + kept);
            }
        }
    }

    @Test
    void shouldPublishItsHeadAnEighthOfTheQueueAtATime()
    {
        final QueueFixture fixture = new QueueFixture(64, RING_LENGTH, 0);
        final ExclusiveSender sender = fixture.attach();
        for (int i = 0; i < 20; i++)
        {
            fixture.send(sender, i, 8);
        }
        fixture.poll(0);

        fixture.poll(7);
        final long before = fixture.head();
        fixture.poll(1);
        final long after = fixture.head();
        fixture.poll(5);
        final long kept = fixture.head();
        fixture.release();

        assertEquals(0, before);
        assertEquals(8, after);
        assertEquals(8, kept);
        assertEquals(13, fixture.head());
    }

    @Test
    void shouldHandOverNothingBehindAMessageThatEndsThePoll()
    {
        final QueueFixture fixture = new QueueFixture(64, RING_LENGTH, 0);
        final ExclusiveSender sender = fixture.attach();
        for (int i = 0; i < 20; i++)
        {
            fixture.send(sender, i, 8);
        }
        fixture.poll(0);
        fixture.lastOfPoll = 7;                         // The eighth: it is the end of a batch, too.

        assertEquals(8, fixture.poll(Integer.MAX_VALUE));
        assertEquals(8, fixture.head());
        assertEquals(12, fixture.poll(Integer.MAX_VALUE));
        assertEquals(20, fixture.received.size());
    }

    @Test
    void shouldPublishItsHeadWhenAnEighthOfTheRingIsRead()
    {
        final QueueFixture fixture = new QueueFixture(1024, RING_LENGTH, 0);
        final ExclusiveSender sender = fixture.attach();
        fixture.send(sender, 0, 64);
        fixture.send(sender, 1, 64);
        fixture.poll(0);

        fixture.poll(1);
        final long before = fixture.head();
        fixture.poll(1);

        assertEquals(0, before);
        assertEquals(2, fixture.head());
    }

    @Test
    void shouldNeverOverwriteAnUnreadPayload()
    {
        for (long seed = 1; seed <= 40; seed++)
        {
            runRandomly(seed);
        }
    }

    @Test
    void shouldGiveAQueueToOneSenderEach()
    {
        final QueueFixture fixture = new QueueFixture(SLOT_COUNT, RING_LENGTH, 0);

        assertNotNull(fixture.attach());
        assertNotNull(fixture.attach());
        assertNull(fixture.attach());
    }

    /** Sends and reads by turns, and keeps where each unread payload lies. */
    private static void runRandomly(final long seed)
    {
        final Random random = new Random(seed);
        final int slotCount = 4 << random.nextInt(4);
        final QueueFixture fixture =
            new QueueFixture(slotCount, RING_LENGTH, (65_535L - random.nextInt(3)) * slotCount);
        final ExclusiveSender sender = fixture.attach();
        final ArrayDeque<int[]> unread = new ArrayDeque<>();
        int sent = 0;
        for (int step = 0; step < 3_000; step++)
        {
            if (random.nextInt(5) < 3)
            {
                final int length = random.nextInt(449);
                if (sender.tryClaim(length, fixture.claim) == SendStatus.SENT)
                {
                    requireApart(unread, fixture.claim.offset(), length, "seed=" + seed + " step=" + step);
                    fixture.fill(sent, length);
                    if (random.nextInt(10) == 0)
                    {
                        fixture.claim.abort();
                    }
                    else
                    {
                        fixture.claim.publish();
                        unread.add(new int[]{fixture.claim.offset(), length});
                        sent++;
                    }
                }
            }
            else
            {
                fixture.poll(random.nextInt(4));
                while (unread.size() > sent - fixture.received.size())
                {
                    unread.remove();
                }
            }
            if (random.nextInt(20) == 0)
            {
                fixture.release();
            }
        }
        fixture.pollAll();
        assertEquals(IntStream.range(0, sent).boxed().toList(), fixture.received, "seed=" + seed);
        assertTrue(fixture.rejected.isEmpty(), "seed=" + seed);
        assertTrue(sent > 500, "seed=" + seed + " sent=" + sent);
    }

    private static void requireApart(
        final Iterable<int[]> unread, final int offset, final int length, final String where)
    {
        if (length > 32)
        {
            for (final int[] other : unread)
            {
                final boolean isRing = other[1] > 32;
                assertTrue(!isRing || offset + BitUtil.align(length, 64) <= other[0] || offset >= other[0] + other[1],
                    () -> where + ": offset=" + offset + " length=" + length + " over " + other[0] + "+" + other[1]);
            }
        }
    }

    private static byte[] bytes(final QueueFixture fixture)
    {
        final byte[] bytes = new byte[fixture.memory.capacity()];
        fixture.memory.getBytes(0, bytes);
        return bytes;
    }
}
