// SPDX-License-Identifier: Apache-2.0
package org.example;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Options of the JVM in pages, texts, scripts and sources, as people copy them. */
final class FlagFormTest
{
    /** With a blank the option is two words: JAVA_TOOL_OPTIONS, argument arrays and container images take only one. */
    private static final Pattern BLANK_FORM = Pattern.compile("--add-(?:opens|exports|reads|modules)[\"'\\s]");
    private static final Pattern GOOD_FORM = Pattern.compile("--add-opens=java.base/jdk.internal.misc=ALL-UNNAMED");
    private static final Set<String> SKIPPED = Set.of("target", "jdk25", ".git");
    private static final int LENGTH_MAX = 1 << 20;

    private final Path project = project();

    @Test
    void shouldWriteOptionsOfTheJvmAsOneWordEverywhere() throws IOException
    {
        final List<String> blank = new ArrayList<>();
        final List<Path> good = new ArrayList<>();

        for (final Path file : files())
        {
            final String text = Files.readString(file, StandardCharsets.ISO_8859_1);
            BLANK_FORM.matcher(text).results().forEach(match ->
                blank.add(project.relativize(file) + ":" + text.substring(0, match.start()).lines().count()));
            if (GOOD_FORM.matcher(text).find())
            {
                good.add(project.relativize(file));
            }
        }

        assertEquals(List.of(), blank);
        assertTrue(good.containsAll(List.of(Path.of("README.md"), Path.of("docs/tutorial.md"), Path.of("pom.xml"))),
            good::toString);
    }

    private List<Path> files() throws IOException
    {
        final List<Path> files = new ArrayList<>();
        Files.walkFileTree(project, new SimpleFileVisitor<>()
        {
            @Override
            public FileVisitResult preVisitDirectory(final Path directory, final BasicFileAttributes attributes)
            {
                return SKIPPED.contains(directory.getFileName().toString()) ? FileVisitResult.SKIP_SUBTREE :
                    FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(final Path file, final BasicFileAttributes attributes)
            {
                if (attributes.isRegularFile() && attributes.size() <= LENGTH_MAX)
                {
                    files.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return files;
    }

    /** Maven runs tests in the module's directory, other tools in the project's. */
    static Path project()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/guide.md")))
        {
            directory = directory.getParent();
        }
        return directory;
    }
}
