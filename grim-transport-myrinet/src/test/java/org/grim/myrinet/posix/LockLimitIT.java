// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.posix;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A process with a limit of 64 KiB for locked memory, and without root's right to exceed it. */
@Tag("process")
@Timeout(180)
final class LockLimitIT
{
    private static final String LIMITED = "ulimit -l 64 && if [ \"$(id -u)\" = 0 ]; " +
        "then exec setpriv --inh-caps=-ipc_lock --bounding-set=-ipc_lock \"$@\"; else exec \"$@\"; fi";

    @TempDir
    private Path directory;

    @Test
    void shouldSayLimitAndNeedOnceAndGoOnWithoutTheLock() throws IOException, InterruptedException
    {
        final Path region = directory.resolve("dma-1");
        final Path output = directory.resolve("output");
        final Process process = new ProcessBuilder(List.of("sh", "-c", LIMITED, "sh",
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-ea", "-Xmx64m",
            "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED",
            "-cp", System.getProperty("java.class.path"), LockLimitMain.class.getName(), region.toString()))
            .redirectErrorStream(true).redirectOutput(output.toFile()).start();

        final boolean isOver = process.waitFor(60, TimeUnit.SECONDS);
        process.destroyForcibly();

        final String text = Files.readString(output, StandardCharsets.UTF_8);
        assertTrue(isOver, text);
        assertEquals(0, process.exitValue(), text);
        assertTrue(text.contains("limit=65536 locked=false"), text);
        assertTrue(text.matches("(?s).*\nmlock of 1048576 bytes at address=0x[0-9a-f]+ failed: ENOMEM \\([^)]+\\); " +
            "this process may lock 65536 bytes.*"), text);
        assertEquals(1, text.lines().filter((line) ->
            line.contains("INFO") && line.contains("DMA region " + region + " is not locked into memory")).count(),
            text);
        assertFalse(Files.exists(region));
    }
}
