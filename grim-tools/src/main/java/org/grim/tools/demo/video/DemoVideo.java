// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo.video;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.agrona.CloseHelper;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.device.DeviceClient;
import org.grim.device.video.DisplayDriver;
import org.grim.stream.Accounts;
import org.grim.stream.Streams;
import org.grim.tools.process.EndSignal;
import org.grim.tools.process.PrivateDirectory;
import org.grim.tools.process.SecondJvm;

/**
 * The command {@code demo-video}: pictures of a capture go through kernels on two accelerators to a display. Five
 * processes: capture, accelerators, display, and this one, which owns the stream.
 * <p>Thread: one. Owns: the processes and all files.
 */
public final class DemoVideo implements AutoCloseable
{
    static final Duration PATIENCE = Duration.ofSeconds(30);
    static final List<String> GPU_NAMES = List.of("gpu1", "gpu2");
    private static final String CAPTURE = "capture";
    private static final String DISPLAY = "display";
    private static final long REPORT_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long FIRST_FRAME_NS = TimeUnit.SECONDS.toNanos(10);
    private static final String MEMORY = "1GiB";

    private final VideoOptions options;
    private final PrintWriter output;
    private final List<VideoKey> keys;
    private final PrivateDirectory directory;
    private final Grim grim;
    private final Streams streams;
    private final Accelerators accelerators;
    /** Added behind the directory's: at a signal, the files stay until this node has left. */
    private final EndSignal end;
    private final Map<String, SecondJvm> processes = new LinkedHashMap<>();
    private final Map<String, Long> deaths = new LinkedHashMap<>();
    private final List<VideoAccounts> finished = new ArrayList<>();
    private DeviceClient capture;
    private DeviceClient display;
    private DemoStream shown;
    private DemoStream load;
    private int killCount;
    private boolean isQuitting;
    private long beginNs;

    /**
     * Joins a cluster of its own, and starts nothing yet.
     *
     * @param base    directory for files; null for shared memory.
     * @param options of the picture.
     * @param keys    that are pressed by themselves.
     * @param output  gets a line for each event.
     */
    public DemoVideo(
        final Path base, final VideoOptions options, final List<VideoKey> keys, final PrintWriter output)
    {
        this.options = options;
        this.keys = new ArrayList<>(keys);
        this.output = output;
        directory = PrivateDirectory.create("grim-demo-", base);
        Grim joined = null;
        Streams opened = null;
        try
        {
            joined = Grim.enable(VideoProcess.config(directory.path(), "owner"));
            opened = Streams.open(joined);
        }
        finally
        {
            if (opened == null)
            {
                CloseHelper.closeAll(joined, directory);
            }
        }
        grim = joined;
        streams = opened;
        accelerators = new Accelerators(grim);
        end = EndSignal.register();
    }

    /**
     * Starts the processes, and shows pictures until the time is over, the input is over, or {@code q} is pressed; then
     * prints the accounts.
     *
     * @param seconds longest time; 0 for no end.
     * @param input   of keys.
     * @return whether it has ended by itself, and not by a signal.
     * @throws IOException   if keys cannot be read.
     * @throws GrimException if a process of the capture or the display ends, or the accounts do not add up.
     */
    public boolean run(final int seconds, final InputStream input) throws IOException
    {
        grim.start();
        start(CAPTURE, NodeInfo.Device.VIDEO_CAPTURE, options.capture());
        GPU_NAMES.forEach(this::startAccelerator);
        start(DISPLAY, NodeInfo.Device.VIDEO_DISPLAY, options.display());
        processes.values().forEach(process -> process.awaitReady(() -> VideoProcess.poll(grim, streams)));
        capture = DeviceClient.await(grim, NodeInfo.Device.VIDEO_CAPTURE, PATIENCE);
        display = DeviceClient.await(grim, NodeInfo.Device.VIDEO_DISPLAY, PATIENCE);
        beginNs = System.nanoTime();
        shown = open(VideoProcess.SHOWN);
        say("processes: owner " + ProcessHandle.current().pid() + ", " + describeProcesses());
        say("picture: " + (options.png() == null ? "http://127.0.0.1:" + port() + "/" : options.png()));
        say("stream: " + shown.path());
        say("look at it: ./grim pipelines --cluster " + VideoProcess.CLUSTER + " --directory " + directory.path());
        say("keys: r replaces a kernel, k kills an accelerator, d doubles the load, q quits");
        loop(seconds, input);
        finish();
        return !SecondJvm.isEnding();
    }

    private void loop(final int seconds, final InputStream input) throws IOException
    {
        long reportNs = beginNs;
        while (!isQuitting && !SecondJvm.isEnding() && !shown.hasEnded())
        {
            final long nowNs = System.nanoTime();
            while (input.available() > 0)
            {
                press((char)input.read());
            }
            final long elapsedNs = nowNs - beginNs;
            keys.stream().filter(key -> key.atNs() <= elapsedNs).toList().forEach(key ->
            {
                keys.remove(key);
                press(key.key());
            });
            isQuitting |= seconds > 0 && elapsedNs >= TimeUnit.SECONDS.toNanos(seconds);
            step(nowNs);
            if (nowNs - reportNs >= REPORT_NS)
            {
                reportNs = nowNs;
                report();
            }
        }
    }

    private void step(final long nowNs)
    {
        VideoProcess.poll(grim, streams);
        lookAtProcesses(nowNs);
        shown.step(nowNs);
        if (load != null)
        {
            load.step(nowNs);
        }
        if (shown.arrivedCount() == 0 && nowNs - beginNs > FIRST_FRAME_NS && !SecondJvm.isEnding())
        {
            throw new GrimException(GrimException.Reason.UNAVAILABLE,
                "no frame has come: " + shown.finish() + "; " + capture.status());
        }
    }

    /** Starts accelerators again that are gone; without capture or display there is nothing to see. */
    private void lookAtProcesses(final long nowNs)
    {
        for (final String name : GPU_NAMES)
        {
            final SecondJvm process = processes.get(name);
            if (!process.isAlive() && !SecondJvm.isEnding())
            {
                say(name + " is gone, and is started again");
                deaths.put(name, nowNs);
                process.close();
                startAccelerator(name);
            }
            else if (deaths.containsKey(name) && process.isReady())
            {
                deaths.remove(name);
                say(name + " is there again: process " + process.processId());
            }
        }
        if (!SecondJvm.isEnding())
        {
            processes.get(CAPTURE).requireAlive();
            processes.get(DISPLAY).requireAlive();
        }
    }

    private void press(final char key)
    {
        switch (key)
        {
            case 'r' -> shown.replaceKernel();
            case 'k' -> kill();
            case 'd' -> doubleLoad();
            case 'q' -> isQuitting = true;
            default ->
            {
                // A line's end, for example.
            }
        }
    }

    /** The accelerators take turns, the last one first. */
    private void kill()
    {
        final String name = GPU_NAMES.get(GPU_NAMES.size() - 1 - killCount % GPU_NAMES.size());
        if (!deaths.isEmpty())
        {
            say("not killed: " + String.join(", ", deaths.keySet()) + " is being started");
            return;
        }
        killCount++;
        say(name + " is killed: process " + processes.get(name).processId());
        processes.get(name).kill();
    }

    private void doubleLoad()
    {
        if (load == null)
        {
            load = open(VideoProcess.LOAD);
            say("load is doubled: all frames go through all kernels twice");
            return;
        }
        finished.add(load.finish());
        load = null;
        say("load is single again");
    }

    private DemoStream open(final String name)
    {
        return new DemoStream(
            name, streams, accelerators.streams(DISPLAY), capture, options, accelerators, this::say);
    }

    private void report()
    {
        final Accounts accounts = shown.accounts();
        say("delivered=" + accounts.delivered() + " of injected=" + accounts.injected() + " lost=" + accounts.lost() +
            " failed=" + accounts.failed());
    }

    /** After a signal to end the processes are gone, too: then nobody knows what the capture had. */
    private void finish()
    {
        if (SecondJvm.isEnding())
        {
            say("interrupted: " + shown.accounts());
            return;
        }
        if (load != null)
        {
            finished.add(load.finish());
            load = null;
        }
        final VideoAccounts accounts = shown.finish();
        finished.add(0, accounts);
        finished.forEach(each -> say(each.toString()));
        final long pictures = pictures(accounts.items().delivered());
        say("pictures=" + pictures);
        if (pictures != accounts.items().delivered() || !finished.stream().allMatch(VideoAccounts::addUp))
        {
            throw new GrimException(GrimException.Reason.BAD_DATA, "the accounts do not add up: " + finished);
        }
        say("the accounts add up");
    }

    /** The display shows what it has taken a moment later. */
    private long pictures(final long expected)
    {
        final long startNs = System.nanoTime();
        long pictures = -1;
        while (pictures != expected && System.nanoTime() - startNs < PATIENCE.toNanos())
        {
            pictures = number(display.call(display.handler(DisplayDriver.STATUS), 0, 0, 0, null, 0, 0).text(),
                "pictures=([0-9]+)");
        }
        return pictures;
    }

    private long port()
    {
        return number(display.describe(), "\\bport\"?\\s*[=:]\\s*([0-9]+)");
    }

    private static long number(final String text, final String pattern)
    {
        final Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find())
        {
            throw new GrimException(GrimException.Reason.BAD_DATA, "display says nothing of " + pattern + ": " + text);
        }
        return Long.parseLong(matcher.group(1));
    }

    private String describeProcesses()
    {
        final List<String> texts = new ArrayList<>();
        processes.forEach((name, process) -> texts.add(name + " " + process.processId()));
        return String.join(", ", texts);
    }

    private void startAccelerator(final String name)
    {
        start(name, NodeInfo.Device.ACCELERATOR, Map.of("memory", MEMORY));
    }

    private void start(final String name, final NodeInfo.Device kind, final Map<String, String> driverOptions)
    {
        processes.put(name, SecondJvm.start(name, new VideoProcess.Task(
            directory.path(), name, kind.label(), driverOptions, options.frameLength())));
    }

    private void say(final String text)
    {
        output.printf(Locale.ROOT, "%7.3f s  %s%n", (System.nanoTime() - beginNs) / 1e9, text);
        output.flush();
    }

    @Override
    public void close()
    {
        if (!SecondJvm.isEnding())              // At a signal the stages are gone, and nobody takes the items.
        {
            CloseHelper.closeAll(load, shown, streams);
        }
        CloseHelper.closeAll(processes.values());
        CloseHelper.closeAll(grim, end, directory);
    }
}
