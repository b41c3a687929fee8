// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.nodes;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.agrona.CloseHelper;
import org.agrona.MutableDirectBuffer;
import org.grim.RejectReason;
import org.grim.loop.NotificationTable;
import org.grim.transport.ArrivalQueue;
import org.grim.transport.MessageSink;

/**
 * Queues to which nobody sends, and the table of a message loop over them. Each is a real one: for {@code null} in
 * private memory and for {@code shmem} in a mapped file, with a sender attached; for {@code myrinet} the arrival queue
 * of a channel of a board, with tail flags; {@code all} is these three together, each as often.
 * <p>Thread: one. Owns: the queues and their files.
 */
public final class SilentQueues implements AutoCloseable
{
    /** Queues of every kind at once. */
    public static final String ALL = "all";

    private static final List<String> INBOXES = List.of("null", "shmem");
    private static final String BOARD = "myrinet";
    private static final int BURST = 4096;
    private static final int DRAIN_LIMIT = 32;

    private final NotificationTable table = new NotificationTable(DRAIN_LIMIT, new int[0]);
    private final MessageSink sink = new NoSink();
    private final List<AutoCloseable> owned = new ArrayList<>();
    private long workCount;

    /** Makes the queues of a transport. */
    public SilentQueues(final String transport, final int queueCount, final Path base)
    {
        int wordCount = 0;
        for (final String kind : INBOXES)
        {
            if (transport.equals(kind) || transport.equals(ALL))
            {
                final SilentInbox inbox = new SilentInbox(queueCount, !"null".equals(kind), base);
                owned.add(inbox);
                inbox.attach(table);
                wordCount += queueCount + 1;        // An inbox's attach word is polled besides.
            }
        }
        if (transport.equals(BOARD) || transport.equals(ALL))
        {
            final SilentBoard board = new SilentBoard(queueCount, base);
            owned.add(board);
            board.attach(table);
            wordCount += queueCount;
        }
        table.poll(sink, Integer.MAX_VALUE);        // Attach words have changed: the receiver adopts the senders.
        if (table.count() != wordCount)
        {
            throw new IllegalStateException("polled words=" + table.count() + " expected=" + wordCount);
        }
    }

    /** {@return words that a poll looks at: one per queue, and one per inbox} */
    public int wordCount()
    {
        return table.count();
    }

    /** Polls. */
    public double measure(final long durationNs)
    {
        long pollCount = 0;
        final long startNs = System.nanoTime();
        long nowNs;
        do
        {
            burst();
            pollCount += BURST;
            nowNs = System.nanoTime();
        }
        while (nowNs - startNs < durationNs);
        if (workCount != 0)
        {
            throw new IllegalStateException("silent queues spoke: messages=" + workCount);
        }
        return (double)(nowNs - startNs) / pollCount;
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(owned);
    }

    private void burst()
    {
        for (int i = 0; i < BURST; i++)
        {
            workCount += table.poll(sink, Integer.MAX_VALUE);
        }
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
