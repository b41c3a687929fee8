// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import org.grim.EndpointId;
import org.grim.FrameSender;
import org.grim.GrimException;
import org.grim.SendStatus;

/**
 * Frames of a capture that go into one frame window.
 * <p>Thread: the runner's.
 */
final class CaptureStream implements AutoCloseable
{
    final EndpointId owner;
    private final FrameSender sender;
    private final boolean isDropping;
    private final long periodNs;
    private long nextNs;
    private boolean isWaiting;
    private boolean isLast;
    private long frameCount;
    private long sentCount;
    private long droppedCount;
    private long leftOutCount;
    private String failure;

    /**
     * Begins with the next frame.
     *
     * @param isDropping whether a frame that finds no slot is dropped when the next one is there.
     * @param periodNs   least time from one frame to the next; 0 for all frames.
     */
    CaptureStream(final EndpointId owner, final FrameSender sender, final boolean isDropping, final long periodNs)
    {
        this.owner = owner;
        this.sender = sender;
        this.isDropping = isDropping;
        this.periodNs = periodNs;
    }

    /** Begins with a frame: leaves it out if it comes before its time. Half a period is no difference. */
    void begin(final CapturedFrame frame)
    {
        final boolean isDue = periodNs == 0 || sentCount + droppedCount == 0 ||
            frame.capturedNs() + periodNs / 2 - nextNs >= 0 || frame.isLast();
        isWaiting = isDue && failure == null;
        isLast = frame.isLast();
        frameCount += isLast ? 0 : 1;
        leftOutCount += isDue ? 0 : 1;
        if (isDue && periodNs > 0)
        {
            nextNs = (frame.capturedNs() - nextNs > periodNs / 2 ? frame.capturedNs() : nextNs) + periodNs;
        }
    }

    /** Returns whether it is done with the frame; false if there is no slot for it yet. */
    boolean offer(final CapturedFrame frame)
    {
        if (!isWaiting)
        {
            return true;
        }
        try
        {
            if (frame.length() > sender.frameLengthMax())
            {
                throw new IllegalArgumentException("frame of length=" + frame.length() +
                    " exceeds the window's frame length=" + sender.frameLengthMax());
            }
            final SendStatus status = sender.send(frame.buffer(), 0, frame.length());
            if (status == SendStatus.BACK_PRESSURED)
            {
                return false;
            }
            sentCount += status.isAccepted() ? 1 : 0;
            failure = status.isAccepted() ? null : "window is gone: " + status;
        }
        catch (final IllegalArgumentException | IllegalStateException | GrimException ex)
        {
            failure = ex.getMessage();
        }
        isWaiting = false;
        return true;
    }

    /** Returns whether the frame holds up those behind it. */
    boolean isBlocking()
    {
        return isWaiting && !isDropping;
    }

    /** Drops the frame if it has not been sent. */
    void drop()
    {
        droppedCount += isWaiting && !isLast ? 1 : 0;
        isWaiting = false;
    }

    /** Returns frames that were captured since the stream began, the end of the source not among them. */
    long frameCount()
    {
        return frameCount;
    }

    /** Returns frames that came before their time. */
    long leftOutCount()
    {
        return leftOutCount;
    }

    long sentCount()
    {
        return sentCount;
    }

    long droppedCount()
    {
        return droppedCount;
    }

    /** Returns why nothing is sent any more; null if it is. */
    String failure()
    {
        return failure;
    }

    @Override
    public String toString()
    {
        return "sent=" + sentCount + " dropped=" + droppedCount + " left-out=" + leftOutCount +
            (failure == null ? "" : " failure=" + failure);
    }

    @Override
    public void close()
    {
        sender.close();
    }
}
