// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.cli;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import static org.junit.jupiter.api.Assertions.assertTrue;

/** A process of a test: {@code grim.jar} or the script, with what it prints, and a deadline on every wait. */
final class GrimProcess implements AutoCloseable
{
    private static final long TIMEOUT_S = 60;

    private final Process process;
    private final Path output;
    private final Path error;

    private GrimProcess(final Process process, final Path output, final Path error)
    {
        this.process = process;
        this.output = output;
        this.error = error;
    }

    /** Runs the jar that the build made. */
    static GrimProcess jar(final Path directory, final String... args) throws IOException
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(), "-jar",
            System.getProperty("build.jar")));
        command.addAll(List.of(args));
        return start(directory, new ProcessBuilder(command));
    }

    static GrimProcess start(final Path directory, final ProcessBuilder builder) throws IOException
    {
        final Path output = Files.createTempFile(directory, "process", ".out");
        final Path error = Files.createTempFile(directory, "process", ".err");
        return new GrimProcess(builder.redirectOutput(output.toFile()).redirectError(error.toFile()).start(), output,
            error);
    }

    /** Waits for the end. */
    int exitCode() throws InterruptedException, IOException
    {
        assertTrue(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS), "still runs; stderr: " + Files.readString(error));
        return process.exitValue();
    }

    String output() throws IOException
    {
        return Files.readString(output);
    }

    String error() throws IOException
    {
        return Files.readString(error);
    }

    Process process()
    {
        return process;
    }

    @Override
    public void close()
    {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
    }
}
