// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.device.DeviceClient;
import org.grim.device.storage.StorageClient;
import org.grim.device.storage.StorageClient.Mode;
import org.grim.device.storage.StoredFile;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

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
}
