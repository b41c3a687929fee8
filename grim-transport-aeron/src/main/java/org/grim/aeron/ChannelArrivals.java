// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

import org.agrona.collections.IntHashSet;
import org.agrona.concurrent.AtomicBuffer;
import org.grim.RejectReason;
import org.grim.aeron.observe.Party;
import org.grim.buffer.Buffers;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.ArrivalQueues;
import org.grim.transport.Membership;
import org.grim.transport.MessageSink;

import io.aeron.Image;

import static org.grim.buffer.Buffers.CACHE_LINE_LENGTH;

/**
 * Arrivals at one channel: images that have come, images whose sender is not known yet, and queues. It is an arrival
 * queue itself, whose word changes when an image comes.
 * <p>Thread: the channel's owner, but for what is said to be any.
 */
final class ChannelArrivals extends ArrivalQueue
{
    static final int AWAKE = -1;

    private final Membership membership;
    private final Party self;
    private final long silenceTimeoutNs;
    private final Consumer<AeronQueue> onNewQueue;
    private final OperationsFactory operationsFactory;
    private final HopSeals seals;
    private final AtomicInteger refusedReportCount = new AtomicInteger();
    private final AtomicBuffer arrivedCount = Buffers.allocate(CACHE_LINE_LENGTH, CACHE_LINE_LENGTH);
    private final Queue<Arrival> arrived = new ConcurrentLinkedQueue<>();       // Any thread adds.
    private final List<HelloQueue> waiting = new CopyOnWriteArrayList<>();      // Any thread reads, as the next one.
    private final List<AeronQueue> queues = new CopyOnWriteArrayList<>();
    private final List<Replaced> replaced = new ArrayList<>();
    private ArrivalQueues loop;
    private volatile int bell = AWAKE;

    /** Finds the receiver of a hop's remote-memory frames. Thread: the channel's owner. */
    @FunctionalInterface
    interface OperationsFactory
    {
        /**
         * Makes it for a hop that begins.
         *
         * @param channel        that it leads to.
         * @param source         where it comes from.
         * @param number         of the hop.
         * @param answeredNumber of this node's own hop that it answers; 0 for none.
         * @return null if there is no hop of that number any more.
         */
        AeronQueue.Operations of(int channel, Party source, int number, int answeredNumber);
    }

    /** An image that no loop polls yet. */
    private record Arrival(DriverSession session, Image image)
    {
    }

    /** Hops of one incarnation of a node that others have taken the place of, and those that have begun. */
    private record Replaced(Party source, IntHashSet numbers, IntHashSet begunNumbers)
    {
    }

    ChannelArrivals(
        final int channel, final Membership membership, final Party self, final long silenceTimeoutNs,
        final Consumer<AeronQueue> onNewQueue, final OperationsFactory operationsFactory,
        final HopSeals seals)
    {
        super(channel, -1);
        this.membership = membership;
        this.self = self;
        this.silenceTimeoutNs = silenceTimeoutNs;
        this.onNewQueue = onNewQueue;
        this.operationsFactory = operationsFactory;
        this.seals = seals;
        expect(arrivedCount.addressOffset(), 0);
    }

    /** An image has come. Thread: any. */
    void onImage(final DriverSession session, final Image image)
    {
        session.hold();
        arrived.add(new Arrival(session, image));
        arrivedCount.getAndAddInt(0, 1);                // Last: partner of the read in drain().
    }

    /** Has the loop count a report that was refused. Thread: any. */
    void onReportRefused()
    {
        refusedReportCount.incrementAndGet();
        arrivedCount.getAndAddInt(0, 1);                // Last: partner of the read in drain().
    }

    void attach(final ArrivalQueues newLoop)
    {
        loop = newLoop;
        loop.add(this);
    }

    @Override
    public int drain(final MessageSink sink, final int limit)
    {
        expect(arrivedCount.addressOffset(), arrivedCount.getIntVolatile(0));
        for (int i = refusedReportCount.getAndSet(0); i > 0; i--)
        {
            sink.onReject(RejectReason.BAD_SEAL, this);
        }
        takeArrived();
        return 0;
    }

    /** Says which bell rings for the loop that is about to sleep; {@link #AWAKE} for one that is not. */
    void asleep(final int newBell)
    {
        bell = newBell;
    }

    /** The bell of a loop that sleeps and has something to do; else {@link #AWAKE}. Thread: any. */
    int bellToRing()
    {
        final int current = bell;
        return current != AWAKE && hasWork() ? current : AWAKE;
    }

    /** Lets those go that have ended. Returns the number of pieces of work done. */
    int housekeep()
    {
        int workCount = 0;
        final long nowNs = System.nanoTime();
        for (int i = waiting.size() - 1; i >= 0; i--)
        {
            final HelloQueue queue = waiting.get(i);
            if (queue.tryBegin())
            {
                workCount++;
            }
            else if (queue.isOver(nowNs))
            {
                remove(queue);
                queue.reject();
                queue.end();
                workCount++;
            }
        }
        for (int i = queues.size() - 1; i >= 0; i--)
        {
            final AeronQueue queue = queues.get(i);
            queue.rejectIfStuck(nowNs, silenceTimeoutNs);
            if (queue.isOver())
            {
                remove(queue);
                workCount++;
            }
        }
        for (int i = replaced.size() - 1; i >= 0; i--)
        {
            final Party source = replaced.get(i).source();
            if (membership.incarnationOf(membership.status(source.node())) > source.incarnation())
            {
                replaced.remove(i);
            }
        }
        return workCount;
    }

    /**
     * Ends the channel when the node leaves: reports consumption to senders for the last time, also to those that were
     * not heard yet.
     */
    void leave()
    {
        if (loop != null)
        {
            takeArrived();
            for (int i = waiting.size() - 1; i >= 0; i--)
            {
                waiting.get(i).leave();
            }
        }
        queues.forEach(AeronQueue::leave);
    }

    /** Lets everything go: no loop polls any more. */
    void close()
    {
        for (Arrival arrival = arrived.poll(); arrival != null; arrival = arrived.poll())
        {
            arrival.session().release();
        }
        waiting.forEach(HelloQueue::end);
        waiting.clear();
        queues.forEach(AeronQueue::end);
        queues.clear();
    }

    /** Returns the receiver of the remote-memory frames of a new hop; null if the hop answers one that has ended. */
    AeronQueue.Operations operations(final Party source, final int number, final int answeredNumber)
    {
        return operationsFactory.of(channel(), source, number, answeredNumber);
    }

    /**
     * Does what is left to do for operations when no loop polls any more: has the others learn what was executed, and
     * learns it. Thread: the one that closes the transport.
     */
    void settle()
    {
        for (final AeronQueue queue : queues)
        {
            queue.release();
            queue.settle();
        }
    }

    /** Whether a message of a node may come yet, out of an image that has not ended. Thread: any. */
    boolean mayHoldMessagesOf(final Party source)
    {
        for (final AeronQueue queue : queues)
        {
            if (queue.source().equals(source))
            {
                return true;
            }
        }
        return false;
    }

    /** Whether another hop has taken the place of this one, or it has begun before: then it is a recording. */
    boolean isReplaced(final Party source, final int number)
    {
        final Replaced old = find(source);
        return old != null && (old.numbers().contains(number) || old.begunNumbers().contains(number));
    }

    /** Returns whether messages of a hop that became idle must still be delivered. */
    boolean isDelivering(final Party source, final HelloDescriptor.Preceding hop)
    {
        for (final AeronQueue queue : queues)
        {
            if (queue.number() == hop.number() && queue.source().equals(source))
            {
                return !queue.isOver() && queue.position() < hop.position();
            }
        }
        return false;
    }

    /** A hop begins: nothing of those that were lost before is delivered after its first message. */
    void begin(final AeronQueue queue, final int[] lostNumbers)
    {
        if (lostNumbers.length > 0)
        {
            replace(queue.source(), lostNumbers);
        }
        findOrAdd(queue.source()).begunNumbers().add(queue.number());
        queues.add(queue);
        loop.add(queue);
        onNewQueue.accept(queue);
    }

    void remove(final HelloQueue queue)
    {
        loop.remove(queue);
        waiting.remove(queue);
    }

    private void remove(final AeronQueue queue)
    {
        loop.remove(queue);
        queues.remove(queue);
        queue.end();
    }

    private void takeArrived()
    {
        for (Arrival arrival = arrived.poll(); arrival != null; arrival = arrived.poll())
        {
            final DriverSession session = arrival.session();
            final long wordAddress = session.highWaterMarkAddress(arrival.image());
            if (wordAddress == 0 || session.isLost())
            {
                session.release();                      // It has gone already.
            }
            else
            {
                final HelloQueue queue = new HelloQueue(session, arrival.image(), wordAddress, channel(), this,
                    membership, seals, self, System.nanoTime() + silenceTimeoutNs);
                waiting.add(queue);
                loop.add(queue);
            }
        }
    }

    private boolean hasWork()
    {
        if (!arrived.isEmpty())
        {
            return true;
        }
        for (final HelloQueue queue : waiting)
        {
            if (!queue.isSilent())
            {
                return true;
            }
        }
        for (final AeronQueue queue : queues)
        {
            if (!queue.isSilent())
            {
                return true;
            }
        }
        return false;
    }

    private void replace(final Party source, final int[] numbers)
    {
        final Replaced old = findOrAdd(source);
        for (final int number : numbers)
        {
            old.numbers().add(number);
        }
        for (int i = queues.size() - 1; i >= 0; i--)
        {
            final AeronQueue queue = queues.get(i);
            if (queue.source().equals(source) && old.numbers().contains(queue.number()))
            {
                queue.reject("another hop has taken its place");
                remove(queue);
            }
        }
    }

    private Replaced findOrAdd(final Party source)
    {
        Replaced old = find(source);
        if (old == null)
        {
            old = new Replaced(source, new IntHashSet(), new IntHashSet());
            replaced.add(old);
        }
        return old;
    }

    private Replaced find(final Party source)
    {
        for (final Replaced old : replaced)
        {
            if (old.source().equals(source))
            {
                return old;
            }
        }
        return null;
    }
}
