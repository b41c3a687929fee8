// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.foreign;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.grim.GrimException;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * A process of a program that is not ours. Its few lines of output fit the pipe.
 * <p>Thread: one, which waits. Owns: the process and what it started.
 */
final class ForeignProcess implements AutoCloseable
{
    private static final long END_TIMEOUT_MS = 2_000;

    private final Process process;
    private final String tool;

    private ForeignProcess(final Process process, final String tool)
    {
        this.process = process;
        this.tool = tool;
    }

    /** Looks for a program in directories, as in the variable PATH, which may be null; null if it is in none. */
    static Path find(final String tool, final String searchPath)
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

    static ForeignProcess start(final List<String> command, final Map<String, String> environment)
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
            throw new GrimException(tool + " cannot be run: " + ex.getMessage(), ex);
        }
    }

    /** Runs a program to its end; returns its output, and fails with its last line if it does. */
    static String run(final List<String> command, final Map<String, String> environment, final long timeoutMs)
    {
        try (ForeignProcess process = start(command, environment))
        {
            final int code = process.exitCode(timeoutMs);
            final String output = process.output();
            if (code != 0)
            {
                throw new GrimException(process.tool + " ended with code " + code + ": " + lastLine(output));
            }
            return output;
        }
    }

    boolean isAlive()
    {
        return process.isAlive();
    }

    int exitCode(final long timeoutMs)
    {
        if (!hasEnded(timeoutMs))
        {
            throw new GrimException(tool + " did not end within " + timeoutMs + " ms");
        }
        return process.exitValue();
    }

    /** All that an ended process said. */
    String output()
    {
        try
        {
            return new String(process.getInputStream().readAllBytes(), UTF_8);
        }
        catch (final IOException ex)
        {
            throw new GrimException("the output of " + tool + " cannot be read: " + ex.getMessage(), ex);
        }
    }

    static String lastLine(final String output)
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
