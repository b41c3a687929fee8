// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.util.ArrayList;
import java.util.List;

import org.agrona.MutableDirectBuffer;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class NotificationTableTest
{
    private final AtomicBuffer memory = Buffers.allocate(4096);
    private final List<Integer> order = new ArrayList<>();
    private final EndingSink sink = new EndingSink();

    /** Ends each poll, on request. */
    private static final class EndingSink implements MessageSink
    {
        private boolean isEnding;

        @Override
        public void onMessage(
            final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
            final int payloadOffset, final int payloadLength)
        {
            throw new AssertionError("these queues have no messages");
        }

        @Override
        public void onReject(final RejectReason reason, final ArrivalQueue queue)
        {
            throw new AssertionError(reason);
        }

        @Override
        public boolean isLastOfPoll()
        {
            return isEnding;
        }
    }

    /** A queue whose word counts messages that came, and whose idle value counts those that were taken. */
    private final class CountingQueue extends ArrivalQueue
    {
        private final int index;
        private int taken;
        private int drainCount;
        private int releaseCount;
        private boolean isControl;
        private Runnable onDrain = () ->
        {
        };

        CountingQueue(final int index, final int channel)
        {
            super(channel, -1);
            this.index = index;
            expect(memory.addressOffset() + index * 64L, 0);
        }

        void arrive(final int count)
        {
            memory.putInt(index * 64, memory.getInt(index * 64) + count);
        }

        @Override
        public int drain(final MessageSink sink, final int limit)
        {
            assertTrue(memory.getInt(index * 64) != taken, "called although silent: queue " + index);
            assertTrue(limit > 0);
            final int count = Math.min(limit, memory.getInt(index * 64) - taken);
            taken += count;
            expect(notificationAddress(), taken);
            drainCount++;
            order.add(index);
            onDrain.run();
            return isControl ? 0 : count;
        }

        @Override
        public void release()
        {
            releaseCount++;
        }
    }

    @Test
    void shouldNotCallASilentQueue()
    {
        final NotificationTable table = new NotificationTable(4, new int[0]);
        final List<CountingQueue> queues = fill(table, 20);

        for (int i = 0; i < 100; i++)
        {
            assertEquals(0, table.poll(sink, Integer.MAX_VALUE));
        }
        queues.get(13).arrive(1);
        final int count = table.poll(sink, Integer.MAX_VALUE);

        assertEquals(1, count);
        assertEquals(List.of(13), order);
        assertEquals(20, table.count());
    }

    @Test
    void shouldGoOnWhereTheLimitStoppedTheLastScan()
    {
        final NotificationTable table = new NotificationTable(1, new int[0]);
        final List<CountingQueue> queues = fill(table, 3);
        queues.forEach(queue -> queue.arrive(100));

        for (int i = 0; i < 6; i++)
        {
            table.poll(sink, 1);
        }

        assertEquals(List.of(0, 1, 2, 0, 1, 2), order);
    }

    @Test
    void shouldEndThePollAfterAMessageThatEndsItAndGoOnBehindItsQueue()
    {
        final NotificationTable table = new NotificationTable(1, new int[0]);
        final List<CountingQueue> queues = fill(table, 3);
        queues.forEach(queue -> queue.arrive(100));
        sink.isEnding = true;

        for (int i = 0; i < 4; i++)
        {
            assertEquals(1, table.poll(sink, Integer.MAX_VALUE));
        }
        sink.isEnding = false;
        assertEquals(3, table.poll(sink, Integer.MAX_VALUE));

        assertEquals(List.of(0, 1, 2, 0, 1, 2, 0), order);
    }

    /** Else a queue whose word changes without a message would keep the loop from those behind it. */
    @Test
    void shouldNotEndThePollAfterAQueueThatHandedOverNothing()
    {
        final NotificationTable table = new NotificationTable(1, new int[0]);
        final List<CountingQueue> queues = fill(table, 2);
        queues.forEach(queue -> queue.arrive(1));
        queues.get(0).isControl = true;
        sink.isEnding = true;

        assertEquals(1, table.poll(sink, Integer.MAX_VALUE));

        assertEquals(List.of(0, 1), order);
    }

    @Test
    void shouldServeEveryQueueOfAScanThatBeganInTheMiddle()
    {
        final NotificationTable table = new NotificationTable(1, new int[0]);
        final List<CountingQueue> queues = fill(table, 4);
        queues.forEach(queue -> queue.arrive(100));
        table.poll(sink, 2);
        order.clear();

        assertEquals(4, table.poll(sink, Integer.MAX_VALUE));
        assertEquals(List.of(2, 3, 0, 1), order);
        assertEquals(3, table.poll(sink, 3));
        assertEquals(List.of(2, 3, 0, 1, 0, 1, 2), order);
        assertEquals(3, table.poll(sink, 3));
        assertEquals(List.of(2, 3, 0, 1, 0, 1, 2, 3, 0, 1), order);
        assertEquals(1, table.poll(sink, 1));
        assertEquals(2, order.get(order.size() - 1));
    }

    @Test
    void shouldServeFullChannelsThreeToOneByTheirWeights()
    {
        final NotificationTable table = new NotificationTable(5, new int[]{3, 1});
        final CountingQueue heavy = new CountingQueue(0, 0);
        final CountingQueue light = new CountingQueue(1, 1);
        final CountingQueue unlisted = new CountingQueue(2, 9);
        table.add(heavy);
        table.add(light);
        table.add(unlisted);
        List.of(heavy, light, unlisted).forEach(queue -> queue.arrive(100_000));

        for (int i = 0; i < 100; i++)
        {
            assertEquals(25, table.poll(sink, Integer.MAX_VALUE));
        }

        assertEquals(1_500, heavy.taken);
        assertEquals(500, light.taken);
        assertEquals(500, unlisted.taken);
    }

    @Test
    void shouldNeverExceedTheLimit()
    {
        final NotificationTable table = new NotificationTable(10, new int[0]);
        final List<CountingQueue> queues = fill(table, 3);
        queues.forEach(queue -> queue.arrive(1_000));

        for (int limit = 1; limit < 40; limit++)
        {
            assertEquals(Math.min(limit, 30), table.poll(sink, limit));
        }
    }

    @Test
    void shouldTakeQueuesThatComeWhileItPolls()
    {
        final NotificationTable table = new NotificationTable(1, new int[0]);
        final CountingQueue control = new CountingQueue(0, 0);
        table.add(control);
        control.onDrain = () ->
        {
            for (int i = 1; i < 30; i++)
            {
                final CountingQueue late = new CountingQueue(i, 0);
                late.arrive(1);
                table.add(late);
            }
        };
        control.arrive(1);

        int count = 0;
        for (int i = 0; i < 3; i++)
        {
            count += table.poll(sink, Integer.MAX_VALUE);
        }

        assertEquals(30, count);
        assertEquals(0, table.poll(sink, Integer.MAX_VALUE));
    }

    @Test
    void shouldForgetAQueueThatWasRemoved()
    {
        final NotificationTable table = new NotificationTable(1, new int[0]);
        final List<CountingQueue> queues = fill(table, 5);
        queues.forEach(queue -> queue.arrive(1));

        table.remove(queues.get(1));
        table.remove(queues.get(4));
        final int count = table.poll(sink, Integer.MAX_VALUE);
        table.release();

        assertEquals(3, count);
        assertEquals(0, queues.get(1).drainCount);
        assertEquals(0, queues.get(4).releaseCount);
        assertEquals(1, queues.get(3).releaseCount);
        assertThrows(IllegalArgumentException.class, () -> table.remove(queues.get(1)));
        table.remove(queues.get(0));
        table.remove(queues.get(2));
        table.remove(queues.get(3));
        assertEquals(0, table.poll(sink, Integer.MAX_VALUE));
    }

    @Test
    void shouldDoItsHousekeepingSoonerWhenHandlersTakeTimeAndCountPolls()
    {
        final NotificationTable table = new NotificationTable(1, new int[0]);
        final CountingQueue queue = new CountingQueue(0, 0);
        table.add(queue);
        final int[] housekeepCount = new int[1];
        final MessageLoop loop = new MessageLoop("test", table, sink, new MessageLoop.Housekeeping()
        {
            @Override
            public int flush()
            {
                return 0;
            }

            @Override
            public int housekeepIfDue()
            {
                return housekeep();
            }

            @Override
            public int housekeep()
            {
                housekeepCount[0]++;
                return 0;
            }
        });

        loop.doWork();
        assertEquals(1, housekeepCount[0]);
        for (int i = 0; i < 10_000; i++)
        {
            loop.doWork();
        }
        final int idle = housekeepCount[0];
        queue.arrive(10_000);
        for (int i = 0; i < 10_000; i++)
        {
            loop.doWork();
        }
        final int busy = housekeepCount[0] - idle;

        assertTrue(idle > 10 && busy > idle && busy < 3 * idle, "idle=" + idle + " busy=" + busy);
        assertEquals(20_001, loop.pollCount());
        assertEquals(10_001, loop.emptyPollCount());
        assertEquals("test", loop.roleName());
    }

    private List<CountingQueue> fill(final NotificationTable table, final int count)
    {
        final List<CountingQueue> queues = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            queues.add(new CountingQueue(i, 0));
            table.add(queues.get(i));
        }
        return queues;
    }
}
