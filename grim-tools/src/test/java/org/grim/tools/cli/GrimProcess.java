// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.cli;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** A process of a test: {@code grim}, or the script, with what it prints, and a deadline on every wait. */
public final class GrimProcess implements AutoCloseable
{
    private static final long TIMEOUT_S = 180;
    private static final long WATCH_INTERVAL_MS = 20;
    private static final Path NAMESPACES = Path.of("/run/netns");

    private final Process process;
    private final Path output;
    private final Path error;

    private GrimProcess(final Process process, final Path output, final Path error)
    {
        this.process = process;
        this.output = output;
        this.error = error;
    }

    /** Runs the command line: the jar where the module makes one, else from the class path of this test. */
    public static GrimProcess run(final Path directory, final String... args) throws IOException
    {
        return start(directory, new ProcessBuilder(command(args)));
    }

    /** The command line of {@link #run}. */
    public static List<String> command(final String... args)
    {
        final List<String> command = java();
        if (System.getProperty("build.jar") != null)
        {
            command.addAll(List.of("-jar", System.getProperty("build.jar")));
        }
        else
        {
            command.addAll(List.of(System.getProperty("build.jvmFlags").split(" ")));
            command.addAll(List.of("-cp", classPath(), GrimCommand.class.getName()));
        }
        command.addAll(List.of(args));
        return command;
    }

    public static GrimProcess start(final Path directory, final ProcessBuilder builder) throws IOException
    {
        final Path output = Files.createTempFile(directory, "process", ".out");
        final Path error = Files.createTempFile(directory, "process", ".err");
        return new GrimProcess(builder.redirectOutput(output.toFile()).redirectError(error.toFile()).start(), output,
            error);
    }

    /** The beginning of a command: this JVM's java, for short runs on few cores; second JVMs inherit its flags. */
    public static List<String> java()
    {
        return new ArrayList<>(List.of(Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Dgrim.warm-up=0s"));
    }

    /** Class path of this test. */
    public static String classPath()
    {
        final String tests = System.getProperty("surefire.test.class.path");
        final String own = System.getProperty("java.class.path");
        return tests == null ? own : tests + File.pathSeparator + own;
    }

    /** Waits for the end. */
    public int exitCode() throws InterruptedException
    {
        assertTrue(process.waitFor(TIMEOUT_S, TimeUnit.SECONDS), () -> "still runs; stderr: " + error());
        return process.exitValue();
    }

    public String output()
    {
        return read(output);
    }

    public String error()
    {
        return read(error);
    }

    public Process process()
    {
        return process;
    }

    /** Waits while the process runs. */
    public void await(final String what, final BooleanSupplier condition) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        boolean wasAlive = process.isAlive();               // Before the look: the last thing that it does counts.
        while (!condition.getAsBoolean())
        {
            assertTrue(wasAlive, () -> "ended before there was " + what + ": " + error());
            assertTrue(System.nanoTime() - deadlineNs < 0, () -> "never saw " + what);
            Thread.sleep(WATCH_INTERVAL_MS);
            wasAlive = process.isAlive();
        }
    }

    /** Waits until there is a child that runs a command. */
    public ProcessHandle child(final String command) throws InterruptedException
    {
        return childOf("\0" + command + "\0");
    }

    /** Waits until there is a child that runs a task whose JSON begins with these components. */
    public ProcessHandle child(final Class<?> task, final String components) throws InterruptedException
    {
        return childOf("\0" + task.getName() + "\0{" + components);
    }

    /** The child that runs a command now. */
    public Optional<ProcessHandle> findChild(final String command)
    {
        return find("\0" + command + "\0");
    }

    private ProcessHandle childOf(final String words) throws InterruptedException
    {
        final ProcessHandle[] child = new ProcessHandle[1];
        await("a child: " + words, () ->
        {
            child[0] = find(words).orElse(null);
            return child[0] != null;
        });
        return child[0];
    }

    /** Compares whole command lines: ProcessHandle cuts the arguments behind a long class path. */
    private Optional<ProcessHandle> find(final String words)
    {
        return process.descendants().filter(each -> commandLine(each.pid()).contains(words)).findFirst();
    }

    public static void signal(final String signal, final ProcessHandle process)
        throws IOException, InterruptedException
    {
        assertTrue(trySignal(signal, process), () -> "no process " + process.pid());
    }

    /** Signals a process that may have ended. Returns whether it got the signal. */
    public static boolean trySignal(final String signal, final ProcessHandle process)
        throws IOException, InterruptedException
    {
        return new ProcessBuilder("kill", "-" + signal, Long.toString(process.pid())).start().waitFor() == 0;
    }

    public static void assertNothingLeft(final Path clusters) throws IOException
    {
        try (Stream<Path> files = Files.exists(clusters) ? Files.list(clusters) : Stream.empty())
        {
            assertEquals(0, files.count(), "a cluster was left behind");
        }
    }

    /** Waits until nothing is left of a cluster whose processes remove it when they miss the one that was killed. */
    public static void awaitNothingLeft(final Path clusters) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        String[] left = clusters.toFile().list();
        while (left != null && left.length > 0)
        {
            assertTrue(System.nanoTime() - deadlineNs < 0, "a cluster was left behind: " + List.of(left));
            Thread.sleep(WATCH_INTERVAL_MS);
            left = clusters.toFile().list();
        }
    }

    /** No process of a run in a directory is left, or only such as the kernel is about to end. */
    public static void assertNoRankLeft(final Path directory) throws InterruptedException
    {
        final long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(TIMEOUT_S);
        List<String> left = ranksLeft(directory);
        while (!left.isEmpty() && System.nanoTime() - deadlineNs < 0)
        {
            Thread.sleep(WATCH_INTERVAL_MS);
            left = ranksLeft(directory);
        }
        assertEquals(List.of(), left);
    }

    private static List<String> ranksLeft(final Path directory)
    {
        final List<String> left = new ArrayList<>();
        try (Stream<ProcessHandle> processes = ProcessHandle.allProcesses())
        {
            // Zombies have no environment; whose parent has ended they stay where nobody collects them.
            processes.filter(process -> environment(process).contains("GRIM_RUN_ID=") &&
                environment(process).contains(directory.toString())).forEach(process ->
                left.add(process.info().commandLine().orElse("?")));
        }
        return left;
    }

    /** Empty if the process is another user's or has ended. */
    private static String environment(final ProcessHandle process)
    {
        try
        {
            return Files.readString(Path.of("/proc", Long.toString(process.pid()), "environ"),
                StandardCharsets.ISO_8859_1);
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    /** Whether no network namespace of this machine has a name that begins so. */
    public static boolean hasNoNamespace(final String prefix) throws IOException
    {
        if (!Files.isDirectory(NAMESPACES))
        {
            return true;
        }
        try (Stream<Path> names = Files.list(NAMESPACES))
        {
            return names.noneMatch(name -> name.getFileName().toString().startsWith(prefix));
        }
    }

    /** Kills it, and waits for its end: it may be making files in a directory that the test removes. */
    @Override
    public void close()
    {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        try
        {
            assertTrue(process.destroyForcibly().waitFor(TIMEOUT_S, TimeUnit.SECONDS), "does not die");
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    /** Empty if the process has ended meanwhile. */
    private static String commandLine(final long pid)
    {
        try
        {
            return Files.readString(Path.of("/proc", Long.toString(pid), "cmdline"));
        }
        catch (final IOException ex)
        {
            return "";
        }
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
