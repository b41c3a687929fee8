// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Timeout(600)
final class DemoVideoProcessIT
{
    private static final long TIMEOUT_MS = 120_000;

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
