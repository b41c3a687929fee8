// SPDX-License-Identifier: Apache-2.0
package org.grim.stream;

import java.io.IOException;
import java.io.OutputStream;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import javax.tools.ToolProvider;

import org.agrona.CloseHelper;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceEndpoint;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Endpoint;
import org.grim.EndpointId;
import org.grim.Grim;
import org.grim.GrimException;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.grim.SendStatus;
import org.grim.buffer.Uninterrupted;
import org.grim.device.DeviceClient;
import org.grim.device.DeviceCode;
import org.grim.device.DeviceException;
import org.grim.device.DeviceRunner;
import org.grim.device.accelerator.FrameEntry;
import org.grim.device.accelerator.ItemFormat;
import org.grim.device.accelerator.PageOperands;
import org.grim.device.accelerator.WithOpenCl;
import org.grim.device.video.FrameBytes;
import org.grim.device.video.PixelFormat;
import org.grim.device.video.VideoFrame;
import org.grim.pages.ExampleCompiler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Two accelerators on threads of their own; the test's thread owns and ends the streams of a third node. */
final class StreamsTest
{
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String PAGE = "docs/streams.md";
    private static final String PROGRAM = """
        import java.time.Duration;
        import java.util.List;
        import org.agrona.DirectBuffer;
        import org.grim.*;
        import org.grim.stream.*;
        public class Program
        {
            private static List<Integer> shown;
            public static Streams run(Grim grim, EndpointId gpu1, EndpointId gpu2, EndpointId gpu3, DirectBuffer frame,
                List<Integer> results)
            {
                shown = results;
                %s
                return streams;
            }
            private static void show(DirectBuffer buffer, int offset, int length)
            {
                shown.add(buffer.getInt(offset));
            }
        }
        """;
    private static final int NOT = 1;
    private static final int ADD = 2;
    private static final int MULTIPLY = 4;
    private static final int MAXIMUM = 9;

    @TempDir
    private Path directory;
    private final List<DeviceRunner> runners = new ArrayList<>();
    private final List<Grim> nodes = new ArrayList<>();
    private final List<String> results = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private Grim grim;
    private Streams streams;

    @BeforeEach
    void open()
    {
        grim = Grim.enable(StreamMain.config(directory.resolve("clusters"), "owner"));
        grim.startPolling();
    }

    @AfterEach
    void close()
    {
        CloseHelper.close(streams);
        runners.forEach(DeviceRunner::close);
        nodes.forEach(Grim::close);
        grim.close();
    }

    private Grim join(final String name)
    {
        final Grim node = Grim.enable(StreamMain.config(directory.resolve("clusters"), name));
        nodes.add(node);
        node.startPolling();
        return node;
    }

    private EndpointId accelerate(final String name, final Map<String, String> options)
    {
        final Grim node = join(name);
        final DeviceRunner runner = DeviceRunner.open(
            node, DeviceSpec.of(NodeInfo.Device.ACCELERATOR).onChannels(DeviceSpec.ANY_CHANNEL, 3), options);
        runners.add(runner);
        runner.start();
        return runner.device().id();
    }

    private void start()
    {
        streams = Streams.open(grim);
        grim.start();
        streams.onItems("test", (sequence, buffer, offset, length) ->
            results.add(sequence + " " + buffer.getInt(offset) + " " + length));
        await(() -> runners.stream().allMatch(runner -> runner.state() == DeviceInfo.State.UP));
    }

    private ConnectionSpec spec(final Stage... stages)
    {
        return ConnectionSpec.of("test", streams.id(), stages).listener(new ConnectionListener()
        {
            @Override
            public void onFailed(final long sequence, final String reason)
            {
                failures.add(sequence + " " + reason);
            }
        });
    }

    private void inject(final Connection connection, final int value, final int length)
    {
        final UnsafeBuffer item = new UnsafeBuffer(new byte[length]);
        item.putInt(0, value);
        await(() -> connection.inject(item, 0, length) == SendStatus.SENT);
    }

    /** Closing waits only some seconds for what is under way. */
    private void finish(final Connection connection)
    {
        await(() -> connection.accounts().pending() == 0);
        connection.close();
    }

    private void await(final BooleanSupplier isSo)
    {
        final long startNs = System.nanoTime();
        while (!isSo.getAsBoolean())
        {
            assertTrue(System.nanoTime() - startNs < PATIENCE.toNanos(), "waited in vain");
            streams.idleStrategy().idle(streams.poll());
        }
    }

    @Test
    void shouldNameTheSinkThatDoesNotAnswer()
    {
        final EndpointId device = accelerate("gpu", Map.of());
        start();
        final ConnectionSpec spec = ConnectionSpec.of("test", device, Stage.of(device, "alu"));

        final GrimException failure =
            assertThrows(GrimException.class, () -> streams.open(spec, Duration.ofSeconds(1)));

        assertEquals("connection test has no path: no answer in PT1S of sink " + device +
            ", which answers if it is the id of a Streams", failure.getMessage());
    }

    @Test
    void shouldRunItemsOfAnyLengthThroughStages()
    {
        final EndpointId gpu1 = accelerate("gpu1", Map.of());
        final EndpointId gpu2 = accelerate("gpu2", Map.of());
        start();
        final Connection connection = streams.open(spec(Stage.of(gpu1, "alu").operation(ADD).constant(3),
            Stage.of(gpu2, "alu").operation(MULTIPLY).constant(2), Stage.of(gpu2, "alu").operation(MAXIMUM)
            .constant(100), Stage.of(gpu1, "alu-bytes").operation(NOT)).bounds(8, 1 << 18), PATIENCE);
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 200; i++)
        {
            final int length = i % 10 == 9 ? 200_000 : 4 * (i + 1);
            inject(connection, i, length);
            expected.add((i + 1) + " " + ~Math.max(100, (i + 3) * 2) + " " + length);
        }

        connection.replace(1, Stage.of(gpu2, "nowhere"));
        await(() -> connection.failure() != null && connection.isSettled());
        assertTrue(connection.failure().endsWith("kernel=nowhere is not known to the cluster"), connection.failure());
        assertThrows(IllegalArgumentException.class, () -> connection.replace(4, Stage.of(gpu2, "alu")));
        connection.close();

        assertEquals(expected, results);
        assertEquals(new Accounts(200, 200, 0, 0, 0), connection.accounts());
        assertEquals(SendStatus.CLOSED, connection.inject(new UnsafeBuffer(new byte[4]), 0, 4));
    }

    @Test
    void shouldRunTheProgramOfThePage(@TempDir final Path classes) throws Exception
    {
        final EndpointId gpu1 = accelerate("gpu1", Map.of());
        final EndpointId gpu2 = accelerate("gpu2", Map.of());
        final EndpointId gpu3 = accelerate("gpu3", Map.of());
        ExampleCompiler.assertCompiles(PROGRAM.formatted(ExampleCompiler.blocks(PAGE, "java").get(0)), classes);
        final UnsafeBuffer frame = new UnsafeBuffer(new byte[8]);
        frame.putInt(0, 7);
        final List<Integer> shown = new ArrayList<>();
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}))
        {
            streams = (Streams)loader.loadClass("Program").getMethod("run", Grim.class, EndpointId.class,
                EndpointId.class, EndpointId.class, DirectBuffer.class, List.class)
                .invoke(null, grim, gpu1, gpu2, gpu3, frame, shown);
        }

        assertEquals(List.of((7 + 3) * 2), shown);
    }

    @Test
    void shouldSkipFailedItemsOrStop()
    {
        final EndpointId gpu = accelerate("gpu1", Map.of());
        start();
        final Connection skipping = streams.open(spec(Stage.of(gpu, "alu").operation(NOT)), PATIENCE);
        inject(skipping, 1, 4);
        inject(skipping, 2, 5);
        inject(skipping, 3, 4);
        finish(skipping);
        assertEquals(List.of("1 -2 4", "3 -4 4"), results);
        assertEquals(List.of("2 kernel alu: java.lang.IllegalArgumentException: alu not: length=5 is no multiple of 4"),
            failures);

        results.clear();
        final Connection stopping = streams.open(spec(Stage.of(gpu, "alu").operation(NOT)).stopping(), PATIENCE);
        inject(stopping, 1, 4);
        inject(stopping, 2, 5);
        await(stopping::isClosed);
        assertEquals(SendStatus.CLOSED, stopping.inject(new UnsafeBuffer(new byte[4]), 0, 4));
        stopping.close();
        assertEquals(List.of("1 -2 4"), results);
        assertEquals(new Accounts(2, 1, 1, 0, 0), stopping.accounts());
    }

    @Test
    void shouldLoadImagesWhenItemsNeedThem() throws IOException
    {
        final Path images = Files.createDirectory(directory.resolve("images"));
        image(images, "Twice", "twice", "value * 2");
        image(images, "Square", "square", "value * value");
        final EndpointId gpu = accelerate("gpu1", Map.of("images", images.toString(), "image-slots", "1"));
        start();
        final Connection connection = streams.open(spec(Stage.of(gpu, "twice"), Stage.of(gpu, "square")), PATIENCE);
        inject(connection, 3, 4);
        inject(connection, 5, 4);
        await(() -> connection.accounts().pending() == 0);
        connection.replace(0, Stage.of(gpu, "square"));
        await(connection::isSettled);
        inject(connection, 3, 4);
        finish(connection);

        assertEquals(List.of("1 36 4", "2 100 4", "3 81 4"), results);
        final String status = call(new DeviceClient(grim, clientEndpoint(), gpu, PATIENCE), "accelerator.status")
            .text();
        assertTrue(status.contains("\nevictions=") && !status.contains("\nevictions=0\n"), status);
        assertTrue(status.contains("waiting=0\n") && status.contains("state=running\n"), status);
    }

    @Test
    @Timeout(120)
    void shouldNameTheImageThatCannotBeRead() throws Exception
    {
        final Path images = Files.createDirectory(directory.resolve("images"));
        final Path image = images.resolve("image.jar");
        final List<String> reasons = new ArrayList<>();
        for (final String command : List.of("touch", "mkdir", "mkfifo"))
        {
            Files.deleteIfExists(image);
            assertEquals(0, new ProcessBuilder(command, image.toString()).start().waitFor());
            accelerate(command, Map.of("images", images.toString()));
            final DeviceRunner runner = runners.get(runners.size() - 1);
            while (runner.state() == DeviceInfo.State.STARTING)
            {
                Thread.onSpinWait();
            }
            reasons.add(runner.failure());
        }

        assertEquals(List.of("image " + image + " cannot be read: ZipException zip file is empty",
            "image " + image + " is no regular file", "image " + image + " is no regular file"), reasons);
    }

    @Test
    void shouldGoOnAfterErrorsOfKernels() throws IOException
    {
        final Path images = Files.createDirectory(directory.resolve("images"));
        image(images, "Full", "full", "value == 2 ? new long[Integer.MAX_VALUE - 8].length : -value");
        final EndpointId gpu = accelerate("gpu1", Map.of("images", images.toString()));
        start();
        final Connection connection = streams.open(spec(Stage.of(gpu, "full")), PATIENCE);

        for (int i = 1; i <= 3; i++)
        {
            inject(connection, i, 4);
        }
        finish(connection);

        assertEquals(List.of("1 -1 4", "3 -3 4"), results);
        assertEquals(1, failures.size());
        assertTrue(failures.get(0).startsWith("2 kernel full: java.lang.OutOfMemoryError: "), failures.get(0));
    }

    @Test
    void shouldRunKernelsOnFramesAndPreferThoseOfImages() throws IOException
    {
        final Path images = Files.createDirectory(directory.resolve("images"));
        image(images, "Gray", "gray", "-value");
        final EndpointId gpu1 = accelerate("gpu1", Map.of());
        final EndpointId gpu2 = accelerate("gpu2", Map.of("images", images.toString()));
        start();
        final byte[] frame = FrameBytes.random(new Random(38), PixelFormat.YUV_420, 100, 70);
        final List<byte[]> frames = new ArrayList<>();
        streams.onItems("frames", (sequence, buffer, offset, length) ->
        {
            frames.add(new byte[length]);
            buffer.getBytes(offset, frames.get(frames.size() - 1));
        });

        final Connection connection = streams.open(ConnectionSpec.of("frames", streams.id(), Stage.of(gpu1, "gray"),
            Stage.of(gpu1, "gauss").operation(1), Stage.of(gpu1, "sobel").constant(40), Stage.of(gpu1, "spectrum"))
            .bounds(8, 1 << 17), PATIENCE);
        await(() -> connection.inject(new UnsafeBuffer(frame), 0, frame.length) == SendStatus.SENT);
        finish(connection);
        final Connection replaced = streams.open(spec(Stage.of(gpu2, "gray")), PATIENCE);
        inject(replaced, 5, 4);
        finish(replaced);

        assertEquals(1, frames.size());
        final VideoFrame spectrum = new VideoFrame().wrap(new UnsafeBuffer(frames.get(0)), 0, frames.get(0).length);
        assertEquals("MONO 64x64 7", spectrum.format() + " " + spectrum.width() + "x" + spectrum.height() + " " +
            spectrum.number());
        assertEquals(List.of("1 -5 4"), results);
    }

    @Test
    void shouldRunKernelsOfOpenClAsThoseOfJava()
    {
        WithOpenCl.open().close();
        final EndpointId gpu1 = accelerate("gpu1", Map.of("built-in", "opencl"));
        final EndpointId gpu2 = accelerate("gpu2", Map.of());
        start();
        final byte[] frame = FrameBytes.random(new Random(38), PixelFormat.YUV_420, 200, 150);
        final List<String> frames = new ArrayList<>();
        streams.onItems("frames", (sequence, buffer, offset, length) ->
        {
            final byte[] bytes = new byte[length];
            buffer.getBytes(offset, bytes);
            frames.add(length + " " + Arrays.hashCode(bytes));
        });

        for (final EndpointId gpu : List.of(gpu1, gpu2))
        {
            final Connection connection = streams.open(ConnectionSpec.of("frames", streams.id(),
                Stage.of(gpu, "gauss"), Stage.of(gpu, "alu-bytes").operation(NOT), Stage.of(gpu, "alu-bytes")
                .operation(NOT), Stage.of(gpu, "sobel")).bounds(8, 1 << 17), PATIENCE);
            for (int i = 0; i < 3; i++)
            {
                await(() -> connection.inject(new UnsafeBuffer(frame), 0, frame.length) == SendStatus.SENT);
            }
            finish(connection);
            assertEquals(new Accounts(3, 3, 0, 0, 0), connection.accounts());
        }

        assertEquals(6, frames.size());
        assertTrue(frames.stream().allMatch(frames.get(0)::equals), frames::toString);
        final String status = call(new DeviceClient(grim, clientEndpoint(), gpu1, PATIENCE), "accelerator.status")
            .text();
        assertTrue(status.matches("(?s).*opencl=\"[^\"]+\"\n"), status);
    }

    @Test
    void shouldSayWhyThereIsNoOpenClAndRunImagesOfJava() throws IOException
    {
        final Path images = Files.createDirectory(directory.resolve("images"));
        image(images, "Twice", "twice", "value * 2");
        Files.writeString(images.resolve("none.cl"), "// Grim-Kernels: none\n");
        final EndpointId gpu = accelerate("gpu1", Map.of("images", images.toString(), "built-in", "opencl",
            "opencl-library", "libNoOpenCL.so.1"));
        start();
        for (final String kernel : List.of("alu", "none", "twice"))
        {
            final Connection connection = streams.open(spec(Stage.of(gpu, kernel)), PATIENCE);
            inject(connection, 4, 4);
            finish(connection);
        }

        assertEquals(List.of("1 8 4"), results);
        assertEquals(2, failures.size());
        final String reason = "OpenCL is not there: library libNoOpenCL.so.1 cannot be loaded: ";
        assertTrue(failures.get(0).startsWith("1 stream.no-kernel: image alu.cl: " + reason), failures::toString);
        assertTrue(failures.get(1).startsWith("1 stream.no-kernel: image none.cl: " + reason), failures::toString);
    }

    @Test
    void shouldFreeWhatAnOwnerHadThatIsGone()
    {
        final EndpointId gpu = accelerate("gpu1", Map.of());
        start();
        final List<String> ends = new ArrayList<>();
        streams.onItems("other", new SinkHandler()
        {
            @Override
            public void onItem(final long sequence, final DirectBuffer buffer, final int offset, final int length)
            {
                ends.add("item " + sequence);
            }

            @Override
            public void onEnd()
            {
                ends.add("end");
            }
        });
        final Grim owner = Grim.enable(StreamMain.config(directory.resolve("clusters"), "other"));
        owner.startPolling();
        final Streams others = Streams.open(owner);
        final ConnectionSpec spec =
            ConnectionSpec.of("other", streams.id(), Stage.of(gpu, "alu"), Stage.of(gpu, "alu"));
        final Thread opening = new Thread(() ->
        {
            final Connection connection = others.open(spec, PATIENCE);
            while (connection.inject(new UnsafeBuffer(new byte[4]), 0, 4) != SendStatus.SENT)
            {
                others.poll();
            }
        }, "owner");
        opening.start();
        await(() -> !ends.isEmpty());
        Uninterrupted.join(opening);
        final DeviceClient client = new DeviceClient(grim, clientEndpoint(), gpu, PATIENCE);
        assertTrue(call(client, "accelerator.status").text().contains("entries=2\n"));

        owner.close();

        await(() -> ends.equals(List.of("item 1", "end")));
        await(() -> call(client, "accelerator.status").text().contains("entries=0\n"));
    }

    @Test
    void shouldEndAConnectionWhoseSinkWasClosedAndDeliverNothingOfItToTheNextOne()
    {
        final EndpointId gpu = accelerate("gpu", Map.of());
        start();
        final Grim node = join("sink");
        final Sink before = new Sink(node);
        final EndpointId sink = before.streams.id();
        final List<String> unknown = new ArrayList<>();
        final ConnectionSpec spec = ConnectionSpec.of("test", sink, Stage.of(gpu, "alu").operation(NOT))
            .listener(new ConnectionListener()
            {
                @Override
                public void onUnknown(final long first, final long last)
                {
                    unknown.add(first + " to " + last);
                }
            });
        final Connection ended = streams.open(spec, PATIENCE);
        inject(ended, 1, 4);
        await(() -> ended.accounts().delivered() == 1);
        before.stop();
        inject(ended, 2, 4);
        inject(ended, 3, 4);

        final Sink after = new Sink(node);
        assertEquals(sink, after.streams.id());
        await(ended::isClosed);
        final Connection next = streams.open(spec, PATIENCE);
        inject(next, 4, 4);
        finish(next);
        after.stop();

        assertEquals(new Accounts(3, 1, 0, 0, 2), ended.accounts());
        assertEquals(List.of("2 to 3"), unknown);
        assertEquals(new Accounts(1, 1, 0, 0, 0), next.accounts());
        assertEquals(List.of("1 " + ~1), before.items);
        assertEquals(List.of("1 " + ~4), after.items);
    }

    @Test
    void shouldEndAConnectionWhoseSinkWasClosedThoughItsNodeLives()
    {
        final EndpointId gpu = accelerate("gpu", Map.of());
        start();
        final Grim node = join("sink");
        final Sink sink = new Sink(node);
        final Connection connection = streams.open(
            ConnectionSpec.of("test", sink.streams.id(), Stage.of(gpu, "alu").operation(NOT)), PATIENCE);
        inject(connection, 1, 4);
        await(() -> connection.accounts().delivered() == 1);

        sink.stop();
        inject(connection, 2, 4);
        await(connection::isClosed);

        assertEquals(new Accounts(2, 1, 0, 0, 1), connection.accounts());
    }

    @Test
    void shouldEndAtTheSinkWhatItsOwnerCouldNotClose()
    {
        start();
        final AtomicBoolean hasEnded = new AtomicBoolean();
        streams.onItems("other", new SinkHandler()
        {
            @Override
            public void onItem(final long sequence, final DirectBuffer buffer, final int offset, final int length)
            {
                throw new IllegalStateException("nothing was injected");
            }

            @Override
            public void onEnd()
            {
                hasEnded.set(true);
            }
        });
        final Grim owner = join("other");
        final Thread opening = new Thread(() ->
        {
            try (DeviceEndpoint endpoint = owner.openDevice(DeviceSpec.of(NodeInfo.Device.OTHER)))
            {
                final DeviceClient client = new DeviceClient(owner, endpoint, streams.id(), PATIENCE);
                final UnsafeBuffer name = new UnsafeBuffer("other".getBytes(UTF_8));
                client.call(client.handler(StreamFormat.SINK), 1, 1, 0, name, 0, name.capacity());
            }
        }, "owner");
        opening.start();

        await(hasEnded::get);
        Uninterrupted.join(opening);
    }

    /** Sink in another node, which a thread polls. */
    private static final class Sink
    {
        private final List<String> items = Collections.synchronizedList(new ArrayList<>());
        private final CountDownLatch isStopping = new CountDownLatch(1);
        private final Streams streams;
        private final Thread thread;

        private Sink(final Grim node)
        {
            streams = Streams.open(node);
            streams.onItems("test", (sequence, buffer, offset, length) ->
                items.add(sequence + " " + buffer.getInt(offset)));
            thread = new Thread(() ->
            {
                while (isStopping.getCount() > 0)
                {
                    streams.idleStrategy().idle(streams.poll());
                }
                streams.close();
            }, "sink");
            thread.start();
        }

        private void stop()
        {
            isStopping.countDown();
            Uninterrupted.join(thread);
        }
    }

    @Test
    void shouldTryEachDeviceInThePlaceOfOneThatIsNotUp() throws IOException
    {
        final Path images = Files.createDirectory(directory.resolve("images"));
        image(images, "Twice", "twice", "value * 2");
        final EndpointId gone = accelerate("gone", Map.of());
        accelerate("gpu1", Map.of());
        accelerate("gpu2", Map.of());
        accelerate("gpu3", Map.of("images", images.toString()));
        start();
        runners.remove(0).close();
        await(() -> grim.devices(NodeInfo.Device.ACCELERATOR).size() == 3);

        final Connection connection = streams.open(spec(Stage.of(gone, "twice")), PATIENCE);
        inject(connection, 4, 4);
        finish(connection);

        assertEquals(List.of("1 8 4"), results);
        assertTrue(assertThrows(GrimException.class, () -> streams.open(
            spec(Stage.of(gone, "twice"), Stage.of(gone, "nowhere")), PATIENCE)).getMessage().contains("nowhere"));
    }

    @Test
    void shouldNotFreeAnEntryByASlotFromBeforeAReset()
    {
        final EndpointId gpu = accelerate("gpu1", Map.of());
        start();
        final DeviceClient client = new DeviceClient(grim, clientEndpoint(), gpu, PATIENCE);
        final int alu = grim.handlers().resolve(ItemFormat.KERNEL_PREFIX + "alu").number();
        final int before = set(client, entry(0, alu, 0, 8, 4));
        client.reset();
        final int slot = set(client, entry(0, alu, 0, 8, 4));

        client.call(client.handler(FrameEntry.CLEAR), before, 0, 0, null, 0, 0);

        client.call(client.handler(FrameEntry.STATUS), slot, 0, 0, null, 0, 0);
        client.call(client.handler(FrameEntry.CLEAR), slot, 0, 0, null, 0, 0);
        assertEquals(DeviceCode.NOT_FOUND, assertThrows(DeviceException.class, () ->
            client.call(client.handler(FrameEntry.STATUS), slot, 0, 0, null, 0, 0)).code());
    }

    @Test
    void shouldReplaceAStageWhoseDeviceWasReset()
    {
        final EndpointId gpu1 = accelerate("gpu1", Map.of());
        final EndpointId gpu2 = accelerate("gpu2", Map.of());
        start();
        final Connection connection = streams.open(spec(Stage.of(gpu1, "alu").operation(NOT)), PATIENCE);
        inject(connection, 1, 4);
        await(() -> connection.accounts().delivered() == 1);

        new DeviceClient(grim, clientEndpoint(), gpu1, PATIENCE).reset();
        inject(connection, 2, 4);
        await(() -> connection.accounts().lost() == 1);
        inject(connection, 3, 4);
        finish(connection);

        assertEquals(List.of("1 -2 4", "3 -4 4"), results);
        assertEquals(gpu2, connection.stages().get(0).device());
        assertEquals(new Accounts(3, 2, 0, 1, 0), connection.accounts());
    }

    /** The marker of the old path finds no entry. */
    @Test
    void shouldSettleAChangeAwayFromADeviceThatWasReset()
    {
        final EndpointId gpu1 = accelerate("gpu1", Map.of());
        final EndpointId gpu2 = accelerate("gpu2", Map.of());
        start();
        final Connection connection = streams.open(
            spec(Stage.of(gpu2, "alu").operation(NOT), Stage.of(gpu1, "alu").operation(NOT)), PATIENCE);
        inject(connection, 1, 4);
        await(() -> connection.accounts().delivered() == 1);

        new DeviceClient(grim, clientEndpoint(), gpu1, PATIENCE).reset();
        inject(connection, 2, 4);
        connection.replace(1, Stage.of(gpu2, "alu").operation(NOT));
        await(connection::isSettled);
        inject(connection, 3, 4);
        finish(connection);

        assertEquals(List.of("1 1 4", "3 3 4"), results);
        assertEquals(new Accounts(3, 2, 0, 1, 0), connection.accounts());
    }

    @Test
    void shouldKeepStateInPagesOfTheOwner()
    {
        final EndpointId gpu =
            accelerate("gpu1", Map.of("page", "4KiB", "frames", "3", "page-quota", "8", "pages", "9"));
        start();
        final Connection sums = streams.open(spec(Stage.of(gpu, "alu").operation(ADD)
            .pages(PageOperands.NONE.readB(0, 64).keepC(0, 64))), PATIENCE);
        final DeviceClient pages = streams.client(gpu, PATIENCE);
        final UnsafeBuffer value = new UnsafeBuffer(new byte[4]);
        value.putInt(0, 100);
        pages.call(pages.handler("page.store"), 2, 64, 0, value, 0, 4);
        final List<String> expected = new ArrayList<>();
        for (int i = 0; i < 16; i++)
        {
            final int page = i % 8;
            value.putInt(0, i);
            await(() -> sums.inject(PageOperands.address(page, 0), value, 0, 4) == SendStatus.SENT);
            expected.add((i + 1) + " " + (i + (i < 8 ? 0 : page) + (page == 2 ? 100 : 0)) + " 4");
        }
        await(() -> sums.inject(PageOperands.address(8, 0), value, 0, 4) == SendStatus.SENT);
        await(() -> sums.accounts().pending() == 0);

        assertEquals(expected, results);
        assertEquals(List.of("17 page=8 is outside of the owner's pages: page-quota=8"), failures);
        assertEquals(2 + 10 + 100,
            pages.call(pages.handler("page.load"), 2, 64, 4, null, 0, 0).buffer().getInt(0));
        final DeviceClient other = new DeviceClient(grim, clientEndpoint(), gpu, PATIENCE);
        assertEquals(0, other.call(other.handler("page.load"), 2, 64, 4, null, 0, 0).buffer().getInt(0));
        other.call(other.handler("page.store"), 0, 0, 0, value, 0, 4);
        assertRefused(DeviceCode.NO_ROOM, "pages=9", other, "page.store", 1, 0);
        assertRefused(DeviceCode.BAD_REQUEST, "page-quota=8", other, "page.store", 8, 0);
        assertRefused(DeviceCode.BAD_REQUEST, "page=4096", other, "page.store", 0, 4_094);
        assertRefused(DeviceCode.NO_ROOM, "frames=3", other, "page.pin", 0, 0);
        assertRefused(DeviceCode.BAD_REQUEST, "page-quota=8", other, "page.free", 1, 8);
        final String status = call(other, "accelerator.status").text();
        assertTrue(status.contains("pages=9\npage-owners=2\nframes=3\n") && !status.contains("pages-evicted=0\n"),
            status);

        pages.call(pages.handler("page.free"), 0, 8, 0, null, 0, 0);
        assertTrue(call(other, "accelerator.status").text().contains("pages=1\npage-owners=1\n"));
        sums.close();
    }

    private Stage sum(final EndpointId gpu, final int space, final int itemCount)
    {
        return Stage.of(gpu, "alu").operation(ADD)
            .pages(PageOperands.NONE.readB(3, 64).keepC(3, 64).inSpace(space)).checkpoint(itemCount);
    }

    private ConnectionListener noting(final List<String> notes)
    {
        return new ConnectionListener()
        {
            @Override
            public void onCheckpointFailed(final int stage, final String reason)
            {
                notes.add("failed " + stage + " " + reason);
            }

            @Override
            public void onRestored(final int stage, final long sequence)
            {
                notes.add("restored " + stage + " " + sequence);
            }
        };
    }

    @Test
    void shouldRestoreTheLastCheckpointAtTheDeviceThatReplacesAnother()
    {
        final EndpointId gpu1 = accelerate("gpu1", Map.of());
        final EndpointId gpu2 = accelerate("gpu2", Map.of());
        start();
        final List<String> notes = new ArrayList<>();
        final Connection sums = streams.open(spec(sum(gpu1, 5, 4)).listener(noting(notes)), PATIENCE);
        final DeviceClient pages = streams.client(gpu1, PATIENCE);
        final UnsafeBuffer start = new UnsafeBuffer(new byte[4]);
        start.putInt(0, 1_000);
        pages.call(pages.handler("page.store"), PageOperands.pageOf(5, 3), 64, 0, start, 0, 4);
        pages.call(pages.handler("page.store"), PageOperands.pageOf(5, 7), 40_000, 0, start, 0, 4);
        for (int i = 1; i <= 10; i++)
        {
            inject(sums, i, 4);
        }
        await(() -> sums.accounts().delivered() == 10);
        sums.requestCheckpoint();
        await(() -> sums.checkpoint(0) != null && sums.checkpoint(0).sequence() == 10);
        assertEquals(new Checkpoint(10, 10, 2, 2 << 16), sums.checkpoint(0));

        new DeviceClient(grim, clientEndpoint(), gpu1, PATIENCE).reset();
        inject(sums, 11, 4);
        await(() -> sums.accounts().lost() == 1 && sums.isSettled());
        inject(sums, 12, 4);
        await(() -> sums.accounts().delivered() == 11);

        assertEquals(gpu2, sums.stages().get(0).device());
        assertEquals("12 " + (1_000 + 55 + 12) + " 4", results.get(10));
        notes.remove("failed 0 owner has no space=5 with checkpoints here");      // One was under way at the reset.
        assertEquals(List.of("restored 0 10"), notes);
        final DeviceClient restored = streams.client(gpu2, PATIENCE);
        assertEquals(1_000, restored.call(restored.handler("page.load"), PageOperands.pageOf(5, 7), 40_000, 4, null, 0,
            0).buffer().getInt(0));
        assertEquals(0, restored.call(restored.handler("page.load"), 3, 64, 4, null, 0, 0).buffer().getInt(0));
        sums.close();
    }

    @Test
    void shouldRefuseCheckpointsThatCannotBe()
    {
        final EndpointId gpu1 = accelerate("gpu1", Map.of());
        final EndpointId gpu2 = accelerate("gpu2", Map.of("page", "4KiB"));
        start();
        assertThrows(IllegalArgumentException.class, () -> PageOperands.NONE.inSpace(1 << 16));
        assertThrows(IllegalArgumentException.class, () -> Stage.of(gpu1, "alu").checkpoint(1));
        assertThrows(IllegalArgumentException.class, () -> sum(gpu1, 1, -1));
        assertThrows(IllegalArgumentException.class, () -> spec(sum(gpu1, 1, 1), sum(gpu2, 1, 1)));
        final List<String> notes = new ArrayList<>();
        final Connection sums = streams.open(spec(sum(gpu1, 1, 1)).listener(noting(notes)), PATIENCE);
        assertThrows(IllegalArgumentException.class, () -> sums.replace(0, sum(gpu2, 1, 1)));
        assertThrows(IllegalArgumentException.class, () -> streams.open(spec(sum(gpu1, 1, 1)), PATIENCE));
        assertThrows(IllegalArgumentException.class, () -> sums.checkpoint(1));
        final DeviceClient other = new DeviceClient(grim, clientEndpoint(), gpu1, PATIENCE);
        assertRefused(DeviceCode.NOT_FOUND, "space=1", other, "checkpoint.begin", 1, 0);
        assertRefused(DeviceCode.BAD_REQUEST, "length=4, expected 8", other, "checkpoint.restore", 1, 0);
        final DeviceClient own = streams.client(gpu1, PATIENCE);
        assertRefused(DeviceCode.BAD_REQUEST, "page=9 is in no checkpoint", own, "checkpoint.read",
            PageOperands.pageOf(1, 9), 0);
        assertRefused(DeviceCode.BAD_REQUEST, "page=65536", own, "checkpoint.read", PageOperands.pageOf(1, 9), 1 << 20);

        inject(sums, 1, 4);
        await(() -> sums.checkpoint(0) != null && sums.checkpoint(0).sequence() == 1);
        streams.checkpointLengthMax(1 << 16);
        inject(sums, 2, 4);
        await(() -> !notes.isEmpty());
        assertEquals(List.of("failed 0 checkpoint exceeds the owner's memory: needed=131072 max=65536"), notes);
        assertEquals(new Checkpoint(1, 1, 1, 1 << 16), sums.checkpoint(0));

        nodes.get(0).close();
        await(() -> sums.failure() != null);
        assertTrue(sums.failure().endsWith("checkpoint: checkpoint has page=65536, the device page=4096"),
            sums.failure());
    }

    private static void assertRefused(
        final DeviceCode code, final String text, final DeviceClient client, final String handler, final int a0,
        final int a1)
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[4]);
        final DeviceException refusal = assertThrows(DeviceException.class, () ->
            client.call(client.handler(handler), a0, a1, 0, payload, 0, 4));
        assertEquals(code, refusal.code(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }

    @Test
    void shouldRefuseANameThatIsTooLong()
    {
        final Stage stage = Stage.of(EndpointId.of(1, 1, 1), "alu");
        ConnectionSpec.of("ö".repeat(127) + "o", EndpointId.of(2, 1, 1), stage);
        assertEquals("name of a connection of length=256 exceeds max=255", assertThrows(IllegalArgumentException.class,
            () -> ConnectionSpec.of("ö".repeat(128), EndpointId.of(2, 1, 1), stage)).getMessage());
    }

    @Test
    void shouldRefuseEntriesThatCannotBe()
    {
        final EndpointId gpu = accelerate("gpu1", Map.of("channel-items", "40", "memory", "1MiB"));
        start();
        final DeviceClient client = new DeviceClient(grim, clientEndpoint(), gpu, PATIENCE);
        final int alu = grim.handlers().resolve(ItemFormat.KERNEL_PREFIX + "alu").number();

        assertRefused(DeviceCode.NOT_FOUND, "stream.no-kernel", client, entry(0, alu + 1_000, 0, 8, 4));
        assertRefused(DeviceCode.BAD_REQUEST, "circle", client,
            entry(FrameEntry.RECYCLE, alu, ItemFormat.slot(0, 1), 8, 4));
        assertRefused(DeviceCode.BAD_REQUEST, "window=41", client, entry(0, alu, 0, 41, 4));
        assertRefused(DeviceCode.NO_ROOM, "memory=1048576", client, entry(0, alu, 0, 16, 1 << 17));
        final GrimException refused = assertThrows(GrimException.class, () ->
            streams.open(spec(Stage.of(gpu, "alu")).bounds(41, 4), PATIENCE));
        assertTrue(refused.getMessage().contains("window=41 is outside 1 to channel-items=40"), refused.getMessage());
    }

    @Test
    void shouldRefuseStagesWhoseOperandsCannotBe()
    {
        assertThrows(IllegalArgumentException.class, () -> PageOperands.address(0, 32));
        assertThrows(IllegalArgumentException.class, () -> PageOperands.address(1 << 16, 0));
        assertThrows(IllegalArgumentException.class, () -> PageOperands.NONE.ofLength(-1));
        assertThrows(IllegalArgumentException.class, () ->
            Stage.of(grim.endpoint().id(), "alu").constant(1).pages(PageOperands.NONE.readB(0, 0)));
    }

    private static FrameEntry entry(
        final int flags, final int kernel, final int nextSlot, final int window, final int lengthMax)
    {
        return new FrameEntry(
            0, 0, 7, 1, flags, kernel, 0, kernel, nextSlot, 0, window, lengthMax, PageOperands.NONE);
    }

    /** Sets an entry; returns its slot. */
    private static int set(final DeviceClient client, final FrameEntry entry)
    {
        final UnsafeBuffer payload = new UnsafeBuffer(new byte[FrameEntry.LENGTH]);
        entry.writeTo(payload);
        return ItemFormat.slot(
            client.call(client.handler(FrameEntry.SET), 0, 0, 0, payload, 0, FrameEntry.LENGTH).argument(1));
    }

    private static void assertRefused(
        final DeviceCode code, final String text, final DeviceClient client, final FrameEntry entry)
    {
        final DeviceException refusal = assertThrows(DeviceException.class, () -> set(client, entry));
        assertEquals(code, refusal.code(), refusal.getMessage());
        assertTrue(refusal.getMessage().contains(text), refusal.getMessage());
    }

    /** The host endpoint is another thread's. */
    private Endpoint clientEndpoint()
    {
        return grim.openEndpoint(5);
    }

    private static Reply call(final DeviceClient client, final String handler)
    {
        return client.call(client.handler(handler), 0, 0, 0, null, 0, 0);
    }

    /** Makes a jar with a kernel. */
    private void image(final Path images, final String type, final String name, final String formula)
        throws IOException
    {
        final Path classes = Files.createDirectory(directory.resolve(type));
        final Path source = Files.writeString(classes.resolve(type + ".java"), """
            public class %s implements org.grim.device.accelerator.Kernel
            {
                public String name()
                {
                    return "%s";
                }

                public int run(
                    org.grim.device.accelerator.KernelCall call, org.agrona.MutableDirectBuffer result)
                {
                    final int value = call.source().getInt(0);
                    result.putInt(0, %s);
                    return 4;
                }
            }
            """.formatted(type, name, formula));
        assertEquals(0, ToolProvider.getSystemJavaCompiler().run(null, null, null, "-proc:none", "-cp",
            System.getProperty("java.class.path"), source.toString()));
        final Manifest manifest = new Manifest();
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes().putValue("Grim-Kernels", name);
        try (OutputStream file = Files.newOutputStream(images.resolve(name + ".jar"));
            JarOutputStream jar = new JarOutputStream(file, manifest))
        {
            jar.putNextEntry(new JarEntry(type + ".class"));
            jar.write(Files.readAllBytes(classes.resolve(type + ".class")));
            jar.putNextEntry(new JarEntry("META-INF/services/org.grim.device.accelerator.Kernel"));
            jar.write((type + "\n").getBytes(UTF_8));
        }
    }
}
