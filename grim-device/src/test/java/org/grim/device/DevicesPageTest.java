// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import java.util.function.Supplier;

import org.agrona.concurrent.UnsafeBuffer;
import org.grim.DeviceInfo;
import org.grim.DeviceSpec;
import org.grim.Grim;
import org.grim.GrimConfig;
import org.grim.MemoryRegion;
import org.grim.NodeInfo;
import org.grim.Reply;
import org.grim.pages.ExampleCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The driver of the page about devices, and its client of a store. */
final class DevicesPageTest
{
    private static final String DRIVER = "Thermometer";
    private static final int LINE_COUNT_MAX = 60;
    private static final String PAGE = "docs/devices.md";
    private static final int LENGTH = 100_000;
    private static final String STORE_USER = """
        import java.time.Duration;
        import org.agrona.concurrent.UnsafeBuffer;
        import org.grim.*;
        import org.grim.device.*;
        import org.grim.device.storage.*;
        import org.grim.device.storage.StorageClient.Mode;
        public class StoreUser
        {
            public static void use(
                Grim grim, UnsafeBuffer bytes, UnsafeBuffer buffer, MemoryRegion region, int length)
            {
                %s
            }
        }
        """;

    @TempDir
    private Path classes;
    @TempDir
    private Path clusters;

    @Test
    void shouldServeWithTheDriverOfThePage() throws Exception
    {
        final String program = ExampleCompiler.blocks(PAGE, "java").stream()
            .filter(block -> block.contains("class " + DRIVER)).findFirst().orElseThrow();
        assertTrue(program.lines().filter(line -> !line.isBlank()).count() <= LINE_COUNT_MAX, program);
        ExampleCompiler.assertCompiles(program, classes);
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
            DeviceStage stage = new DeviceStage(
                clusters, DeviceStage.spec(1), drivers(loader.loadClass(DRIVER)), Map.of("limit", "50000")))
        {
            final Grim client = stage.client("client");
            stage.await(() -> stage.runner().state() == DeviceInfo.State.UP);

            assertEquals(20_000, stage.answer(client, "thermometer.read", 0, "").argument(1));
            final Reply warm = stage.ask(client, "thermometer.await", 30_000, "");
            stage.assertCode(DeviceCode.BAD_REQUEST, stage.answer(client, "thermometer.set", 50_001, ""));
            stage.assertCode(DeviceCode.OK, stage.answer(client, "thermometer.set", 29_999, ""));
            stage.answer(client, "thermometer.read", 0, "");
            assertFalse(warm.isComplete());
            stage.assertCode(DeviceCode.OK, stage.answer(client, "thermometer.set", 31_000, ""));
            assertEquals(31_000, stage.complete(warm).argument(1));
        }
    }

    @Test
    void shouldStoreByTheLinesOfThePage(@TempDir final Path root) throws Exception
    {
        ExampleCompiler.assertCompiles(STORE_USER.formatted(ExampleCompiler.blocks(PAGE, "java").stream()
            .filter(block -> block.contains("new StorageClient(")).findFirst().orElseThrow()), classes);
        final UnsafeBuffer bytes = new UnsafeBuffer(new byte[LENGTH]);
        new Random(1).nextBytes(bytes.byteArray());
        final UnsafeBuffer read = new UnsafeBuffer(new byte[LENGTH]);
        Files.createDirectory(root.resolve("results"));
        try (URLClassLoader loader = new URLClassLoader(new URL[] {classes.toUri().toURL()});
            Grim node = join("store");
            DeviceRunner runner = DeviceRunner.open(
                node, DeviceSpec.of(NodeInfo.Device.STORAGE), Map.of("root", root.toString()));
            Grim client = join("client"))
        {
            node.startPolling();
            runner.start();
            final MemoryRegion region = client.endpoint().memory().register(LENGTH);

            loader.loadClass("StoreUser").getMethod("use", Grim.class, UnsafeBuffer.class, UnsafeBuffer.class,
                MemoryRegion.class, int.class).invoke(null, client, bytes, read, region, LENGTH);

            assertEquals(bytes, read);
            assertEquals(bytes, new UnsafeBuffer(region.buffer(), 0, LENGTH));
            assertArrayEquals(bytes.byteArray(), Files.readAllBytes(root.resolve("results/day-1")));
        }
    }

    private Grim join(final String name)
    {
        return Grim.enable(GrimConfig.builder().directory(clusters).nodeName(name).transports("shmem")
            .set("grim.channels.count", 4).set("grim.handlers.resolve-timeout", "60s").build());
    }

    private static Supplier<DeviceDriver> drivers(final Class<?> type)
    {
        return () ->
        {
            try
            {
                return (DeviceDriver)type.getConstructor().newInstance();
            }
            catch (final ReflectiveOperationException ex)
            {
                throw new IllegalStateException(ex);
            }
        };
    }
}
