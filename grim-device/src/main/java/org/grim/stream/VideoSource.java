// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.FrameReceiver;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.device.DeviceClient;
import org.grim.device.video.CaptureDriver;
import org.grim.device.video.VideoFrame;

/**
 * Source of a connection whose items are the frames of a video capture. The capture writes them into a frame window of
 * this node, and they are injected from there.
 * <p>Thread: the one that polls the streams and owns the client's endpoint.
 * <p>Owns: the window and the capture's stream, until {@link #close()}.
 */
public final class VideoSource implements AutoCloseable
{
    private static final int NEWEST = 1;
    private static final long ARRIVAL_TIMEOUT_NS = TimeUnit.SECONDS.toNanos(5);

    private final DeviceClient capture;
    private final Connection connection;
    private final FrameReceiver window;
    private final int stream;
    private final boolean isNewest;
    private final VideoFrame frame = new VideoFrame();
    private int offset;
    private int length;
    private boolean isHeld;
    private boolean hasEnded;
    private boolean isClosed;
    private long arrived;
    private long dropped;

    /**
     * Counts of a source's frames. Immutable.
     *
     * @param captured         frames of the capture since the source began.
     * @param leftOut          of them those that came before their time: a stream may have a rate of its own.
     * @param droppedAtCapture of them those that found no slot in the window.
     * @param arrived          frames that came here.
     * @param dropped          of them those that a newer one has replaced before they were injected, and those that
     *                         stood in the window at the end.
     */
    public record Frames(long captured, long leftOut, long droppedAtCapture, long arrived, long dropped)
    {
        /** {@return frames that the capture has sent, and that did not come} */
        public long missing()
        {
            return captured - leftOut - droppedAtCapture - arrived;
        }
    }

    /**
     * Has a capture send its frames here.
     *
     * @param capture     to ask.
     * @param connection  that gets the frames.
     * @param slotCount   frames that the window holds.
     * @param frameLength most bytes of a frame, with its header.
     * @param isNewest    whether a frame that cannot be injected is dropped when a newer one is there. Otherwise frames
     *                    wait, and then the capture.
     * @throws org.grim.GrimException              if there is no memory for the window, or the capture does not answer.
     * @throws org.grim.device.DeviceException if the capture refuses, because its source has ended, for example.
     */
    public VideoSource(
        final DeviceClient capture, final Connection connection, final int slotCount, final int frameLength,
        final boolean isNewest)
    {
        this.capture = capture;
        this.connection = connection;
        this.isNewest = isNewest;
        window = capture.endpoint().memory().receiveFrames(slotCount, frameLength);
        try
        {
            final UnsafeBuffer region = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
            window.remote().writeTo(region, 0);
            stream = capture.call(capture.handler(CaptureDriver.START), 0, isNewest ? NEWEST : 0, frameLength, region,
                0, region.capacity()).argument(1);
        }
        catch (final RuntimeException ex)
        {
            window.close();
            throw ex;
        }
    }

    /**
     * Injects the next frame, if one is there and the connection has room.
     *
     * @return pieces of work done; 0 means idle.
     * @throws org.grim.GrimException if the window has bytes that are no frame.
     */
    public int step()
    {
        if (isClosed || (!isHeld && !take()))
        {
            return 0;
        }
        final SendStatus status = connection.inject(window.buffer(), offset, length);
        if (status.isAccepted())
        {
            release();
            return 1;
        }
        if (isNewest && !hasEnded && window.next())
        {
            dropped++;
            window.release();               // The older of the two that are held.
            take(window.offset(), window.length());
            return 1;
        }
        return 0;
    }

    /** {@return frames that have come} */
    public long arrivedCount()
    {
        return arrived;
    }

    /** {@return whether all frames of the capture's source were injected} */
    public boolean hasEnded()
    {
        return hasEnded && !isHeld;
    }

    /**
     * Ends the capture's stream, and says what became of its frames: those that are still in the window are dropped.
     * Polls the client's endpoint meanwhile.
     *
     * @return counts of the frames.
     * @throws org.grim.GrimException              if the capture does not answer.
     * @throws org.grim.device.DeviceException if the capture has ended the stream before: the text says why.
     */
    public Frames stop()
    {
        final Reply reply = capture.call(capture.handler(CaptureDriver.STOP), stream, 0, 0, null, 0, 0);
        final String text = reply.text();
        final long captured = count(text, "frames=");
        final long leftOut = count(text, "left-out=");
        final long droppedAtCapture = reply.argument(2);
        final long startNs = System.nanoTime();
        while (isHeld || take() ||
            (arrived + leftOut + droppedAtCapture < captured && System.nanoTime() - startNs < ARRIVAL_TIMEOUT_NS))
        {
            if (isHeld)
            {
                dropped++;
                release();
            }
            capture.endpoint().poll();              // What was sent last may be under way.
        }
        close();
        return new Frames(captured, leftOut, droppedAtCapture, arrived, dropped);
    }

    /** Frees the window. The capture's stream ends when it finds that out. Does nothing the second time. */
    @Override
    public void close()
    {
        if (!isClosed)
        {
            isClosed = true;
            window.close();
        }
    }

    private boolean take()
    {
        if (hasEnded || !window.next())
        {
            return false;
        }
        take(window.offset(), window.length());
        return isHeld;
    }

    private void take(final int newOffset, final int newLength)
    {
        offset = newOffset;
        length = newLength;
        hasEnded = frame.wrap(window.buffer(), offset, length).isLast();
        isHeld = !hasEnded;
        arrived += hasEnded ? 0 : 1;
    }

    private void release()
    {
        isHeld = false;
        window.release();
    }

    private static long count(final String text, final String name)
    {
        return text.lines().filter(line -> line.startsWith(name)).mapToLong(line ->
            Long.parseLong(line.substring(name.length()))).findFirst().orElse(0);
    }
}
