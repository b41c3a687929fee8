// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Stream;

/** One jar of many, put together as build tools do it. */
final class FatJar
{
    /** Treatment of files of one path by a tool. */
    enum Merge
    {
        /** maven-shade without transformers, Gradle's shadow, and, in an order of its own, maven-assembly. */
        FIRST_WINS,
        /** Gradle's Jar task with the contents of all jars, as a class loader reads it. */
        LAST_WINS,
        /** sbt-assembly, and maven-shade with transformers for services and reference.conf. */
        ALL_MERGED,
        /** maven-shade and shadow as the page says. */
        SERVICES_MERGED,
        /** A tool that leaves out META-INF because of signatures. */
        META_INF_LEFT_OUT
    }

    private final Merge merge;
    private final Map<String, byte[]> files = new LinkedHashMap<>();

    private FatJar(final Merge merge)
    {
        this.merge = merge;
    }

    /** Writes an executable jar with the flags that the page names. */
    static void write(final Path jar, final Merge merge, final String mainClass, final List<Path> parts)
        throws IOException
    {
        final FatJar fat = new FatJar(merge);
        for (final Path part : parts)
        {
            fat.add(part);
        }
        final Manifest manifest = new Manifest();
        final Attributes attributes = manifest.getMainAttributes();
        attributes.put(Attributes.Name.MANIFEST_VERSION, "1.0");
        attributes.put(Attributes.Name.MAIN_CLASS, mainClass);
        attributes.putValue("Add-Opens", "java.base/jdk.internal.misc");
        try (OutputStream out = Files.newOutputStream(jar);
            JarOutputStream entries = new JarOutputStream(out, manifest))
        {
            entries.setLevel(0);
            for (final Map.Entry<String, byte[]> file : fat.files.entrySet())
            {
                entries.putNextEntry(new JarEntry(file.getKey()));
                entries.write(file.getValue());
                entries.closeEntry();
            }
        }
    }

    private void add(final Path part) throws IOException
    {
        if (Files.isDirectory(part))
        {
            addTree(part);
            return;
        }
        try (FileSystem jar = FileSystems.newFileSystem(part))
        {
            addTree(jar.getPath("/"));
        }
    }

    private void addTree(final Path root) throws IOException
    {
        final List<Path> paths;
        try (Stream<Path> tree = Files.walk(root))
        {
            paths = tree.filter(Files::isRegularFile).toList();
        }
        for (final Path path : paths)
        {
            final String name = root.relativize(path).toString();
            final boolean isLeftOut = name.equals("META-INF/MANIFEST.MF") ||
                (merge == Merge.META_INF_LEFT_OUT && name.startsWith("META-INF/"));
            if (!isLeftOut)
            {
                final byte[] bytes = Files.readAllBytes(path);
                files.merge(name, bytes, (first, last) -> merged(name, first, last));
            }
        }
    }

    private byte[] merged(final String name, final byte[] first, final byte[] last)
    {
        final boolean isService = name.startsWith("META-INF/services/");
        return switch (merge)
        {
            case FIRST_WINS, META_INF_LEFT_OUT -> first;
            case LAST_WINS -> last;
            case SERVICES_MERGED -> isService ? joined(first, last) : first;
            case ALL_MERGED -> isService || name.equals("reference.conf") ? joined(first, last) : first;
        };
    }

    private static byte[] joined(final byte[] first, final byte[] last)
    {
        final ByteArrayOutputStream both = new ByteArrayOutputStream();
        both.writeBytes(first);
        both.write('\n');
        both.writeBytes(last);
        return both.toByteArray();
    }
}
