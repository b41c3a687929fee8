// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

@Tag("process")
@Timeout(60)
final class ScriptProcessIT
{
    @TempDir
    private Path directory;

    @Test
    void shouldRefuseOldJavaInOneSentence() throws Exception
    {
        makeJava("openjdk version \"11.0.22\" 2024-01-16");

        try (GrimProcess grim = run())
        {
            assertEquals(1, grim.exitCode());
            assertEquals("grim: needs Java 17 or newer, but " + directory + "/bin/java is Java 11.0.22.",
                grim.error().trim());
        }
    }

    @Test
    void shouldSayThatJavaHomeIsWrong() throws Exception
    {
        try (GrimProcess grim = run())
        {
            assertEquals(1, grim.exitCode());
            assertEquals(1, grim.error().lines().count(), grim.error());
            assertTrue(grim.error().startsWith("grim: JAVA_HOME is " + directory), grim.error());
        }
    }

    private GrimProcess run() throws IOException
    {
        final Path script = Path.of(System.getProperty("build.jar")).resolve("../../../grim").normalize();
        final ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
        builder.environment().put("JAVA_HOME", directory.toString());
        return GrimProcess.start(directory, builder);
    }

    private void makeJava(final String version) throws IOException
    {
        final Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
        Files.writeString(java, "#!/bin/sh\necho '" + version + "' >&2\n");
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
    }
}
