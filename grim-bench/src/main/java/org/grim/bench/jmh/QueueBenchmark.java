// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What a message costs a receive queue itself, in ns per message: below links, counters and dispatch. {@code send} and
 * {@code poll} are the two halves by themselves, in batches of {@value PrivateQueue#BATCH}; the others do one message
 * after another, which finds the queue's lines warm.
 */
public class QueueBenchmark extends NanosecondBenchmark
{
    /** Made by JMH. */
    public QueueBenchmark()
    {
        // Holds nothing.
    }

    /** A queue and its sender. */
    @State(Scope.Thread)
    public static class Messages
    {
        /** Payload bytes: in the slot, and in the ring or a frame. */
        @Param({"0", "32", "256"})
        public int size;

        /** Whether the queue has one sender, or could have several. */
        @Param({"exclusive", "shared"})
        public String queue;

        PrivateQueue messages;

        /** Made by JMH. */
        public Messages()
        {
            // Fields are filled in by JMH and setUp().
        }

        /** Makes the queue and attaches the sender. */
        @Setup
        public void setUp()
        {
            messages = new PrivateQueue("shared".equals(queue), size);
        }

        /** Gives it up. */
        @TearDown
        public void tearDown()
        {
            messages.close();
        }

        final void sendBatch()
        {
            for (int i = 0; i < PrivateQueue.BATCH; i++)
            {
                messages.send();
            }
        }
    }

    /** An empty queue before each batch. */
    @State(Scope.Thread)
    public static class Emptied extends Messages
    {
        /** Made by JMH. */
        public Emptied()
        {
            // As Messages.
        }

        /** Takes what the batch before has sent. */
        @Setup(Level.Invocation)
        public void empty()
        {
            messages.pollAll();
        }
    }

    /** A batch of unread messages before each invocation. */
    @State(Scope.Thread)
    public static class Filled extends Messages
    {
        /** Made by JMH. */
        public Filled()
        {
            // As Messages.
        }

        /** Sends the batch. */
        @Setup(Level.Invocation)
        public void fill()
        {
            sendBatch();
        }
    }

    /**
     * One message with a copy of its payload, sent and polled.
     *
     * @param queue to use.
     * @return a sum over all messages.
     */
    @Benchmark
    public long sendPoll(final Messages queue)
    {
        queue.messages.send();
        return queue.messages.pollAll();
    }

    /**
     * One message into claimed room, published and polled.
     *
     * @param queue to use.
     * @return a sum over all messages.
     */
    @Benchmark
    public long claimPublishPoll(final Messages queue)
    {
        queue.messages.claim();
        queue.messages.publish();
        return queue.messages.pollAll();
    }

    /**
     * A claim that is given back.
     *
     * @param queue to use.
     */
    @Benchmark
    public void claimAbort(final Messages queue)
    {
        queue.messages.claim();
        queue.messages.abort();
    }

    /**
     * Sends alone.
     *
     * @param queue to send to.
     */
    @Benchmark
    @OperationsPerInvocation(PrivateQueue.BATCH)
    public void send(final Emptied queue)
    {
        queue.sendBatch();
    }

    /**
     * Polls alone.
     *
     * @param queue to poll.
     * @return a sum over all messages.
     */
    @Benchmark
    @OperationsPerInvocation(PrivateQueue.BATCH)
    public long poll(final Filled queue)
    {
        return queue.messages.pollAll();
    }
}
