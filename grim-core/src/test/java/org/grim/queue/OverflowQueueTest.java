// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;

import org.grim.GrimException;
import org.grim.SendStatus;
import org.grim.buffer.Buffers;
import org.grim.wire.MessageHeader;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class OverflowQueueTest
{
    private static final OverflowQueue.DepthListener NOBODY = change -> {};

    private final QueueFixture fixture = new QueueFixture(4, 4096, 0);
    private final ExclusiveSender sender = fixture.attach();

    @Test
    void shouldKeepOrderAndBytesWhileItGrowsAndWraps()
    {
        for (long seed = 1; seed <= 20; seed++)
        {
            final QueueFixture one = new QueueFixture(4, 4096, 0);
            final ExclusiveSender hop = one.attach();
            final OverflowQueue queue = new OverflowQueue(new OverflowQueue.Ceiling(1 << 20), NOBODY);
            final Random random = new Random(seed);
            int put = 0;
            int moved = 0;
            for (int step = 0; step < 4_000; step++)
            {
                final boolean isFilling = step / 500 % 2 == 0;
                if (random.nextInt(10) < (isFilling ? 7 : 3))
                {
                    put(one, queue, put, random.nextInt(1_700));
                    put++;
                }
                else if (queue.depth() > 0)
                {
                    moved += queue.tryMove(hop) == SendStatus.SENT ? 1 : 0;
                    one.pollAll();
                    one.release();
                }
                assertEquals(put - moved, queue.depth(), "seed=" + seed);
            }
            while (queue.depth() > 0)
            {
                queue.tryMove(hop);
                one.pollAll();
                one.release();
            }
            assertEquals(IntStream.range(0, put).boxed().toList(), one.received, "seed=" + seed);
        }
    }

    @Test
    void shouldSayWhenItsCeilingIsReachedAndLeaveNothing()
    {
        final OverflowQueue queue = new OverflowQueue(new OverflowQueue.Ceiling(104), NOBODY);
        put(fixture, queue, 0, 60);

        final String text =
            assertThrows(GrimException.class, () -> queue.claim(0, fixture.claim)).getMessage();
        final boolean canTake = queue.canTake(0);
        queue.tryMove(sender);
        put(fixture, queue, 1, 60);

        assertEquals("overflow queue is full: held=104 bytes needed=40 bytes max=104 bytes (grim.overflow.ceiling); " +
            "the message was not sent", text);
        assertFalse(canTake);
        assertEquals(1, queue.depth());
    }

    @Test
    void shouldShareOneCeilingBetweenQueues()
    {
        final OverflowQueue.Ceiling ceiling = new OverflowQueue.Ceiling(80);
        final OverflowQueue first = new OverflowQueue(ceiling, NOBODY);
        final OverflowQueue second = new OverflowQueue(ceiling, NOBODY);
        put(fixture, first, 0, 0);
        put(fixture, second, 1, 0);

        assertThrows(GrimException.class, () -> second.claim(0, fixture.claim));
        assertEquals(1, first.discard());
        put(fixture, second, 2, 0);

        assertEquals(0, first.depth());
        assertEquals(2, second.depth());
    }

    @Test
    void shouldForgetWhatWasAborted()
    {
        final OverflowQueue queue = new OverflowQueue(new OverflowQueue.Ceiling(10_000), NOBODY);
        for (int i = 0; i < 200; i++)
        {
            assertEquals(SendStatus.QUEUED, queue.claim(3_000, fixture.claim));
            fixture.fill(99, 3_000);
            fixture.claim.abort();
            put(fixture, queue, i, 700);
            assertEquals(SendStatus.SENT, queue.tryMove(sender));
            fixture.pollAll();
            fixture.release();
        }

        assertEquals(0, queue.depth());
        assertEquals(IntStream.range(0, 200).boxed().toList(), fixture.received);
    }

    @Test
    void shouldStayWhenTheHopHasNoRoom()
    {
        final OverflowQueue queue = new OverflowQueue(new OverflowQueue.Ceiling(10_000), NOBODY);
        assertEquals(4, fixture.sendUntilFull(sender, 0, 8));
        put(fixture, queue, 4, 8);

        final SendStatus full = queue.tryMove(sender);
        fixture.pollAll();
        fixture.release();
        final SendStatus sent = queue.tryMove(sender);
        fixture.pollAll();

        assertEquals(SendStatus.BACK_PRESSURED, full);
        assertEquals(SendStatus.SENT, sent);
        assertEquals(List.of(0, 1, 2, 3, 4), fixture.received);
    }

    @Test
    void shouldTellItsListenerOfEachRecordThatEntersAndLeaves()
    {
        final List<Integer> changes = new ArrayList<>();
        final OverflowQueue queue = new OverflowQueue(new OverflowQueue.Ceiling(10_000), changes::add);
        put(fixture, queue, 0, 8);
        queue.put(0, MessageHeader.extentWords(0, 16, 0), 0, 0, null, 0, 0);
        assertThrows(IndexOutOfBoundsException.class,
            () -> queue.put(0, MessageHeader.extentWords(0, 16, 9), 0, 0, Buffers.wrap(new byte[8]), 0, 9));

        final SendStatus moved = queue.tryMove(sender);
        final int discarded = queue.discard();

        assertEquals(SendStatus.SENT, moved);
        assertEquals(1, discarded);
        assertEquals(List.of(1, 1, -1, -1), changes);
    }

    private static void put(final QueueFixture fixture, final OverflowQueue queue, final int number, final int length)
    {
        assertEquals(SendStatus.QUEUED, queue.claim(length, fixture.claim));
        fixture.fill(number, length);
        fixture.claim.publish();
    }
}
