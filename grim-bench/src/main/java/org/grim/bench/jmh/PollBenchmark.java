// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.jmh;

import java.nio.file.Path;

import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;
import org.grim.loop.NotificationTable;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.TearDown;

/**
 * What a poll of silent queues costs, in ns per poll. Each queue is a real one: for {@code null} in private memory and
 * for {@code shmem} in a mapped file, with a sender attached; for {@code myrinet} the arrival queue of a channel of a
 * board, with tail flags; {@code all} is these three together, each as often. An inbox's attach word is polled besides;
 * see {@link #wordCount(String, int)}.
 */
public class PollBenchmark extends NanosecondBenchmark
{
    /** Queues of every kind at once. */
    static final String ALL = "all";
    /** Kinds of queues, in the order of the columns. */
    static final String[] KINDS = {"null", "shmem", "myrinet"};

    private static final int DRAIN_LIMIT = 32;
    private static final int INBOX_WORDS_BESIDES = 1;

    /** Silent queues, of each kind. */
    @Param({"1", "2", "4", "8", "16", "64"})
    public int queues;

    /** Whose they are: {@code null}, {@code shmem}, {@code myrinet}, or {@code all}. */
    @Param({"null", "shmem", "myrinet", ALL})
    public String transport;

    /** Where files are made; null for the usual place. */
    Path base;

    private final NotificationTable table = new NotificationTable(DRAIN_LIMIT, new int[0]);
    private final MessageSink sink = new NoSink();
    private SilentInbox privateInbox;
    private SilentInbox mappedInbox;
    private SilentBoard board;

    /** Made by JMH. */
    public PollBenchmark()
    {
        // Fields are filled in by JMH and setUp().
    }

    /**
     * Words that a poll looks at.
     *
     * @param transport  as of {@link #transport}.
     * @param queueCount silent queues of each kind.
     * @return the count.
     */
    public static int wordCount(final String transport, final int queueCount)
    {
        return switch (transport)
        {
            case "myrinet" -> queueCount;
            case ALL -> KINDS.length * queueCount + 2 * INBOX_WORDS_BESIDES;
            default -> queueCount + INBOX_WORDS_BESIDES;
        };
    }

    /** Makes the queues and attaches the senders. */
    @Setup
    public void setUp()
    {
        if (has("null"))
        {
            privateInbox = new SilentInbox(queues, false, base);
            privateInbox.attach(table);
        }
        if (has("shmem"))
        {
            mappedInbox = new SilentInbox(queues, true, base);
            mappedInbox.attach(table);
        }
        if (has("myrinet"))
        {
            board = new SilentBoard(queues, base);
            board.attach(table);
        }
        poll();                             // Attach words have changed: the receiver adopts the senders.
        if (table.count() != wordCount(transport, queues))
        {
            throw new IllegalStateException("polled words=" + table.count() + " expected=" +
                wordCount(transport, queues));
        }
    }

    /** Removes the files. */
    @TearDown
    public void tearDown()
    {
        if (privateInbox != null)
        {
            privateInbox.close();
        }
        if (mappedInbox != null)
        {
            mappedInbox.close();
        }
        if (board != null)
        {
            board.close();
        }
    }

    /**
     * One look at every queue.
     *
     * @return messages: none.
     */
    @Benchmark
    public int poll()
    {
        return table.poll(sink, Integer.MAX_VALUE);
    }

    private boolean has(final String kind)
    {
        return transport.equals(kind) || transport.equals(ALL);
    }

    /** Nothing ever comes. */
    private static final class NoSink implements MessageSink
    {
        @Override
        public void onMessage(
            final long first, final long second, final MutableDirectBuffer buffer, final int headerOffset,
            final int payloadOffset, final int payloadLength)
        {
            throw new IllegalStateException("a silent queue spoke: length=" + payloadLength);
        }

        @Override
        public void onReject(final RejectReason reason, final ArrivalQueue queue)
        {
            throw new IllegalStateException("a silent queue was refused: " + reason);
        }
    }
}
