// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.zip.CRC32;

import org.agrona.CloseHelper;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.grim.device.DeviceClient;
import org.grim.stream.Accounts;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionListener;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;
import org.grim.stream.VideoSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Capture, two accelerators and a display in processes of their own; the test owns the stream: frames go through gray,
 * gauss and sobel, a kernel is replaced while they flow, and an accelerator is killed.
 */
@Tag("process")
@Timeout(600)
final class VideoStreamProcessIT
{
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final int WIDTH = 160;
    private static final int HEIGHT = 120;
    private static final int WINDOW = 4;
    private static final int CHROMA_PART = 2;
    private static final String SIZE = "size=" + WIDTH + "x" + HEIGHT;

    @TempDir
    private Path files;
    private final Path clusters = ShmDirectory.create();
    private final List<PeerJvm> processes = new ArrayList<>();
    private final List<Long> lost = new ArrayList<>();
    private final List<String> failed = new ArrayList<>();
    private Grim grim;
    private Streams streams;

    @BeforeEach
    void join()
    {
        grim = Grim.enable(VideoMain.config(clusters, "owner"));
        streams = Streams.open(grim);
        grim.start();
    }

    @AfterEach
    void deleteClusters()
    {
        CloseHelper.closeAll(streams);
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

    /** Waits for a device of a node; streams have no state. */
    private EndpointId device(final String node, final NodeInfo.Device kind)
    {
        final List<EndpointId> found = new ArrayList<>();
        await(() ->
        {
            grim.nodes().stream().filter(each -> each.name().equals(node))
                .flatMap(each -> each.devices().stream()).filter(device -> device.kind() == kind &&
                (kind == NodeInfo.Device.OTHER || device.state() == DeviceInfo.State.UP))
                .forEach(device -> found.add(device.endpoint()));
            return !found.isEmpty();
        });
        return found.get(0);
    }

    private void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), "waited in vain");
            poll();
        }
    }

    private void poll()
    {
        if (grim.endpoint().poll() + streams.poll() == 0)
        {
            Thread.onSpinWait();
        }
    }

    /** Runs the source until the sink has had so many more items, and something else is so. */
    private void flow(
        final VideoSource source, final Connection connection, final int count, final BooleanSupplier isSo)
    {
        final long end = connection.accounts().delivered() + count;
        await(() ->
        {
            source.step();
            return isSo.getAsBoolean() && connection.accounts().delivered() >= end;
        });
    }

    private Connection open(final EndpointId gpu1, final EndpointId gpu2)
    {
        final EndpointId sink = device(VideoMain.SINK, NodeInfo.Device.OTHER);
        // The sink takes connections by name once its window is open.
        final Connection[] opened = new Connection[1];
        await(() ->
        {
            try
            {
                opened[0] = streams.open(ConnectionSpec.of(VideoMain.SINK, sink, Stage.of(gpu1, "gray"),
                    Stage.of(gpu1, "gauss"), Stage.of(gpu2, "sobel")).bounds(WINDOW, VideoMain.FRAME_LENGTH_MAX)
                    .listener(new ConnectionListener()
                    {
                        @Override
                        public void onLost(final long first, final long last)
                        {
                            for (long i = first; i <= last; i++)
                            {
                                lost.add(i);
                            }
                        }

                        @Override
                        public void onFailed(final long sequence, final String reason)
                        {
                            failed.add(sequence + " " + reason);
                        }
                    }), PATIENCE);
                return true;
            }
            catch (final GrimException ex)
            {
                assertTrue(ex.getMessage().contains("no handler"), ex.getMessage());
                return false;
            }
        });
        return opened[0];
    }

    @Test
    void shouldAccountForEachFrameWhileKernelsAreReplacedAndAStageIsKilled() throws Exception
    {
        serve(VideoMain.SINK, NodeInfo.Device.VIDEO_DISPLAY, SIZE, "web=0");
        serve("gpu1", NodeInfo.Device.ACCELERATOR);
        final PeerJvm killed = serve("gpu2", NodeInfo.Device.ACCELERATOR);
        serve("capture", NodeInfo.Device.VIDEO_CAPTURE, SIZE, "rate=30");
        final EndpointId gpu1 = device("gpu1", NodeInfo.Device.ACCELERATOR);
        final EndpointId gpu2 = device("gpu2", NodeInfo.Device.ACCELERATOR);
        final DeviceClient display = DeviceClient.await(grim, NodeInfo.Device.VIDEO_DISPLAY, PATIENCE);
        final DeviceClient capture = DeviceClient.await(grim, NodeInfo.Device.VIDEO_CAPTURE, PATIENCE);
        final Connection connection = open(gpu1, gpu2);
        final VideoSource source = new VideoSource(capture, connection, WINDOW, VideoMain.FRAME_LENGTH_MAX, true);

        flow(source, connection, 20, () -> true);
        connection.replace(2, Stage.of(gpu2, "gauss"));
        flow(source, connection, 0, connection::isSettled);
        flow(source, connection, 20, () -> true);           // More than there are on the path: by the new kernel.
        connection.replace(2, Stage.of(gpu2, "sobel"));
        flow(source, connection, 20, connection::isSettled);
        assertEquals(List.of(), lost, "a replacement loses nothing");
        final long startNs = System.nanoTime();
        killed.kill();
        final long[] replacedNs = new long[1];
        flow(source, connection, 20, () ->
        {
            replacedNs[0] += replacedNs[0] == 0 && !connection.stages().get(2).device().equals(gpu2) ?
                System.nanoTime() - startNs : 0;
            return replacedNs[0] != 0;
        });
        final VideoSource.Frames frames = source.stop();
        connection.close();

        assertTrue(Duration.ofNanos(replacedNs[0]).compareTo(Duration.ofSeconds(30)) < 0,
            () -> "replaced after ns=" + replacedNs[0]);
        assertEquals(gpu1, connection.stages().get(2).device());
        final Accounts accounts = connection.accounts();
        assertEquals(0, frames.missing(), frames::toString);
        assertEquals(frames.arrived() - frames.dropped(), accounts.injected());
        assertEquals(accounts.injected(), accounts.delivered() + accounts.lost(), accounts::toString);
        assertEquals(List.of(), failed);
        assertEquals(accounts.lost(), lost.size());
        assertShown(capture, display, accounts);
        assertBrowser(display);
    }

    private List<String> shown(final DeviceClient display)
    {
        return display.call(display.handler(DisplayDriver.FRAMES), 0, 0, 0, null, 0, 0).text().lines().toList();
    }

    /** Each picture that was shown is one of the capture's, in order, and the result of one of the two paths. */
    private void assertShown(final DeviceClient capture, final DeviceClient display, final Accounts accounts)
    {
        await(() -> shown(display).size() == accounts.delivered());
        long last = -1;
        int blurredCount = 0;
        for (final String line : shown(display))
        {
            final long number = Long.parseLong(line.split(" ", -1)[1]);
            assertTrue(number > last, line);
            last = number;
            final byte[] blurred = gauss(brightness(number));
            final String edges = line(capture, number, sobel(blurred));
            if (!line.equals(edges))
            {
                assertEquals(line(capture, number, gauss(blurred)), line);
                blurredCount++;
            }
        }
        assertNotEquals(0, blurredCount, "the other kernel has run, too");
        assertTrue(blurredCount < accounts.delivered());
    }

    private void assertBrowser(final DeviceClient display) throws Exception
    {
        final Optional<Path> program = BrowserPage.find();
        if (program.isEmpty())
        {
            return;
        }
        final List<String> lines = shown(display);
        final byte[] edges =
            sobel(gauss(brightness(Long.parseLong(lines.get(lines.size() - 1).split(" ", -1)[1]))));
        final String page = "http://127.0.0.1:" +
            display.describe().replaceAll("(?s).*port=([0-9]+).*", "$1") + "/";
        final byte[] expected = new byte[WIDTH * HEIGHT * Screen.PIXEL_LENGTH];
        for (int i = 0; i < edges.length; i++)
        {
            final int grey = Math.max(0, Math.min(255, (298 * ((edges[i] & 0xFF) - 16) + 128) >> 8));
            for (int colour = 0; colour < Screen.PIXEL_LENGTH - 1; colour++)
            {
                expected[i * Screen.PIXEL_LENGTH + colour] = (byte)grey;
            }
            expected[i * Screen.PIXEL_LENGTH + Screen.PIXEL_LENGTH - 1] = -1;
        }
        try (BrowserPage browser = new BrowserPage(program.get(), page, files))
        {
            assertArrayEquals(expected, Base64.getDecoder().decode(browser.evaluate(
                "(async () => { while (document.title !== 'GRIM display " + lines.size() + "')" +
                "{ await new Promise(r => setTimeout(r, 20)); } const c = document.getElementById('screen'); " +
                "const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data; let s = ''; " +
                "for (let i = 0; i < d.length; i++) { s += String.fromCharCode(d[i]); } return btoa(s); })()")));
        }
    }

    private static String line(final DeviceClient capture, final long number, final byte[] plane)
    {
        final CRC32 sum = new CRC32();
        sum.update(plane);
        return capture.device().key() + " " + number + " " + Long.toHexString(sum.getValue());
    }

    private static byte[] brightness(final long number)
    {
        final byte[] planes = new byte[WIDTH * HEIGHT + WIDTH * HEIGHT / CHROMA_PART];
        TestPattern.fill(planes, 0, PixelFormat.YUV_420, WIDTH, HEIGHT, number);
        final byte[] plane = new byte[WIDTH * HEIGHT];
        new UnsafeBuffer(planes).getBytes(0, plane);
        return plane;
    }

    /** Weights 1 2 1 in both directions; by the definition. */
    private static byte[] gauss(final byte[] plane)
    {
        final byte[] result = new byte[plane.length];
        for (int y = 0; y < HEIGHT; y++)
        {
            for (int x = 0; x < WIDTH; x++)
            {
                int sum = 0;
                for (int i = 0; i < 9; i++)
                {
                    final int column = i % 3 - 1;
                    final int row = i / 3 - 1;
                    sum += (2 - Math.abs(row)) * (2 - Math.abs(column)) * at(plane, x + column, y + row);
                }
                result[y * WIDTH + x] = (byte)((sum + 8) / 16);
            }
        }
        return result;
    }

    /** Length of the gradient above black; by the definition. */
    private static byte[] sobel(final byte[] plane)
    {
        final byte[] result = new byte[plane.length];
        for (int y = 0; y < HEIGHT; y++)
        {
            for (int x = 0; x < WIDTH; x++)
            {
                int across = 0;
                int down = 0;
                for (int i = -1; i <= 1; i++)
                {
                    across += (2 - Math.abs(i)) * (at(plane, x + 1, y + i) - at(plane, x - 1, y + i));
                    down += (2 - Math.abs(i)) * (at(plane, x + i, y + 1) - at(plane, x + i, y - 1));
                }
                result[y * WIDTH + x] =
                    (byte)Math.min(235, 16 + (int)Math.floor(Math.sqrt(across * across + down * down)));
            }
        }
        return result;
    }

    private static int at(final byte[] plane, final int x, final int y)
    {
        return plane[Math.max(0, Math.min(HEIGHT - 1, y)) * WIDTH + Math.max(0, Math.min(WIDTH - 1, x))] & 0xFF;
    }
}
