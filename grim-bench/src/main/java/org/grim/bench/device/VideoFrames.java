// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.FrameReceiver;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.RemoteRegion;
import org.grim.bench.groups.GroupRow;
import org.grim.device.DeviceClient;
import org.grim.device.video.VideoFrame;

/**
 * Frames of the test pattern of a capture device in another process: how long one takes beside as many bytes through a
 * pipe, and what share of a core the device needs at 30 frames per second.
 * <p>Thread: one, the owner's of the host endpoint. Owns: the process and all files.
 */
public final class VideoFrames implements AutoCloseable
{
    private static final String[] SIZES = {"640x480", "1920x1080"};
    private static final String CAPTURE = "capture";
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final int SLOT_COUNT = 4;
    private static final int RATE = 30;

    private final Sides sides;
    private final FrameReceiver frames;
    private final int length;

    private VideoFrames(final Path base, final String size, final int rate)
    {
        length = VideoFrame.HEADER_LENGTH + pixels(size) * 3 / 2;
        sides = new Sides(base);
        FrameReceiver receiver = null;
        boolean isStarted = false;
        try
        {
            sides.grim.start();
            sides.start(CAPTURE, NodeInfo.Device.VIDEO_CAPTURE,
                Map.of("size", size, "rate", Integer.toString(rate)), false);
            sides.await();
            receiver = sides.grim.endpoint().memory().receiveFrames(SLOT_COUNT, length);
            final UnsafeBuffer window = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
            receiver.remote().writeTo(window, 0);
            final DeviceClient capture = new DeviceClient(sides.grim, sides.device(CAPTURE), PATIENCE);
            capture.call(capture.handler("capture.start"), 0, 0, length, window, 0, RemoteRegion.LENGTH);
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                CloseHelper.closeAll(receiver, sides);
            }
        }
        frames = receiver;
    }

    /**
     * Measures frames of 640x480 and 1920x1080.
     *
     * @param base       directory for files; null for shared memory.
     * @param rounds     that count.
     * @param durationNs of each operation in a round.
     * @return a row for the time of a frame, and one for the share of a core, of each size.
     * @throws IOException if there is no pipe.
     */
    public static List<GroupRow> measure(final Path base, final int rounds, final long durationNs) throws IOException
    {
        final List<GroupRow> rows = new ArrayList<>();
        for (final String size : SIZES)
        {
            try (VideoFrames video = new VideoFrames(base, size, 0); Pipe pipe = new Pipe(video.length))
            {
                rows.addAll(Turns.measure(List.of(new Turns.Pair("frame, " + size, video.length, video::receive,
                    "pipe", pipe::read)), rounds, durationNs));
            }
            try (VideoFrames video = new VideoFrames(base, size, RATE))
            {
                rows.add(video.measureShare("frames of " + size + ", 30 per second: CPU", rounds));
            }
        }
        return rows;
    }

    private static int pixels(final String size)
    {
        final int at = size.indexOf('x');
        return Integer.parseInt(size.substring(0, at)) * Integer.parseInt(size.substring(at + 1));
    }

    /** The ratio is the share of a core. */
    private GroupRow measureShare(final String name, final int rounds)
    {
        final double[] cpu = new double[rounds];
        final double[] elapsed = new double[rounds];
        receive(RATE);
        for (int round = 0; round < rounds; round++)
        {
            final long startNs = System.nanoTime();
            final Duration before = cpuTime();
            receive(RATE);
            cpu[round] = Math.max(1, cpuTime().minus(before).toNanos() / (double)RATE);
            elapsed[round] = (System.nanoTime() - startNs) / (double)RATE;
        }
        return GroupRow.of(name, 2, length, cpu, "time", elapsed);
    }

    private Duration cpuTime()
    {
        return ProcessHandle.of(sides.process(CAPTURE)).flatMap(process -> process.info().totalCpuDuration())
            .orElseThrow(() -> new GrimException(
                GrimException.Reason.NOT_FOUND, "the system does not say how long a process has run"));
    }

    private void receive(final int count)
    {
        final long deadlineNs = System.nanoTime() + PATIENCE.toNanos() + TimeUnit.SECONDS.toNanos(count);
        final IdleStrategy idle = sides.grim.endpoint().idleStrategy();
        int receivedCount = 0;
        while (receivedCount < count)
        {
            idle.idle(sides.grim.endpoint().poll());
            while (receivedCount < count && frames.next())
            {
                receivedCount++;
                if (frames.length() != length)
                {
                    throw new GrimException(
                        GrimException.Reason.BAD_DATA, "frame of bytes=" + frames.length() + ", not " + length);
                }
                frames.release();
            }
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new GrimException(GrimException.Reason.TIMED_OUT, "frames=" + receivedCount + " of " + count);
            }
        }
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(frames, sides);
    }

    /** A program that writes zeros into a pipe. */
    private static final class Pipe implements AutoCloseable
    {
        private final Process process;
        private final InputStream input;
        private final byte[] frame;

        Pipe(final int length) throws IOException
        {
            process = new ProcessBuilder("cat", "/dev/zero").start();
            input = process.getInputStream();
            frame = new byte[length];
        }

        void read(final int count)
        {
            try
            {
                for (int i = 0; i < count; i++)
                {
                    if (input.readNBytes(frame, 0, frame.length) < frame.length)
                    {
                        throw new EOFException("the pipe has ended");
                    }
                }
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }

        @Override
        public void close()
        {
            process.destroyForcibly();
        }
    }
}
