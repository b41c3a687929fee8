// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.FrameReceiver;
import org.grim.GrimException;
import org.grim.buffer.Buffers;

/**
 * Frame window of a display: frames are shown one at a time, from a copy that their sender cannot change.
 * <p>Thread: the runner's; the copy also that of the display, during a job.
 */
final class DisplayWindow implements AutoCloseable
{
    final EndpointId owner;
    final FrameReceiver receiver;
    private final MutableDirectBuffer copy;
    private boolean isBusy;
    private boolean hasEnded;
    private long frameCount;
    private String failure;

    DisplayWindow(final EndpointId owner, final FrameReceiver receiver, final byte[] copy)
    {
        this.owner = owner;
        this.receiver = receiver;
        this.copy = Buffers.wrap(copy);
    }

    /** Takes the next frame; null if there is none, or the one before it is not shown yet. */
    DisplayJob poll()
    {
        if (isBusy)
        {
            return null;
        }
        try
        {
            if (!receiver.next())
            {
                return null;
            }
        }
        catch (final GrimException ex)          // The sender wrote a length that no frame has.
        {
            failure = ex.getMessage();
            isBusy = true;
            return null;
        }
        isBusy = true;
        final int length = receiver.length();
        copy.putBytes(0, receiver.buffer(), receiver.offset(), length);
        receiver.release();
        return new DisplayJob(null, this, copy, 0, length);
    }

    void onShown(final DisplayJob job)
    {
        isBusy = false;
        hasEnded |= job.isLast;
        frameCount += job.shown == null ? 0 : 1;
        failure = job.refusal == null ? failure : job.refusal.getMessage();
    }

    @Override
    public String toString()
    {
        return owner + " frames=" + frameCount + " ended=" + hasEnded + (failure == null ? "" : " failure=" + failure);
    }

    @Override
    public void close()
    {
        receiver.close();
    }
}
