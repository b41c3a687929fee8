// SPDX-License-Identifier: Apache-2.0
package org.grim.bench.all;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.TreeMap;

import org.grim.bench.compare.Machine;
import org.grim.bench.compare.PeerPair;

/** Machine and versions of a run, by name. Any thread; no state. */
final class Circumstances
{
    private static final Path MEMORY_INFO = Path.of("/proc/meminfo");
    private static final Path GOVERNOR = Path.of("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor");
    private static final String MEMORY_KEY = "MemTotal:";
    private static final String VERSIONS = "versions.properties";

    private Circumstances()
    {
    }

    /** What is known of the machine; names whose value the system does not say are left out. */
    static Map<String, String> machine()
    {
        final Map<String, String> machine = new TreeMap<>();
        machine.put("CPU", Machine.cpuModel());
        machine.put("cores", Integer.toString(PeerPair.CORE_COUNT));
        machine.put("architecture", System.getProperty("os.arch"));
        machine.put("kernel", System.getProperty("os.name") + " " + System.getProperty("os.version"));
        machine.put("load average at start", String.format(Locale.ROOT, "%.2f",
            ManagementFactory.getOperatingSystemMXBean().getSystemLoadAverage()));
        put(machine, "memory", firstLine(MEMORY_INFO, MEMORY_KEY));
        put(machine, "frequency governor", firstLine(GOVERNOR, ""));
        return machine;
    }

    /** The JVM and its flags, ourselves, libraries as the build pinned them, and programs as they say themselves. */
    static Map<String, String> versions()
    {
        final Map<String, String> versions = new TreeMap<>();
        versions.put("JVM", System.getProperty("java.vm.name") + " " + System.getProperty("java.vm.version"));
        versions.put("JVM flags", String.join(" ", ManagementFactory.getRuntimeMXBean().getInputArguments()));
        final Properties pinned = new Properties();
        try (InputStream input = Circumstances.class.getResourceAsStream(VERSIONS))
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
        put(versions, "ucx", Machine.firstLineOf("ucx_info", "-v"));
        put(versions, "open-mpi", Machine.firstLineOf("mpirun", "--version"));
        return versions;
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
}
