// SPDX-License-Identifier: Apache-2.0
package org.grim.death;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Another JVM on the test's class path, made to start fast. It ends when its standard input does, so none is
 * left over.
 */
public final class PeerJvm implements AutoCloseable
{
    public static final String OPEN_FLAG = "--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED";

    private static final long STOP_NS_MAX = TimeUnit.SECONDS.toNanos(60);

    private final Process process;

    public PeerJvm(final Path log, final Class<?> mainClass, final String... arguments)
    {
        this(log, List.of(), mainClass, arguments);
    }

    /** With more options for the JVM. A crash leaves its report beside the log. */
    public PeerJvm(final Path log, final List<String> options, final Class<?> mainClass, final String... arguments)
    {
        this(log, options, UnaryOperator.identity(), mainClass, arguments);
    }

    /** Elsewhere: what becomes of the command line is to end up as the same process. */
    public PeerJvm(
        final Path log, final List<String> options, final UnaryOperator<List<String>> place, final Class<?> mainClass,
        final String... arguments)
    {
        final List<String> command = command(mainClass, true);
        command.add(1, "-XX:ErrorFile=" + log.resolveSibling("hs_err_%p.log"));
        command.addAll(2, options);
        command.addAll(List.of(arguments));
        process = start(new ProcessBuilder(place.apply(command))
            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile())));
    }

    public static List<String> command(final Class<?> mainClass, final boolean hasOpenFlag)
    {
        final List<String> command = new ArrayList<>(List.of(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1", "-Xshare:auto", "-XX:+UseSerialGC", "-Xmx128m", "-XX:-UsePerfData",
            "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"));
        if (hasOpenFlag)
        {
            command.add(OPEN_FLAG);
        }
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), mainClass.getName()));
        return command;
    }

    public static Process start(final ProcessBuilder builder)
    {
        try
        {
            return builder.start();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public Process process()
    {
        return process;
    }

    public void tell(final String line)
    {
        try
        {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException("the peer does not listen: exit=" + exitOrAlive(), ex);
        }
    }

    /** {@return what the threads of a process do, as jstack says it; or why it cannot say that} */
    public static String stacks(final Process process)
    {
        final Process tool = start(new ProcessBuilder("timeout", "60",
            Path.of(System.getProperty("java.home"), "bin", "jstack").toString(), Long.toString(process.pid()))
            .redirectErrorStream(true));
        try
        {
            return new String(tool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Waits for the end of the process, if that is near. */
    public boolean hasEnded(final long timeoutNs)
    {
        try
        {
            return process.waitFor(timeoutNs, TimeUnit.NANOSECONDS);
        }
        catch (final InterruptedException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** SIGKILL. */
    public void kill()
    {
        process.toHandle().destroyForcibly();       // Process.destroyForcibly() would close the history.
    }

    /** SIGSTOP. Returns when no thread of the process runs any more, or the process has ended. */
    public void stop()
    {
        signal("-STOP");
        final Path tasks = Path.of("/proc/" + process.pid() + "/task");
        final long deadlineNs = System.nanoTime() + STOP_NS_MAX;
        while (process.isAlive() && Files.exists(tasks) && !isStopped(tasks))
        {
            if (System.nanoTime() - deadlineNs > 0)
            {
                throw new IllegalStateException("process=" + process.pid() + " does not stop");
            }
            LockSupport.parkNanos(100_000);
        }
    }

    private static boolean isStopped(final Path tasks)
    {
        try (Stream<Path> all = Files.list(tasks))
        {
            for (final Path task : all.toList())
            {
                final String status = Files.readString(task.resolve("stat"));
                if (!status.substring(status.lastIndexOf(')') + 2).startsWith("T"))
                {
                    return false;
                }
            }
            return true;
        }
        catch (final IOException | UncheckedIOException ex)
        {
            return false;                       // A thread ended in between.
        }
    }

    public void resume()
    {
        signal("-CONT");
    }

    public boolean awaitExit(final long timeoutMs)
    {
        try
        {
            return process.waitFor(timeoutMs, TimeUnit.MILLISECONDS);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close()
    {
        kill();
        awaitExit(60_000);
    }

    private void signal(final String name)
    {
        final Process kill = start(new ProcessBuilder("kill", name, Long.toString(process.pid())));
        try
        {
            if (!kill.waitFor(60, TimeUnit.SECONDS))
            {
                kill.destroyForcibly();
                throw new IllegalStateException("kill " + name + " does not end");
            }
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
        }
    }

    private String exitOrAlive()
    {
        return process.isAlive() ? "alive" : Integer.toString(process.exitValue());
    }
}
