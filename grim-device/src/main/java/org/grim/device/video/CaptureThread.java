// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

import org.grim.EndpointId;
import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;

/**
 * Thread that reads frames, each into one that the runner has asked for, and keeps the source's time.
 * <p>Thread: the runner's.
 * <p>Bounds: {@value #FRAME_COUNT} frames: one is sent, one is ready, one is read.
 */
final class CaptureThread implements AutoCloseable
{
    static final int FRAME_COUNT = 3;
    private static final CapturedFrame END = new CapturedFrame();
    private static final long END_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final BlockingQueue<CapturedFrame> free = new ArrayBlockingQueue<>(FRAME_COUNT + 1);
    private final BlockingQueue<CapturedFrame> wanted = new ArrayBlockingQueue<>(FRAME_COUNT + 1);
    private final BlockingQueue<CapturedFrame> ready = new ArrayBlockingQueue<>(FRAME_COUNT);
    private final CaptureInput input;
    private final TestPattern pattern;
    private final int lengthMax;
    private final long periodNs;
    private final EndpointId device;
    private final Runnable wake;
    private final Thread thread = new Thread(this::work, "grim-capture");
    private final long epochNs = TimeUnit.MILLISECONDS.toNanos(System.currentTimeMillis()) - System.nanoTime();
    private long number;
    private long nextNs = System.nanoTime();
    private volatile GrimException failure;
    private volatile boolean isClosed;

    /**
     * Starts nothing yet.
     *
     * @param input    null for the pattern.
     * @param pattern  null for the input.
     * @param periodNs from one frame to the next; 0 for none; -1 for that of the source.
     * @param device   source of the frames.
     * @param wake     has the runner look.
     */
    CaptureThread(
        final CaptureInput input, final TestPattern pattern, final int lengthMax, final long periodNs,
        final EndpointId device, final Runnable wake)
    {
        this.input = input;
        this.pattern = pattern;
        this.lengthMax = lengthMax;
        this.periodNs = periodNs;
        this.device = device;
        this.wake = wake;
        for (int i = 0; i < FRAME_COUNT; i++)
        {
            free.add(new CapturedFrame());
        }
        thread.setDaemon(true);
    }

    void start()
    {
        thread.start();
    }

    /** Has a frame read, if as many as said are not under way already. */
    void want(final int countMax)
    {
        while (FRAME_COUNT - free.size() < countMax)
        {
            wanted.add(free.remove());
        }
    }

    /** Returns the next frame; null if it is not there yet. */
    CapturedFrame poll()
    {
        return ready.poll();
    }

    /** Returns whether another picture is ready, or, if that is asked for, the end of the source. */
    boolean hasNext(final boolean orEnd)
    {
        final CapturedFrame next = ready.peek();
        return next != null && (orEnd || !next.isLast());
    }

    /** Returns a frame that was sent. */
    void free(final CapturedFrame frame)
    {
        free.add(frame);
    }

    /** Returns why no frame comes behind those that are ready; null if some do, or the source has ended. */
    GrimException failure()
    {
        return failure;
    }

    /**
     * Ends a child, and the thread. Leaves the thread to itself if another process keeps the child's output open; it
     * uses no request.
     */
    @Override
    public void close()
    {
        isClosed = true;
        if (input != null)
        {
            input.close();
        }
        wanted.add(END);
        final long startNs = System.nanoTime();
        while (thread.isAlive() && System.nanoTime() - startNs < END_TIMEOUT_NS)
        {
            Uninterrupted.park(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    private void work()
    {
        try
        {
            run(input == null ? pattern : input.frames(lengthMax));
        }
        catch (final IOException ex)
        {
            failure = isClosed ? null : explain(ex.getMessage(), ex);
        }
        catch (final RuntimeException | Error ex)       // A full heap, for example.
        {
            failure = explain(ex.toString(), ex);
        }
        wake.run();
    }

    private void run(final FrameSource source) throws IOException
    {
        CapturedFrame last = null;
        for (CapturedFrame frame = take(); frame != END; frame = take())
        {
            final boolean isThere = source.read(frame);
            if (!isThere && last == null)
            {
                throw new IOException("is not there: the source has no frames");
            }
            if (!isThere)
            {
                requireChildSuccess();
                frame.endAfter(last);
            }
            else
            {
                keepTime(source);
            }
            frame.finish(number, epochNs + System.nanoTime(), device);
            last = frame;
            number++;
            ready.add(frame);
            wake.run();
            if (!isThere)
            {
                return;
            }
        }
    }

    private CapturedFrame take() throws IOException
    {
        try
        {
            return wanted.take();
        }
        catch (final InterruptedException ex)
        {
            throw new IOException("the thread of a capture was interrupted", ex);
        }
    }

    /** A frame that is late makes the next ones late, too. */
    private void keepTime(final FrameSource source)
    {
        final boolean hasTime = input == null || input.isFile();
        final long stepNs = periodNs >= 0 ? periodNs : hasTime ? source.periodNs() : 0;
        long nowNs = System.nanoTime();
        while (stepNs > 0 && nextNs - nowNs > 0 && !isClosed)
        {
            Uninterrupted.park(Math.min(nextNs - nowNs, TimeUnit.MILLISECONDS.toNanos(20)));
            nowNs = System.nanoTime();
        }
        nextNs = Math.max(nextNs, nowNs - stepNs) + stepNs;
    }

    private void requireChildSuccess() throws IOException
    {
        final String text = input == null ? null : input.childFailure();
        if (text != null)
        {
            throw new IOException(text);
        }
    }

    /** A child that failed explains the frame that it did not finish. */
    private GrimException explain(final String text, final Throwable cause)
    {
        final String source = input == null ? "source=test" : input.name();
        String reason = ": frame=" + number + " " + text;
        try
        {
            requireChildSuccess();
        }
        catch (final IOException ex)
        {
            reason = " " + ex.getMessage() + " at frame=" + number;
        }
        return new GrimException(GrimException.Reason.UNAVAILABLE, source + reason, cause);
    }
}
