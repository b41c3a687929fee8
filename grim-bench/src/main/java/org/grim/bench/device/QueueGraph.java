// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Stages as one writes them without a library: a thread each, which copies what comes, between bounded queues.
 * <p>Thread: the owner's, which feeds the first queue and empties the last one.
 */
final class QueueGraph implements AutoCloseable
{
    private static final long LOOK_MS = 1;

    private final List<BlockingQueue<byte[]>> queues = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final int window;
    private final byte[] item;

    QueueGraph(final int stageCount, final int window, final int length)
    {
        this.window = window;
        item = new byte[length];
        for (int i = 0; i <= stageCount; i++)
        {
            queues.add(new ArrayBlockingQueue<>(window));
        }
        for (int i = 0; i < stageCount; i++)
        {
            final BlockingQueue<byte[]> from = queues.get(i);
            final BlockingQueue<byte[]> to = queues.get(i + 1);
            final Thread thread = new Thread(() -> copy(from, to), "stage-" + i);
            thread.setDaemon(true);
            thread.start();
            threads.add(thread);
        }
    }

    /** Has items go through all stages. */
    void run(final int count)
    {
        int sentCount = 0;
        int arrivedCount = 0;
        try
        {
            while (arrivedCount < count)
            {
                while (sentCount < count && sentCount - arrivedCount < window && queues.get(0).offer(item))
                {
                    sentCount++;
                }
                arrivedCount += queues.get(queues.size() - 1).poll(LOOK_MS, TimeUnit.MILLISECONDS) == null ? 0 : 1;
            }
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("nobody interrupts the thread that measures", ex);
        }
    }

    /** In turn into as many arrays as may be under way, and two more. */
    private void copy(final BlockingQueue<byte[]> from, final BlockingQueue<byte[]> to)
    {
        final byte[][] results = new byte[window + 2][item.length];
        try
        {
            for (int i = 0; true; i++)
            {
                final byte[] source = from.take();
                final byte[] result = results[i % results.length];
                System.arraycopy(source, 0, result, 0, source.length);
                to.put(result);
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();         // The graph is closed.
        }
    }

    @Override
    public void close()
    {
        threads.forEach(Thread::interrupt);
    }
}
