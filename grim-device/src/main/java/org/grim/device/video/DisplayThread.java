// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.buffer.MappedFile;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;

/**
 * Thread that draws, and has the sinks show what was drawn, at most at the display's rate.
 * <p>Thread: the runner's.
 * <p>Bounds: as many jobs as requests are kept, and one for each window.
 */
final class DisplayThread implements AutoCloseable
{
    private static final DisplayJob END = new DisplayJob(null, null, null, 0);
    private static final long PAUSE_NS_MAX = TimeUnit.MILLISECONDS.toNanos(20);

    private final BlockingQueue<DisplayJob> jobs = new LinkedBlockingQueue<>();
    private final Queue<DisplayJob> completions = new ConcurrentLinkedQueue<>();
    private final Thread thread = new Thread(this::work, "grim-display");
    private final Screen screen;
    private final List<DisplaySink> sinks;
    private final long periodNs;
    private final Runnable wake;
    private long nextNs = System.nanoTime();
    private volatile boolean isClosed;

    /** Starts the thread. */
    DisplayThread(final Screen screen, final List<DisplaySink> sinks, final long periodNs, final Runnable wake)
    {
        this.screen = screen;
        this.sinks = sinks;
        this.periodNs = periodNs;
        this.wake = wake;
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    void submit(final DisplayJob job)
    {
        jobs.add(job);
    }

    /** Returns a job that was done; null if there is none. */
    DisplayJob poll()
    {
        return completions.poll();
    }

    /** Ends the thread behind the job that it is at. */
    @Override
    public void close()
    {
        isClosed = true;
        jobs.clear();
        jobs.add(END);
        if (thread.isAlive())
        {
            Uninterrupted.join(thread);
        }
    }

    private void work()
    {
        for (DisplayJob job = take(); job != END; job = take())
        {
            run(job);
            completions.add(job);
            wake.run();
        }
    }

    private DisplayJob take()
    {
        try
        {
            return jobs.take();
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException("the thread of a display was interrupted", ex);
        }
    }

    private void run(final DisplayJob job)
    {
        try
        {
            keepTime();
            show(job);
        }
        catch (final GrimException | IllegalArgumentException ex)
        {
            job.refusal = new DeviceException(DeviceCode.BAD_REQUEST, ex.getMessage());
        }
        catch (final IOException ex)
        {
            job.refusal = new DeviceException(DeviceCode.ERROR, MappedFile.describe(ex));
        }
        catch (final RuntimeException | Error ex)       // A full heap, for example: the thread goes on.
        {
            job.refusal = new DeviceException(DeviceCode.ERROR, ex.toString());
        }
    }

    private void show(final DisplayJob job) throws IOException
    {
        Screen.Area changed = job.area;
        if (changed == null)
        {
            final VideoFrame frame = new VideoFrame().wrap(job.buffer, job.offset, job.length);
            job.isLast = frame.isLast();
            if (job.isLast)
            {
                return;
            }
            changed = screen.draw(frame);
            job.shown = frame.sourceKey() + " " + frame.number() + " " + Long.toHexString(frame.checksum());
        }
        else
        {
            screen.copy(job.buffer, changed);
        }
        for (final DisplaySink sink : sinks)
        {
            sink.show(screen, changed);
        }
    }

    private void keepTime()
    {
        long nowNs = System.nanoTime();
        while (periodNs > 0 && nextNs - nowNs > 0 && !isClosed)
        {
            Uninterrupted.park(Math.min(nextNs - nowNs, PAUSE_NS_MAX));
            nowNs = System.nanoTime();
        }
        nextNs = nowNs + periodNs;
    }
}
