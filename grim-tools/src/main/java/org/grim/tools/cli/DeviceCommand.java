// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.IdleStrategy;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.device.DeviceRunner;
import org.grim.tools.process.EndSignal;

import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** A device in a process of its own. */
@Command(name = "device", mixinStandardHelpOptions = true,
    description = "Serves a device as a node of its own until it is interrupted.",
    footer = {"", "Options of the driver are words NAME=VALUE behind the kind. Prints one line when the device is up.",
        "If the driver fails later, the device answers so until it is reset; the reason is printed. With --restart it",
        "starts again in a new process, also if that is killed, or a kernel does not return.",
        "",
        "storage: files below one directory",
        "  root=DIR           the directory",
        "  read-only=BOOLEAN  refuse writes (default: false)",
        "  threads=N          threads that read and write files, 1 to 16 (default: 2)",
        "  window=BYTES       memory of a file for remote writes (default: 1MiB)",
        "",
        "bridge: programs outside of the cluster send messages through TCP connections",
        "  allow=NAMES        handlers that they may send to, separated by commas",
        "  port=N             port to listen at (default: a free one)",
        "  bind=ADDRESS       address to listen at (default: 127.0.0.1)",
        "  token-file=FILE    their first frame has its text; needed outside of loopback",
        "  connections=N      connections at a time, 1 to 1024 (default: 64)",
        "",
        "accelerator: runs kernels on the items of streams; --channels 3 or more",
        "  images=DIR         jars of kernels (default: none but alu and alu-bytes)",
        "  image-slots=N      images that are loaded at a time (default: 4)",
        "  image-bytes=BYTES  of their jars together (default: 64MiB)",
        "  channel-items=N    items of all windows of a channel (default: 256)",
        "  memory=BYTES       of all windows (default: 256MiB)",
        "  kernel-seconds=N   longest run of a kernel; 0: no limit (default: 60)",
        "",
        "video-capture: frames of a film, a camera or a test pattern",
        "  source=FILE        YUV4MPEG2, MJPEG, pipe; - is standard input (default: test)",
        "  command=WORDS      instead: a program that writes it, such as ffmpeg",
        "  rate=N             frames per second (default: the source's)",
        "  frame-length-max=BYTES  (default: 16MiB)",
        "  size=WxH           of the test pattern (default: 640x480)",
        "  format=NAME        mono, yuv_420, yuv_422 or yuv_444 (default: yuv_420)",
        "  frames=N           of the test pattern (default: 0, no end)",
        "",
        "video-display: shows pictures",
        "  size=WxH           width and height (default: 640x480)",
        "  rate=N             most pictures per second (default: 0, as they come)",
        "  png=DIR            writes each picture as a file",
        "  frame-buffer=FILE  writes pixels into it: /dev/fb0, or the file of an X server",
        "  stride=BYTES       of a row of the frame buffer (default: as the file says)",
        "  web=PORT           shows them on a page; 0 is a free port (default: none)",
        "  bind=ADDRESS       address to listen at (default: 127.0.0.1)"})
final class DeviceCommand implements Callable<Integer>
{
    private static final String RESTART = "--restart";
    private static final String PARENT = "--parent";
    private static final long LOOK_NS = TimeUnit.SECONDS.toNanos(1);

    @Spec
    private CommandSpec spec;

    @Mixin
    private ClusterOptions cluster;

    @Option(names = "--name", paramLabel = "NAME", description = "Name of the node (default: the kind).")
    private String name;

    @Option(names = "--channels", paramLabel = "N", defaultValue = "1",
        description = "Channels of the device, 1 to 16 (default: ${DEFAULT-VALUE}).")
    private int channels;

    @Option(names = RESTART,
        description = "Serves it in a process that is started again when it ends, or the device has failed.")
    private boolean isRestarted;

    @Option(names = PARENT, hidden = true, description = "Process behind which this one ends.")
    private long parent;

    @Parameters(index = "0", paramLabel = "KIND", description = "Kind of the device, such as storage.")
    private String kind;

    @Parameters(index = "1..*", paramLabel = "NAME=VALUE", description = "Options of the driver.")
    private Map<String, String> options = new TreeMap<>();

    @Override
    public Integer call() throws IOException
    {
        OptionCheck.requireWithin(spec, "--channels", channels, 1, DeviceInfo.CHANNEL_COUNT_MAX);
        final DeviceSpec device =
            DeviceSpec.of(NodeInfo.Device.ofLabel(kind)).onChannels(DeviceSpec.ANY_CHANNEL, channels);
        if (isRestarted)
        {
            final List<String> words = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
            words.remove(RESTART);
            words.add(words.indexOf(spec.name()) + 1, PARENT + '=' + ProcessHandle.current().pid());
            return RestartedProcess.run("device " + kind, words, spec.commandLine().getErr());
        }
        return serve(device);
    }

    private int serve(final DeviceSpec device)
    {
        try (EndSignal end = EndSignal.register();
            Grim grim = Grim.enable(config());
            DeviceRunner runner = DeviceRunner.open(grim, device, options))
        {
            runner.start();
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            DeviceInfo.State shown = DeviceInfo.State.STARTING;
            grim.start();
            long lookNs = System.nanoTime();
            while (!end.isEnded())
            {
                idle.idle(grim.endpoint().poll());
                final DeviceInfo.State state = runner.state();
                if (state != shown)
                {
                    show(grim, runner, shown, state);
                    shown = state;
                }
                boolean isLeft = parent != 0 && state == DeviceInfo.State.FAILED;
                if (System.nanoTime() - lookNs > LOOK_NS)
                {
                    lookNs = System.nanoTime();
                    requireNotStuck(runner);
                    isLeft |= isOrphan();
                }
                if (isLeft)
                {
                    return RestartedProcess.EXIT_CODE;
                }
            }
            return 0;
        }
    }

    /** Ends the process if the driver does not return: its thread cannot be ended otherwise. */
    private void requireNotStuck(final DeviceRunner runner)
    {
        if (runner.isStuck())
        {
            spec.commandLine().getErr().println(
                "grim: device " + kind + ": a call of the driver takes longer than it may: the process ends");
            spec.commandLine().getErr().flush();
            Runtime.getRuntime().halt(RestartedProcess.EXIT_CODE);
        }
    }

    /** Whether this was started by a process that has ended: nobody would start it again, or end it. */
    private boolean isOrphan()
    {
        return parent != 0 && ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L) != parent;
    }

    private void show(
        final Grim grim, final DeviceRunner runner, final DeviceInfo.State before, final DeviceInfo.State state)
    {
        if (state == DeviceInfo.State.FAILED)
        {
            final String text = "device " + kind + " has failed: " + runner.failure();
            if (before == DeviceInfo.State.STARTING)
            {
                throw new GrimException(GrimException.Reason.UNAVAILABLE, text);
            }
            spec.commandLine().getErr().println("grim: " + text);
            spec.commandLine().getErr().flush();
        }
        if (state == DeviceInfo.State.UP)
        {
            spec.commandLine().getOut().println("device " + kind + " ready: endpoint=" + runner.device().id() +
                " node=" + grim.node().name() + " process=" + ProcessHandle.current().pid());
            spec.commandLine().getOut().flush();
        }
    }

    /** As many channels as the device needs beside that of the host endpoint. */
    private GrimConfig config()
    {
        final GrimConfig config = cluster.config();
        final int count = ((Number)config.settings().get("grim.channels.count")).intValue();
        final int hostCount = ((Number)config.settings().get("grim.channels.host")).intValue();
        return config.toBuilder().nodeName(name == null ? kind : name)
            .set("grim.channels.count", Math.max(count, hostCount + channels)).build();
    }
}
