// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.agrona.DirectBuffer;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.device.DeviceRunner;

/** A sink, or an accelerator, in a process of its own, until its standard input ends. */
final class StreamMain
{
    private StreamMain()
    {
    }

    /** Directory of clusters, name of the node, and for a sink the file that gets a line for each item at the end. */
    public static void main(final String[] args) throws IOException
    {
        try (Grim grim = Grim.enable(config(Path.of(args[0]), args[1])))
        {
            if (args.length == 2)
            {
                accelerate(grim);
            }
            else
            {
                sink(grim, Path.of(args[2]));
            }
        }
    }

    private static void accelerate(final Grim grim) throws IOException
    {
        try (DeviceRunner runner = DeviceRunner.open(
            grim, DeviceSpec.of(NodeInfo.Device.ACCELERATOR).onChannels(DeviceSpec.ANY_CHANNEL, 3), Map.of()))
        {
            grim.startPolling();
            runner.start();
            grim.start();
            while (System.in.read() >= 0)
            {
                Thread.onSpinWait();
            }
        }
    }

    private static void sink(final Grim grim, final Path file) throws IOException
    {
        grim.startPolling();
        try (Streams streams = Streams.open(grim))
        {
            final List<String> lines = new ArrayList<>();
            streams.onItems("line", new SinkHandler()
            {
                @Override
                public void onItem(
                    final long sequence, final DirectBuffer buffer, final int offset, final int length)
                {
                    lines.add(sequence + " " + buffer.getInt(offset));
                }

                @Override
                public void onEnd()
                {
                    write(file, lines);
                }
            });
            write(file.resolveSibling("sink"), List.of(Integer.toString(streams.id().key())));
            grim.start();
            while (System.in.available() == 0)
            {
                streams.idleStrategy().idle(streams.poll());
            }
        }
    }

    private static void write(final Path file, final List<String> lines)
    {
        try
        {
            final Path made = Files.write(file.resolveSibling("made"), lines);
            Files.move(made, file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    static GrimConfig config(final Path directory, final String name)
    {
        return GrimConfig.builder().directory(directory).nodeName(name).transports("shmem")
            .set("grim.channels.count", 6).set("grim.handlers.resolve-timeout", "60s").build();
    }
}
