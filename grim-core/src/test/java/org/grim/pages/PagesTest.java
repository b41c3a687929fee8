// SPDX-License-Identifier: Apache-2.0
package org.grim.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** Length, links and figures of the pages, and that a test has the programs and commands of each page of users. */
@Tag("architecture")
final class PagesTest
{
    private static final Path ROOT = ExampleCompiler.find("CONTRIBUTING.md").getParent();
    private static final int WORD_COUNT_MAX = 12_000;
    private static final String INDEX = "docs/README.md";
    private static final String PAGES_IT = "grim-embedding-tests/src/test/java/org/example/PagesIT.java";
    private static final String TUTORIAL_IT = "grim-bench/src/test/java/org/grim/bench/TutorialIT.java";
    private static final String DEVICES_TEST = "grim-device/src/test/java/org/grim/device/DevicesPageTest.java";
    private static final String STREAMS_TEST = "grim-device/src/test/java/org/grim/stream/StreamsTest.java";
    /** Generated from the code, to be looked up. */
    private static final String KEYS = "docs/configuration.md";
    /** The test that executes the blocks of a language in a page. */
    private static final Map<String, String> TESTS = Map.ofEntries(
        Map.entry("README.md java", PAGES_IT), Map.entry("README.md xml", PAGES_IT),
        Map.entry("docs/guide.md java", PAGES_IT), Map.entry("docs/groups.md java", PAGES_IT),
        Map.entry("docs/clusters.md java", PAGES_IT), Map.entry("docs/clusters.md xml", PAGES_IT),
        Map.entry("docs/clusters.md hocon", PAGES_IT), Map.entry("docs/sockets.md sh", PAGES_IT),
        Map.entry("docs/kubernetes.md yaml", PAGES_IT), Map.entry("docs/kubernetes.md properties", PAGES_IT),
        Map.entry("docs/tutorial.md sh", TUTORIAL_IT), Map.entry("docs/mpi.md java", TUTORIAL_IT),
        Map.entry("docs/mpi.md sh", TUTORIAL_IT), Map.entry("docs/devices.md java", DEVICES_TEST),
        Map.entry("docs/streams.md java", STREAMS_TEST));
    private static final Pattern FENCE = Pattern.compile("(?ms)^```(\\w*)\\R.*?^```");
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
    private static final Pattern WORD = Pattern.compile("\\S*[A-Za-z0-9]\\S*");
    private static final Pattern FIGURES =
        Pattern.compile("(?m)^\\| ([^|]+) \\| ([0-9.]+) \\| ([0-9.]*) ?\\| ([0-9.]+) \\|");

    @Test
    void shouldKeepThePagesOfUsersShort() throws IOException
    {
        long count = 0;
        for (final String page : pagesOfUsers())
        {
            count += WORD.matcher(read(page)).results().count();
        }

        final long words = count;
        assertTrue(words <= WORD_COUNT_MAX, () -> "words=" + words + " exceed " + WORD_COUNT_MAX);
    }

    @Test
    void shouldListEveryPageInTheIndex() throws IOException
    {
        final Set<String> listed = links(INDEX).map(link -> target(INDEX, link)).collect(Collectors.toSet());
        final List<String> absent = pages().stream().filter(page -> page.matches("(.*/)?docs/.*"))
            .filter(page -> !page.equals(INDEX) && !page.startsWith("docs/decisions/") && !listed.contains(page))
            .toList();

        assertEquals(List.of(), absent);
    }

    @Test
    void shouldFindTheFileAndTheHeadingOfEveryLink() throws IOException
    {
        final List<String> broken = new ArrayList<>();
        for (final String page : pages())
        {
            for (final String link : links(page).toList())
            {
                final String target = target(page, link);
                final String heading = link.contains("#") ? link.substring(link.indexOf('#') + 1) : "";
                if (!Files.exists(ROOT.resolve(target)) ||
                    (!heading.isEmpty() && !headings(target).contains(heading)))
                {
                    broken.add(page + ": " + link);
                }
            }
        }

        assertEquals(List.of(), broken);
    }

    /** Each block has a test that reads the page. */
    @Test
    void shouldExecuteEveryProgramOfUsersByATest() throws IOException
    {
        final List<String> untested = new ArrayList<>();
        for (final String page : pagesOfUsers())
        {
            for (final MatchResult block : FENCE.matcher(read(page)).results().toList())
            {
                final String test = TESTS.get(page + " " + block.group(1));
                if (test == null || !read(test).contains('"' + page + '"'))
                {
                    untested.add(page + ": " + block.group());
                }
            }
        }

        assertEquals("", String.join("\n", untested));
    }

    @Test
    void shouldDrawTheFiguresOfTheReadme() throws IOException
    {
        final String picture = read("docs/figures.svg");
        final List<String> rows = FIGURES.matcher(read("README.md")).results().map(row -> row.group(1) + ": " +
            row.group(2) + " " + (row.group(3).isEmpty() ? "-" : row.group(3)) + " " + row.group(4) + "\n").toList();

        assertEquals(5, rows.size(), rows::toString);
        assertEquals(List.of(), rows.stream().filter(row -> !picture.contains(row)).toList());
    }

    private static List<String> pagesOfUsers() throws IOException
    {
        return pages().stream().filter(page -> page.equals("README.md") || page.matches("docs/[^/]+"))
            .filter(page -> !page.equals(KEYS)).toList();
    }

    /** Pages of the project and of its modules. */
    private static List<String> pages() throws IOException
    {
        try (Stream<Path> files = Files.walk(ROOT))
        {
            return files.map(file -> ROOT.relativize(file).toString())
                .filter(file -> file.matches("([A-Z]+|(.*/)?docs/.*)\\.md") && !file.contains("target/"))
                .sorted().toList();
        }
    }

    /** Links of a page that lead to files. */
    private static Stream<String> links(final String page) throws IOException
    {
        return LINK.matcher(text(page)).results().map(link -> link.group(1)).filter(link -> !link.contains(":"));
    }

    private static String target(final String page, final String link)
    {
        final String file = link.replaceAll("#.*", "");
        return file.isEmpty() ? page :
            ROOT.relativize(ROOT.resolve(page).resolveSibling(file).normalize()).toString();
    }

    /** Anchors of a page's headings. */
    private static Set<String> headings(final String page) throws IOException
    {
        return HEADING.matcher(text(page)).results().map(heading -> heading.group(1)
            .replaceAll("\\[([^]]*)]\\([^)]*\\)", "$1").toLowerCase(Locale.ROOT).replaceAll("[^\\w\\- ]", "").strip()
            .replace(' ', '-')).collect(Collectors.toSet());
    }

    /** A page without its blocks of code. */
    private static String text(final String page) throws IOException
    {
        return FENCE.matcher(read(page)).replaceAll("");
    }

    private static String read(final String file) throws IOException
    {
        return Files.readString(ROOT.resolve(file));
    }
}
