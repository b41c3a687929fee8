// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.mpi;

import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;
import org.grim.bench.process.Pinning;

/**
 * Compiles the ping-pong in C with {@code mpicc} and runs it with {@code mpirun}, two processes on a CPU each.
 * <p>Thread: one, which waits. Owns: two files in the directory that it is given.
 */
public final class MpiPingPong
{
    private static final String COMPILER = "mpicc";
    private static final String LAUNCHER = "mpirun";
    private static final String SOURCE = "pingpong.c";
    private static final String PROGRAM = "mpi-pingpong";
    private static final String OUTPUT = "mpi-output";
    private static final long COMPILE_TIMEOUT_MS = 30_000;
    private static final long START_TIMEOUT_MS = 30_000;
    private static final int PASSES_PER_SIZE = 4;

    private final Path directory;
    private final Path launcher;
    private final int[] cpus;

    private MpiPingPong(final Path directory, final Path launcher, final int[] cpus)
    {
        this.directory = directory;
        this.launcher = launcher;
        this.cpus = cpus.clone();
    }

    /**
     * Why it cannot be run.
     *
     * @param searchPath directories, as in the variable {@code PATH}; may be null.
     * @return a reason, or null if both tools are there.
     */
    public static String absence(final String searchPath)
    {
        for (final String tool : List.of(COMPILER, LAUNCHER))
        {
            if (find(tool, searchPath) == null)
            {
                return "no " + tool + " on the path (Debian has it in openmpi-bin and libopenmpi-dev)";
            }
        }
        return null;
    }

    /**
     * Compiles the program.
     *
     * @param searchPath where the tools are.
     * @param directory  for the program.
     * @param cpus       of both processes, or two times {@link Pinning#NO_CPU}.
     * @return a way to run it.
     * @throws GrimException if it cannot be compiled.
     */
    public static MpiPingPong compile(final String searchPath, final Path directory, final int... cpus)
    {
        final Path source = directory.resolve(SOURCE);
        try (InputStream resource = MpiPingPong.class.getResourceAsStream(SOURCE))
        {
            if (resource == null)
            {
                throw new IllegalStateException(SOURCE + " is not in the jar");
            }
            Files.write(source, resource.readAllBytes());
        }
        catch (final IOException ex)
        {
            throw new GrimException(source + " cannot be written: " + ex.getMessage(), ex);
        }
        final MpiPingPong program = new MpiPingPong(directory, find(LAUNCHER, searchPath), cpus);
        program.run(List.of(find(COMPILER, searchPath).toString(), "-O2", "-o",
            directory.resolve(PROGRAM).toString(), source.toString()), COMPILE_TIMEOUT_MS);
        return program;
    }

    /**
     * Measures.
     *
     * @param durationMs of each figure.
     * @param sizes      payload bytes.
     * @return what it found.
     * @throws GrimException if it fails.
     */
    public MpiFigures measure(final int durationMs, final List<Integer> sizes)
    {
        final List<String> command = new ArrayList<>(List.of(launcher.toString(), "--bind-to", "none"));
        if (cpus[0] == Pinning.NO_CPU)
        {
            command.add("--oversubscribe");
        }
        for (int process = 0; process < 2; process++)
        {
            if (process > 0)
            {
                command.add(":");
            }
            command.addAll(List.of("-n", "1"));
            if (cpus[process] != Pinning.NO_CPU)
            {
                command.addAll(List.of("taskset", "-c", Integer.toString(cpus[process])));
            }
            command.addAll(List.of(directory.resolve(PROGRAM).toString(), Integer.toString(durationMs)));
            sizes.forEach(size -> command.add(Integer.toString(size)));
        }
        return MpiFigures.parse(run(command, START_TIMEOUT_MS + PASSES_PER_SIZE * (long)durationMs * sizes.size()));
    }

    private String run(final List<String> command, final long timeoutMs)
    {
        final Path output = directory.resolve(OUTPUT);
        final ProcessBuilder builder =
            new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(output.toFile());
        // In a container everybody is root.
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT", "1");
        builder.environment().put("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1");
        final String tool = Path.of(command.get(0)).getFileName().toString();
        try
        {
            final Process process = builder.start();
            if (!process.waitFor(timeoutMs, TimeUnit.MILLISECONDS))
            {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
                throw new GrimException(tool + " did not end within " + timeoutMs + " ms");
            }
            final String text = Files.readString(output);
            if (process.exitValue() != 0)
            {
                throw new GrimException(tool + " ended with code " + process.exitValue() + ": " +
                    text.lines().filter(line -> !line.isBlank()).reduce((first, last) -> last).orElse("no output"));
            }
            return text;
        }
        catch (final IOException ex)
        {
            throw new GrimException(tool + " cannot be run: " + ex.getMessage(), ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new GrimException(tool + " was not waited for: interrupted", ex);
        }
    }

    private static Path find(final String tool, final String searchPath)
    {
        if (searchPath == null)
        {
            return null;
        }
        for (final String directory : searchPath.split(File.pathSeparator, -1))
        {
            final Path candidate = Path.of(directory, tool);
            if (!directory.isEmpty() && Files.isRegularFile(candidate) && Files.isExecutable(candidate))
            {
                return candidate;
            }
        }
        return null;
    }
}
