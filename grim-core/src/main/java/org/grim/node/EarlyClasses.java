// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.CodeSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Loads GRIM's classes when a node joins, where they stand in a directory: each takes a file descriptor there, and a
 * class that could not be loaded once is missing for good where it was looked for, also when there are descriptors
 * again. Of a jar the JVM keeps a descriptor.
 * <p>Thread: any.
 */
final class EarlyClasses
{
    private static final Logger LOGGER = LoggerFactory.getLogger("org.grim.Grim");
    private static final Path PACKAGES = Path.of("org", "grim");
    private static final String SUFFIX = ".class";
    private static final Set<Path> LOADED = ConcurrentHashMap.newKeySet();

    private EarlyClasses()
    {
    }

    /** Loads those that stand beside one; once. */
    static void loadBeside(final Class<?> member)
    {
        final Path root = directory(member);
        if (root == null || !LOADED.add(root))
        {
            return;
        }
        try (Stream<Path> files = Files.walk(root.resolve(PACKAGES)))
        {
            final List<String> names = files.map(file -> root.relativize(file).toString())
                .filter(name -> name.endsWith(SUFFIX) && !name.endsWith("-info" + SUFFIX)).toList();
            names.forEach(name -> load(
                name.substring(0, name.length() - SUFFIX.length()).replace('/', '.'), member.getClassLoader()));
        }
        catch (final IOException | UncheckedIOException ex)
        {
            LOGGER.warn("classes in {} are loaded when they are needed: without file descriptors they are missing",
                root, ex);
        }
    }

    /** Where a class was loaded from; null if that is no directory with classes of GRIM. */
    private static Path directory(final Class<?> member)
    {
        final CodeSource source = member.getProtectionDomain().getCodeSource();
        if (source == null || source.getLocation() == null || !"file".equals(source.getLocation().getProtocol()))
        {
            return null;
        }
        try
        {
            final Path path = Path.of(source.getLocation().toURI());
            return Files.isDirectory(path.resolve(PACKAGES)) ? path : null;
        }
        catch (final URISyntaxException | IllegalArgumentException ex)
        {
            return null;                    // Some loader's own kind of place: no directory.
        }
    }

    private static void load(final String name, final ClassLoader loader)
    {
        try
        {
            Class.forName(name, false, loader);
        }
        catch (final ClassNotFoundException | LinkageError ex)
        {
            LOGGER.debug("class {} is not loaded: it needs a library that is not on the class path", name, ex);
        }
    }
}
