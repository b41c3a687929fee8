// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The jars and directories of a class path, as a JVM that starts in this directory finds them.
 * <p>Thread: any; immutable.
 */
record ClassPath(List<Path> entries)
{
    private static final String WILDCARD = "*";

    static ClassPath of(final String text)
    {
        final List<Path> entries = new ArrayList<>();
        for (final String word : text.split(File.pathSeparator, -1))
        {
            final boolean isAll = word.equals(WILDCARD) || word.endsWith(File.separator + WILDCARD);
            final Path path = Path.of(isAll ? word.substring(0, word.length() - 1) : word);
            if (isAll && Files.isDirectory(path))
            {
                entries.addAll(jars(path));
            }
            else if (!isAll)
            {
                entries.add(path);
            }
        }
        return new ClassPath(List.copyOf(entries));
    }

    private static List<Path> jars(final Path directory)
    {
        final List<Path> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory, "*.{jar,JAR}"))
        {
            found.forEach(jars::add);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
        return jars;
    }

    /** Returns the first entry that has one resource and lacks another; null if there is none. */
    Path firstWith(final String resource, final String lacked)
    {
        return entries.stream().filter(entry -> read(entry, resource) != null && read(entry, lacked) == null)
            .findFirst().orElse(null);
    }

    /** Returns the text of the first resource of a name; null if there is none. */
    String text(final String resource)
    {
        return entries.stream().map(entry -> read(entry, resource)).filter(bytes -> bytes != null)
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8)).findFirst().orElse(null);
    }

    /** An entry that is no jar and no directory has nothing, as for the JVM. */
    private static byte[] read(final Path entry, final String resource)
    {
        try
        {
            if (Files.isDirectory(entry))
            {
                final Path file = entry.resolve(resource);
                return Files.isRegularFile(file) ? Files.readAllBytes(file) : null;
            }
            return Files.isRegularFile(entry) ? readJar(entry, resource) : null;
        }
        catch (final IOException expected)
        {
            return null;
        }
    }

    private static byte[] readJar(final Path jar, final String resource) throws IOException
    {
        try (ZipFile zip = new ZipFile(jar.toFile()))
        {
            final ZipEntry entry = zip.getEntry(resource);
            return entry == null ? null : zip.getInputStream(entry).readAllBytes();
        }
    }
}
