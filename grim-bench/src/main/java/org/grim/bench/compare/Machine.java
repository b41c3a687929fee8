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

    private static String cpuModel()
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

    private static String commit()
    {
        try
        {
            final Process git = new ProcessBuilder("git", "describe", "--always", "--dirty", "--abbrev=10")
                .redirectError(ProcessBuilder.Redirect.DISCARD).start();
            final String text = new String(git.getInputStream().readAllBytes(), UTF_8).trim();
            return git.waitFor(TOOL_TIMEOUT_MS, TimeUnit.MILLISECONDS) && git.exitValue() == 0 ? text : UNKNOWN;
        }
        catch (final IOException ex)
        {
            return UNKNOWN;                     // No git here.
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            return UNKNOWN;
        }
    }
}
