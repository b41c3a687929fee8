// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * No type of core has a name or Javadoc with a word of one transport. Strings and code are not searched: class names of
 * GRIM's own transports in one jar (decision 64) and names of libraries are strings.
 */
@Tag("architecture")
final class TransportWordsTest
{
    private static final Pattern JAVADOC = Pattern.compile("/\\*\\*.*?\\*/", Pattern.DOTALL);
    private static final Pattern LINE_BREAK = Pattern.compile("\\s*\\R\\s*\\*\\s*");
    private static final Pattern TYPE =
        Pattern.compile("^[ \\w@()\"-]*\\b(?:class|interface|enum|record) +(\\w+)", Pattern.MULTILINE);
    private static final Pattern WORD = Pattern.compile(
        "\\bNIs?\\b|\\b[Bb]oards?\\b|(?i:myrinet|lanai|aeron|jgroups|\\bnetwork interfaces?\\b)");
    private static final Pattern NAME =
        Pattern.compile("\\bN(?:i|I)[A-Z][a-z]\\w*|Board|Myrinet|Lanai|LANai|Aeron|JGroups");

    @Test
    void shouldHaveNoWordOfOneTransportInATypeOrItsJavadoc() throws IOException
    {
        final Path sources = sources();

        try (Stream<Path> files = Files.walk(sources))
        {
            assertEquals("", files.filter(file -> file.toString().endsWith(".java"))
                .filter(file -> hasWords(read(file))).map(file -> sources.relativize(file).toString()).sorted()
                .collect(Collectors.joining("\n")));
        }
    }

    @Test
    void shouldFindNamesAndJavadocsOnly()
    {
        assertTrue(hasWords("public final class NiRoute\n{\n}\n"));
        assertTrue(hasWords("    private static final class BoardView\n"));
        assertTrue(hasWords("@Deprecated public record AeronLink(int number)\n"));
        assertTrue(hasWords("/** Number of the NI. */ int number;"));
        assertTrue(hasWords("/**\n * Waits for a network\n     * interface.\n */"));
        assertTrue(hasWords("/** See {@link NiRoute}, or {@code grim.aeron.bind}. */"));
        assertTrue(hasWords("/** Two boards. */"));
        assertFalse(hasWords("/** A keyboard, or a NIL. */ final class Nil\n"));
        assertFalse(hasWords("// The NI's.\nfinal String own = \"org.grim.aeron.AeronProvider\";\n"));
    }

    private static boolean hasWords(final String source)
    {
        return TYPE.matcher(source).results().anyMatch(type -> NAME.matcher(type.group(1)).find()) ||
            JAVADOC.matcher(source).results().map(comment -> LINE_BREAK.matcher(comment.group()).replaceAll(" "))
                .anyMatch(comment -> WORD.matcher(comment).find() || NAME.matcher(comment).find());
    }

    private static String read(final Path file)
    {
        try
        {
            return Files.readString(file);
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(ex);
        }
    }

    /** Core's sources, above the classes of this module. */
    private static Path sources()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("grim-core/src/main/java")))
        {
            directory = directory.getParent();
        }
        return directory.resolve("grim-core/src/main/java");
    }
}
