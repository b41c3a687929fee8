// SPDX-License-Identifier: Apache-2.0
package org.grim.death;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;

import static org.junit.jupiter.api.Assertions.assertEquals;

/**
 * Resources that this process holds of a directory: files below it, mappings and descriptors of such files, and all
 * sockets, pipes and selectors. Linux only.
 */
public final class OpenResources
{
    private static final long DEADLINE_NS = 60_000_000_000L;

    private OpenResources()
    {
    }

    /** By name, sorted: two lists can be compared. */
    public static List<String> below(final Path directory)
    {
        final List<String> held = new ArrayList<>(filesBelow(directory));
        held.addAll(mappingsBelow(directory));
        held.addAll(descriptorsBelow(directory));
        Collections.sort(held);
        return held;
    }

    /** Waits until just this is held, and lets the collector unmap what nobody uses. */
    public static void awaitBelow(final Path directory, final List<String> expected)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        while (!expected.equals(below(directory)) && System.nanoTime() - deadlineNs < 0)
        {
            System.gc();
            LockSupport.parkNanos(10_000_000);
        }
        assertEquals(expected, below(directory));
    }

    /**
     * Waits until this process has the same channels as before. It may have fewer pipes: the JVM closes those to a
     * process some time after that has ended.
     */
    public static void awaitChannels(final List<String> before)
    {
        final long deadlineNs = System.nanoTime() + DEADLINE_NS;
        List<String> now = channels();
        while (!isSameButForPipes(before, now) && System.nanoTime() - deadlineNs < 0)
        {
            LockSupport.parkNanos(10_000_000);
            now = channels();
        }
        if (!isSameButForPipes(before, now))
        {
            assertEquals(before, now);
        }
    }

    private static boolean isSameButForPipes(final List<String> before, final List<String> now)
    {
        final List<String> gone = new ArrayList<>(before);
        now.forEach(gone::remove);
        return gone.size() == before.size() - now.size() && gone.stream().allMatch("pipe"::equals);
    }

    /** Kind of each descriptor that is no file, sorted. */
    public static List<String> channels()
    {
        return descriptors().stream().filter(target -> !target.startsWith("/"))
            .map(target -> target.replaceAll(":\\[\\d+]", "")).sorted().toList();
    }

    private static List<String> filesBelow(final Path directory)
    {
        return Files.exists(directory) ? ShmDirectory.tree(directory).stream().map(Path::toString).toList() : List.of();
    }

    /** Each mapping once: others unmap when the collector sees to it. */
    private static Set<String> mappingsBelow(final Path directory)
    {
        try (Stream<String> maps = Files.lines(Path.of("/proc/self/maps")))
        {
            final Set<String> found = new TreeSet<>();
            maps.filter(line -> line.contains(" " + directory + "/")).forEach(line -> found.add("map " + line));
            return found;
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    private static List<String> descriptorsBelow(final Path directory)
    {
        return descriptors().stream().filter(target -> target.startsWith(directory.toString()))
            .map(target -> "open " + target).toList();
    }

    private static List<String> descriptors()
    {
        final List<String> targets = new ArrayList<>();
        try (Stream<Path> descriptors = Files.list(Path.of("/proc/self/fd")))
        {
            for (final Path descriptor : descriptors.toList())
            {
                addTarget(descriptor, targets);
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return targets;
    }

    private static void addTarget(final Path descriptor, final List<String> targets) throws IOException
    {
        try
        {
            targets.add(Files.readSymbolicLink(descriptor).toString());
        }
        catch (final NoSuchFileException expected)
        {
            // The one that read the list.
        }
    }
}
