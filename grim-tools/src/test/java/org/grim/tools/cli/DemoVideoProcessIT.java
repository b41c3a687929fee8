// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.awt.image.BufferedImage;
import java.io.BufferedOutputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.imageio.ImageIO;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Timeout(600)
final class DemoVideoProcessIT
{
    private static final long TIMEOUT_MS = 120_000;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 480;
    private static final int FRAME_COUNT = 60;
    private static final double REPLACED_S_MAX = 1;         // 0.1 where nothing else runs.

    @TempDir
    private Path directory;

    @Test
    void shouldShowAFilmAndAccountForEachFrameUntilAKeyIsPressed() throws Exception
    {
        final Path files = directory.resolve("f/g");
        final Path pictures = Files.createDirectory(directory.resolve("pictures"));
        try (GrimProcess grim = GrimProcess.run(directory, "demo-video", "--size", "64x48", "--rate", "20",
            "--directory", files.toString(), "--output", "png:" + pictures, "--press", "r@1,k@2,d@2.5"))
        {
            grim.await("the second stream, and the new process", () -> grim.output().contains("load is doubled") &&
                grim.output().contains("gpu2 is there again"));
            assertPipelines(grim.output());
            grim.process().getOutputStream().write("q\n".getBytes(UTF_8));
            grim.process().getOutputStream().flush();

            assertEquals(0, grim.exitCode(), () -> grim.error() + grim.output());
            assertFalse(grim.error().contains("\tat "), grim.error());
            assertTrue(grim.output().contains("gpu2 is gone, and is started again"), grim.output());
            assertTrue(grim.output().contains("the accounts add up"), grim.output());
            final Matcher accounts = Pattern.compile("video: captured=\\d+ .* delivered=(\\d+) failed=0 ")
                .matcher(grim.output());
            assertTrue(accounts.find(), grim.output());
            try (Stream<Path> pngs = Files.list(pictures))
            {
                assertEquals(Long.parseLong(accounts.group(1)), pngs.count());
            }
        }
        assertFalse(Files.exists(files.getParent()), "a directory is left");
    }

    /** As the page for developers prints it. */
    private void assertPipelines(final String output) throws Exception
    {
        final Matcher where = Pattern.compile("\\./grim pipelines --cluster (\\S+) --directory (\\S+)").matcher(output);
        assertTrue(where.find(), output);
        final Path files = Files.createDirectory(directory.resolve("p"));
        final long deadlineNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIMEOUT_MS);
        String text = pipelines(files, where.group(1), where.group(2));
        while (!isWhole(text))                  // A stage may be about to come, or late with its answer.
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, text);
            text = pipelines(files, where.group(1), where.group(2));
        }
    }

    private static String pipelines(final Path files, final String cluster, final String place) throws Exception
    {
        try (GrimProcess pipelines =
            GrimProcess.run(files, "pipelines", "--cluster", cluster, "--directory", place))
        {
            assertEquals(0, pipelines.exitCode(), pipelines.error());
            return pipelines.output();
        }
    }

    private static boolean isWhole(final String text)
    {
        return Pattern.compile("(?m)^connection video of owner to display: (open|full|changing|draining|broken)")
            .matcher(text).find() && text.contains("connection load of owner to display: ") &&
            Pattern.compile("(?m)^ +0 +gray +0 +gpu\\d +1 +\\S+ +\\d+ ").matcher(text).results().count() == 2;
    }

    /** Frames of a file wait, so each picture is what the kernels give for the frame of its number. */
    @Test
    @Tag("long")
    void shouldShowWhatTheKernelsComputeOfEachFrame() throws Exception
    {
        final Path pictures = Files.createDirectory(directory.resolve("pictures"));
        final Path film = directory.resolve("film.y4m");
        final Random random = new Random(38);
        final List<byte[]> frames = new ArrayList<>();
        try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(film)))
        {
            output.write(("YUV4MPEG2 W" + WIDTH + " H" + HEIGHT + " F30:1 Ip A1:1 C420jpeg\n").getBytes(UTF_8));
            for (int i = 0; i < FRAME_COUNT; i++)
            {
                final byte[] brightness = new byte[WIDTH * HEIGHT];
                final byte[] colours = new byte[brightness.length / 2];
                random.nextBytes(colours);
                final int step = 1 + random.nextInt(30);
                for (int pixel = 0; pixel < brightness.length; pixel++)
                {
                    brightness[pixel] = (byte)(16 + pixel / step % 180 + random.nextInt(20));
                }
                frames.add(brightness);
                output.write("FRAME\n".getBytes(UTF_8));
                output.write(brightness);
                output.write(colours);
            }
        }
        try (GrimProcess grim = GrimProcess.run(directory, "demo-video", "--input", film.toString(), "--size",
            WIDTH + "x" + HEIGHT, "--directory", directory.resolve("f").toString(), "--output", "png:" + pictures))
        {
            assertEquals(0, grim.exitCode(), () -> grim.error() + grim.output());
            assertTrue(grim.output().contains("delivered=" + FRAME_COUNT + " failed=0 lost=0 unknown=0"),
                grim.output());
        }
        for (int i = 0; i < FRAME_COUNT; i++)
        {
            final BufferedImage picture =
                ImageIO.read(pictures.resolve(String.format("frame-%08d.png", i + 1)).toFile());
            assertArrayEquals(edges(blurred(frames.get(i))),
                picture.getRGB(0, 0, WIDTH, HEIGHT, null, 0, WIDTH), "frame=" + i);
        }
    }

    /** Weights of 1, 2, 1 in both directions, halves rounded up. */
    private static int[] blurred(final byte[] pixels)
    {
        final int[] result = new int[pixels.length];
        for (int i = 0; i < result.length; i++)
        {
            int sum = 0;
            for (int y = -1; y <= 1; y++)
            {
                for (int x = -1; x <= 1; x++)
                {
                    sum += (2 - Math.abs(x)) * (2 - Math.abs(y)) * (pixels[at(i, x, y)] & 0xFF);
                }
            }
            result[i] = (sum + 8) / 16;
        }
        return result;
    }

    /** Lengths of gradients by Sobel, above black, as opaque gray of a screen. */
    private static int[] edges(final int[] pixels)
    {
        final int[] result = new int[pixels.length];
        for (int i = 0; i < result.length; i++)
        {
            int across = 0;
            int down = 0;
            for (int k = -1; k <= 1; k++)
            {
                across += (2 - Math.abs(k)) * (pixels[at(i, 1, k)] - pixels[at(i, -1, k)]);
                down += (2 - Math.abs(k)) * (pixels[at(i, k, 1)] - pixels[at(i, k, -1)]);
            }
            final int brightness = Math.min(235, 16 + (int)Math.hypot(across, down));
            result[i] = 0xFF << 24 | Math.min(255, (298 * (brightness - 16) + 128) >> 8) * 0x010101;
        }
        return result;
    }

    /** A pixel's neighbor; the edge's pixels stand for those beyond it. */
    private static int at(final int pixel, final int right, final int below)
    {
        final int x = Math.max(0, Math.min(WIDTH - 1, pixel % WIDTH + right));
        final int y = Math.max(0, Math.min(HEIGHT - 1, pixel / WIDTH + below));
        return y * WIDTH + x;
    }

    /** Kernels are replaced, which loses nothing; stages are killed, which loses what is named. */
    @Test
    @Tag("long")
    void shouldAccountForEachFrameOfAMinute() throws Exception
    {
        try (GrimProcess grim = GrimProcess.run(directory, "demo-video", "--size", WIDTH + "x" + HEIGHT, "--rate", "30",
            "--seconds", "60", "--directory", directory.resolve("f").toString(), "--press",
            "r@5,r@10,r@15,k@20,r@30,k@40,r@50"))
        {
            assertEquals(0, grim.exitCode(), () -> grim.error() + grim.output());
            final String output = grim.output();
            assertTrue(output.contains("the accounts add up"), output);
            final Matcher accounts = Pattern.compile("video: captured=(\\d+) arrived=(\\d+) dropped=(\\d+) " +
                "injected=(\\d+) delivered=(\\d+) failed=0 lost=(\\d+) unknown=(\\d+)").matcher(output);
            assertTrue(accounts.find(), output);
            assertTrue(Long.parseLong(accounts.group(1)) >= 1_700, output);
            assertEquals(named(output, "lost items (\\d+) to (\\d+)"), Long.parseLong(accounts.group(6)), output);
            assertEquals(named(output, "outcome of items (\\d+) to (\\d+) is unknown"),
                Long.parseLong(accounts.group(7)), output);
            assertTrue(times(output, "video: lost items|outcome of items").stream().allMatch(time -> time > 20),
                output);
            assertEquals(5, times(output, "takes the place of").size(), output);
            final List<Double> killed = times(output, "is killed: process");
            assertEquals(2, killed.size(), output);
            assertEquals(2, times(output, "is there again: process").size(), output);
            final double longestS = killed.stream().mapToDouble(kill -> times(output, "video goes on").stream()
                .filter(time -> time > kill).findFirst().orElse(Double.MAX_VALUE) - kill).max().orElseThrow();
            LoggerFactory.getLogger(getClass()).warn("demo-video: {}; video went on {} s after a kill",
                accounts.group(), Math.round(longestS * 1_000) / 1e3);
            assertTrue(longestS < REPLACED_S_MAX, output);
        }
    }

    /** Counts items of ranges in the output. */
    private static long named(final String output, final String ranges)
    {
        return Pattern.compile("video: " + ranges).matcher(output).results()
            .mapToLong(range -> Long.parseLong(range.group(2)) - Long.parseLong(range.group(1)) + 1).sum();
    }

    /** Finds the times of lines, in s. */
    private static List<Double> times(final String output, final String lines)
    {
        return output.lines().filter(line -> Pattern.compile(lines).matcher(line).find())
            .map(line -> Double.parseDouble(line.trim().split(" ", 2)[0])).toList();
    }

    @Test
    void shouldRefuseWhatCannotBe() throws Exception
    {
        final Path nowhere = directory.resolve("nowhere");
        try (GrimProcess grim = GrimProcess.run(directory, "demo-video", "--output", "png:" + nowhere))
        {
            assertEquals(2, grim.exitCode());
            assertTrue(grim.error().contains("--output=png:" + nowhere + " names no directory"), grim.error());
        }
        try (GrimProcess grim = GrimProcess.run(directory, "demo-video", "--press", "x@1"))
        {
            assertEquals(2, grim.exitCode());
            assertTrue(grim.error().contains("x@1 is no KEY@SECONDS"), grim.error());
        }
    }

    @Test
    @Tag("long")
    void shouldLeaveNothingWhenTerminated() throws Exception
    {
        final Path files = directory.resolve("f/g");
        try (GrimProcess grim = GrimProcess.run(directory, "demo-video", "--size", "64x48", "--directory",
            files.toString()))
        {
            grim.await("the stream", () -> grim.output().contains("keys: "));
            final ProcessHandle child = grim.child("org.grim.tools.demo.video.VideoProcess$Task");
            grim.process().destroy();

            assertNotEquals(0, grim.exitCode());
            child.onExit().get(TIMEOUT_MS, TimeUnit.MILLISECONDS);
            assertTrue(grim.output().contains("interrupted: "), grim.output());
        }
        assertFalse(Files.exists(files.getParent()), "a directory is left");
    }
}
