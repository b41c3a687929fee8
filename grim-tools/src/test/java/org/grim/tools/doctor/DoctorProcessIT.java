// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

import org.grim.tools.cli.GrimProcess;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** Obstacles that only another process, or another view of the file systems, has. */
@Tag("process")
@Timeout(240)
final class DoctorProcessIT
{
    private static final int SOMETHING_FOUND = 3;
    private static final String CLOCK = "/sys/devices/system/clocksource/clocksource0/current_clocksource";

    @TempDir
    private Path directory;

    @Test
    void shouldFindThatTheFlagIsMissing() throws Exception
    {
        final List<String> command = GrimProcess.java();
        command.addAll(List.of("-cp", System.getProperty("build.jar") == null ? GrimProcess.classPath() :
            System.getProperty("build.jar"), "org.grim.tools.cli.GrimCommand", "doctor", "--directory",
            directory.toString()));

        assertFound(new ProcessBuilder(command), "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED",
            "JDK_JAVA_OPTIONS");
    }

    @Test
    void shouldFindOptionsAndLimits() throws Exception
    {
        final List<String> command = doctor();
        command.add(1, "-XX:+DisableExplicitGC");

        assertFound(shell(List.of("sh", "-c"), "ulimit -n 200; exec " + quoted(command)), "open files=200",
            "expected at least 1024", "ulimit -n", "has the option -XX:+DisableExplicitGC", "start the JVM without it");
    }

    @Test
    void shouldFindASmallFileSystem() throws Exception
    {
        assertFound(mounted("mount -t tmpfs -o size=4m tmpfs " + directory, doctor()),
            directory + " has free=4194304 of length=4194304 bytes", "needed=", "remount,size=1g");
    }

    @Test
    void shouldFindAFileSystemThatIsNotWritable() throws Exception
    {
        assertFound(mounted("mount -t tmpfs -o size=64m,ro tmpfs " + directory, doctor()),
            "it is not writable for user", "option ro", "grim.cluster.directory");
    }

    @Test
    void shouldFindThatNativeLibrariesCannotBeLoaded() throws Exception
    {
        final Path place = Files.createDirectory(directory.resolve("tmp"));
        final List<String> command = doctor();
        command.addAll(1, List.of("-Djava.io.tmpdir=" + place, "-Dgrim.transports.0=myrinet"));

        assertFound(mounted("mount -t tmpfs -o size=1m,noexec tmpfs " + place, command),
            "with the option noexec, expected exec", "-Djava.io.tmpdir=DIR");
    }

    @Test
    void shouldFindASlowClock() throws Exception
    {
        final Path slow = Files.writeString(directory.resolve("clock"), "hpet\n");

        assertFound(mounted("mount --bind " + slow + " " + CLOCK, doctor()), "clocksource=hpet, expected",
            "clocksource=tsc");
    }

    private List<String> doctor()
    {
        return GrimProcess.command("doctor", "--directory", directory.toString());
    }

    /** In a view of the file systems of its own; skips the test where nothing may be mounted. */
    private ProcessBuilder mounted(final String mount, final List<String> command) throws Exception
    {
        for (final List<String> unshare :
            List.of(List.of("unshare", "-m", "sh", "-c"), List.of("unshare", "-Urm", "sh", "-c")))
        {
            if (shell(unshare, mount).start().waitFor() == 0)
            {
                return shell(unshare, mount + " && exec " + quoted(command));
            }
        }
        assumeTrue(false, "nobody may mount here: " + mount);
        return null;
    }

    private static ProcessBuilder shell(final List<String> prefix, final String script)
    {
        final List<String> command = new ArrayList<>(prefix);
        command.add(script);
        return new ProcessBuilder(command);
    }

    private static String quoted(final List<String> command)
    {
        return command.stream().map(word -> "'" + word + "'").collect(Collectors.joining(" "));
    }

    private void assertFound(final ProcessBuilder builder, final String... parts)
        throws IOException, InterruptedException
    {
        try (GrimProcess grim = GrimProcess.start(Files.createTempDirectory("doctor"), builder))
        {
            assertEquals(SOMETHING_FOUND, grim.exitCode(), grim.error());
            for (final String part : parts)
            {
                assertTrue(grim.output().contains(part), grim.output());
            }
        }
    }
}
