// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The jar of users' commands, and the script, as processes. */
@Tag("process")
@Timeout(240)
final class JarProcessIT
{
    private static final Path JAR = Path.of(System.getProperty("build.directory", "target"), "grim.jar");
    private static final String LAUNCHER = "org.grim.tools.Launcher";
    private static final int CLASS_FILE_OF_JAVA_8 = 52;
    private static final int MAGIC_AND_MINOR_LENGTH = 6;

    @TempDir
    private Path directory;

    @Test
    void shouldSayWhichFlagIsMissing() throws Exception
    {
        try (GrimProcess grim = java("-cp", JAR.toString(), LAUNCHER, "board", "--directory", directory.toString()))
        {
            assertEquals(1, grim.exitCode());
            assertTrue(grim.error().contains("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED"), grim.error());
            assertEquals(1, grim.error().lines().count(), grim.error());
        }
    }

    @Test
    void shouldPrintVersionOfTheJar() throws Exception
    {
        try (GrimProcess grim = java("-jar", JAR.toString(), "--version"))
        {
            assertEquals(0, grim.exitCode(), grim.error());
            assertTrue(grim.output().matches("(?s)grim \\d.*Java \\d.*"), grim.output());
        }
    }

    /** No old JVM is here: its first class is one that it can load, and what that says of other versions. */
    @Test
    void shouldRefuseOldJvmInOneSentence() throws Exception
    {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {JAR.toUri().toURL()}, null);
            InputStream bytes = loader.getResourceAsStream(LAUNCHER.replace('.', '/') + ".class"))
        {
            assertEquals(CLASS_FILE_OF_JAVA_8, majorVersion(bytes));
            final Method refusal = loader.loadClass(LAUNCHER).getDeclaredMethod("refusal", String.class);
            refusal.setAccessible(true);
            assertEquals("this JVM is Java 11, GRIM needs Java 17 or newer.", refusal.invoke(null, "11"));
            assertEquals("this JVM is Java 1.8, GRIM needs Java 17 or newer.", refusal.invoke(null, "1.8"));
            for (final String version : List.of("17", "25", "100"))
            {
                assertNull(refusal.invoke(null, version));
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void shouldRefuseWrongJavaInOneSentence(final boolean isOld) throws Exception
    {
        if (isOld)
        {
            final Path java = Files.createDirectories(directory.resolve("bin")).resolve("java");
            Files.writeString(java, "#!/bin/sh\necho 'openjdk version \"11.0.22\" 2024-01-16' >&2\n");
            Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        final Path script = JAR.toAbsolutePath().resolve("../../../grim").normalize();
        final ProcessBuilder builder = new ProcessBuilder(script.toString(), "--version");
        builder.environment().put("JAVA_HOME", directory.toString());

        try (GrimProcess grim = GrimProcess.start(directory, builder))
        {
            assertEquals(1, grim.exitCode());
            assertEquals(isOld ? "grim: needs Java 17 or newer, but " + directory + "/bin/java is Java 11.0.22." :
                "grim: JAVA_HOME is " + directory + ", but there is no bin/java in it.", grim.error().trim());
        }
    }

    private GrimProcess java(final String... args) throws IOException
    {
        final List<String> command = GrimProcess.java();
        command.addAll(List.of(args));
        return GrimProcess.start(directory, new ProcessBuilder(command));
    }

    private static int majorVersion(final InputStream classFile) throws IOException
    {
        final DataInputStream in = new DataInputStream(classFile);
        in.skipNBytes(MAGIC_AND_MINOR_LENGTH);
        return in.readUnsignedShort();
    }
}
