// SPDX-License-Identifier: Apache-2.0
package org.grim.queue;

import java.util.ArrayList;
import java.util.List;

import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** A channel's receiver begins to poll all of its queues or, where the heap is full, none. */
final class BeginPollingTest
{
    private static final InboxGeometry GEOMETRY = new InboxGeometry(2, 2, 2, 16, 64, 1_024, 4, 256);
    private static final int QUEUE_COUNT = 4;           // The attach word, two shared queues, a sender's own.

    @Test
    void shouldPollNothingWhenTheHeapIsFullInBetweenAndEachQueueOnceWhenItIsTriedAgain()
    {
        for (int added = 0; added < QUEUE_COUNT; added++)
        {
            final FillingTable table = new FillingTable(added);
            final QueueFixture fixture = new QueueFixture(GEOMETRY, 0);
            assertNotNull(fixture.attach());

            assertThrows(OutOfMemoryError.class, () -> attach(fixture, table));
            assertEquals(0, table.polled.size(), "failed after " + added);

            attach(fixture, table);
            assertEquals(QUEUE_COUNT, table.polled.size());
        }
    }

    /** A sender that could not be adopted is looked for by the next housekeeping, and its queue polled once. */
    @Test
    void shouldAdoptASenderOnceWhenTheHeapWasFullAtTheFirstAttempt()
    {
        final FillingTable table = new FillingTable(QUEUE_COUNT - 1);
        final QueueFixture fixture = new QueueFixture(GEOMETRY, 0);
        final ChannelReceiver receiver = attach(fixture, table);
        assertNotNull(fixture.attach());

        assertThrows(OutOfMemoryError.class, () -> receiver.housekeep(1));
        assertEquals(QUEUE_COUNT - 1, table.polled.size());
        receiver.housekeep(2);
        receiver.housekeep(3);

        assertEquals(QUEUE_COUNT, table.polled.size());
        assertEquals(1, receiver.senderCount());
    }

    private static ChannelReceiver attach(final QueueFixture fixture, final ArrivalQueues queues)
    {
        return new ChannelReceiver(fixture.inbox, QueueFixture.CHANNEL, fixture.receiverView, queues);
    }

    /** Throws once, at the add after so many. */
    private static final class FillingTable implements ArrivalQueues
    {
        private final List<ArrivalQueue> polled = new ArrayList<>();
        private int untilFull;

        FillingTable(final int untilFull)
        {
            this.untilFull = untilFull;
        }

        @Override
        public void add(final ArrivalQueue queue)
        {
            if (untilFull-- == 0)
            {
                throw new OutOfMemoryError("full for a moment");
            }
            polled.add(queue);
        }

        @Override
        public void remove(final ArrivalQueue queue)
        {
            if (!polled.remove(queue))
            {
                throw new IllegalArgumentException("it is not polled");
            }
        }
    }
}
