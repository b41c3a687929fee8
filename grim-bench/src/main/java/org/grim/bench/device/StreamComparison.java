// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;

import org.agrona.CloseHelper;
import org.agrona.concurrent.IdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.GrimException;
import org.grim.HandlerId;
import org.grim.Link;
import org.grim.NodeInfo;
import org.grim.bench.groups.GroupRow;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceClient;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Stages that pass items on beside a relay of two links in another process, and beside threads with queues; and the
 * time of a function fault without that of loading.
 * <p>Thread: one, which injects and takes the results. Owns: the processes and all files.
 */
public final class StreamComparison implements AutoCloseable
{
    private static final String GPU = "gpu";
    private static final String OTHER_GPU = "other-gpu";
    private static final String RELAY = "relay";
    private static final String NAME = "bench";
    private static final int LENGTH = 4_096;
    private static final int WINDOW = 32;
    private static final int FRAME_LENGTH = 640 * 480 * 3 / 2;
    private static final int FRAME_WINDOW = 4;
    private static final int FAULT_LENGTH = 4;
    private static final long RESIDENCE_NS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final String LOAD_TIME = "load-us=";
    private static final List<String> KERNELS = List.of("first", "second");
    private static final String SOURCE = """
        public final class NAME implements org.grim.device.accelerator.Kernel
        {
            public String name()
            {
                return "NAME";
            }

            public int run(
                final org.grim.device.accelerator.KernelCall call, final org.agrona.MutableDirectBuffer result)
            {
                result.putBytes(0, call.source(), 0, call.length());
                return call.length();
            }
        }
        """;

    private final Sides sides;
    private final Streams streams;
    private final StreamItems items;
    private final UnsafeBuffer message = new UnsafeBuffer(new byte[LENGTH]);
    private final boolean hasImages;
    private long relayedCount;

    /**
     * Starts the processes.
     *
     * @param base directory for files; null for shared memory.
     * @throws IOException if an image cannot be made.
     */
    public StreamComparison(final Path base) throws IOException
    {
        sides = new Sides(base);
        Streams opened = null;
        boolean isStarted = false;
        boolean isMade = false;
        try
        {
            final Path images = Files.createDirectory(sides.path().resolve("images"));
            isMade = makeImages(images);
            sides.grim.handlers().register(DeviceSide.RELAYED, any -> relayedCount++);
            opened = Streams.open(sides.grim);
            items = new StreamItems(opened, NAME, FRAME_LENGTH);
            sides.grim.start();
            sides.start(GPU, NodeInfo.Device.ACCELERATOR, isMade ?
                Map.of("images", images.toString(), "image-slots", "1") : Map.of(), false);
            sides.start(OTHER_GPU, NodeInfo.Device.ACCELERATOR, Map.of(), false);
            sides.start(RELAY, NodeInfo.Device.OTHER, Map.of(), false);
            sides.await();
            isStarted = true;
        }
        finally
        {
            if (!isStarted)
            {
                CloseHelper.closeAll(opened, sides);
            }
        }
        streams = opened;
        hasImages = isMade;
    }

    /**
     * Measures forwarding by turns: a stage beside a relay, two stages of one device beside two devices, and a graph
     * for frames beside threads with queues.
     *
     * @param rounds     that count.
     * @param durationNs of each in a round.
     * @return a row for each.
     */
    public List<GroupRow> measure(final int rounds, final long durationNs)
    {
        final Link link = sides.grim.endpoint().link(sides.grim.locate(RELAY));
        final HandlerId relay = sides.grim.handlers().resolve(DeviceSide.RELAY);
        final String beside = "relay of two links";
        final Stage stage = Stage.of(sides.device(GPU), "alu");
        final Stage other = Stage.of(sides.device(OTHER_GPU), "alu");
        try (Connection connection = open(2 * WINDOW, LENGTH, stage);
            Connection recycled = open(1, LENGTH, stage, stage);
            Connection hop = open(1, LENGTH, stage, other);
            Connection graph = open(FRAME_WINDOW, FRAME_LENGTH, stage, other);
            QueueGraph queues = new QueueGraph(2, FRAME_WINDOW, FRAME_LENGTH))
        {
            final List<Turns.Pair> pairs = new ArrayList<>();
            for (final int window : new int[] {WINDOW, 1})
            {
                pairs.add(new Turns.Pair("forward, window=" + window, LENGTH, count ->
                    items.forward(connection, window, LENGTH, count), beside, count ->
                    relay(link, relay, window, count)));
            }
            pairs.add(new Turns.Pair("two stages of one device, window=1", LENGTH, count ->
                items.forward(recycled, 1, LENGTH, count), "stages of two devices", count ->
                items.forward(hop, 1, LENGTH, count)));
            pairs.add(new Turns.Pair("graph of two stages, 640x480", FRAME_LENGTH, count ->
                items.forward(graph, FRAME_WINDOW, FRAME_LENGTH, count), "threads and queues", queues::run));
            return Turns.measure(pairs, rounds, durationNs);
        }
    }

    /**
     * Measures function faults: each item needs an image that is not loaded, and the one that is has been loaded for
     * long enough.
     *
     * @param count of faults.
     * @return a row of the time of an item with a fault, without that of loading, beside one without a fault; null if
     *     there is no compiler to make images with.
     */
    public GroupRow measureFaults(final int count)
    {
        if (!hasImages)
        {
            return null;
        }
        final DeviceClient gpu = new DeviceClient(sides.grim, sides.device(GPU), StreamItems.PATIENCE);
        final double[] faults = new double[count];
        final double[] plain = new double[count];
        try (Connection first = open(1, LENGTH, kernel(0)); Connection second = open(1, LENGTH, kernel(1)))
        {
            final Connection[] both = {first, second};
            for (int i = -both.length; i < count; i++)
            {
                final Connection connection = both[Math.floorMod(i, both.length)];
                Uninterrupted.park(RESIDENCE_NS);
                final long loadedBeforeUs = loadedUs(gpu);
                final long faultNs = time(connection);
                final long loadNs = TimeUnit.MICROSECONDS.toNanos(loadedUs(gpu) - loadedBeforeUs);
                if (i >= 0 && loadNs <= 0)          // The first one may be loaded beforehand.
                {
                    throw new GrimException(GrimException.Reason.BAD_DATA, "item " + i + " found its image loaded");
                }
                final long plainNs = time(connection);
                if (i >= 0)
                {
                    faults[i] = Math.max(1, faultNs - loadNs);
                    plain[i] = plainNs;
                }
            }
        }
        return GroupRow.of("function fault without loading", 2, FAULT_LENGTH, faults, "item without a fault", plain);
    }

    @Override
    public void close()
    {
        CloseHelper.closeAll(streams, sides);
    }

    private long time(final Connection connection)
    {
        final long startNs = System.nanoTime();
        items.forward(connection, 1, FAULT_LENGTH, 1);
        return System.nanoTime() - startNs;
    }

    private Stage kernel(final int index)
    {
        return Stage.of(sides.device(GPU), KERNELS.get(index));
    }

    private Connection open(final int window, final int lengthMax, final Stage... stages)
    {
        return streams.open(ConnectionSpec.of(NAME, streams.id(), stages).bounds(window, lengthMax).listener(items),
            StreamItems.PATIENCE);
    }

    private static long loadedUs(final DeviceClient gpu)
    {
        return gpu.call(gpu.handler("accelerator.status"), 0, 0, 0, null, 0, 0).text().lines()
            .filter(line -> line.startsWith(LOAD_TIME))
            .mapToLong(line -> Long.parseLong(line.substring(LOAD_TIME.length()))).findFirst().orElseThrow();
    }

    private void relay(final Link link, final HandlerId relay, final int window, final int count)
    {
        final long startNs = System.nanoTime();
        final long end = relayedCount + count;
        final IdleStrategy idle = sides.grim.endpoint().idleStrategy();
        long sentCount = relayedCount;
        while (relayedCount < end)
        {
            int workCount = 0;
            while (sentCount < end && sentCount - relayedCount < window &&
                link.send(relay, (int)sentCount, 0, 0, 0, message, 0, LENGTH).isAccepted())
            {
                sentCount++;
                workCount++;
            }
            idle.idle(workCount + sides.grim.endpoint().poll());
            StreamItems.requireInTime(startNs, "relayed=" + relayedCount);
        }
    }

    /** Makes a jar for each kernel. Returns whether there is a compiler. */
    private static boolean makeImages(final Path images) throws IOException
    {
        final JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        if (compiler == null)
        {
            return false;
        }
        final Path classes = Files.createDirectory(images.resolve("classes"));
        for (final String kernel : KERNELS)
        {
            final Path source = Files.writeString(classes.resolve(kernel + ".java"), SOURCE.replace("NAME", kernel));
            final int code = compiler.run(null, null, null, "-proc:none", "-cp",
                System.getProperty("java.class.path"), source.toString());
            if (code != 0)
            {
                throw new IOException("compiler ends with code=" + code + ": " + source);
            }
            final Manifest manifest = new Manifest();
            manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
            manifest.getMainAttributes().putValue("Grim-Kernels", kernel);
            try (OutputStream file = Files.newOutputStream(images.resolve(kernel + ".jar"));
                JarOutputStream jar = new JarOutputStream(file, manifest))
            {
                jar.putNextEntry(new JarEntry(kernel + ".class"));
                jar.write(Files.readAllBytes(classes.resolve(kernel + ".class")));
                jar.putNextEntry(new JarEntry("META-INF/services/org.grim.device.accelerator.Kernel"));
                jar.write((kernel + "\n").getBytes(UTF_8));
            }
        }
        return true;
    }
}
