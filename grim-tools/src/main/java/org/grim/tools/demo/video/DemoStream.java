// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.demo.video;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

import org.grim.EndpointId;
import org.grim.device.DeviceClient;
import org.grim.stream.Accounts;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionListener;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;
import org.grim.stream.VideoSource;

/**
 * A connection of {@link DemoVideo} and its source: frames of the capture, through gray, gauss and sobel, to the
 * display. Each stage has a node of its own choice, and goes back to it when that node is up again.
 * <p>Thread: the owner's.
 */
final class DemoStream implements AutoCloseable
{
    private static final List<String> KERNELS = List.of("gray", "gauss", "sobel");
    /** Kernels that take turns as the last stage. */
    private static final List<String> LAST_KERNELS = List.of("sobel", "gauss", "spectrum");
    private static final int LAST = KERNELS.size() - 1;
    private static final long HOME_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

    private final String name;
    private final List<String> homes;
    private final Accelerators accelerators;
    private final Consumer<String> events;
    private final Connection connection;
    private final VideoSource source;
    private List<Stage> stages;
    private long homeNs;
    private int lastKernel;

    /** Opens the connection, and has the capture send. */
    DemoStream(
        final String name, final Streams streams, final EndpointId sink, final DeviceClient capture,
        final VideoOptions options, final Accelerators accelerators, final Consumer<String> events)
    {
        this.name = name;
        this.accelerators = accelerators;
        this.events = events;
        homes = List.of(DemoVideo.GPU_NAMES.get(0), DemoVideo.GPU_NAMES.get(0), DemoVideo.GPU_NAMES.get(1));
        final Stage[] first = new Stage[KERNELS.size()];
        for (int i = 0; i < first.length; i++)
        {
            first[i] = Stage.of(accelerators.findAny(homes.get(i)), KERNELS.get(i));
        }
        connection = streams.open(ConnectionSpec.of(name, sink, first)
            .bounds(VideoProcess.SLOT_COUNT, options.frameLength()).listener(new Listener()), DemoVideo.PATIENCE);
        stages = connection.stages();
        source = new VideoSource(capture, connection, VideoProcess.SLOT_COUNT, options.frameLength(),
            options.isLive());
    }

    /** Does one duty cycle. Returns pieces of work done. */
    int step(final long nowNs)
    {
        final int workCount = source.step();
        if (!connection.stages().equals(stages))
        {
            stages = connection.stages();
            events.accept(name + " goes on: " + path());
        }
        if (nowNs - homeNs >= HOME_PAUSE_NS && connection.isSettled() && !connection.isClosed())
        {
            homeNs = nowNs;
            goHome();
        }
        return workCount;
    }

    private void goHome()
    {
        for (int i = 0; i < stages.size(); i++)
        {
            final EndpointId home = accelerators.find(homes.get(i));
            if (home != null && !home.equals(stages.get(i).device()))
            {
                connection.replace(i, stages.get(i).on(home));
                return;                         // One change at a time.
            }
        }
    }

    /** Has the last stage run another kernel. */
    void replaceKernel()
    {
        if (!connection.isSettled() || connection.isClosed())
        {
            events.accept(name + " is changed already: " + path());
            return;
        }
        lastKernel = (lastKernel + 1) % LAST_KERNELS.size();
        final Stage before = stages.get(LAST);
        connection.replace(LAST, Stage.of(before.device(), LAST_KERNELS.get(lastKernel)));
        events.accept(name + ": " + LAST_KERNELS.get(lastKernel) + " takes the place of " + before.kernel());
    }

    /** Returns whether the input is over and all its frames were injected. */
    boolean hasEnded()
    {
        return source.hasEnded();
    }

    long arrivedCount()
    {
        return source.arrivedCount();
    }

    Accounts accounts()
    {
        return connection.accounts();
    }

    String path()
    {
        final StringBuilder text = new StringBuilder();
        stages.forEach(stage -> text.append(text.isEmpty() ? "" : " - ").append(stage.kernel()).append(" on ")
            .append(accelerators.name(stage.device())));
        return text.toString();
    }

    /** Ends the source, then the connection behind its items. Returns the line of its accounts. */
    VideoAccounts finish()
    {
        final VideoSource.Frames frames = source.stop();
        connection.close();
        return new VideoAccounts(name, frames, connection.accounts());
    }

    @Override
    public void close()
    {
        source.close();
        connection.close();
    }

    /** Says what was lost. */
    private final class Listener implements ConnectionListener
    {
        @Override
        public void onFailed(final long sequence, final String reason)
        {
            events.accept(name + ": item " + sequence + " has failed: " + reason);
        }

        @Override
        public void onLost(final long first, final long last)
        {
            events.accept(name + ": lost items " + first + " to " + last);
        }

        @Override
        public void onUnknown(final long first, final long last)
        {
            events.accept(name + ": outcome of items " + first + " to " + last + " is unknown");
        }
    }
}
