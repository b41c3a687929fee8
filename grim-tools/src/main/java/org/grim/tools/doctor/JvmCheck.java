// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.GrimException;
import org.grim.buffer.Buffers;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

/**
 * Obstacles in this JVM and in what the system permits it: options, limits, the clock that it reads.
 * <p>Thread: any; no state.
 */
final class JvmCheck
{
    /** Most systems permit as many; each peer takes some. */
    private static final int DESCRIPTORS_MIN = 1024;
    private static final Path LIMITS = Path.of("/proc/self/limits");
    private static final Pattern DESCRIPTORS = Pattern.compile("(?m)^Max open files +([0-9]+) ");
    private static final Path CLOCK_SOURCE =
        Path.of("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    /** Each read of these is a call of the system, or of a device. */
    private static final Set<String> SLOW_CLOCKS = Set.of("hpet", "acpi_pm", "jiffies", "refined-jiffies", "pit");

    private JvmCheck()
    {
    }

    static boolean hasAccess()
    {
        return accessRefusal().isEmpty();
    }

    static List<Finding> findings() throws IOException
    {
        final List<Finding> findings = new ArrayList<>();
        if (!hasAccess())
        {
            findings.add(new Finding(accessRefusal(), "add that option to the JVM, such as in JDK_JAVA_OPTIONS, or " +
                "Add-Opens: java.base/jdk.internal.misc to the manifest of an executable jar; clusters were not " +
                "looked at"));
        }
        Buffers.unmappingHindrance().ifPresent(option -> findings.add(new Finding(
            "this JVM (Java " + Runtime.version().feature() + ") has the option " + option + ", which keeps memory " +
            "of nodes that left mapped, expected none that does", "start the JVM without it")));
        final Matcher descriptors = DESCRIPTORS.matcher(text(LIMITS));
        if (descriptors.find() && Long.parseLong(descriptors.group(1)) < DESCRIPTORS_MIN)
        {
            findings.add(new Finding("this process may open files=" + descriptors.group(1) + ", expected at least " +
                DESCRIPTORS_MIN + ": \"Too many open files\" keeps nodes from joining and sleepers from waking early",
                "raise it: ulimit -n, LimitNOFILE of systemd, --ulimit nofile of containers"));
        }
        final String clock = text(CLOCK_SOURCE).trim();
        if (SLOW_CLOCKS.contains(clock))
        {
            findings.add(new Finding("the system reads its clock from clocksource=" + clock + ", expected one that " +
                "takes no call of the system, such as tsc: each System.nanoTime() takes some microseconds",
                "boot with clocksource=tsc if the machine permits that; a virtual machine has its host's choice"));
        }
        return findings;
    }

    private static String accessRefusal()
    {
        try
        {
            Buffers.requireAccess();
            return "";
        }
        catch (final GrimException ex)
        {
            return ex.getMessage();
        }
    }

    /** Empty if there is no such file: not Linux. */
    private static String text(final Path file) throws IOException
    {
        return Files.isReadable(file) ? Files.readString(file, ISO_8859_1) : "";
    }
}
