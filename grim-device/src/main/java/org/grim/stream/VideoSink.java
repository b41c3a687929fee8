// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.util.concurrent.TimeUnit;

import org.agrona.DirectBuffer;
import org.grim.FrameSender;
import org.grim.GrimException;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceClient;
import org.grim.device.video.DisplayDriver;

/**
 * Sink of a connection whose results are video frames: shows each on a display of the same node.
 * <p>Thread: the one that polls the streams and owns the client's endpoint. The display has another one.
 * <p>Owns: its end of the display's window, until {@link #close()}.
 * <p>Bounds: a frame that finds no free slot waits {@value #ROOM_TIMEOUT_S} s at most, and holds up the stream.
 */
public final class VideoSink implements SinkHandler, AutoCloseable
{
    private static final long ROOM_TIMEOUT_S = 10;
    private static final long PAUSE_NS = TimeUnit.MICROSECONDS.toNanos(50);

    private final FrameSender sender;
    private long shown;

    /**
     * Opens a window of a display.
     *
     * @param display     to ask.
     * @param slotCount   frames that the window holds.
     * @param frameLength most bytes of a frame, with its header.
     * @throws GrimException                       if the display does not answer.
     * @throws org.grim.device.DeviceException if the display has no room for the window.
     */
    public VideoSink(final DeviceClient display, final int slotCount, final int frameLength)
    {
        final Reply reply =
            display.call(display.handler(DisplayDriver.WINDOW), slotCount, frameLength, 0, null, 0, 0);
        sender = display.endpoint().memory().sendFrames(
            RemoteRegion.readFrom(reply.buffer(), 0, reply.length()), frameLength);
    }

    /**
     * Sends a frame to the display.
     *
     * @throws GrimException if the display takes none for {@value #ROOM_TIMEOUT_S} s, or has closed its window: the
     *                       item has failed.
     */
    @Override
    public void onItem(final long sequence, final DirectBuffer buffer, final int offset, final int length)
    {
        final long startNs = System.nanoTime();
        SendStatus status = sender.send(buffer, offset, length);
        while (status == SendStatus.BACK_PRESSURED &&
            System.nanoTime() - startNs < TimeUnit.SECONDS.toNanos(ROOM_TIMEOUT_S))
        {
            Uninterrupted.park(PAUSE_NS);
            status = sender.send(buffer, offset, length);
        }
        if (!status.isAccepted())
        {
            throw new GrimException(GrimException.Reason.UNAVAILABLE,
                "display takes no frame: status=" + status + " of sequence=" + sequence);
        }
        shown++;
    }

    /** {@return frames that the display has taken} */
    public long shownCount()
    {
        return shown;
    }

    @Override
    public void close()
    {
        sender.close();
    }
}
