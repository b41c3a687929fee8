// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.process;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.buffer.Uninterrupted;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * Directories that must not outlive this process: it removes them itself, and its second JVMs do if it was killed.
 * <p>Thread: any.
 */
final class PrivatePaths
{
    /** System properties of a second JVM: who started it, and that one's directories. */
    private static final String PARENT_PROPERTY = "org.grim.tools.parent";
    private static final String PATHS_PROPERTY = "org.grim.tools.parent.paths";
    private static final int ATTEMPT_COUNT = 3;
    private static final int LOOK_COUNT_MAX = 20;
    private static final long LOOK_NS = TimeUnit.MILLISECONDS.toNanos(50);
    private static final Set<Path> PATHS = new ConcurrentSkipListSet<>();

    private PrivatePaths()
    {
    }

    static void add(final Path path)
    {
        PATHS.add(path.toAbsolutePath());
    }

    static void remove(final Path path)
    {
        PATHS.remove(path.toAbsolutePath());
    }

    /** Flags that tell a second JVM what to remove. */
    static List<String> flags()
    {
        return List.of("-D" + PARENT_PROPERTY + "=" + ProcessHandle.current().pid(), "-D" + PATHS_PROPERTY + "=" +
            PATHS.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator)));
    }

    /** Whether a flag is one of {@link #flags()}, which are for one process only. */
    static boolean isFlag(final String flag)
    {
        return flag.startsWith("-D" + PARENT_PROPERTY);
    }

    /** In a second JVM: removes the directories of the first one if that is no more, for then it has another parent. */
    static void deleteIfParentIsDead()
    {
        final long parent = Long.getLong(PARENT_PROPERTY, 0);
        if (parent != 0 && ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L) != parent)
        {
            Arrays.stream(System.getProperty(PATHS_PROPERTY, "").split(File.pathSeparator, -1))
                .filter(path -> !path.isEmpty()).map(Path::of).forEach(PrivatePaths::deleteAtEnd);
        }
    }

    /** While this JVM ends its other threads go on, and one that is joining a cluster makes its directory again. */
    static void deleteAtEnd(final Path path)
    {
        for (int i = 0; i < LOOK_COUNT_MAX && Files.exists(path); i++)
        {
            delete(path);
            Uninterrupted.park(LOOK_NS);
        }
    }

    /** Removes directories, the deepest first, up to one that has something of others. */
    static void deleteEmpty(final List<Path> directories)
    {
        try
        {
            for (final Path directory : directories)
            {
                if (Files.exists(directory))
                {
                    Files.deleteIfExists(directory);
                }
            }
        }
        catch (final DirectoryNotEmptyException expected)
        {
            // Another command uses it.
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "delete of " + directories.get(0) + " failed: " + ex, ex);
        }
    }

    /** More than once: a process that ends may remove files of its own, or make one, meanwhile. */
    static void delete(final Path path)
    {
        for (int attempt = 1; Files.exists(path); attempt++)
        {
            try (Stream<Path> files = Files.walk(path))
            {
                for (final Path file : files.sorted(Comparator.reverseOrder()).toList())
                {
                    Files.deleteIfExists(file);
                }
            }
            catch (final NoSuchFileException expected)
            {
                // It was removed meanwhile.
            }
            catch (final IOException | UncheckedIOException ex)
            {
                if (attempt == ATTEMPT_COUNT)
                {
                    throw new GrimException(SYSTEM_REFUSED, "delete of " + path + " failed: " + ex.getMessage(), ex);
                }
            }
        }
    }
}
