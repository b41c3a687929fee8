// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import javax.imageio.ImageIO;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.FrameReceiver;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRunner;
import org.grim.device.RequestTarget;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The capture on a thread of its own; its client is the test's thread. */
final class CaptureTest
{
    private static final int WIDTH = 35;
    private static final int HEIGHT = 17;
    private static final int COUNT = 40;
    private static final int FRAME_LENGTH = VideoFrame.HEADER_LENGTH + 3 * WIDTH * HEIGHT;
    private static final long PATIENCE_NS = TimeUnit.MINUTES.toNanos(2);

    @TempDir
    private Path clusters;
    @TempDir
    private Path files;
    private Grim node;
    private DeviceRunner runner;
    private Grim clientNode;
    private DeviceClient device;

    @BeforeEach
    void open()
    {
        node = join("capture");
        node.startPolling();
        clientNode = join("client");
    }

    @AfterEach
    void close()
    {
        clientNode.close();
        runner.close();
        node.close();
    }

    private Grim join(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(clusters).nodeName(name).transports("shmem")
            .set("grim.channels.count", 4).set("grim.liveness.interval", "1ms")
            .set("grim.handlers.resolve-timeout", "60s").build());
    }

    private void serve(final Map<String, String> options)
    {
        runner = DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.VIDEO_CAPTURE), options);
        runner.start();
        device = new DeviceClient(clientNode, runner.device().id(), Duration.ofMinutes(2));
        device.status();
    }

    private static Map<String, String> pattern(final PixelFormat format, final int frames)
    {
        return Map.of("size", WIDTH + "x" + HEIGHT, "format", format.name().toLowerCase(Locale.ROOT),
            "frames", Integer.toString(frames), "rate", "0");
    }

    private static byte[] planes(final PixelFormat format, final long number)
    {
        final byte[] bytes = new byte[(int)format.planesLength(WIDTH, HEIGHT)];
        TestPattern.fill(bytes, 0, format, WIDTH, HEIGHT, number);
        return bytes;
    }

    private static byte[] y4m(final PixelFormat format, final String colour, final int frames) throws IOException
    {
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        bytes.write(("YUV4MPEG2 W" + WIDTH + " H" + HEIGHT + " F1000:1 Ip" + colour + "\n").getBytes(ISO_8859_1));
        for (int i = 0; i < frames; i++)
        {
            bytes.write((i % 2 == 0 ? "FRAME\n" : "FRAME Ip\n").getBytes(ISO_8859_1));
            bytes.write(planes(format, i));
        }
        return bytes.toByteArray();
    }

    private static byte[] planesOf(final VideoFrame frame)
    {
        final byte[] bytes = new byte[frame.planesLength()];
        frame.buffer().getBytes(VideoFrame.HEADER_LENGTH, bytes);
        return bytes;
    }

    private Reply call(final String handler, final int a0, final int a1, final int a2, final UnsafeBuffer payload)
    {
        return device.call(device.handler(handler), a0, a1, a2, payload, 0, payload.capacity());
    }

    private Reply grab()
    {
        return call(CaptureDriver.GRAB, 0, 0, 0, new UnsafeBuffer(new byte[0]));
    }

    private static VideoFrame frame(final Reply reply)
    {
        return new VideoFrame().wrap(reply.buffer(), 0, reply.length());
    }

    private int start(final FrameReceiver receiver, final int rate, final int policy, final int frameLength)
    {
        final UnsafeBuffer window = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        receiver.remote().writeTo(window, 0);
        return call(CaptureDriver.START, rate, policy, frameLength, window).argument(1);
    }

    private FrameReceiver receiver(final int slots)
    {
        return clientNode.endpoint().memory().receiveFrames(slots, FRAME_LENGTH);
    }

    private String status()
    {
        return call(CaptureDriver.STATUS, 0, 0, 0, new UnsafeBuffer(new byte[0])).text();
    }

    private void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE_NS, "waited in vain");
            if (clientNode.endpoint().poll() == 0)
            {
                LockSupport.parkNanos(50_000);
            }
        }
    }

    /** Takes frames until the last one, and returns their numbers; each has the pattern's checksum. */
    private List<Long> numbersUntilLast(final FrameReceiver receiver, final PixelFormat format)
    {
        final List<Long> numbers = new ArrayList<>();
        final VideoFrame frame = new VideoFrame();
        boolean isLast = false;
        while (!isLast)
        {
            await(receiver::next);
            frame.wrap(receiver.buffer(), receiver.offset(), receiver.length());
            isLast = frame.isLast();
            if (!isLast)
            {
                assertArrayEquals(planes(format, frame.number()), planesOf(frame), () -> "frame=" + frame.number());
                numbers.add(frame.number());
            }
            receiver.release();
        }
        return numbers;
    }

    private static List<Long> upTo(final int count)
    {
        final List<Long> numbers = new ArrayList<>();
        for (long i = 0; i < count; i++)
        {
            numbers.add(i);
        }
        return numbers;
    }

    @ParameterizedTest
    @EnumSource(value = PixelFormat.class, names = "JPEG", mode = EnumSource.Mode.EXCLUDE)
    void shouldGrabFramesUntilTheEnd(final PixelFormat format)
    {
        serve(pattern(format, 2));

        for (int i = 0; i < 2; i++)
        {
            final VideoFrame frame = frame(grab());
            assertEquals(format + " " + WIDTH + " " + HEIGHT + " " + i, frame.format() + " " + frame.width() + " " +
                frame.height() + " " + frame.number());
            assertTrue(frame.isKey() && !frame.isLast());
            assertEquals(runner.device().id().key(), frame.sourceKey());
            assertArrayEquals(planes(format, i), planesOf(frame));
        }
        assertEquals(DeviceCode.END.number(), grab().argument(0));
        assertTrue(status().contains("frames=2\nsize=" + format + " 35x17\nended=true"), status());
    }

    @Test
    void shouldGrabIntoTheRegionOfTheSender()
    {
        serve(pattern(PixelFormat.MONO, 0));
        final MemoryRegion memory = clientNode.endpoint().memory().register(FRAME_LENGTH + 8);
        final UnsafeBuffer request = new UnsafeBuffer(new byte[RequestTarget.LENGTH_MAX]);
        memory.remote().slice(8, FRAME_LENGTH).writeTo(request, 0);
        memory.remote().slice(0, 4).writeTo(request, RemoteRegion.LENGTH);
        request.putInt(2 * RemoteRegion.LENGTH, 4711, ByteOrder.LITTLE_ENDIAN);

        final Reply reply = call(CaptureDriver.GRAB, 0, 0, 0, request);

        assertEquals("595+64=659", WIDTH * HEIGHT + "+64=" + reply.argument(1));
        assertEquals(4711, memory.buffer().getInt(0));
        assertArrayEquals(planes(PixelFormat.MONO, 0),
            planesOf(new VideoFrame().wrap(memory.buffer(), 8, reply.argument(1))));
        memory.remote().slice(8, 658).writeTo(request, 0);
        final DeviceException tooLong = assertThrows(DeviceException.class, () ->
            call(CaptureDriver.GRAB, 0, 0, 0, request));
        assertEquals("BAD_REQUEST 659 frame of length=659 exceeds the region's length=658",
            tooLong.code() + " " + tooLong.value() + " " + tooLong.getMessage());
    }

    @ParameterizedTest
    @EnumSource(value = PixelFormat.class, names = "JPEG", mode = EnumSource.Mode.EXCLUDE)
    void shouldSendEachFrameOfAFile(final PixelFormat format) throws IOException
    {
        final String colour = format == PixelFormat.MONO ? " Cmono" :
            format == PixelFormat.YUV_420 ? "" : " C" + format.name().substring(4);
        final Path file = Files.write(files.resolve("film.y4m"), y4m(format, colour, COUNT));
        serve(Map.of("source", file.toString()));
        try (FrameReceiver receiver = receiver(2))
        {
            final int stream = start(receiver, 0, 0, FRAME_LENGTH);

            assertEquals(upTo(COUNT), numbersUntilLast(receiver, format));

            final Reply stopped = call(CaptureDriver.STOP, stream, 0, 0, new UnsafeBuffer(new byte[0]));
            assertEquals(COUNT + 1 + " 0", stopped.argument(1) + " " + stopped.argument(2));
        }
    }

    @Test
    void shouldReadANamedPipeOnceAWriterIsThere() throws Exception
    {
        final Path pipe = files.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        serve(Map.of("source", pipe.toString()));
        try (FrameReceiver receiver = receiver(2))
        {
            start(receiver, 0, 0, FRAME_LENGTH);
            final Thread writer = new Thread(() ->
            {
                try (OutputStream output = Files.newOutputStream(pipe))
                {
                    output.write(y4m(PixelFormat.YUV_420, "", COUNT));
                }
                catch (final IOException ex)
                {
                    throw new UncheckedIOException(ex);
                }
            });
            writer.start();

            assertEquals(upTo(COUNT), numbersUntilLast(receiver, PixelFormat.YUV_420));
            writer.join();
        }
    }

    @Test
    void shouldEndThoughNobodyWritesToItsPipe() throws Exception
    {
        final Path pipe = files.resolve("pipe");
        assertEquals(0, new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor());
        serve(Map.of("source", pipe.toString()));
        final OutputStream silent = Files.newOutputStream(pipe);
        final int stream = start(receiver(2), 0, 0, FRAME_LENGTH);
        await(() -> status().contains("stream=" + stream));

        runner.close();

        assertEquals(DeviceInfo.State.GONE, runner.state());
        silent.close();
    }

    @Test
    void shouldSendJpegFilesAsTheyAre() throws IOException
    {
        final List<byte[]> pictures = new ArrayList<>();
        final ByteArrayOutputStream film = new ByteArrayOutputStream();
        for (int i = 0; i < 3; i++)
        {
            final BufferedImage image = new BufferedImage(20 + i, 10, BufferedImage.TYPE_INT_RGB);
            Arrays.setAll(new int[200], k ->
            {
                image.setRGB(k % 20, k / 20, k * 0x10305);
                return k;
            });
            final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
            assertTrue(ImageIO.write(image, "jpeg", bytes));
            pictures.add(bytes.toByteArray());
            film.write(bytes.toByteArray());
        }
        serve(Map.of("source", Files.write(files.resolve("film.mjpeg"), film.toByteArray()).toString()));

        for (int i = 0; i < 3; i++)
        {
            final VideoFrame frame = frame(grab());
            assertEquals("JPEG " + (20 + i) + "x10", frame.format() + " " + frame.width() + "x" + frame.height());
            assertArrayEquals(pictures.get(i), planesOf(frame));
        }
        assertEquals(DeviceCode.END.number(), grab().argument(0));
    }

    @Test
    void shouldKillItsChildAndStartAnotherOneWhenItIsReset() throws IOException
    {
        final Path film = Files.write(files.resolve("film.y4m"), y4m(PixelFormat.MONO, " Cmono", 1));
        final Path script = Files.writeString(files.resolve("camera"), "#!/bin/sh\necho $$ >> " +
            files.resolve("pids") + "\ncat " + film + "\nexec sleep 1000\n");
        assertTrue(script.toFile().setExecutable(true));
        serve(Map.of("command", script.toString()));

        assertEquals(0, frame(grab()).number());
        final long first = Long.parseLong(Files.readAllLines(files.resolve("pids")).get(0));
        assertTrue(ProcessHandle.of(first).isPresent());
        device.reset();
        await(() -> ProcessHandle.of(first).isEmpty());
        assertEquals(0, frame(grab()).number());
        final long second = Long.parseLong(Files.readAllLines(files.resolve("pids")).get(1));
        runner.close();
        await(() -> ProcessHandle.of(second).isEmpty());
        assertFalse(first == second);
    }

    @Test
    void shouldNotStopAStreamByANumberFromBeforeAReset()
    {
        serve(pattern(PixelFormat.MONO, 0));
        final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
        final int before = start(receiver(2), 0, 0, FRAME_LENGTH);
        device.reset();
        final int stream = start(receiver(2), 0, 0, FRAME_LENGTH);

        final DeviceException refusal = assertThrows(DeviceException.class, () ->
            call(CaptureDriver.STOP, before, 0, 0, nothing));

        assertEquals(DeviceCode.NOT_FOUND, refusal.code());
        assertEquals(DeviceCode.OK.number(), call(CaptureDriver.STOP, stream, 0, 0, nothing).argument(0));
    }

    @Test
    void shouldEndThoughSomethingKeepsTheOutputOfItsChildOpen() throws IOException
    {
        final Path script = Files.writeString(files.resolve("camera"),
            "#!/bin/sh\nsetsid sh -c 'sleep 1000 & echo $! > " + files.resolve("pid") + "' &\nexec sleep 1000\n");
        assertTrue(script.toFile().setExecutable(true));
        serve(Map.of("command", script.toString()));
        start(receiver(1), 0, 0, FRAME_LENGTH);
        await(() -> Files.exists(files.resolve("pid")) && files.resolve("pid").toFile().length() > 1);
        final long orphan = Long.parseLong(Files.readString(files.resolve("pid")).strip());

        runner.close();

        assertEquals(DeviceInfo.State.GONE, runner.state());
        assertTrue(ProcessHandle.of(orphan).map(ProcessHandle::destroyForcibly).orElse(false));
    }

    @Test
    void shouldFailWithAReasonForASourceThatIsBroken() throws IOException
    {
        final byte[] good = y4m(PixelFormat.MONO, " Cmono", 2);
        final Path file = files.resolve("broken");
        final String header = "YUV4MPEG2 W35 H17";
        final Path script = Files.writeString(files.resolve("camera"),
            "#!/bin/sh\nprintf 'YUV4MPEG2 W1 H1 Cmono\\nFRAME\\nx'; exit 3\n");
        assertTrue(script.toFile().setExecutable(true));
        final String name = file.toString();
        final List<Map.Entry<byte[], String>> cases = List.of(
            Map.entry(Arrays.copyOf(good, good.length - 1), ": frame=1 ends after bytes=594 of 595"),
            Map.entry(new byte[0], ": frame=0 has no header YUV4MPEG2"),
            Map.entry("mp4".getBytes(ISO_8859_1), ": frame=0 does not begin with the marker of a JPEG file"),
            Map.entry((header + " C420p10\n").getBytes(ISO_8859_1),
                ": frame=0 has C420p10, which is none of Cmono, C420, C422, C444 of 8 bits"),
            Map.entry((header + " Cmono").getBytes(ISO_8859_1), ": frame=0 has a line without an end: bytes=23"),
            Map.entry((header + "\nFRAMS\n").getBytes(ISO_8859_1), ": frame=0 does not begin with FRAME"),
            Map.entry((header + "\n").getBytes(ISO_8859_1), ": frame=0 is not there: the source has no frames"),
            Map.entry("YUV4MPEG2 W60000 H60000\nFRAME\n".getBytes(ISO_8859_1),
                ": frame=0 has planes of length=2147483647, which exceeds frame-length-max=1000"),
            Map.entry("YUV4MPEG2 W0 H17\n".getBytes(ISO_8859_1), ": frame=0 has W0, which is outside 1 to 65535"),
            Map.entry(new byte[] {-1, -40, -1, -64, 0, 11, 8, 0, 1}, ": frame=0 ends after bytes=9"),
            Map.entry(new byte[] {-1, -40, 0}, ": frame=0 has no marker at byte=2"));
        for (final Map.Entry<byte[], String> each : cases)
        {
            Files.write(file, each.getKey());
            expectFailure(Map.of("source", name, "frame-length-max", "1000"), name + each.getValue());
        }
        expectFailure(Map.of("command", script.toString()), "command=" + script + " ended with status=3 at frame=1");
    }

    private void expectFailure(final Map<String, String> options, final String reason)
    {
        serve(options);
        final DeviceException failure = assertThrows(DeviceException.class, () ->
        {
            for (int i = 0; i < 3; i++)
            {
                assertEquals(i, frame(grab()).number(), reason);
            }
        });
        assertEquals(DeviceCode.FAILED + " device has failed: " + reason, failure.code() + " " + failure.getMessage());
        runner.close();
    }

    @Test
    void shouldNotOpenWithOptionsThatAreWrong()
    {
        final Map<Map<String, String>, String> cases = Map.of(
            Map.of("size", "0x1"), "option size=0x1 is not WIDTHxHEIGHT, 1 to 65535 each",
            Map.of("format", "rgb"), "option format=rgb is none of mono, yuv_420, yuv_422, yuv_444",
            Map.of("source", "a", "command", "b"), "source=a and command=b exclude each other",
            Map.of("source", files.toString()), "source=" + files + " is a directory");
        cases.forEach((options, reason) ->
        {
            runner = DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.VIDEO_CAPTURE), options);
            runner.start();
            await(() -> runner.state() == DeviceInfo.State.FAILED);
            assertEquals(reason, runner.failure());
            runner.close();
        });
    }

    @Test
    void shouldDropAndCountWhatFindsNoSlotIfTheNewestIsWanted()
    {
        serve(pattern(PixelFormat.MONO, 0));
        final VideoFrame frame = new VideoFrame();
        try (FrameReceiver receiver = receiver(1))
        {
            final int stream = start(receiver, 0, 1, FRAME_LENGTH);
            await(receiver::next);
            frame.wrap(receiver.buffer(), receiver.offset(), receiver.length());
            final long first = frame.number();
            await(() -> status().matches("(?s).*dropped=[0-9]{3,}.*"));

            receiver.release();
            await(receiver::next);

            frame.wrap(receiver.buffer(), receiver.offset(), receiver.length());
            assertTrue(frame.number() >= first + 100, () -> first + " " + frame.number());
            assertArrayEquals(planes(PixelFormat.MONO, frame.number()), planesOf(frame));
            final Reply stopped = call(CaptureDriver.STOP, stream, 0, 0, new UnsafeBuffer(new byte[0]));
            assertEquals(2, stopped.argument(1));
            assertTrue(stopped.argument(2) >= frame.number() - first - 1, () -> stopped.argument(2) + " dropped");
        }
    }

    @Test
    void shouldEndThoughAStreamThatWantsTheNewestTakesNothing()
    {
        serve(pattern(PixelFormat.MONO, 20));
        try (FrameReceiver receiver = receiver(1);
            FrameReceiver idle = receiver(1))
        {
            start(receiver, 0, 0, FRAME_LENGTH);        // The first: it holds up the source until this thread reads.
            start(idle, 0, 1, FRAME_LENGTH);

            assertEquals(upTo(20), numbersUntilLast(receiver, PixelFormat.MONO));
            assertEquals(DeviceCode.END.number(), grab().argument(0));
        }
    }

    @Test
    void shouldHoldUpTheSourceIfEachFrameIsWanted()
    {
        serve(pattern(PixelFormat.MONO, 20));
        final FrameReceiver hurried = receiver(1);
        try (FrameReceiver receiver = receiver(1))
        {
            start(receiver, 0, 0, FRAME_LENGTH);
            start(hurried, 0, 1, FRAME_LENGTH);
            await(receiver::next);
            await(() -> status().contains("frames=2"));
            await(hurried::next);
            assertTrue(status().contains("frames=2\n"), status());

            receiver.release();
            hurried.close();
            assertEquals(19, numbersUntilLast(receiver, PixelFormat.MONO).size());
        }
    }

    @Test
    void shouldLeaveOutWhatComesBeforeItsTime()
    {
        final CaptureStream stream = new CaptureStream(clientNode.endpoint().id(),
            clientNode.endpoint().memory().sendFrames(receiver(1).remote(), FRAME_LENGTH), true, 100);
        serve(pattern(PixelFormat.MONO, 1));
        final CapturedFrame frame = new CapturedFrame();
        final List<String> texts = new ArrayList<>();

        for (final long capturedNs : new long[] {1_000, 1_040, 1_060, 1_199, 1_210, 5_000, 5_101})
        {
            frame.finish(0, capturedNs, clientNode.endpoint().id());
            stream.begin(frame);
            stream.drop();
            texts.add(stream.toString().substring("sent=0 ".length()));
        }

        assertEquals("dropped=1 left-out=0, dropped=1 left-out=1, dropped=2 left-out=1, dropped=3 left-out=1, " +
            "dropped=3 left-out=2, dropped=4 left-out=2, dropped=5 left-out=2", String.join(", ", texts));
    }

    @Test
    void shouldSayWhyAStreamHasEnded()
    {
        serve(pattern(PixelFormat.YUV_444, 0));
        final UnsafeBuffer nothing = new UnsafeBuffer(new byte[0]);
        try (FrameReceiver small = clientNode.endpoint().memory().receiveFrames(2, 100))
        {
            final int stream = start(small, 0, 0, 100);
            await(() -> status().contains("failure="));
            assertEquals("stream=" + stream + " has ended: sent=0 dropped=0 left-out=0 failure=frame of length=1849 " +
                "exceeds the window's frame length=100", assertThrows(DeviceException.class, () ->
                call(CaptureDriver.STOP, stream, 0, 0, nothing)).getMessage());
        }
        final FrameReceiver closed = receiver(1);
        final int stream = start(closed, 0, 0, FRAME_LENGTH);
        await(closed::next);
        closed.close();
        await(() -> status().contains("failure=window is gone: CLOSED"));
        assertEquals(DeviceCode.ERROR, assertThrows(DeviceException.class, () ->
            call(CaptureDriver.STOP, stream, 0, 0, nothing)).code());
        assertEquals(DeviceCode.NOT_FOUND, assertThrows(DeviceException.class, () ->
            call(CaptureDriver.STOP, stream, 0, 0, nothing)).code());
        assertEquals(DeviceCode.BAD_REQUEST, assertThrows(DeviceException.class, () ->
            call(CaptureDriver.START, 0, 2, 100, nothing)).code());
        assertEquals(DeviceCode.BAD_REQUEST, assertThrows(DeviceException.class, () ->
            call(CaptureDriver.START, 0, 0, 100, nothing)).code());
        assertEquals(DeviceCode.BAD_REQUEST, assertThrows(DeviceException.class, () ->
            start(receiver(1), 0, 0, FRAME_LENGTH * 3)).code());
    }

    @Test
    void shouldGiveThePlaceOfAStreamWhoseWindowIsGoneToAnotherOne()
    {
        serve(pattern(PixelFormat.YUV_444, 0));
        for (int i = 0; i < 20; i++)
        {
            final FrameReceiver closed = receiver(1);
            start(closed, 0, 0, FRAME_LENGTH);
            await(closed::next);
            closed.close();
            final int count = Math.min(i + 1, 8);
            await(() -> status().split("failure=", -1).length > count);
        }
    }

    @Test
    void shouldEndTheStreamsOfANodeThatIsGone()
    {
        serve(pattern(PixelFormat.MONO, 0));
        final Grim leaving = join("leaving");
        final DeviceClient other = new DeviceClient(leaving, runner.device().id(), Duration.ofMinutes(2));
        final UnsafeBuffer window = new UnsafeBuffer(new byte[RemoteRegion.LENGTH]);
        leaving.endpoint().memory().receiveFrames(1, FRAME_LENGTH).remote().writeTo(window, 0);
        for (int i = 0; i < 8; i++)
        {
            other.call(other.handler(CaptureDriver.START), 0, 0, FRAME_LENGTH, window, 0, window.capacity());
        }
        assertEquals(DeviceCode.NO_ROOM, assertThrows(DeviceException.class, () ->
            start(receiver(1), 0, 0, FRAME_LENGTH)).code());

        leaving.close();
        await(() -> !status().contains("stream="));

        final int stream = start(receiver(1), 0, 0, FRAME_LENGTH);
        assertTrue(status().contains("stream=" + stream + " "), status());
    }
}
