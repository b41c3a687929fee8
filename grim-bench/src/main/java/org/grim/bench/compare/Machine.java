// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

import static java.nio.charset.StandardCharsets.UTF_8;

/** Where a measurement was made, for people. Any thread; no state. */
public final class Machine
{
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL_KEY = "model name";
    private static final String UNKNOWN = "unknown";
    private static final long TOOL_TIMEOUT_MS = 2_000;

    private Machine()
    {
    }

    /**
     * Processor, kernel, JVM, its flags, and the sources' commit.
     *
     * @param coreCount that the measurement uses.
     * @return two lines without the last one's end.
     */
    public static String describe(final int coreCount)
    {
        return "machine: cores=" + coreCount + "; CPU=" + cpuModel() + "; kernel=" + System.getProperty("os.name") +
            " " + System.getProperty("os.version") + System.lineSeparator() + "JVM: " +
            System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + "; flags=" +
            String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()) + "; commit=" + commit();
    }

    /**
     * Processor.
     *
     * @return its name, or {@code unknown}.
     */
    public static String cpuModel()
    {
        try
        {
            return Files.readAllLines(CPU_INFO).stream().filter(line -> line.startsWith(MODEL_KEY)).findFirst()
                .map(line -> line.substring(line.indexOf(':') + 1).trim()).orElse(UNKNOWN);
        }
        catch (final IOException ex)
        {
            return UNKNOWN;                     // No /proc here.
        }
    }

    /**
     * The sources' commit.
     *
     * @return its name, with {@code -dirty} where they were changed, or {@code unknown}.
     */
    public static String commit()
    {
        final String line = firstLineOf("git", "describe", "--always", "--dirty", "--abbrev=10");
        return line == null ? UNKNOWN : line;
    }

    /**
     * What a program says first.
     *
     * @param command to run.
     * @return a line; null if it is not installed, fails, or takes long.
     */
    public static String firstLineOf(final String... command)
    {
        try
        {
            final Process process = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
            final String text = new String(process.getInputStream().readAllBytes(), UTF_8);
            return process.waitFor(TOOL_TIMEOUT_MS, TimeUnit.MILLISECONDS) && process.exitValue() == 0 ?
                text.lines().findFirst().map(String::trim).orElse(null) : null;
        }
        catch (final IOException ex)
        {
            return null;                        // Not installed.
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return null;
        }
    }
}
