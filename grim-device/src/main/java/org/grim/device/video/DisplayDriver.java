// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.MutableDirectBuffer;
import org.grim.EndpointId;
import org.grim.FrameReceiver;
import org.grim.GrimException;
import org.grim.MemoryRegion;
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

import static org.agrona.BitUtil.SIZE_OF_SHORT;

/**
 * Driver of a video display: two frame buffers that peers write, and frames from messages and frame windows; PNG files,
 * a frame buffer of the system and a web page show the picture. Options: {@code size}, {@code rate}, {@code png},
 * {@code frame-buffer}, {@code stride}, {@code web}, {@code bind}.
 * <p>Thread: the runner's; one of its own draws.
 * <p>Bounds: {@value #WINDOW_COUNT_MAX} windows; requests as the runner bounds them.
 */
public final class DisplayDriver implements DeviceDriver
{
    static final String BUFFERS = "display.buffers";
    static final String PRESENT = "display.present";
    static final String FLIP = "display.flip";
    static final String FRAME = "display.frame";
    /** Name of the handler that opens a window for frames. */
    public static final String WINDOW = "display.window";
    /** Name of the handler that answers with counts. */
    public static final String STATUS = "display.status";
    /** Name of the handler that answers with the last frames that were shown. */
    public static final String FRAMES = "display.frames";
    static final int AREA_LENGTH = 4 * SIZE_OF_SHORT;
    private static final int WINDOW_COUNT_MAX = 8;
    private static final int SLOT_COUNT_MAX = 64;
    private static final int FRAME_LENGTH_MAX = 1 << 28;
    private static final int SHOWN_COUNT_MAX = 1_024;
    private static final int SIDE_MAX = 8_192;
    private static final int RATE_MAX = 1_000;
    private static final String NO_WEB = "";

    private final Map<EndpointId, DisplayWindow> windows = new LinkedHashMap<>();
    private final MemoryRegion[] buffers = new MemoryRegion[2];
    private final List<DisplayJob> done = new ArrayList<>();
    private final Deque<String> shown = new ArrayDeque<>();
    private final List<DisplaySink> sinks = new ArrayList<>();
    private DeviceContext context;
    private Screen screen;
    private DisplayThread thread;
    private int front;
    private long refusedCount;

    /** Made by {@link java.util.ServiceLoader}. */
    public DisplayDriver()
    {
        // All is in open.
    }

    @Override
    public NodeInfo.Device kind()
    {
        return NodeInfo.Device.VIDEO_DISPLAY;
    }

    @Override
    public DeviceDescription open(final DeviceContext newContext) throws IOException
    {
        context = newContext;
        final DeviceOptions options = context.options();
        final VideoSize size = VideoSize.parse(options.text("size", "640x480"), SIDE_MAX);
        final int rate = options.number("rate", 0, 0, RATE_MAX);
        screen = new Screen(size.width(), size.height());
        final int port = openSinks(options);
        for (int i = 0; i < buffers.length; i++)
        {
            buffers[i] = context.register(screen.pixels.length, MemoryRegion.Rights.READ_WRITE);
        }
        thread = new DisplayThread(
            screen, sinks, rate == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / rate, context::wake);
        context.handle(BUFFERS, "answer: a1 width, a2 height; regions of the two frame buffers", this::onBuffers);
        context.handle(PRESENT, "a0 frame buffer; x, y, width, height u16, or nothing for all", this::onPresent);
        context.handle(FLIP, "answer: a1 frame buffer that may be written next", this::onFlip);
        context.handle(FRAME, "a video frame", request ->
        {
            request.keep();
            thread.submit(new DisplayJob(request, null, request.buffer(), request.offset(), request.length()));
        });
        context.handle(WINDOW, "a0 slots, a1 frame length; answer: region of the window", this::onWindow);
        context.handle(STATUS, "answer: lines NAME=VALUE, and one for each window", request ->
            request.answer(status()));
        context.handle(FRAMES, "answer: lines SOURCE NUMBER CRC-32 of the last frames", request ->
            request.answer(String.join("\n", shown)));
        thread.start();
        return new DeviceDescription("display", "1", Map.of("width", screen.width, "height", screen.height,
            "windows-max", WINDOW_COUNT_MAX, "port", port));
    }

    @Override
    public int doWork()
    {
        int workCount = 0;
        for (DisplayJob job = thread.poll(); job != null; job = thread.poll())
        {
            take(job);
            workCount++;
        }
        workCount += done.removeIf(DisplayDriver::isAnswered) ? 1 : 0;
        for (final DisplayWindow window : windows.values())
        {
            final DisplayJob job = window.poll();
            if (job != null)
            {
                thread.submit(job);
                workCount++;
            }
        }
        return workCount;
    }

    @Override
    public void onNodeGone(final NodeInfo node)
    {
        windows.values().removeIf(window ->
        {
            final boolean isGone = window.owner.node() == node.number();
            CloseHelper.close(isGone ? window : null);
            return isGone;
        });
    }

    @Override
    public void close()
    {
        CloseHelper.close(thread);
        CloseHelper.closeAll(sinks);
        windows.values().forEach(DisplayWindow::close);
        windows.clear();
    }

    /** Returns the port of the web page; 0 for none. */
    private int openSinks(final DeviceOptions options) throws IOException
    {
        final String png = options.text("png", "");
        final String frameBuffer = options.text("frame-buffer", "");
        final int stride = options.number("stride", 0, 0, Integer.MAX_VALUE);
        final boolean isWeb = !options.text("web", NO_WEB).isEmpty();
        final String bind = options.text("bind", "127.0.0.1");
        if (!png.isEmpty())
        {
            sinks.add(new PngSink(Path.of(png)));
        }
        if (!frameBuffer.isEmpty())
        {
            sinks.add(FrameBufferSink.open(Path.of(frameBuffer), stride, screen));
        }
        if (isWeb)
        {
            final WebSink web =
                new WebSink(screen, InetAddress.getByName(bind), options.number("web", 0, 0, 65_535));
            sinks.add(web);
            return web.port();
        }
        return 0;
    }

    private void take(final DisplayJob job)
    {
        refusedCount += job.refusal == null ? 0 : 1;
        if (job.shown != null)
        {
            shown.add(job.shown);
            if (shown.size() > SHOWN_COUNT_MAX)
            {
                shown.remove();
            }
        }
        if (job.window != null)
        {
            job.window.onShown(job);
        }
        else
        {
            done.add(job);
        }
    }

    private static boolean isAnswered(final DisplayJob job)
    {
        return job.refusal != null ? job.request.refuse(job.refusal) : job.request.answer(job.result, 0, null, 0, 0);
    }

    private void onBuffers(final DeviceRequest request)
    {
        final MutableDirectBuffer regions = Buffers.wrap(new byte[buffers.length * RemoteRegion.LENGTH]);
        for (int i = 0; i < buffers.length; i++)
        {
            buffers[i].remote().writeTo(regions, i * RemoteRegion.LENGTH);
        }
        request.answer(screen.width, screen.height, regions, 0, regions.capacity());
    }

    private void onPresent(final DeviceRequest request)
    {
        final int index = request.argument(0);
        if (index < 0 || index >= buffers.length)
        {
            throw new IllegalArgumentException("frame buffer=" + index + " is not 0 or 1");
        }
        final Screen.Area area = request.length() == 0 ? screen.whole() : area(request);
        show(request, index, area, index);
    }

    private Screen.Area area(final DeviceRequest request)
    {
        if (request.length() != AREA_LENGTH)
        {
            throw new IllegalArgumentException(
                "area of length=" + request.length() + " is not x, y, width, height: " + AREA_LENGTH + " bytes");
        }
        final Screen.Area area = new Screen.Area(u16(request, 0), u16(request, 1), u16(request, 2), u16(request, 3));
        if (area.width() == 0 || area.height() == 0 || area.x() + area.width() > screen.width ||
            area.y() + area.height() > screen.height)
        {
            throw new IllegalArgumentException(
                area + " is empty, or not within " + screen.width + "x" + screen.height);
        }
        return area;
    }

    private static int u16(final DeviceRequest request, final int index)
    {
        final DirectBuffer buffer = request.buffer();
        return buffer.getShort(request.offset() + index * SIZE_OF_SHORT, ByteOrder.LITTLE_ENDIAN) & 0xFFFF;
    }

    private void onFlip(final DeviceRequest request)
    {
        final int before = front;
        show(request, 1 - before, screen.whole(), before);
        front = 1 - before;
    }

    private void show(final DeviceRequest request, final int index, final Screen.Area area, final int result)
    {
        request.keep();
        thread.submit(new DisplayJob(request, buffers[index].buffer(), area, result));
    }

    /** An endpoint has one window: asking again closes the one before. */
    private void onWindow(final DeviceRequest request)
    {
        final int slots = request.argument(0);
        final int length = request.argument(1);
        final EndpointId owner = request.source().onChannel(0);
        if (slots < 1 || slots > SLOT_COUNT_MAX || length < VideoFrame.HEADER_LENGTH || length > FRAME_LENGTH_MAX)
        {
            throw new IllegalArgumentException("slots=" + slots + " or frame length=" + length + " is outside 1 to " +
                SLOT_COUNT_MAX + " and " + VideoFrame.HEADER_LENGTH + " to " + FRAME_LENGTH_MAX);
        }
        CloseHelper.close(windows.remove(owner));
        if (windows.size() == WINDOW_COUNT_MAX)
        {
            throw new DeviceException(DeviceCode.NO_ROOM, "windows=" + WINDOW_COUNT_MAX + " are all there can be");
        }
        final byte[] copy = new byte[length];           // Before anything else: the heap may have no room.
        final FrameReceiver receiver;
        try
        {
            receiver = context.device().memory().receiveFrames(slots, length);
        }
        catch (final GrimException ex)
        {
            throw new DeviceException(DeviceCode.NO_ROOM, ex.getMessage());
        }
        windows.put(owner, new DisplayWindow(request.source(), receiver, copy));
        final MutableDirectBuffer region = Buffers.wrap(new byte[RemoteRegion.LENGTH]);
        receiver.remote().writeTo(region, 0);
        request.answer(0, 0, region, 0, region.capacity());
    }

    private String status()
    {
        final StringBuilder text = new StringBuilder(128);
        text.append("size=").append(screen.width).append('x').append(screen.height).append("\npictures=")
            .append(screen.number()).append("\nrefused=").append(refusedCount).append('\n');
        final Collection<DisplayWindow> open = windows.values();
        open.forEach(window -> text.append("window=").append(window).append('\n'));
        return text.toString();
    }
}
