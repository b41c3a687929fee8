// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import java.util.ArrayList;
import java.util.List;

import org.agrona.concurrent.AtomicBuffer;
import org.grim.buffer.Buffers;
import org.grim.crash.CrashEnumeration;
import org.grim.crash.CrashingMemory;
import org.grim.crash.Lifetime;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Ends the sender, and then the receiver, of messages that are read in place before every store that it makes, with
 * every choice of its unordered stores made visible. Published messages are whole; memory of the dead one is free.
 */
final class OutboxCrashTest
{
    private static final int LINE = 64;
    private static final int OUTBOX_LENGTH = 4 * LINE;
    private static final int NOTICE_LENGTH = LINE;
    private static final int PAYLOAD_LENGTH = 40;
    private static final int MESSAGE_COUNT = 7;
    private static final int CASE_COUNT_MIN = 30;
    private static final int STEP_COUNT_MAX = 1_000;
    private static final Object OWNER = "owner";

    @Test
    void shouldShowWholeMessagesOnlyWhereverTheSenderDies()
    {
        final int caseCount = CrashEnumeration.withVisibleStores("outbox, sender", OutboxCrashTest::sendAndDie);

        assertTrue(caseCount > CASE_COUNT_MIN, () -> "cases=" + caseCount);
    }

    @Test
    void shouldFreeEveryBlockWhereverTheReceiverDies()
    {
        final int caseCount = CrashEnumeration.withVisibleStores("outbox, receiver", OutboxCrashTest::receiveAndDie);

        assertTrue(caseCount > MESSAGE_COUNT, () -> "cases=" + caseCount);
    }

    /** Memory of both sides: a region, and a line per notice, whose first word is published with release. */
    private static final class Run
    {
        private final AtomicBuffer region = Buffers.allocate(OutboxArea.BLOCKS_OFFSET + OUTBOX_LENGTH);
        private final AtomicBuffer notices = Buffers.allocate(MESSAGE_COUNT * NOTICE_LENGTH);
        private final List<Integer> received = new ArrayList<>();
        private final InPlaceWords words = new InPlaceWords();
        private int nextReceived;

        boolean trySend(final Outbox outbox, final AtomicBuffer senderNotices, final int number)
        {
            final Outbox.Block block = outbox.tryClaim(PAYLOAD_LENGTH, OWNER);
            if (block == null)
            {
                return false;
            }
            for (int i = 0; i < PAYLOAD_LENGTH; i += Long.BYTES)
            {
                block.buffer().putLong(block.payloadIndex() + i, number * 1_000L + i);
            }
            final int notice = number * NOTICE_LENGTH;
            InPlaceWords.write(senderNotices, notice + Long.BYTES, 16, PAYLOAD_LENGTH, block.areaId(),
                block.blockOffset(), block.sequence(), 1);
            outbox.send(block);
            senderNotices.putIntRelease(notice, 1);
            return true;
        }

        /** Takes the next message if it was published: judges it, reads it, and says that it is done. */
        boolean tryReceive(final AtomicBuffer receiverRegion)
        {
            final int notice = nextReceived * NOTICE_LENGTH;
            if (nextReceived == MESSAGE_COUNT || notices.getIntAcquire(notice) == 0)
            {
                return false;
            }
            assertNull(words.read(notices, notice + Long.BYTES, FragmentDescriptor.IN_PLACE_LENGTH));
            final int block = words.blockOffset();
            for (int i = 0; i < PAYLOAD_LENGTH; i += Long.BYTES)
            {
                assertEquals(nextReceived * 1_000L + i,
                    region.getLong(block + BlockDescriptor.PAYLOAD_OFFSET + i), "message=" + nextReceived);
            }
            received.add(nextReceived);
            nextReceived++;
            receiverRegion.putIntRelease(block + BlockDescriptor.DONE_OFFSET, words.sequence());
            return true;
        }
    }

    private static Outbox outboxOver(final AtomicBuffer region)
    {
        return new Outbox(OUTBOX_LENGTH, new FixedAreas(length -> region), 1);
    }

    private static void sendAndDie(final Lifetime life)
    {
        final Run run = new Run();
        final Outbox outbox = outboxOver(CrashingMemory.over(run.region, life));
        final AtomicBuffer notices = CrashingMemory.over(run.notices, life);
        int sentCount = 0;
        try
        {
            for (int i = 0; sentCount < MESSAGE_COUNT; i++)
            {
                assertTrue(i < STEP_COUNT_MAX, "no room, and nothing to receive");
                if (run.trySend(outbox, notices, sentCount))
                {
                    sentCount++;
                }
                else
                {
                    run.tryReceive(run.region);
                }
            }
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
        while (run.tryReceive(run.region))
        {
            assertTrue(run.received.size() <= MESSAGE_COUNT);
        }

        assertTrue(run.received.size() >= sentCount, () -> "published, but not received: " + run.received);
        assertTrue(run.received.size() <= sentCount + 1);
    }

    private static void receiveAndDie(final Lifetime life)
    {
        final Run run = new Run();
        final Outbox outbox = outboxOver(run.region);
        final AtomicBuffer receiverRegion = CrashingMemory.over(run.region, life);
        int sentCount = 0;
        try
        {
            for (int i = 0; run.received.size() < MESSAGE_COUNT; i++)
            {
                assertTrue(i < STEP_COUNT_MAX, "nothing to receive");
                sentCount += sentCount < MESSAGE_COUNT && run.trySend(outbox, run.notices, sentCount) ? 1 : 0;
                run.tryReceive(receiverRegion);
            }
        }
        catch (final Lifetime.Death ex)
        {
            assertTrue(life.isOver());
        }
        outbox.collect();
        outbox.releaseAll(OWNER);

        assertEquals(0, outbox.takenLength());
        assertEquals(0, outbox.outCount());
    }
}
