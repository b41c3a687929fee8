// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.grim.FrameSender;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.RemoteRegion;
import org.grim.buffer.Buffers;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceContext;
import org.grim.device.DeviceDescription;
import org.grim.device.DeviceDriver;
import org.grim.device.DeviceException;
import org.grim.device.DeviceOptions;
import org.grim.device.DeviceRequest;
import org.grim.device.RequestTarget;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Driver of a video capture: frames of a test pattern, a file, a pipe or a child process go into answers and frame
 * windows. Options: {@code source}, {@code command}, {@code rate}, {@code frame-length-max}, and of the pattern {@code
 * size}, {@code format}, {@code frames}.
 * <p>Thread: the runner's; one of its own reads.
 * <p>Bounds: {@value #STREAM_COUNT_MAX} streams; requests as the runner bounds them.
 */
public final class CaptureDriver implements DeviceDriver
{
    static final String GRAB = "capture.grab";
    /** Name of the handler that sends frames into a window. */
    public static final String START = "capture.start";
    /** Name of the handler that ends this. */
    public static final String STOP = "capture.stop";
    static final String STATUS = "capture.status";
    private static final int STREAM_COUNT_MAX = 8;
    private static final int NEWEST = 1;
    private static final String TEST = "test";
    private static final int LENGTH_MAX = 1 << 28;
    private static final int RATE_MAX = 1_000;
    private static final long LAST_PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);

    private final Map<Integer, CaptureStream> streams = new LinkedHashMap<>();
    private final List<Grab> grabs = new ArrayList<>();
    private DeviceContext context;
    private CaptureThread thread;
    private CapturedFrame current;
    private String source;
    private String size = "unknown";
    private long capturedCount;
    private long beginNs;
    private boolean hasEnded;
    /** Begins anywhere: numbers from before a reset mean nothing. */
    private int lastNumber = ThreadLocalRandom.current().nextInt(1 << 30);

    /** A request that waits for a frame. */
    private record Grab(DeviceRequest request, RequestTarget target)
    {
    }

    /** Made by {@link java.util.ServiceLoader}. */
    public CaptureDriver()
    {
        // All is in open.
    }

    @Override
    public NodeInfo.Device kind()
    {
        return NodeInfo.Device.VIDEO_CAPTURE;
    }

    @Override
    public DeviceDescription open(final DeviceContext newContext) throws IOException
    {
        context = newContext;
        final DeviceOptions options = context.options();
        final String command = options.text("command", "");
        source = options.text("source", command.isEmpty() ? TEST : "");
        final int lengthMax = options.number("frame-length-max", 1 << 24, 1, LENGTH_MAX);
        final long rate = options.text("rate", "").isEmpty() ? -1 : options.number("rate", 0, 0, RATE_MAX);
        final long periodNs = rate <= 0 ? rate : TimeUnit.SECONDS.toNanos(1) / rate;
        final TestPattern pattern = pattern(options, lengthMax);
        if (!command.isEmpty() && !source.isEmpty())
        {
            throw new IllegalArgumentException("source=" + source + " and command=" + command + " exclude each other");
        }
        final CaptureInput input = !command.isEmpty() ? CaptureInput.ofCommand(command) :
            source.equals(TEST) ? null : CaptureInput.ofFile(source);
        source = command.isEmpty() ? source : command;
        thread = new CaptureThread(input, pattern, lengthMax, periodNs, context.device().id(), context::wake);
        context.handle(GRAB, "region, word, value u32, or nothing; answer: a1 bytes, and without a region the frame",
            this::onGrab);
        context.handle(START, "a0 most frames per 1,000 s or 0, a1 0 block or 1 newest, a2 frame length of " +
            "the window; region of the window; answer: a1 stream", this::onStart);
        context.handle(STOP, "a0 stream; answer: a1 frames sent, a2 dropped; lines NAME=VALUE", this::onStop);
        context.handle(STATUS, "answer: lines NAME=VALUE, and one for each stream", request ->
            request.answer(status()));
        thread.start();
        return new DeviceDescription("capture", "1", Map.of("source", source, "frame-length-max", lengthMax,
            "streams-max", STREAM_COUNT_MAX));
    }

    @Override
    public int doWork()
    {
        if (hasEnded)
        {
            return grabs.removeIf(CaptureDriver::isEnded) ? 1 : 0;
        }
        final boolean hasStreams = streams.values().stream().anyMatch(stream -> stream.failure() == null);
        if (hasStreams || !grabs.isEmpty())
        {
            thread.want(hasStreams ? CaptureThread.FRAME_COUNT : 1);
        }
        if (current == null)
        {
            final GrimException failure = thread.failure();
            current = thread.poll();
            if (current == null)
            {
                if (failure != null)
                {
                    throw failure;
                }
                return 0;
            }
            begin();
        }
        return deliver();
    }

    @Override
    public void onNodeGone(final NodeInfo node)
    {
        grabs.removeIf(grab -> grab.request.source().node() == node.number() && grab.request.refuse(
            new DeviceException(DeviceCode.ERROR, "node is gone")));
        streams.values().removeIf(stream ->
        {
            final boolean isGone = stream.owner.node() == node.number();
            CloseHelper.close(isGone ? stream : null);
            return isGone;
        });
    }

    @Override
    public void close()
    {
        CloseHelper.close(thread);
        streams.values().forEach(CaptureStream::close);
        streams.clear();
    }

    private static TestPattern pattern(final DeviceOptions options, final int lengthMax)
    {
        final VideoSize size = VideoSize.parse(options.text("size", "640x480"), VideoFrame.SIDE_MAX);
        final String format = options.text("format", "yuv_420");
        final int frames = options.number("frames", 0, 0, Integer.MAX_VALUE);
        for (final PixelFormat each : PixelFormat.values())
        {
            if (each.name().toLowerCase(Locale.ROOT).equals(format) && each != PixelFormat.JPEG)
            {
                return new TestPattern(each, size.width(), size.height(), frames, lengthMax);
            }
        }
        throw new IllegalArgumentException("option format=" + format + " is none of mono, yuv_420, yuv_422, yuv_444");
    }

    private void begin()
    {
        capturedCount += current.isLast() ? 0 : 1;
        size = current.describe();
        beginNs = System.nanoTime();
        streams.values().forEach(stream -> stream.begin(current));
    }

    /** Gives the frame to all who wait; a frame that newest streams alone hold up goes when the next one is there. */
    private int deliver()
    {
        int waitingCount = 0;
        boolean isHeld = false;
        for (final CaptureStream stream : streams.values())
        {
            if (!stream.offer(current))
            {
                waitingCount++;
                isHeld |= stream.isBlocking();
            }
        }
        final boolean isAnswering = grabs.removeIf(current.isLast() ? CaptureDriver::isEnded : this::isAnswered);
        isHeld |= !grabs.isEmpty();
        if (isHeld || (waitingCount > 0 && !isOutdated()))
        {
            return isAnswering ? 1 : 0;
        }
        streams.values().forEach(CaptureStream::drop);
        hasEnded = current.isLast();
        thread.free(current);
        current = null;
        return 1;
    }

    /** The end of the source outdates the last picture only after some time: there is no newer one. */
    private boolean isOutdated()
    {
        return thread.hasNext(System.nanoTime() - beginNs > LAST_PATIENCE_NS);
    }

    private static boolean isEnded(final Grab grab)
    {
        return grab.request.answer(DeviceCode.END, 0, 0, null, 0, 0);
    }

    private boolean isAnswered(final Grab grab)
    {
        final DeviceRequest request = grab.request;
        try
        {
            if (grab.target == null)
            {
                return request.answer(current.length(), 0, current.buffer(), 0, current.length());
            }
            if (grab.target.length() < current.length())
            {
                throw new DeviceException(DeviceCode.BAD_REQUEST, current.length(), "frame of length=" +
                    current.length() + " exceeds the region's length=" + grab.target.length());
            }
            return grab.target.write(current.buffer(), 0, current.length(), true) &&
                request.answer(current.length(), 0, null, 0, 0);
        }
        catch (final DeviceException ex)
        {
            return request.refuse(ex);
        }
    }

    private void onGrab(final DeviceRequest request)
    {
        final RequestTarget target = RequestTarget.readFrom(request, 0, VideoFrame.HEADER_LENGTH);
        request.keep();
        grabs.add(new Grab(request, target));
    }

    private void onStart(final DeviceRequest request)
    {
        final int rate = request.argument(0);
        final int policy = request.argument(1);
        if (rate < 0 || policy < 0 || policy > NEWEST)
        {
            throw new IllegalArgumentException("rate=" + rate + " or policy=" + policy + " is out of range");
        }
        if (streams.size() == STREAM_COUNT_MAX && !isAnyFailedEnded())
        {
            throw new DeviceException(DeviceCode.NO_ROOM, "streams=" + STREAM_COUNT_MAX + " are all there can be");
        }
        if (hasEnded)
        {
            request.answer(DeviceCode.END, 0, 0, null, 0, 0);
            return;
        }
        final RemoteRegion window = RemoteRegion.readFrom(request.buffer(), request.offset(), request.length());
        final FrameSender sender;
        try
        {
            sender = context.device().memory().sendFrames(window, request.argument(2));
        }
        catch (final GrimException ex)
        {
            throw new DeviceException(DeviceCode.ERROR, ex.getMessage());
        }
        lastNumber++;
        streams.put(lastNumber, new CaptureStream(request.source(), sender, policy == NEWEST,
            rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1_000) / rate));
        request.answer(lastNumber, 0, null, 0, 0);
    }

    /** Ends the first stream whose window is gone, whose counts nobody has asked for. Returns whether there was one. */
    private boolean isAnyFailedEnded()
    {
        for (final Map.Entry<Integer, CaptureStream> each : streams.entrySet())
        {
            if (each.getValue().failure() != null)
            {
                each.getValue().close();
                streams.remove(each.getKey());
                return true;
            }
        }
        return false;
    }

    private void onStop(final DeviceRequest request)
    {
        final CaptureStream stream = streams.remove(request.argument(0));
        if (stream == null)
        {
            throw new DeviceException(DeviceCode.NOT_FOUND, "stream=" + request.argument(0) + " is not there");
        }
        stream.drop();
        stream.close();
        if (stream.failure() != null)
        {
            throw new DeviceException(DeviceCode.ERROR, "stream=" + request.argument(0) + " has ended: " + stream);
        }
        final DirectBuffer counts = Buffers.wrap(("frames=" + stream.frameCount() + "\nleft-out=" +
            stream.leftOutCount() + "\n").getBytes(UTF_8));
        request.answer((int)stream.sentCount(), (int)stream.droppedCount(), counts, 0, counts.capacity());
    }

    private String status()
    {
        final StringBuilder text = new StringBuilder(128);
        text.append("source=").append(source).append("\nframes=").append(capturedCount).append("\nsize=").append(size)
            .append("\nended=").append(hasEnded).append('\n');
        streams.forEach((number, stream) ->
            text.append("stream=").append(number).append(' ').append(stream).append('\n'));
        return text.toString();
    }
}
