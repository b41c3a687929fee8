// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.SendStatus;
import org.grim.device.DeviceClient;
import org.grim.device.storage.StorageClient;
import org.grim.device.storage.StorageClient.Mode;
import org.grim.device.storage.StoredFile;
import org.grim.stream.Accounts;
import org.grim.stream.Connection;
import org.grim.stream.ConnectionSpec;
import org.grim.stream.Stage;
import org.grim.stream.Streams;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Timeout(240)
final class DeviceCommandIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldServeADeviceUntilItIsTerminated() throws Exception
    {
        final Path clusters = Files.createDirectory(directory.resolve("clusters"));
        final Path root = Files.createDirectory(directory.resolve("root"));
        final UnsafeBuffer bytes = new UnsafeBuffer("stored".getBytes(UTF_8));
        try (GrimProcess store = GrimProcess.run(directory, "device", "storage", "--name", "disk", "--channels", "2",
            "--cluster", "devices", "--directory", clusters.toString(), "root=" + root, "threads=1"))
        {
            store.await("the line of the device", () -> store.output().contains(
                "device storage ready: endpoint=endpoint(node=0 device=1 channel=1) node=disk process="));
            try (Grim grim = Grim.enable(GrimConfig.builder().directory(clusters).clusterName("devices")
                .nodeName("client").transports("shmem").build()))
            {
                final DeviceClient device =
                    new DeviceClient(grim, grim.locate(NodeInfo.Device.STORAGE), Duration.ofMinutes(2));
                try (StoredFile file = new StorageClient(device).open("file", Mode.WRITE, Mode.CREATE))
                {
                    file.write(0, bytes, 0, bytes.capacity());
                }
                assertEquals("stored", Files.readString(root.resolve("file")));
            }

            store.process().destroy();

            assertNotEquals(0, store.exitCode());
            assertEquals("", store.error());
            assertEquals(1, store.output().lines().count(), store.output());
        }
        GrimProcess.assertNothingLeft(clusters);
    }

    /** The commands that the pages of users print. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "bridge | allow=price,note port=0",
        "video-capture | source=film.y4m",
        "video-display | web=0",
        "accelerator | images=images",
        "accelerator | images=images --channels 3"})
    void shouldServeEachKind(final String kind, final String words) throws Exception
    {
        final Path clusters = Files.createDirectory(directory.resolve("clusters"));
        Files.write(directory.resolve("film.y4m"),
            ("YUV4MPEG2 W16 H16 F25:1 C420\nFRAME\n" + "y".repeat(16 * 16 * 3 / 2)).getBytes(UTF_8));
        Files.createDirectory(directory.resolve("images"));
        final List<String> command = new ArrayList<>(List.of("device", kind, "--directory", clusters.toString()));
        Stream.of(words.split(" ", -1)).map(word -> word.replaceFirst("=(film|images)", "=" + directory + "/$1"))
            .forEach(command::add);
        try (GrimProcess device = GrimProcess.run(directory, command.toArray(String[]::new)))
        {
            device.await("the line of the device", () -> device.output().contains("device " + kind + " ready: "));
            device.process().destroy();

            assertNotEquals(0, device.exitCode());
            assertEquals("", device.error());
        }
        GrimProcess.assertNothingLeft(clusters);
    }

    @Test
    void shouldEndWithTheReasonOfADriverThatDoesNotOpen() throws Exception
    {
        try (GrimProcess store = GrimProcess.run(directory, "device", "storage", "--directory",
            directory.resolve("clusters").toString(), "rot=x"))
        {
            assertEquals(1, store.exitCode());
            assertEquals("grim: device storage has failed: option root is missing",
                store.error().lines().filter(line -> line.startsWith("grim: ")).findFirst().orElse(store.error()));
        }
    }

    @Test
    void shouldServeADeviceAgainWhoseProcessWasKilled() throws Exception
    {
        final Path clusters = Files.createDirectory(directory.resolve("clusters"));
        try (GrimProcess store = GrimProcess.run(directory, "device", "storage", "--restart", "--directory",
            clusters.toString(), "root=" + Files.createDirectory(directory.resolve("root"))))
        {
            final ProcessHandle first = awaitServed(store, 1);
            assertTrue(first.destroyForcibly());
            final ProcessHandle second = awaitServed(store, 2);
            assertEquals("grim: device storage ended with exit code=137, and starts again in 0.1 s" +
                System.lineSeparator(), store.error());

            store.process().destroy();

            assertNotEquals(0, store.exitCode());
            assertFalse(second.isAlive());
            assertEquals(2, store.output().lines().count(), store.output());
        }
        GrimProcess.awaitNothingLeft(clusters);
    }

    /** Nobody would start the device again, or end it. */
    @Test
    void shouldEndTheDeviceOfACommandThatWasKilled() throws Exception
    {
        final Path clusters = Files.createDirectory(directory.resolve("clusters"));
        try (GrimProcess store = GrimProcess.run(directory, "device", "storage", "--restart", "--directory",
            clusters.toString(), "root=" + Files.createDirectory(directory.resolve("root"))))
        {
            final ProcessHandle device = awaitServed(store, 1);
            store.process().destroyForcibly();
            device.onExit().get(1, TimeUnit.MINUTES);
        }
        GrimProcess.awaitNothingLeft(clusters);
    }

    @Test
    void shouldNotStartADeviceAgainThatNeverOpened() throws Exception
    {
        try (GrimProcess store = GrimProcess.run(directory, "device", "storage", "--restart", "--directory",
            directory.resolve("clusters").toString(), "rot=x"))
        {
            assertEquals(1, store.exitCode());
            assertTrue(store.error().contains("grim: device storage has failed: option root is missing"),
                store.error());
            assertFalse(store.error().contains("starts again"), store.error());
        }
    }

    /** Of a kernel that runs on the device's thread, and of one that blocks, which runs on another one. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "false | grim: device accelerator: a call of the driver takes longer than it may: the process ends",
        "true  | grim: device accelerator has failed: kernel stuck has not returned within 1 s"})
    void shouldServeADeviceAgainWhoseKernelDoesNotReturn(final boolean isBlocking, final String reason)
        throws Exception
    {
        final Path clusters = Files.createDirectory(directory.resolve("clusters"));
        final Path images = Files.createDirectory(directory.resolve("images"));
        KernelJar.make(images, "stuck", """
            public boolean isBlocking()
            {
                return %s;
            }
            public int run(org.grim.device.accelerator.KernelCall call, org.agrona.MutableDirectBuffer result)
            {
                while (call.source().getByte(0) != 0)
                {
                    Thread.onSpinWait();
                }
                return 4;
            }
            """.formatted(isBlocking));
        try (GrimProcess gpu = GrimProcess.run(directory, "device", "accelerator", "--restart", "--channels", "3",
            "--directory", clusters.toString(), "images=" + images, "kernel-seconds=1"))
        {
            awaitServed(gpu, 1);
            try (Grim grim = Grim.enable(GrimConfig.builder().directory(clusters).nodeName("owner")
                .transports("shmem").set("grim.channels.count", 6).build()); Streams streams = Streams.open(grim))
            {
                grim.startPolling();
                streams.onItems("items", (sequence, buffer, offset, length) -> assertEquals(4, length));
                grim.start();
                assertEquals(new Accounts(1, 0, 0, 1, 0), accountsOf(grim, streams, (byte)1));

                awaitServed(gpu, 2);

                assertTrue(gpu.error().contains(reason), gpu.error());
                assertEquals(new Accounts(1, 1, 0, 0, 0), accountsOf(grim, streams, (byte)0));
            }
            gpu.process().destroy();
            assertNotEquals(0, gpu.exitCode());
        }
        GrimProcess.awaitNothingLeft(clusters);
    }

    /** Sends one item to the kernel {@code stuck}. Returns the accounts when they say what has become of it. */
    private static Accounts accountsOf(final Grim grim, final Streams streams, final byte first)
    {
        final long startNs = System.nanoTime();
        try (Connection connection = streams.open(ConnectionSpec.of("items", streams.id(),
            Stage.of(grim.locate(NodeInfo.Device.ACCELERATOR), "stuck")), Duration.ofMinutes(1)))
        {
            final UnsafeBuffer item = new UnsafeBuffer(new byte[]{first, 0, 0, 0});
            assertEquals(SendStatus.SENT, connection.inject(item, 0, item.capacity()));
            while (connection.accounts().pending() > 0)
            {
                assertTrue(System.nanoTime() - startNs < TimeUnit.MINUTES.toNanos(2), () -> connection.toString());
                streams.idleStrategy().idle(streams.poll());
            }
            return connection.accounts();
        }
    }

    /** Waits for the line that says that the device is up, the count-th of them. Returns its process. */
    private static ProcessHandle awaitServed(final GrimProcess device, final int count) throws InterruptedException
    {
        final List<Long> processes = new ArrayList<>();
        device.await("line " + count + " of the device", () ->
        {
            processes.clear();
            Pattern.compile(" ready: .* process=(\\d+)\\R").matcher(device.output()).results()
                .forEach(line -> processes.add(Long.valueOf(line.group(1))));
            return processes.size() == count;
        });
        return ProcessHandle.of(processes.get(count - 1)).orElseThrow();
    }
}
