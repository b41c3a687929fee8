// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.device;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
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
import org.grim.SendStatus;
import org.grim.bench.groups.GroupRow;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceClient;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A stage that passes items on beside a relay of two links, both in another process; and the time of a function fault
 * without that of loading.
 * <p>Thread: one, which injects and takes the results. Owns: the processes and all files.
 */
public final class StreamComparison implements AutoCloseable
{
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String GPU = "gpu";
    private static final String RELAY = "relay";
    private static final String NAME = "bench";
    private static final int LENGTH = 4_096;
    private static final int WINDOW = 32;
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
    private final UnsafeBuffer item = new UnsafeBuffer(new byte[LENGTH]);
    private final boolean hasImages;
    private long deliveredCount;
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
            sides.grim.handlers().register(DeviceSide.RELAYED, message -> relayedCount++);
            opened = Streams.open(sides.grim);
            opened.onItems(NAME, (sequence, buffer, offset, length) -> deliveredCount++);
            sides.grim.start();
            sides.start(GPU, NodeInfo.Device.ACCELERATOR, isMade ?
                Map.of("images", images.toString(), "image-slots", "1") : Map.of(), false);
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
     * Measures forwarding by turns.
     *
     * @param rounds     that count.
     * @param durationNs of each in a round.
     * @return a row for many items under way, and one for one item at a time.
     */
    public List<GroupRow> measure(final int rounds, final long durationNs)
    {
        final Link link = sides.grim.endpoint().link(sides.grim.locate(RELAY));
        final HandlerId relay = sides.grim.handlers().resolve(DeviceSide.RELAY);
        final String beside = "relay of two links";
        try (Connection connection = streams.open(ConnectionSpec.of(NAME, streams.id(),
            Stage.of(sides.device(GPU), "alu")).bounds(2 * WINDOW, LENGTH), PATIENCE))
        {
            final List<Turns.Pair> pairs = new ArrayList<>();
            for (final int window : new int[] {WINDOW, 1})
            {
                pairs.add(new Turns.Pair("forward, window=" + window, LENGTH,
                    count -> forward(connection, window, count), beside, count -> relay(link, relay, window, count)));
            }
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
        final DeviceClient gpu = new DeviceClient(sides.grim, sides.device(GPU), PATIENCE);
        final double[] faults = new double[count];
        final double[] plain = new double[count];
        try (Connection first = open(0); Connection second = open(1))
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

    private Connection open(final int index)
    {
        return streams.open(ConnectionSpec.of(NAME, streams.id(),
            Stage.of(sides.device(GPU), KERNELS.get(index))).bounds(1, LENGTH), PATIENCE);
    }

    private long time(final Connection connection)
    {
        final long startNs = System.nanoTime();
        final long expected = deliveredCount + 1;
        final IdleStrategy idle = streams.idleStrategy();
        while (connection.inject(item, 0, FAULT_LENGTH) == SendStatus.BACK_PRESSURED)
        {
            idle.idle(streams.poll());
        }
        awaitDelivered(expected);
        return System.nanoTime() - startNs;
    }

    private static long loadedUs(final DeviceClient gpu)
    {
        return gpu.call(gpu.handler("accelerator.status"), 0, 0, 0, null, 0, 0).text().lines()
            .filter(line -> line.startsWith(LOAD_TIME))
            .mapToLong(line -> Long.parseLong(line.substring(LOAD_TIME.length()))).findFirst().orElseThrow();
    }

    private void forward(final Connection connection, final int window, final int count)
    {
        final long end = deliveredCount + count;
        final IdleStrategy idle = streams.idleStrategy();
        long injectedCount = deliveredCount;
        while (injectedCount < end)
        {
            int workCount = 0;
            while (injectedCount < end && injectedCount - deliveredCount < window &&
                connection.inject(item, 0, LENGTH).isAccepted())
            {
                injectedCount++;
                workCount++;
            }
            idle.idle(workCount + streams.poll());
        }
        awaitDelivered(end);
    }

    private void awaitDelivered(final long end)
    {
        final long startNs = System.nanoTime();
        final IdleStrategy idle = streams.idleStrategy();
        while (deliveredCount < end)
        {
            idle.idle(streams.poll());
            requireInTime(startNs);
        }
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
                link.send(relay, (int)sentCount, 0, 0, 0, item, 0, LENGTH).isAccepted())
            {
                sentCount++;
                workCount++;
            }
            idle.idle(workCount + sides.grim.endpoint().poll());
            requireInTime(startNs);
        }
    }

    private static void requireInTime(final long startNs)
    {
        if (System.nanoTime() - startNs > PATIENCE.toNanos())
        {
            throw new GrimException(GrimException.Reason.TIMED_OUT, "items have not come: waited=" + PATIENCE);
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
