// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.tools.demo.video.DemoVideo;
import org.grim.tools.demo.video.VideoKey;
import org.grim.tools.demo.video.VideoOptions;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/**
 * Pictures that go through kernels, to look at.
 * <p>Thread: main.
 */
@Command(name = "demo-video", mixinStandardHelpOptions = true,
    description = "Sends a film, a camera or a test pattern through kernels of two accelerators to a web page.",
    footer = {"", "Five processes on this machine: capture, two accelerators, display, and the owner of the stream,",
        "which is this one. Stages: gray and gauss on gpu1, sobel on gpu2. Frames that find no room are dropped before",
        "they are injected, and counted; those of a file wait. Keys, with the end of the line behind them:",
        "  r                  replaces the last kernel: sobel, gauss, spectrum",
        "  k                  kills an accelerator's process, gpu2 and gpu1 in turns; the other one takes its",
        "                     stages, until a new process is there",
        "  d                  sends all frames through a second stream, too, or ends that",
        "  q                  quits",
        "At the end the accounts of all frames; exit code 1 if they do not add up. Nothing is left, also after",
        "Ctrl-C."})
final class DemoVideoCommand implements Callable<Integer>
{
    private static final String PNG = "png:";
    private static final int SECONDS_MAX = 1_000_000;
    private static final int RATE_MAX = 1_000;

    @Spec
    private CommandSpec spec;

    @Option(names = "--seconds", paramLabel = "N", defaultValue = "0",
        description = "Time to run, to 1000000 s; 0: until q (default: ${DEFAULT-VALUE}).")
    private int seconds;

    @Option(names = "--size", paramLabel = "WxH", defaultValue = "640x480",
        description = "Picture, at least as large as the input's, 1 to 2048 each (default: ${DEFAULT-VALUE}).")
    private String size;

    @Option(names = "--rate", paramLabel = "N", defaultValue = "0",
        description = "Frames per second, to 1000; 0: the input's own (default: ${DEFAULT-VALUE}).")
    private int rate;

    @Option(names = "--input", paramLabel = "FILE|COMMAND", defaultValue = "",
        description = "YUV4MPEG2 file, or program that writes such: ffmpeg -f v4l2 ... (default: a test pattern).")
    private String input;

    @Option(names = "--output", paramLabel = "web|png:DIR", defaultValue = "web",
        description = "Where to look (default: ${DEFAULT-VALUE}, on a free port of this machine).")
    private String pictures;

    @Option(names = "--press", paramLabel = "KEY@SECONDS", split = ",",
        description = "Key to press by itself, such as k@5; several, with commas between.")
    private List<String> keys = List.of();

    @Option(names = "--directory", paramLabel = "DIR", description = "Where files are made (default: /dev/shm).")
    private Path directory;

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--seconds", seconds, 0, SECONDS_MAX);
        OptionCheck.requireWithin(spec, "--rate", rate, 0, RATE_MAX);
        final VideoOptions options = options();
        final List<VideoKey> presses = presses();
        try (DemoVideo demo = new DemoVideo(directory, options, presses, spec.commandLine().getOut()))
        {
            return demo.run(seconds, System.in) ? 0 : 1;
        }
    }

    private VideoOptions options()
    {
        final Matcher sides = Pattern.compile("([1-9][0-9]{0,3})x([1-9][0-9]{0,3})").matcher(size);
        if (!sides.matches())
        {
            throw new ParameterException(spec.commandLine(), "--size=" + size + " is not WIDTHxHEIGHT");
        }
        final int width = Integer.parseInt(sides.group(1));
        final int height = Integer.parseInt(sides.group(2));
        OptionCheck.requireWithin(spec, "--size", Math.max(width, height), 1, VideoOptions.SIDE_MAX);
        if (!pictures.equals("web") && !pictures.matches(PNG + ".+"))
        {
            throw new ParameterException(spec.commandLine(), "--output=" + pictures + " is neither web nor png:DIR");
        }
        final Path png = pictures.equals("web") ? null : Path.of(pictures.substring(PNG.length()));
        if (png != null && !Files.isDirectory(png))
        {
            throw new ParameterException(spec.commandLine(), "--output=" + pictures + " names no directory");
        }
        return new VideoOptions(width, height, rate, input, png);
    }

    private List<VideoKey> presses()
    {
        try
        {
            return keys.stream().map(VideoKey::parse).toList();
        }
        catch (final IllegalArgumentException ex)
        {
            throw new ParameterException(spec.commandLine(), "--press: " + ex.getMessage(), ex);
        }
    }
}
