// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * Holds pages and configuration files to the list of words of {@code config/checkstyle.xml}, which Checkstyle holds
 * sources to.
 */
@Tag("architecture")
final class LanguageTest
{
    private static final Path ROOT = root();
    private static final Pattern WORDS = rule("format", "message\" value=\"A word ");
    private static final Pattern FIRST_WORDS = rule("format", "message\" value=\"A sentence ");
    private static final Pattern NAMES = rule("format", "message\" value=\"A name ");
    private static final Pattern HONEST = rule("nearbyTextPattern", "lineRange");

    @Test
    void shouldFindNoBannedWordInPages() throws IOException
    {
        final List<String> found = new ArrayList<>();
        try (Stream<Path> files = Files.walk(ROOT))
        {
            files.filter(file -> isPage(ROOT.relativize(file).toString())).sorted()
                .forEach(file -> addHits(file, found));
        }

        assertEquals("", String.join("\n", found));
    }

    @Test
    void shouldKnowBannedWordsAndHonestOnes()
    {
        assertTrue(isBanned("Whoever sends is told."));
        assertTrue(isBanned("It is to be closed."));
        assertTrue(isBanned("The shortest way to it."));
        assertTrue(isBanned("Somebody polls."));
        assertFalse(isBanned("A transfer is under way."));
        assertFalse(isBanned("Two handlers; always away, anyway."));
        assertTrue(FIRST_WORDS.matcher("    /** What a sender sees. */").find());
        assertFalse(FIRST_WORDS.matcher("    /** Returns what a sender sees. */").find());
        assertTrue(NAMES.matcher("    private boolean isTold;").find());
        assertFalse(NAMES.matcher("    private long oneWayNs;").find());
        assertFalse(NAMES.matcher("    void shouldBeginAnewWhateverHappens()").find());
    }

    private static boolean isBanned(final String line)
    {
        return WORDS.matcher(line).find() && !HONEST.matcher(line).find();
    }

    private static boolean isPage(final String file)
    {
        return !file.contains("/target/") && (file.equals("README.md") || file.matches("(.*/)?docs/.*\\.md"));
    }

    private static void addHits(final Path file, final List<String> found)
    {
        final List<String> lines = read(file).lines().toList();
        for (int i = 0; i < lines.size(); i++)
        {
            if (isBanned(lines.get(i)))
            {
                found.add(ROOT.relativize(file) + ":" + (i + 1) + ": " + lines.get(i));
            }
        }
    }

    private static Pattern rule(final String property, final String next)
    {
        final Matcher matcher = Pattern.compile("name=\"" + property + "\" value=\"([^\"]+)\"/>\\s*<property name=\"" +
            next).matcher(read(ROOT.resolve("config/checkstyle.xml")));
        assertTrue(matcher.find(), () -> "no rule before " + next);
        return Pattern.compile(matcher.group(1).replace("&lt;", "<"));
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

    private static Path root()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.isDirectory(directory.resolve("config")))
        {
            directory = directory.getParent();
        }
        return directory;
    }
}
