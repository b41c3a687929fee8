// SPDX-License-Identifier: Apache-2.0
package org.grim.death;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Directories for clusters on the tmpfs that they are meant for, where there is one. */
public final class ShmDirectory
{
    private static final Path SHM = Path.of("/dev/shm");

    private ShmDirectory()
    {
    }

    public static Path create()
    {
        try
        {
            return Files.isWritable(SHM) ? Files.createTempDirectory(SHM, "grim-deaths-") :
                Files.createTempDirectory("grim-deaths-");
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Everything below, the directory itself included. */
    public static List<Path> tree(final Path directory)
    {
        try (Stream<Path> paths = Files.walk(directory))
        {
            return paths.sorted(Comparator.reverseOrder()).toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    public static void delete(final Path directory)
    {
        for (final Path path : tree(directory))
        {
            try
            {
                Files.deleteIfExists(path);
            }
            catch (final IOException ex)
            {
                throw new UncheckedIOException(ex);
            }
        }
    }

    public static String text(final Path file)
    {
        try
        {
            return Files.exists(file) ? Files.readString(file) : "";
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }
}
