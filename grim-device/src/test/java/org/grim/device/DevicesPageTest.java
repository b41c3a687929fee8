// SPDX-License-Identifier: Apache-2.0
package org.grim.device;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Map;
import java.util.function.Supplier;

import org.grim.DeviceInfo;
import org.grim.Grim;
import org.grim.Reply;
import org.grim.pages.ExampleCompiler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The driver of the page about devices. */
final class DevicesPageTest
{
    private static final String DRIVER = "Thermometer";
    private static final int LINE_COUNT_MAX = 60;

    @TempDir
    private Path classes;
    @TempDir
    private Path clusters;

    @Test
    void shouldServeWithTheDriverOfThePage() throws Exception
    {
        final String program = ExampleCompiler.blocks("docs/devices.md", "java").stream()
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
