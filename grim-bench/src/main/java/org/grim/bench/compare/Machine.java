// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.compare;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import org.grim.GrimException;
import org.grim.bench.figures.RunInfo;
import org.grim.tools.pair.PeerPair;
import org.grim.tools.process.ForeignProcess;

/** Where a measurement was made, for people. Any thread; no state. */
public final class Machine
{
    private static final Path CPU_INFO = Path.of("/proc/cpuinfo");
    private static final String MODEL_KEY = "model name";
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");
    private static final Path GOVERNOR = Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    private static final String MEMORY_KEY = "MemTotal:";
    private static final String VERSIONS = "versions.properties";
    private static final String UNKNOWN = "unknown";
    private static final long TOOL_TIMEOUT_MS = 2_000;

    private Machine()
    {
    }

    /** Processor, kernel, JVM, its flags, and the sources' commit. Returns two lines without the last one's end. */
    public static String describe(final int coreCount)
    {
        return "machine: cores=" + coreCount + "; CPU=" + cpuModel() + "; kernel=" + System.getProperty("os.name") +
            " " + System.getProperty("os.version") + System.lineSeparator() + "JVM: " +
            System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version") + "; flags=" +
            String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()) + "; commit=" + commit();
    }

    /** {@return what is known of the machine, by name; names whose value the system does not say are left out} */
    public static Map<String, String> facts()
    {
        final Map<String, String> facts = new TreeMap<>();
        facts.put("CPU", cpuModel());
        facts.put("cores", Integer.toString(PeerPair.CORE_COUNT));
        facts.put("architecture", System.getProperty("os.arch"));
        facts.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        facts.put(RunInfo.LOAD, String.format(Locale.ROOT, "%.2f",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        put(facts, "memory", firstLine(MEMORY_INFO, MEMORY_KEY));
        put(facts, "frequency governor", firstLine(GOVERNOR, ""));
        return facts;
    }

    /** The JVM and its flags, ourselves, libraries as the build pinned them, and programs as they say themselves. */
    public static Map<String, String> versions()
    {
        final Map<String, String> versions = new TreeMap<>();
        versions.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        versions.put("JVM flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        final Properties pinned = new Properties();
        try (InputStream input = Machine.class.getResourceAsStream(VERSIONS))
        {
            if (input == null)
            {
                throw new IllegalStateException(VERSIONS + " is not in the jar");
            }
            pinned.load(input);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(VERSIONS + " cannot be read: " + ex.getMessage(), ex);
        }
        pinned.forEach((name, version) -> versions.put(name.toString(), version.toString()));
        put(versions, "ucx", firstLineOf("ucx_info", "-v"));
        put(versions, "open-mpi", firstLineOf("mpirun", "--version"));
        return versions;
    }

    private static String cpuModel()
    {
        final String line = firstLine(CPU_INFO, MODEL_KEY);
        return line == null ? UNKNOWN : line.substring(line.indexOf(':') + 1).trim();
    }

    /** {@return the sources' commit: its name, with {@code -dirty} where they were changed, or {@code unknown}} */
    public static String commit()
    {
        final String line = firstLineOf("git", "describe", "--always", "--dirty", "--abbrev=10");
        return line == null ? UNKNOWN : line;
    }

    private static void put(final Map<String, String> map, final String name, final String value)
    {
        if (value != null)
        {
            map.put(name, value);
        }
    }

    private static String firstLine(final Path file, final String key)
    {
        try
        {
            return Files.readAllLines(file).stream().filter(line -> line.startsWith(key)).findFirst()
                .map(line -> line.substring(key.length()).trim()).orElse(null);
        }
        catch (final IOException ex)
        {
            return null;                        // This system does not say.
        }
    }

    private static String firstLineOf(final String... command)
    {
        try
        {
            return ForeignProcess.run(List.of(command), Map.of(), TOOL_TIMEOUT_MS).lines().findFirst()
                .map(String::trim).orElse(null);
        }
        catch (final GrimException ex)
        {
            return null;                        // Not installed.
        }
    }
}
