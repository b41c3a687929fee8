// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.awt.image.BufferedImage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import javax.imageio.ImageIO;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.EndpointId;
import org.grim.FrameSender;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.RemoteLink;
import org.grim.RemoteRegion;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The display on a thread of its own; its client is the test's thread. */
final class DisplayTest
{
    private static final int WIDTH = 37;
    private static final int HEIGHT = 21;
    private static final int LENGTH = WIDTH * HEIGHT * 4;
    private static final UnsafeBuffer NOTHING = new UnsafeBuffer(new byte[0]);

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
        node = join("display");
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

    private void serve(final String... options)
    {
        final Map<String, String> values = new HashMap<>(Map.of("size", WIDTH + "x" + HEIGHT));
        for (int i = 0; i < options.length; i += 2)
        {
            values.put(options[i], options[i + 1]);
        }
        runner = DeviceRunner.open(node, DeviceSpec.of(NodeInfo.Device.VIDEO_DISPLAY), values);
        runner.start();
        device = new DeviceClient(clientNode, runner.device().id(), Duration.ofMinutes(2));
        device.status();
    }

    private Reply call(final String handler, final int a0, final int a1, final UnsafeBuffer payload)
    {
        return device.call(device.handler(handler), a0, a1, 0, payload, 0, payload.capacity());
    }

    private RemoteRegion buffer(final int index)
    {
        final Reply reply = call(DisplayDriver.BUFFERS, 0, 0, NOTHING);
        assertEquals(WIDTH + "x" + HEIGHT, reply.argument(1) + "x" + reply.argument(2));
        return RemoteRegion.readFrom(reply.buffer(), index * RemoteRegion.LENGTH, RemoteRegion.LENGTH);
    }

    /** Pixels whose fourth byte is 0, as the screen has them. */
    private static byte[] random(final int seed)
    {
        final byte[] pixels = new byte[LENGTH];
        new Random(seed).nextBytes(pixels);
        for (int i = 3; i < LENGTH; i += 4)
        {
            pixels[i] = 0;
        }
        return pixels;
    }

    private void write(final int buffer, final byte[] pixels)
    {
        final SendStatus status = clientNode.endpoint().memory().link(runner.device().id()).writeBlocking(
            buffer(buffer), 0, new UnsafeBuffer(pixels), 0, LENGTH, null, 0, clientNode.endpoint().idleStrategy());
        assertEquals(SendStatus.SENT, status);
    }

    private static UnsafeBuffer area(final int... values)
    {
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[2 * values.length]);
        for (int i = 0; i < values.length; i++)
        {
            bytes.putShort(2 * i, (short)values[i], ByteOrder.LITTLE_ENDIAN);
        }
        return bytes;
    }

    /** Reads a picture back, as the screen has it. */
    private byte[] png(final int number) throws IOException
    {
        final BufferedImage image = ImageIO.read(files.resolve(String.format("frame-%08d.png", number)).toFile());
        assertEquals(WIDTH + "x" + HEIGHT, image.getWidth() + "x" + image.getHeight());
        final ByteBuffer pixels = ByteBuffer.allocate(LENGTH).order(ByteOrder.LITTLE_ENDIAN);
        for (final int colour : image.getRGB(0, 0, WIDTH, HEIGHT, null, 0, WIDTH))
        {
            pixels.putInt(colour & 0xFFFFFF);
        }
        return pixels.array();
    }

    private static byte[] rows(final byte[] file, final int offset, final int stride)
    {
        final byte[] pixels = new byte[LENGTH];
        for (int y = 0; y < HEIGHT; y++)
        {
            System.arraycopy(file, offset + y * stride, pixels, y * WIDTH * 4, WIDTH * 4);
        }
        return pixels;
    }

    private static UnsafeBuffer frame(
        final PixelFormat format, final int width, final int height, final byte[] planes)
    {
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[VideoFrame.HEADER_LENGTH + planes.length]);
        VideoFrame.write(frame, format, width, height, 9, 0, EndpointId.of(3, 2, 1), VideoFrame.KEY_FLAG,
            planes.length);
        frame.putBytes(VideoFrame.HEADER_LENGTH, planes);
        return frame;
    }

    private String lines(final String handler)
    {
        return call(handler, 0, 0, NOTHING).text();
    }

    @Test
    void shouldShowAreasOfItsFrameBuffers() throws IOException
    {
        final int stride = WIDTH * 4 + 12;
        final byte[] untouched = new byte[stride * HEIGHT];
        Arrays.fill(untouched, (byte)0x55);
        final Path frameBuffer = Files.write(files.resolve("fb"), untouched);
        serve("png", files.toString(), "frame-buffer", frameBuffer.toString(), "stride", Integer.toString(stride));
        final byte[] first = random(1);
        final byte[] second = random(2);
        final byte[] expected = first.clone();

        write(0, first);
        assertEquals(0, call(DisplayDriver.PRESENT, 0, 0, NOTHING).argument(1));
        assertArrayEquals(first, png(1));
        final RemoteLink link = clientNode.endpoint().memory().link(runner.device().id());
        final int offset = (4 * WIDTH + 5) * 4;
        assertEquals(SendStatus.SENT, link.writeRows(buffer(1), offset, new UnsafeBuffer(second), offset,
            new RemoteLink.Rows(7 * 4, 3, WIDTH * 4, WIDTH * 4), null, 0));
        call(DisplayDriver.PRESENT, 1, 0, area(5, 4, 7, 3));
        for (int y = 4; y < 7; y++)
        {
            System.arraycopy(second, (y * WIDTH + 5) * 4, expected, (y * WIDTH + 5) * 4, 7 * 4);
        }

        assertArrayEquals(expected, png(2));
        final byte[] file = Files.readAllBytes(frameBuffer);
        assertArrayEquals(expected, rows(file, 0, stride));
        assertEquals(0x55, file[stride - 1], "behind a row");
        assertEquals(untouched.length, file.length);
    }

    @Test
    void shouldFlipItsFrameBuffers() throws IOException
    {
        serve("png", files.toString());
        final byte[] first = random(1);
        final byte[] second = random(2);

        write(1, first);
        assertEquals(0, call(DisplayDriver.FLIP, 0, 0, NOTHING).argument(1));
        write(0, second);
        assertEquals(1, call(DisplayDriver.FLIP, 0, 0, NOTHING).argument(1));
        assertEquals(0, call(DisplayDriver.FLIP, 0, 0, NOTHING).argument(1));

        assertArrayEquals(first, png(1));
        assertArrayEquals(second, png(2));
        assertArrayEquals(first, png(3));
    }

    @Test
    void shouldDrawFramesOfEachFormat() throws IOException
    {
        serve("png", files.toString());
        int number = 0;
        for (final PixelFormat format : List.of(
            PixelFormat.MONO, PixelFormat.YUV_420, PixelFormat.YUV_422, PixelFormat.YUV_444))
        {
            final byte[] planes = new byte[(int)format.planesLength(WIDTH, HEIGHT)];
            new Random(number).nextBytes(planes);
            number++;
            call(DisplayDriver.FRAME, 0, 0, frame(format, WIDTH, HEIGHT, planes));
            final byte[] shown = png(number);
            for (int i = 0; i < LENGTH; i++)
            {
                final int expected = reference(format, planes, i / 4 % WIDTH, i / 4 / WIDTH, i % 4);
                assertTrue(Math.abs(expected - (shown[i] & 0xFF)) <= 1,
                    format + " byte=" + i + ": " + (shown[i] & 0xFF) + " is not " + expected);
            }
        }
        assertTrue(lines(DisplayDriver.FRAMES).matches("([0-9]+ 9 [0-9a-f]+\n?){4}"));
    }

    /** ITU-R BT.601 by its real factors: blue, green, red, 0. */
    private static int reference(
        final PixelFormat format, final byte[] planes, final int x, final int y, final int component)
    {
        final double brightness = 255.0 / 219 * ((planes[y * WIDTH + x] & 0xFF) - 16);
        double u = 0;
        double v = 0;
        if (format != PixelFormat.MONO)
        {
            final int columns = format == PixelFormat.YUV_444 ? WIDTH : (WIDTH + 1) / 2;
            final int rows = format == PixelFormat.YUV_420 ? (HEIGHT + 1) / 2 : HEIGHT;
            final int at = WIDTH * HEIGHT + (format == PixelFormat.YUV_420 ? y / 2 : y) * columns +
                (format == PixelFormat.YUV_444 ? x : x / 2);
            u = 255.0 / 224 * ((planes[at] & 0xFF) - 128);
            v = 255.0 / 224 * ((planes[at + columns * rows] & 0xFF) - 128);
        }
        final double value = switch (component)
        {
            case 0 -> brightness + 1.772 * u;
            case 1 -> brightness - 0.344136 * u - 0.714136 * v;
            case 2 -> brightness + 1.402 * v;
            default -> 0;
        };
        return (int)Math.round(Math.max(0, Math.min(255, value)));
    }

    private static byte[] jpeg(final int width, final int height) throws IOException
    {
        final BufferedImage image = new BufferedImage(width, height, BufferedImage.TYPE_INT_RGB);
        for (int i = 0; i < width * height; i++)
        {
            image.setRGB(i % width, i / width, i * 0x10305);
        }
        final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        assertTrue(ImageIO.write(image, "jpeg", bytes));
        return bytes.toByteArray();
    }

    @Test
    void shouldDrawWhatHasRoomOfAJpegFile() throws IOException
    {
        serve("png", files.toString());
        final byte[] file = jpeg(WIDTH + 3, HEIGHT - 2);
        final BufferedImage reference = ImageIO.read(new ByteArrayInputStream(file));

        call(DisplayDriver.FRAME, 0, 0, frame(PixelFormat.JPEG, WIDTH + 3, HEIGHT - 2, file));

        final ByteBuffer shown = ByteBuffer.wrap(png(1)).order(ByteOrder.LITTLE_ENDIAN);
        for (int i = 0; i < WIDTH * HEIGHT; i++)
        {
            final int expected = i / WIDTH < HEIGHT - 2 ? reference.getRGB(i % WIDTH, i / WIDTH) & 0xFFFFFF : 0;
            assertEquals(Integer.toHexString(expected), Integer.toHexString(shown.getInt(4 * i)), "pixel=" + i);
        }
    }

    @Test
    void shouldWriteIntoTheFileOfAnXServer() throws IOException
    {
        final int stride = WIDTH * 4 + 20;
        final int colours = 256;
        final byte[] xwd = xwd(stride, colours, 32);
        final Path file = Files.write(files.resolve("Xvfb_screen0"), xwd);
        serve("frame-buffer", file.toString());
        final byte[] pixels = random(3);
        write(0, pixels);

        call(DisplayDriver.PRESENT, 0, 0, NOTHING);

        final byte[] shown = Files.readAllBytes(file);
        Arrays.fill(pixels, LENGTH - 4 * WIDTH, LENGTH, (byte)0);       // The row that the screen does not have.
        assertArrayEquals(pixels, rows(shown, 100 + 12 * colours, stride));
        assertArrayEquals(Arrays.copyOf(xwd, 100 + 12 * colours), Arrays.copyOf(shown, 100 + 12 * colours));
        runner.close();
        Files.write(file, xwd(stride, colours, 16));
        expectFailure("frame-buffer=" + file + " has pixels of bits=16 order=0 red=0xff0000, expected 32, 0 and " +
            "0xff0000", "frame-buffer", file.toString());
        Files.write(file, Arrays.copyOf(xwd, 5_000));
        expectFailure("frame-buffer=" + file + " of length=5000 has no room for 37x20 pixels with stride=168: " +
            "length=" + (100 + 12 * colours + 19 * stride + WIDTH * 4), "frame-buffer", file.toString());
    }

    /** A screen of one row less than the display, whose last columns nobody sees. */
    private static byte[] xwd(final int stride, final int colours, final int bits)
    {
        final ByteBuffer file = ByteBuffer.allocate(100 + 12 * colours + stride * HEIGHT);
        final int[] header = {100, 7, 2, 24, WIDTH + 5, HEIGHT - 1, 0, 0, 32, 0, 32, bits, stride, 4, 0xFF0000,
            0xFF00, 0xFF, 8, 256, colours, WIDTH + 5, HEIGHT - 1, 0, 0, 0};
        for (final int value : header)
        {
            file.putInt(value);
        }
        return file.array();
    }

    private void expectFailure(final String reason, final String... options)
    {
        serve(options);
        assertEquals(DeviceInfo.State.FAILED, runner.state());
        assertEquals(reason, runner.failure());
        runner.close();
    }

    @Test
    void shouldNotOpenWithOptionsThatAreWrong() throws IOException
    {
        final Path small = Files.write(files.resolve("small"), new byte[50]);
        expectFailure("option size=9000x9 is not WIDTHxHEIGHT, 1 to 8192 each", "size", "9000x9");
        expectFailure("png=" + small + " is no directory", "png", small.toString());
        expectFailure("frame-buffer=" + small + " of length=50 has no room for 37x21 pixels with stride=148: " +
            "length=3108", "frame-buffer", small.toString());
        expectFailure("option web=high is not a number or length from 0 to 65535", "web", "high");
    }

    @Test
    void shouldShowThePictureOnAPage() throws Exception
    {
        serve("web", "0");
        final int port = port();
        final HttpClient browser = HttpClient.newHttpClient();
        final String page = browser.send(get(port, "/"), HttpResponse.BodyHandlers.ofString()).body();
        assertTrue(page.contains("<canvas id=\"screen\" width=\"37\" height=\"21\">"), page);
        final CompletableFuture<HttpResponse<byte[]>> next = next(browser, port);
        final byte[] pixels = random(4);
        write(0, pixels);

        call(DisplayDriver.PRESENT, 0, 0, NOTHING);

        final HttpResponse<byte[]> answer = picture(browser, port, next);
        assertEquals("200 1", answer.statusCode() + " " + answer.headers().firstValue("X-Number").orElse(""));
        assertRgba(pixels, answer.body());
        assertRgba(pixels, browser.send(get(port, "/pixels?after=0"), HttpResponse.BodyHandlers.ofByteArray()).body());
        for (final String wrong : List.of("/pixels", "/pixels?after=x", "/etc/passwd"))
        {
            assertEquals(404, browser.send(get(port, wrong), HttpResponse.BodyHandlers.discarding()).statusCode());
        }
    }

    @Test
    void shouldServeBrowsersBesideSomeThatAreSilent() throws Exception
    {
        serve("size", "1000x1000", "web", "0");
        final int port = port();
        final HttpClient browser = HttpClient.newHttpClient();
        final List<Socket> silent = new ArrayList<>();
        call(DisplayDriver.PRESENT, 0, 0, NOTHING);
        for (final String text : List.of("GET /pixels?after=0 HTTP/1.1\r\n\r\n", "GET / HT", ""))
        {
            for (int i = 0; i < 20; i++)
            {
                final Socket socket = new Socket();
                socket.setReceiveBufferSize(1 << 12);
                socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port));
                socket.getOutputStream().write(text.getBytes(ISO_8859_1));
                silent.add(socket);
            }
        }

        final int length = picture(browser, port, next(browser, port)).body().length;

        assertEquals(4_000_000, length);
        CloseHelper.closeAll(silent);
    }

    @Test
    void shouldAnswerManyBrowsersThatWaitForAPicture() throws Exception
    {
        serve("web", "0");
        final int port = port();
        final HttpClient browser = HttpClient.newHttpClient();
        final List<CompletableFuture<HttpResponse<byte[]>>> next = new ArrayList<>();
        for (int i = 0; i < 200; i++)
        {
            next.add(next(browser, port));
        }
        browser.send(get(port, "/"), HttpResponse.BodyHandlers.ofString());

        call(DisplayDriver.PRESENT, 0, 0, NOTHING);

        for (final CompletableFuture<HttpResponse<byte[]>> each : next)
        {
            assertEquals(LENGTH, picture(browser, port, each).body().length);
        }
    }

    @Test
    void shouldShowThePictureInABrowser() throws Exception
    {
        final Optional<Path> program = BrowserPage.find();
        assumeTrue(program.isPresent(), "no chromium, chromium-browser or google-chrome is on the path");
        serve("web", "0");
        final String page = "http://127.0.0.1:" + port() + "/";
        try (BrowserPage browser = new BrowserPage(program.get(), page, files))
        {
            for (int i = 1; i <= 3; i++)
            {
                final byte[] pixels = random(i);
                write(0, pixels);
                call(DisplayDriver.PRESENT, 0, 0, NOTHING);
                assertRgba(pixels, Base64.getDecoder().decode(browser.evaluate(canvas(i))));
            }
        }
    }

    /** Waits for a picture, and reads the pixels of the canvas back. */
    private static String canvas(final int number)
    {
        return "(async () => { while (document.title !== 'GRIM display " + number + "')" +
            "{ await new Promise(r => setTimeout(r, 20)); } const c = document.getElementById('screen'); " +
            "return btoa(String.fromCharCode(" +
            "...c.getContext('2d').getImageData(0, 0, c.width, c.height).data)); })()";
    }

    private int port()
    {
        return Integer.parseInt(device.describe().replaceAll("(?s).*port=([0-9]+).*", "$1"));
    }

    private static HttpRequest get(final int port, final String path)
    {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    }

    private static CompletableFuture<HttpResponse<byte[]>> next(final HttpClient browser, final int port)
    {
        return browser.sendAsync(get(port, "/pixels?after=0"), HttpResponse.BodyHandlers.ofByteArray());
    }

    /** Waits for a picture. As a page does, asks again when this process was late: the display waits for seconds. */
    private static HttpResponse<byte[]> picture(
        final HttpClient browser, final int port, final CompletableFuture<HttpResponse<byte[]>> first)
        throws Exception
    {
        final long startNs = System.nanoTime();
        CompletableFuture<HttpResponse<byte[]>> next = first;
        while (true)
        {
            try
            {
                final HttpResponse<byte[]> answer = next.get(2, TimeUnit.MINUTES);
                if (answer.statusCode() != 204)
                {
                    return answer;
                }
            }
            catch (final ExecutionException ex)
            {
                assertInstanceOf(IOException.class, ex.getCause());             // The display has closed.
            }
            assertTrue(System.nanoTime() - startNs < TimeUnit.MINUTES.toNanos(2), "no picture");
            next = next(browser, port);
        }
    }

    private static void assertRgba(final byte[] screen, final byte[] body)
    {
        assertEquals(screen.length, body.length);
        for (int i = 0; i < body.length; i += 4)
        {
            assertArrayEquals(new byte[] {screen[i + 2], screen[i + 1], screen[i], -1},
                Arrays.copyOfRange(body, i, i + 4), "pixel=" + i / 4);
        }
    }

    @Test
    void shouldRefuseRequestsThatAreWrong() throws IOException
    {
        serve();
        final UnsafeBuffer tooShort = new UnsafeBuffer(frame(PixelFormat.MONO, 8, 8, new byte[64]), 0, 100);
        final UnsafeBuffer noFormat = frame(PixelFormat.MONO, 8, 8, new byte[64]);
        noFormat.putShort(4, (short)0x600);
        final byte[] file = jpeg(8, 8);
        final Map<UnsafeBuffer, String> frames = new LinkedHashMap<>();
        frames.put(NOTHING, "video frame of length=0 has no header");
        frames.put(tooShort, "video frame of length=100 has a wrong header: format=1 width=8 height=8 planes of " +
            "length=64");
        frames.put(noFormat, "video frame of length=128 has a wrong header: format=6 width=8 height=8 planes of " +
            "length=64");
        frames.put(frame(PixelFormat.YUV_420, 8, 8, new byte[95]),
            "video frame of length=159 has planes of length=95, expected 96");
        frames.put(frame(PixelFormat.JPEG, 9, 8, file),
            "JPEG file of 8x8 is not of the frame's 9x8, or exceeds pixels=33554432");
        frames.forEach((frame, reason) -> assertRefusal(DeviceCode.BAD_REQUEST, reason, DisplayDriver.FRAME, 0, frame));
        final byte[] broken = file.clone();
        Arrays.fill(broken, 20, 200, (byte)-1);
        assertThrows(DeviceException.class, () ->
            call(DisplayDriver.FRAME, 0, 0, frame(PixelFormat.JPEG, 8, 8, broken)));
        assertRefusal(DeviceCode.BAD_REQUEST, "frame buffer=2 is not 0 or 1", DisplayDriver.PRESENT, 2, NOTHING);
        assertRefusal(DeviceCode.BAD_REQUEST, "area of length=2 is not x, y, width, height: 8 bytes",
            DisplayDriver.PRESENT, 0, area(1));
        assertRefusal(DeviceCode.BAD_REQUEST, "Area[x=1, y=0, width=37, height=1] is empty, or not within 37x21",
            DisplayDriver.PRESENT, 0, area(1, 0, WIDTH, 1));
        assertRefusal(DeviceCode.BAD_REQUEST, "slots=65 or frame length=0 is outside 1 to 64 and 64 to 268435456",
            DisplayDriver.WINDOW, 65, NOTHING);
        assertTrue(lines(DisplayDriver.STATUS).contains("pictures=0\nrefused=6\n"), lines(DisplayDriver.STATUS));
        assertEquals(DeviceInfo.State.UP, runner.state());
    }

    private void assertRefusal(
        final DeviceCode code, final String reason, final String handler, final int a0, final UnsafeBuffer payload)
    {
        final DeviceException refusal = assertThrows(DeviceException.class, () -> call(handler, a0, 0, payload));
        assertEquals(code + " " + reason, refusal.code() + " " + refusal.getMessage());
    }

    @Test
    void shouldSayThatASinkIsGone() throws IOException
    {
        final Path directory = Files.createDirectory(files.resolve("pictures"));
        serve("png", directory.toString());
        call(DisplayDriver.FLIP, 0, 0, NOTHING);
        Files.delete(directory.resolve("frame-00000001.png"));
        Files.delete(directory);

        final DeviceException refusal = assertThrows(DeviceException.class, () ->
            call(DisplayDriver.FLIP, 0, 0, NOTHING));

        assertEquals(DeviceCode.ERROR, refusal.code(), refusal.getMessage());
        Files.createDirectory(directory);
        call(DisplayDriver.FLIP, 0, 0, NOTHING);
        assertTrue(Files.exists(directory.resolve("frame-00000003.png")));
    }

    @Test
    void shouldShowTheFramesOfItsWindows() throws IOException
    {
        serve("png", files.toString());
        final byte[] planes = new byte[WIDTH * HEIGHT];
        final List<Integer> shown = new ArrayList<>();
        try (FrameSender sender = window(2, VideoFrame.HEADER_LENGTH + planes.length))
        {
            for (int i = 0; i < 20; i++)
            {
                Arrays.fill(planes, (byte)(16 + 10 * i));
                send(sender, frame(PixelFormat.MONO, WIDTH, HEIGHT, planes));
            }
            send(sender, new UnsafeBuffer(new byte[80]));
            awaitStatus("frames=20 ended=false failure=video frame of length=80 has no header");
            assertEquals(20, lines(DisplayDriver.FRAMES).lines().count());
            for (int i = 1; i <= 20; i++)
            {
                shown.add(png(i)[0] & 0xFF);
            }
            for (int i = 0; i < 20; i++)
            {
                assertEquals(reference(PixelFormat.MONO, new byte[] {(byte)(16 + 10 * i)}, 0, 0, 0), shown.get(i), 1);
            }
            final FrameSender other = window(1, 100);
            assertFalse(lines(DisplayDriver.STATUS).contains("frames=20"), "a new window replaces the first");
            final UnsafeBuffer frame = frame(PixelFormat.MONO, 4, 4, new byte[16]);
            for (SendStatus status = SendStatus.SENT; status != SendStatus.CLOSED;)
            {
                clientNode.endpoint().poll();
                status = sender.send(frame, 0, frame.capacity());
            }
            send(other, frame);
            awaitStatus("frames=1 ended=false");
            other.close();
        }
    }

    private FrameSender window(final int slots, final int length)
    {
        final Reply reply = call(DisplayDriver.WINDOW, slots, length, NOTHING);
        return clientNode.endpoint().memory().sendFrames(
            RemoteRegion.readFrom(reply.buffer(), 0, reply.length()), length);
    }

    private void send(final FrameSender sender, final UnsafeBuffer frame)
    {
        final long startNs = System.nanoTime();
        while (!sender.send(frame, 0, frame.capacity()).isAccepted())
        {
            assertTrue(System.nanoTime() - startNs < TimeUnit.MINUTES.toNanos(2), "waited in vain");
            clientNode.endpoint().poll();
        }
    }

    private void awaitStatus(final String part)
    {
        final long startNs = System.nanoTime();
        while (!lines(DisplayDriver.STATUS).contains(part))
        {
            assertTrue(System.nanoTime() - startNs < TimeUnit.MINUTES.toNanos(2), () -> lines(DisplayDriver.STATUS));
        }
    }
}
