// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.awt.image.BufferedImage;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;
import javax.imageio.ImageIO;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.device.DeviceClient;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A capture and a display in processes of their own; the test's process starts the stream, and no frame passes it. */
@Tag("process")
@Timeout(600)
final class VideoProcessIT
{
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final PixelFormat FORMAT = PixelFormat.YUV_420;
    private static final int WIDTH = 320;
    private static final int HEIGHT = 240;
    private static final int FRAME_LENGTH = VideoFrame.HEADER_LENGTH + WIDTH * HEIGHT * 3 / 2;
    private static final String SIZE = "size=" + WIDTH + "x" + HEIGHT;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

    @TempDir
    private Path files;
    private final Path clusters = ShmDirectory.create();
    private final List<PeerJvm> processes = new ArrayList<>();
    private Grim grim;

    @BeforeEach
    void join()
    {
        grim = Grim.enable(VideoMain.config(clusters, "client"));
    }

    @AfterEach
    void deleteClusters()
    {
        processes.forEach(PeerJvm::close);
        grim.close();
        ShmDirectory.delete(clusters);
    }

    private PeerJvm serve(final String node, final NodeInfo.Device kind, final String... options)
    {
        final List<String> arguments = new ArrayList<>(List.of(clusters.toString(), node, kind.label()));
        arguments.addAll(List.of(options));
        final PeerJvm process =
            new PeerJvm(files.resolve(node + ".log"), VideoMain.class, arguments.toArray(String[]::new));
        processes.add(process);
        return process;
    }

    private DeviceClient client(final NodeInfo.Device kind)
    {
        return DeviceClient.await(grim, kind, PATIENCE);
    }

    private static Reply call(
        final DeviceClient device, final String handler, final int a0, final int a1, final int a2,
        final UnsafeBuffer payload)
    {
        return device.call(device.handler(handler), a0, a1, a2, payload, 0, payload.capacity());
    }

    /** Has the capture send into a new window of the display. */
    private static int start(final DeviceClient capture, final DeviceClient display, final int policy)
    {
        final Reply reply = call(display, DisplayDriver.WINDOW, 2, FRAME_LENGTH, 0, NOTHING);
        final UnsafeBuffer window = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        RemoteRegion.readFrom(reply.buffer(), 0, reply.length()).writeTo(window, 0);
        return call(capture, CaptureDriver.START, 0, policy, FRAME_LENGTH, window).argument(1);
    }

    private static String lines(final DeviceClient device, final String handler)
    {
        return call(device, handler, 0, 0, 0, NOTHING).text();
    }

    private static void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), "waited in vain");
        }
    }

    private static byte[] planes(final long number)
    {
        final byte[] planes = new byte[FRAME_LENGTH - VideoFrame.HEADER_LENGTH];
        TestPattern.fill(planes, 0, FORMAT, WIDTH, HEIGHT, number);
        return planes;
    }

    private static String shown(final DeviceClient capture, final long number)
    {
        final CRC32 sum = new CRC32();
        sum.update(planes(number));
        return capture.device().key() + " " + number + " " + Long.toHexString(sum.getValue());
    }

    @Test
    void shouldShowEachFrameUnchanged() throws IOException
    {
        final int count = 50;
        serve("display", NodeInfo.Device.VIDEO_DISPLAY, SIZE, "png=" + files);
        serve("capture", NodeInfo.Device.VIDEO_CAPTURE, SIZE, "frames=" + count, "rate=0");
        final DeviceClient display = client(NodeInfo.Device.VIDEO_DISPLAY);
        final DeviceClient capture = client(NodeInfo.Device.VIDEO_CAPTURE);

        final int stream = start(capture, display, 0);
        await(() -> lines(display, DisplayDriver.STATUS).contains("frames=" + count + " ended=true"));

        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < count; i++)
        {
            expected.add(shown(capture, i));
        }
        assertEquals(expected, lines(display, DisplayDriver.FRAMES).lines().toList());
        final Reply stopped = call(capture, CaptureDriver.STOP, stream, 0, 0, NOTHING);
        assertEquals(count + 1 + " 0", stopped.argument(1) + " " + stopped.argument(2));
        for (int i = 0; i < count; i++)
        {
            assertPicture(i);
        }
    }

    private void assertPicture(final int number) throws IOException
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[FRAME_LENGTH]);
        VideoFrame.write(bytes, FORMAT, WIDTH, HEIGHT, number, 0, grim.endpoint().id(), 0, FRAME_LENGTH -
            VideoFrame.HEADER_LENGTH);
        bytes.putBytes(VideoFrame.HEADER_LENGTH, planes(number));
        final VideoFrame frame = new VideoFrame().wrap(bytes, 0, FRAME_LENGTH);
        final BufferedImage image =
            ImageIO.read(files.resolve(String.format(Locale.ROOT, "frame-%08d.png", number + 1)).toFile());
        for (int y = 0; y < HEIGHT; y++)
        {
            for (int x = 0; x < WIDTH; x++)
            {
                assertEquals(Screen.colour(frame, x, y), image.getRGB(x, y) & 0xFFFFFF, "frame=" + number);
            }
        }
    }

    @Test
    void shouldAccountForEachFrameThatASlowDisplayDoesNotGet()
    {
        final int count = 500;
        serve("display", NodeInfo.Device.VIDEO_DISPLAY, SIZE, "rate=50");
        serve("capture", NodeInfo.Device.VIDEO_CAPTURE, SIZE, "frames=" + count, "rate=0");
        final DeviceClient display = client(NodeInfo.Device.VIDEO_DISPLAY);
        final DeviceClient capture = client(NodeInfo.Device.VIDEO_CAPTURE);

        final int stream = start(capture, display, 1);
        await(() -> lines(display, DisplayDriver.STATUS).contains("ended=true"));

        final List<String> shown = lines(display, DisplayDriver.FRAMES).lines().toList();
        final Reply stopped = call(capture, CaptureDriver.STOP, stream, 0, 0, NOTHING);
        assertEquals(count, shown.size() + stopped.argument(2), "shown, or dropped and counted");
        assertEquals(shown.size() + 1, stopped.argument(1));
        long last = -1;
        for (final String line : shown)
        {
            final long number = Long.parseLong(line.split(" ", -1)[1]);
            assertTrue(number > last, line);
            assertEquals(shown(capture, number), line);
            last = number;
        }
    }

    @Test
    void shouldGoOnWithAnotherCaptureAfterOneWasKilled()
    {
        serve("display", NodeInfo.Device.VIDEO_DISPLAY, SIZE);
        final PeerJvm first = serve("first", NodeInfo.Device.VIDEO_CAPTURE, SIZE, "rate=0");
        final DeviceClient display = client(NodeInfo.Device.VIDEO_DISPLAY);
        final DeviceClient killed = client(NodeInfo.Device.VIDEO_CAPTURE);
        start(killed, display, 0);
        await(() -> lines(display, DisplayDriver.FRAMES).lines().count() > 10);

        first.kill();

        assertTrue(first.awaitExit(PATIENCE.toMillis()));
        assertEquals(GrimException.Reason.UNREACHABLE, assertThrows(GrimException.class, () ->
            lines(killed, CaptureDriver.STATUS)).reason());
        lines(display, DisplayDriver.FRAMES).lines().forEach(line ->
            assertEquals(shown(killed, Long.parseLong(line.split(" ", -1)[1])), line));
        serve("second", NodeInfo.Device.VIDEO_CAPTURE, SIZE, "frames=20", "rate=0");
        await(() ->
        {
            grim.endpoint().poll();
            return grim.nodes().stream().anyMatch(node -> node.name().equals("second") && !node.devices().isEmpty());
        });
        final DeviceClient capture = client(NodeInfo.Device.VIDEO_CAPTURE);
        start(capture, display, 0);
        await(() -> lines(display, DisplayDriver.STATUS).contains("frames=20 ended=true"));
        assertTrue(lines(display, DisplayDriver.FRAMES).endsWith(shown(capture, 19)));
    }
}
