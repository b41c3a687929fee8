// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.run;

import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;

final class ClassPathTest
{
    @TempDir
    private Path directory;

    @Test
    void shouldFindResourcesOfJarsDirectoriesAndWildcards() throws IOException
    {
        final Path jar = jar("lib/one.jar", "a/A.class", "one");
        final Path classes = Files.createDirectories(directory.resolve("classes"));
        Files.createDirectory(classes.resolve("a"));
        Files.writeString(classes.resolve("a/A.class"), "two");
        Files.writeString(classes.resolve("B.class"), "");
        Files.writeString(directory.resolve("text"), "no jar");

        final String wildcard = directory.resolve("lib") + File.separator + "*";
        assertEquals("one", path(wildcard, classes.toString()).text("a/A.class"));
        assertEquals("two", path(directory.resolve("none").toString(), directory.resolve("text").toString(),
            classes.toString(), wildcard).text("a/A.class"));
        assertEquals(jar, path(classes.toString(), wildcard).firstWith("a/A.class", "B.class"));
        assertNull(path(classes.toString()).firstWith("a/A.class", "B.class"));
        assertNull(path(wildcard).text("b"));
        assertNull(path("").text("a/A.class"));
    }

    private static ClassPath path(final String... words)
    {
        return ClassPath.of(String.join(File.pathSeparator, words));
    }

    private Path jar(final String name, final String resource, final String text) throws IOException
    {
        final Path jar = directory.resolve(name);
        Files.createDirectories(jar.getParent());
        try (ZipOutputStream output = new ZipOutputStream(Files.newOutputStream(jar)))
        {
            output.putNextEntry(new ZipEntry(resource));
            output.write(text.getBytes(StandardCharsets.UTF_8));
        }
        return jar;
    }
}
