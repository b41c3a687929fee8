// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron.campaign;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.death.PeerJvm;
import org.grim.death.ShmDirectory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A file system in memory for few files, which can be filled, and lost. Needs root.
 * <p>Thread: one. Owns: the mount, until {@link #close()}; what a process that ended left mounted goes with the next.
 */
final class SmallDisk implements AutoCloseable
{
    private static final Logger LOGGER = LoggerFactory.getLogger(SmallDisk.class);
    private static final int FILE_COUNT_MAX = 4_000;
    private static final Path MOUNTS = Path.of("/proc/mounts");
    private static final Pattern LEFT = Pattern.compile("grim-disk-([0-9]+) (\\S+) tmpfs .*");

    private final Path path;

    SmallDisk(final Path path) throws IOException
    {
        this.path = Files.createDirectories(path);
        removeLeftOvers();
        mount();
    }

    /** {@return where the cluster's files of the host are} */
    Path cluster()
    {
        return path.resolve("cluster");
    }

    /**
     * Takes the room of all files that could be made. Pages of files that are there still get memory: Aeron's logs are
     * sparse, and a process that touches a page without memory gets an {@link InternalError}; GRIM cannot prevent it.
     */
    void fill()
    {
        try
        {
            Files.createDirectory(ballast());
            for (int i = 0; i < FILE_COUNT_MAX; i++)
            {
                Files.createFile(ballast().resolve(Integer.toString(i)));
            }
        }
        catch (final IOException ex)
        {
            LOGGER.info("{} is full: {}", path, ex.getMessage());
            return;
        }
        throw new IllegalStateException(path + " holds more than files=" + FILE_COUNT_MAX);
    }

    /** Gives the room back. */
    void free()
    {
        ShmDirectory.delete(ballast());
    }

    /** Loses everything, as memory does without power. */
    void lose()
    {
        close();
        mount();
    }

    /** At once, though processes that are dying still have files open there. */
    @Override
    public void close()
    {
        run("umount", "-l", path.toString());
    }

    private void mount()
    {
        run("mount", "-t", "tmpfs", "-o", "mode=0700,nr_inodes=" + FILE_COUNT_MAX,
            "grim-disk-" + ProcessHandle.current().pid(), path.toString());
    }

    private Path ballast()
    {
        return path.resolve("ballast");
    }

    private static void removeLeftOvers() throws IOException
    {
        for (final String line : Files.readAllLines(MOUNTS))
        {
            final Matcher matcher = LEFT.matcher(line);
            if (matcher.matches() && ProcessHandle.of(Long.parseLong(matcher.group(1))).isEmpty())
            {
                run("umount", "-l", matcher.group(2));
            }
        }
    }

    private static void run(final String... command)
    {
        final Process process = PeerJvm.start(new ProcessBuilder(command).redirectErrorStream(true));
        try
        {
            final String text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0)
            {
                throw new IllegalStateException(List.of(command) + ": " + text.strip());
            }
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        catch (final InterruptedException ex)
        {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(List.of(command) + " was interrupted", ex);
        }
    }
}
