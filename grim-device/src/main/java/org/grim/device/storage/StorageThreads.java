// SPDX-License-Identifier: Apache-2.0
package org.grim.device.storage;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;

import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;

/**
 * The threads of a store that read and write files. Jobs of one thread are done in order.
 * <p>Thread: the runner's.
 * <p>Bounds: each queue, and that of the completions, holds as many jobs as there can be.
 */
final class StorageThreads implements AutoCloseable
{
    private static final StorageJob END = new StorageJob(null, null, job ->
    {
        // The last job of a thread.
    });

    private final List<BlockingQueue<StorageJob>> queues = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final Queue<StorageJob> completions;
    private final Runnable wake;

    /**
     * Starts the threads.
     *
     * @param threadCount threads.
     * @param jobCountMax jobs that can be under way.
     * @param wake        has the runner look at the completions.
     */
    StorageThreads(final int threadCount, final int jobCountMax, final Runnable wake)
    {
        this.wake = wake;
        completions = new ArrayBlockingQueue<>(jobCountMax);
        for (int i = 0; i < threadCount; i++)
        {
            final BlockingQueue<StorageJob> queue = new ArrayBlockingQueue<>(jobCountMax + 1);
            final Thread thread = new Thread(() -> work(queue), "grim-storage-" + i);
            thread.setDaemon(true);
            queues.add(queue);
            threads.add(thread);
            thread.start();
        }
    }

    int count()
    {
        return threads.size();
    }

    void submit(final int thread, final StorageJob job)
    {
        queues.get(thread).add(job);
    }

    /** Returns a job that was done; null if there is none. */
    StorageJob poll()
    {
        return completions.poll();
    }

    /** Ends the threads behind the jobs that they are at; later ones are not done. */
    @Override
    public void close()
    {
        queues.forEach(BlockingQueue::clear);
        queues.forEach(queue -> queue.add(END));
        threads.forEach(Uninterrupted::join);
    }

    private void work(final BlockingQueue<StorageJob> queue)
    {
        StorageJob job = take(queue);
        while (job != END)
        {
            run(job);
            completions.add(job);
            wake.run();
            job = take(queue);
        }
    }

    private static StorageJob take(final BlockingQueue<StorageJob> queue)
    {
        try
        {
            return queue.take();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("a thread of a store was interrupted", ex);
        }
    }

    private static void run(final StorageJob job)
    {
        try
        {
            job.work.run(job);
        }
        catch (final DeviceException ex)
        {
            job.refusal = ex;
        }
        catch (final IOException ex)
        {
            job.refusal = refusal(ex, job.result);
        }
        catch (final RuntimeException | Error ex)       // A full heap, for example: the thread goes on.
        {
            job.refusal = new DeviceException(DeviceCode.ERROR, job.result, ex.toString());
        }
    }

    private static DeviceException refusal(final IOException error, final int doneLength)
    {
        final String text = String.valueOf(error.getMessage()).toLowerCase(Locale.ROOT);
        final boolean isFull = text.contains("no space left") || text.contains("quota");
        return new DeviceException(isFull ? DeviceCode.NO_ROOM :
            error instanceof NoSuchFileException ? DeviceCode.NOT_FOUND : DeviceCode.ERROR, doneLength,
            MappedFile.describe(error) + (doneLength > 0 ? " after bytes=" + doneLength : ""));
    }
}
