// SPDX-License-Identifier: Apache-2.0
package org.grim.device.video;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceRunner;
import org.grim.stream.Streams;
import org.grim.stream.VideoSink;

/**
 * A device in a process of its own, until its standard input ends. A display has the sink of the connection {@code
 * video}, too.
 */
final class VideoMain
{
    /** Name of the node and of the connection. */
    static final String SINK = "video";
    static final int FRAME_LENGTH_MAX = 1 << 17;
    private static final int ACCELERATOR_CHANNEL_COUNT = 3;
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private VideoMain()
    {
    }

    /** Directory of clusters, name of the node, kind of the device, and its options. */
    public static void main(final String[] args) throws IOException
    {
        final Map<String, String> options = new HashMap<>();
        for (int i = 3; i < args.length; i++)
        {
            options.put(args[i].substring(0, args[i].indexOf('=')), args[i].substring(args[i].indexOf('=') + 1));
        }
        try (Grim grim = Grim.enable(config(Path.of(args[0]), args[1]));
            DeviceRunner runner = DeviceRunner.open(grim, spec(NodeInfo.Device.ofLabel(args[2])), options))
        {
            if (args[1].equals(SINK))
            {
                show(grim, runner);
                return;
            }
            grim.startPolling();
            runner.start();
            grim.start();
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    private static DeviceSpec spec(final NodeInfo.Device kind)
    {
        return DeviceSpec.of(kind).onChannels(
            DeviceSpec.ANY_CHANNEL, kind == NodeInfo.Device.ACCELERATOR ? ACCELERATOR_CHANNEL_COUNT : 1);
    }

    private static void show(final Grim grim, final DeviceRunner runner) throws IOException
    {
        runner.start();
        try (Streams streams = Streams.open(grim))
        {
            grim.start();
            final DeviceClient display = DeviceClient.await(grim, NodeInfo.Device.VIDEO_DISPLAY, PATIENCE);
            try (VideoSink sink = new VideoSink(display, 4, FRAME_LENGTH_MAX))
            {
                streams.onItems(SINK, sink);
                while (System.in.available() == 0)
                {
                    if (grim.endpoint().poll() + streams.poll() == 0)
                    {
                        Thread.onSpinWait();
                    }
                }
            }
        }
    }

    static GrimConfig config(final Path directory, final String name)
    {
        return GrimConfig.builder().directory(directory).nodeName(name).transports("shmem")
            .set("grim.channels.count", 4).set("grim.handlers.resolve-timeout", "60s").build();
    }
}
