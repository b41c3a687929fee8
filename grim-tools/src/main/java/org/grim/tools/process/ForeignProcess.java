// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.grim.GrimException.Reason.BAD_DATA;
import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.GrimException.Reason.TIMED_OUT;

/**
 * A process of a program that is not ours. Its few lines of output fit the pipe.
 * <p>Thread: one, which waits. Owns: the process and what it started.
 */
public final class ForeignProcess implements AutoCloseable
{
    private static final long END_TIMEOUT_MS = 2_000;

    private final Process process;
    private final String tool;

    private ForeignProcess(final Process process, final String tool)
    {
        this.process = process;
        this.tool = tool;
    }

    /**
     * Looks for a program.
     *
     * @param tool       its name.
     * @param searchPath directories, as in the variable {@code PATH}; may be null.
     * @return where it is; null if it is nowhere.
     */
    public static Path find(final String tool, final String searchPath)
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

    /**
     * Starts a program.
     *
     * @param command     with the program first.
     * @param environment beside this process's.
     * @return the process; what it says on standard error stands in its output.
     * @throws GrimException if it cannot be run.
     */
    public static ForeignProcess start(final List<String> command, final Map<String, String> environment)
    {
        final String tool = Path.of(command.get(0)).getFileName().toString();
        final ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().putAll(environment);
        try
        {
            return new ForeignProcess(builder.start(), tool);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, tool + " cannot be run: " + ex.getMessage(), ex);
        }
    }

    /**
     * Runs a program to its end.
     *
     * @param command     with the program first.
     * @param environment beside this process's.
     * @param timeoutMs   longest wait.
     * @return its output.
     * @throws GrimException if it cannot be run, does not end in time, or fails: then with its last line.
     */
    public static String run(final List<String> command, final Map<String, String> environment, final long timeoutMs)
    {
        try (ForeignProcess process = start(command, environment))
        {
            final int code = process.exitCode(timeoutMs);
            final String output = process.output();
            if (code != 0)
            {
                throw new GrimException(BAD_DATA, process.tool + " ended with code " + code + ": " + lastLine(output));
            }
            return output;
        }
    }

    /** {@return whether it still runs; false once it has ended} */
    public boolean isAlive()
    {
        return process.isAlive();
    }

    /**
     * Waits for the end.
     *
     * @param timeoutMs longest wait.
     * @return the exit code.
     * @throws GrimException if it does not end in time.
     */
    public int exitCode(final long timeoutMs)
    {
        if (!hasEnded(timeoutMs))
        {
            throw new GrimException(TIMED_OUT, tool + " did not end within " + timeoutMs + " ms");
        }
        return process.exitValue();
    }

    /** {@return all that the process said, once it has ended; text} */
    public String output()
    {
        try
        {
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "the output of " + tool + " cannot be read: " + ex.getMessage(), ex);
        }
    }

    /** The last line that says something. */
    public static String lastLine(final String output)
    {
        return output.lines().filter(line -> !line.isBlank()).reduce((first, last) -> last).orElse("no output");
    }

    /** Ends a process that does not end by itself. */
    @Override
    public void close()
    {
        if (!hasEnded(END_TIMEOUT_MS))
        {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            hasEnded(END_TIMEOUT_MS);
        }
    }

    private boolean hasEnded(final long timeoutMs)
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
}
