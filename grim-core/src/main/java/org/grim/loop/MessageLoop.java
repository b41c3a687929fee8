// SPDX-License-Identifier: Apache-2.0
package org.grim.loop;

import org.agrona.concurrent.Agent;
import org.grim.transport.MessageSink;

/**
 * Polls all arrival queues of one endpoint and runs the endpoint's housekeeping. It reads the clock only once in some
 * hundreds of polls and messages.
 * <p>Thread: the endpoint's owner.
 */
public final class MessageLoop implements Agent
{
    private static final int POLLS_PER_CLOCK = 256;

    private final String name;
    private final NotificationTable table;
    private final MessageSink sink;
    private final Housekeeping housekeeping;
    private int credit;
    private long busyPollCount;
    private long emptyPollCount;

    /** Work of an endpoint besides receiving. Thread: the loop's. */
    public interface Housekeeping
    {
        /**
         * Moves messages from overflow queues to their next hops. Called after every poll; must be quick if there is
         * none. Returns the number of messages moved.
         */
        int flush();

        /**
         * Reads a clock, and does {@link #housekeep()} if it is time. Called once in some hundreds of polls and
         * messages; a message may arrive meanwhile, so it must be quick if it is not time. Returns the number of pieces
         * of work done.
         */
        int housekeepIfDue();

        /** Looks after everything that is not urgent. Returns the number of pieces of work done. */
        int housekeep();
    }

    /**
     * Makes a loop.
     *
     * @param name   for threads and logs.
     * @param table  of the queues to poll.
     * @param sink   that takes the messages.
     * @param housekeeping of the endpoint.
     */
    public MessageLoop(
        final String name, final NotificationTable table, final MessageSink sink, final Housekeeping housekeeping)
    {
        this.name = name;
        this.table = table;
        this.sink = sink;
        this.housekeeping = housekeeping;
    }

    /**
     * Looks once at every queue.
     *
     * @param limit most messages to hand over, 1 or more.
     * @return pieces of work done; 0 means idle.
     */
    public int poll(final int limit)
    {
        final int messageCount = table.poll(sink, limit);
        int workCount = messageCount + housekeeping.flush();
        if (messageCount == 0)
        {
            emptyPollCount++;
        }
        else
        {
            busyPollCount++;
        }
        credit -= messageCount + 1;         // Handlers may be slow: each message counts.
        if (credit < 0)
        {
            credit = POLLS_PER_CLOCK;
            workCount += housekeeping.housekeepIfDue();
        }
        return workCount;
    }

    /** Does what is not urgent now, because the owner is about to sleep. */
    public void housekeep()
    {
        credit = POLLS_PER_CLOCK;
        housekeeping.housekeep();
    }

    @Override
    public int doWork()
    {
        return poll(Integer.MAX_VALUE);
    }

    @Override
    public String roleName()
    {
        return name;
    }

    /** {@return the queues: the table that is polled} */
    public NotificationTable table()
    {
        return table;
    }

    /** {@return how often the loop polled} */
    public long pollCount()
    {
        return busyPollCount + emptyPollCount;
    }

    /** {@return how often it found nothing} */
    public long emptyPollCount()
    {
        return emptyPollCount;
    }
}
