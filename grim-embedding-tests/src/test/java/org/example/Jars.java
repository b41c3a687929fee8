// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Jars and class directories of the tests' class path, and those of other versions. */
final class Jars
{
    static final List<String> MODULES = List.of("org.grim.Grim", "org.grim.shmem.ShmemTransportProvider",
        "org.grim.collective.GroupsProvider", "org.grim.network.EmbeddedAgentProvider",
        "org.grim.aeron.AeronTransportProvider", "org.grim.sockets.GrimSelectorProvider");
    static final List<String> LIBRARIES = List.of("org.agrona.DirectBuffer", "com.typesafe.config.Config",
        "org.slf4j.Logger", "org.jgroups.JChannel", "io.aeron.Aeron", "io.aeron.driver.MediaDriver");

    private Jars()
    {
    }

    /** Where classes come from, in their order. */
    static List<Path> of(final List<String> classes)
    {
        return classes.stream().map(Jars::of).toList();
    }

    /** Where a class comes from. */
    static Path of(final String name)
    {
        try
        {
            return Path.of(Class.forName(name, false, Jars.class.getClassLoader()).getProtectionDomain()
                .getCodeSource().getLocation().toURI());
        }
        catch (final ClassNotFoundException | URISyntaxException ex)
        {
            throw new IllegalStateException(ex);
        }
    }

    /** Jars that the build put into a directory of its output. */
    static List<Path> in(final String directory)
    {
        try (Stream<Path> files = Files.list(Path.of(System.getProperty("build.directory"), directory)))
        {
            return files.sorted().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** A class path. */
    static String path(final List<Path> entries)
    {
        return entries.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator));
    }
}
