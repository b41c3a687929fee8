// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import java.util.Arrays;

import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.MessageSink;

/**
 * Where each arrival queue's next message will show, and what stands there until then: a pair of plain arrays. Polling
 * <i>n</i> silent queues is <i>n</i> loads; no queue is called before its word has changed. After HPVM 1.9's polling of
 * several transports through memory.
 * <p>Fairness: a scan takes from each queue at most the weight of its channel times {@code drainLimit} messages, and
 * one that its limit ended goes on with the next queue. All others begin with the first: processors predict what
 * repeats.
 * <p>Thread: the loop's only. Allocates only when a queue is added.
 */
public final class NotificationTable implements ArrivalQueues
{
    private static final int CAPACITY_FIRST = 8;

    private final int drainLimit;
    private final int[] channelWeights;
    private long[] addresses = new long[CAPACITY_FIRST];
    private int[] idleValues = new int[CAPACITY_FIRST];
    private int[] limits = new int[CAPACITY_FIRST];
    private ArrivalQueue[] queues = new ArrivalQueue[CAPACITY_FIRST];
    private int count;
    private int start;

    /**
     * Makes an empty table.
     *
     * @param drainLimit     messages taken from a queue of weight 1 per scan, 1 or more.
     * @param channelWeights weight of each channel by its number, 1 or more; channels beyond have weight 1.
     */
    public NotificationTable(final int drainLimit, final int[] channelWeights)
    {
        this.drainLimit = drainLimit;
        this.channelWeights = channelWeights.clone();
    }

    /**
     * Looks once at every queue and hands over what has come, up to a message that ends the poll.
     *
     * @param sink  that takes the messages.
     * @param limit most messages to hand over.
     * @return messages handed over.
     */
    public int poll(final MessageSink sink, final int limit)
    {
        final int first = start;
        int messageCount = 0;
        int index = nextChanged(first, count);
        while (index < count)
        {
            messageCount += drain(index, sink, limit - messageCount);
            if (isOver(messageCount, sink, limit))
            {
                start = index + 1 < count ? index + 1 : 0;
                return messageCount;
            }
            index = nextChanged(index + 1, count);
        }
        if (first > 0)
        {
            start = 0;
            messageCount += pollBefore(first, sink, limit - messageCount);
        }
        return messageCount;
    }

    /** Looks at every queue without handing anything over. Returns false if a notification word has changed. */
    public boolean isSilent()
    {
        for (int i = 0; i < count; i++)
        {
            if (Buffers.intVolatile(addresses[i]) != idleValues[i])
            {
                return false;
            }
        }
        return true;
    }

    /**
     * Looks at the queues that hold messages of a node.
     *
     * @param sourceNode number of the node.
     * @param isOnlyOwn  whether queues with several senders are left out.
     * @return false if a notification word has changed.
     */
    public boolean isSilent(final int sourceNode, final boolean isOnlyOwn)
    {
        for (int i = 0; i < count; i++)
        {
            final int source = queues[i].sourceNode();
            if ((source == sourceNode || (source < 0 && !isOnlyOwn)) &&
                Buffers.intVolatile(addresses[i]) != idleValues[i])
            {
                return false;
            }
        }
        return true;
    }

    /** Lets every queue give back freed room. */
    public void release()
    {
        for (int i = 0; i < count; i++)
        {
            queues[i].release();
        }
    }

    @Override
    public void add(final ArrivalQueue queue)
    {
        if (count == queues.length)
        {
            addresses = Arrays.copyOf(addresses, count * 2);
            idleValues = Arrays.copyOf(idleValues, count * 2);
            limits = Arrays.copyOf(limits, count * 2);
            queues = Arrays.copyOf(queues, count * 2);
        }
        final int channel = queue.channel();
        limits[count] = drainLimit * (channel < channelWeights.length ? channelWeights[channel] : 1);
        queues[count] = queue;
        rearm(count);
        count++;
    }

    @Override
    public void remove(final ArrivalQueue queue)
    {
        for (int i = 0; i < count; i++)
        {
            if (queues[i] == queue)
            {
                count--;
                start = 0;
                assert i <= count;
                addresses[i] = addresses[count];
                idleValues[i] = idleValues[count];
                limits[i] = limits[count];
                queues[i] = queues[count];
                queues[count] = null;
                return;
            }
        }
        throw new IllegalArgumentException("queue of channel " + queue.channel() + " is not in this table");
    }

    /** {@return how many queues are polled} */
    public int count()
    {
        return count;
    }

    /** The rest of a scan that began where the last one had stopped. */
    private int pollBefore(final int end, final MessageSink sink, final int limit)
    {
        int messageCount = 0;
        int index = nextChanged(0, end);
        while (index < Math.min(end, count))            // A drain may remove queues.
        {
            messageCount += drain(index, sink, limit - messageCount);
            if (isOver(messageCount, sink, limit))
            {
                start = index + 1 < count ? index + 1 : 0;
                return messageCount;
            }
            index = nextChanged(index + 1, Math.min(end, count));
        }
        return messageCount;
    }

    /**
     * The first queue of a range whose word has changed; the range's end if all are silent. One load for each queue.
     */
    private int nextChanged(final int from, final int to)
    {
        final long[] words = addresses;
        final int[] idle = idleValues;
        int index = from;
        while (index < to && Buffers.intVolatile(words[index]) == idle[index])
        {
            index++;
        }
        return index;
    }

    private static boolean isOver(final int messageCount, final MessageSink sink, final int limit)
    {
        return messageCount >= limit || (messageCount > 0 && sink.isLastOfPoll());
    }

    private int drain(final int index, final MessageSink sink, final int limit)
    {
        final ArrivalQueue queue = queues[index];
        final int messageCount = queue.drain(sink, Math.min(limit, limits[index]));
        // A drain may add queues, which can move nothing but the arrays, and remove some, which moves the last one.
        if (index < count && queues[index] == queue)
        {
            rearm(index);
        }
        return messageCount;
    }

    private void rearm(final int index)
    {
        addresses[index] = queues[index].notificationAddress();
        idleValues[index] = queues[index].notificationIdle();
    }
}
