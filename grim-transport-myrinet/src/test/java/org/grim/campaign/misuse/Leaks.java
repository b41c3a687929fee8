// SPDX-License-Identifier: Apache-2.0
package org.grim.campaign.misuse;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.management.JMException;
import javax.management.ObjectName;

import org.grim.death.ShmDirectory;

/** Resources that a process holds after all its nodes have closed, and did not hold before. Thread: the main one. */
final class Leaks
{
    private static final long DEADLINE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");
    private static final Path MAPPINGS = Path.of("/proc/self/maps");

    private final Path directory;
    private final Set<Thread> threadsBefore;
    private final long socketCountBefore;

    Leaks(final Path directory)
    {
        this.directory = directory;
        threadsBefore = new HashSet<>(Thread.getAllStackTraces().keySet());
        socketCountBefore = descriptors().stream().filter(Leaks::isSocketOrPoll).count();
    }

    /** Describes the rest after the collector has had time to unmap; empty if there is none. */
    Set<String> await()
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        Set<String> left = left();
        while (!left.isEmpty() && System.nanoTime() - deadlineNs < 0)
        {
            System.gc();
            LockSupport.parkNanos(100_000_000);
            left = left();
        }
        return left;
    }

    /** Files of any nodes below a directory. */
    static Set<String> files(final Path directory)
    {
        final Set<String> names = new TreeSet<>();
        for (final Path path : ShmDirectory.tree(directory))
        {
            if (path.getFileName().toString().startsWith("node-"))
            {
                names.add("file " + directory.relativize(path));
            }
        }
        return names;
    }

    /** Number of reachable objects, by class of GRIM: they show the holder of a mapping. */
    static String reachable()
    {
        try
        {
            final String histogram = (String)ManagementFactory.getPlatformMBeanServer().invoke(
                new ObjectName("com.sun.management:type=DiagnosticCommand"), "gcClassHistogram", new Object[]{null},
                new String[]{String[].class.getName()});
            return histogram.lines().filter(line -> line.contains("org.grim.")).collect(Collectors.joining("\n "));
        }
        catch (final JMException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    private Set<String> left()
    {
        final Set<String> left = files(directory);
        for (final String target : descriptors())
        {
            if (target.startsWith(directory.toString()))
            {
                left.add("descriptor of " + target);
            }
        }
        final long socketCount = descriptors().stream().filter(Leaks::isSocketOrPoll).count();
        if (socketCount > socketCountBefore)
        {
            left.add("sockets and selectors: " + (socketCount - socketCountBefore));
        }
        try (Stream<String> lines = Files.lines(MAPPINGS))
        {
            lines.filter(line -> line.contains(directory.toString()))
                .forEach(line -> left.add("mapping of " + line.substring(line.indexOf('/'))));
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        for (final Thread thread : Thread.getAllStackTraces().keySet())
        {
            if (!threadsBefore.contains(thread) && thread.isAlive() && !isOfTheJvm(thread))
            {
                left.add("thread " + thread.getName());
            }
        }
        return left;
    }

    private static boolean isOfTheJvm(final Thread thread)
    {
        return thread.getThreadGroup() == null || "system".equals(thread.getThreadGroup().getName()) ||
            "InnocuousThreadGroup".equals(thread.getThreadGroup().getName());
    }

    private static boolean isSocketOrPoll(final String target)
    {
        return target.startsWith("socket:") || target.startsWith("anon_inode:");
    }

    private static List<String> descriptors()
    {
        try (Stream<Path> links = Files.list(DESCRIPTORS))
        {
            return links.map(Leaks::targetOf).filter(target -> !target.isEmpty()).toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Empty for the descriptor of the listing itself. */
    private static String targetOf(final Path link)
    {
        try
        {
            return Files.readSymbolicLink(link).toString();
        }
        catch (final NoSuchFileException ex)
        {
            return "";
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
