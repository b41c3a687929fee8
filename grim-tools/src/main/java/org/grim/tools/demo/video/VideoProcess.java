// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo.video;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.concurrent.IdleStrategy;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceRunner;
import org.grim.stream.Streams;
import org.grim.stream.VideoSink;
import org.grim.tools.process.ChildTask;
import org.grim.tools.process.ParentWatch;

/**
 * A process of {@link DemoVideo} with one device. That of the display has the sinks of the streams, too.
 * <p>Thread: main; the device has one of its own.
 */
final class VideoProcess
{
    static final String CLUSTER = "demo";
    /** Name of the connection whose results are shown. */
    static final String SHOWN = "video";
    /** Name of the connection whose results nobody looks at. */
    static final String LOAD = "load";
    static final int SLOT_COUNT = 4;
    private static final int CHANNEL_COUNT = 6;
    private static final int ACCELERATOR_CHANNEL_COUNT = 3;
    private static final long IDLE_NS = TimeUnit.MICROSECONDS.toNanos(50);
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private VideoProcess()
    {
    }

    static GrimConfig config(final Path directory, final String name)
    {
        return GrimConfig.builder().directory(directory).clusterName(CLUSTER).nodeName(name).transports("shmem")
            .set("grim.channels.count", CHANNEL_COUNT).build();
    }

    /** Polls both endpoints of a thread; pauses if nothing came, since the doorbell of one is not the other's. */
    static int poll(final Grim grim, final Streams streams)
    {
        final int workCount = grim.endpoint().poll() + streams.poll();
        if (workCount == 0)
        {
            Uninterrupted.park(IDLE_NS);
        }
        return workCount;
    }

    /**
     * Serves the device until the owner of the stream ends, or says so by closing standard input.
     *
     * @param directory   of the clusters.
     * @param name        of the node.
     * @param kind        of the device, by its label.
     * @param options     of its driver.
     * @param frameLength most bytes of a frame.
     */
    record Task(Path directory, String name, String kind, Map<String, String> options, int frameLength)
        implements ChildTask
    {
        @Override
        public void run()
        {
            final ParentWatch watch = ParentWatch.start();
            final NodeInfo.Device device = NodeInfo.Device.ofLabel(kind);
            final DeviceSpec spec = DeviceSpec.of(device).onChannels(DeviceSpec.ANY_CHANNEL,
                device == NodeInfo.Device.ACCELERATOR ? ACCELERATOR_CHANNEL_COUNT : 1);
            try (Grim grim = Grim.enable(config(directory, name));
                DeviceRunner runner = DeviceRunner.open(grim, spec, options))
            {
                runner.start();
                if (device == NodeInfo.Device.VIDEO_DISPLAY)
                {
                    show(grim, runner, watch);
                }
                else
                {
                    grim.start();
                    serve(grim, null, runner, watch);
                }
            }
        }

        private void show(final Grim grim, final DeviceRunner runner, final ParentWatch watch)
        {
            try (Streams streams = Streams.open(grim))
            {
                grim.start();
                final DeviceClient display = DeviceClient.await(grim, NodeInfo.Device.VIDEO_DISPLAY, PATIENCE);
                try (VideoSink sink = new VideoSink(display, SLOT_COUNT, frameLength))
                {
                    streams.onItems(SHOWN, sink);
                    streams.onItems(LOAD, (sequence, buffer, offset, length) ->
                    {
                        // Its accounts count it.
                    });
                    serve(grim, streams, runner, watch);
                }
            }
        }

        private static void serve(
            final Grim grim, final Streams streams, final DeviceRunner runner, final ParentWatch watch)
        {
            final IdleStrategy idle = grim.endpoint().idleStrategy();
            boolean isReady = false;
            while (!watch.isEnded())
            {
                if (streams == null)
                {
                    idle.idle(grim.endpoint().poll());
                }
                else
                {
                    poll(grim, streams);
                }
                if (runner.state() == DeviceInfo.State.FAILED)
                {
                    throw new GrimException(GrimException.Reason.UNAVAILABLE, runner.failure());
                }
                if (!isReady && runner.state() == DeviceInfo.State.UP)
                {
                    isReady = true;
                    watch.announceReady();
                }
            }
        }
    }
}
