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
    private static final String TOOLS = "grim-tools/src/test/java/org/grim/tools/";
    private static final String EXAMPLES_IT = "grim-examples/src/test/java/org/grim/example/cli/ExampleProcessIT.java";
    /**
     * The test that executes a command that stands in the middle of a text or of a table, by its words before the
     * first that the reader chooses.
     */
    private static final Map<String, String> COMMANDS = Map.ofEntries(
        Map.entry("./grim clusters", TOOLS + "doctor/DoctorTest.java"),
        Map.entry("./grim demo-video", TOOLS + "cli/DemoVideoProcessIT.java"),
        Map.entry("./grim device", TOOLS + "cli/DeviceCommandIT.java"),
        Map.entry("./grim doctor", TOOLS + "doctor/DoctorProcessIT.java"),
        Map.entry("./grim example", EXAMPLES_IT),
        Map.entry("./grim help", TOOLS + "cli/ToolsCommandTest.java"),
        Map.entry("./grim host", TOOLS + "cli/HostCommandIT.java"),
        Map.entry("./grim nodes", TOOLS + "cli/ToolsCommandTest.java"),
        Map.entry("./grim pipelines", TOOLS + "cli/DemoVideoProcessIT.java"),
        Map.entry("./grim pingpong", TOOLS + "cli/PingPongProcessIT.java"),
        Map.entry("./grim run", TOOLS + "cli/RunProcessIT.java"),
        Map.entry("./grim stat", "grim-examples/src/test/java/org/grim/example/cli/CopyProcessIT.java"),
        Map.entry("./grim top", TOOLS + "observe/TopTest.java"),
        Map.entry("./grim why", TOOLS + "cli/WhyProcessIT.java"),
        Map.entry("jfr print", TOOLS + "cli/SeeingProcessIT.java"),
        Map.entry("mvn install", ".ci/packages"),
        Map.entry("mvn -B verify", ".ci/run"));
    private static final Pattern COMMAND =
        Pattern.compile("`((?:[A-Z]+=\\S+ )*(?:\\./\\w+|mvn|jfr|jcmd|kubectl|docker) [^`]+)`");
    private static final Pattern KUBECTL = Pattern.compile("kubectl exec .* -- ");
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

    /** Commands in the middle of a text: the test names the command, each option, and each kind or example. */
    @Test
    void shouldExecuteEveryCommandOfUsersByATest() throws IOException
    {
        final List<String> untested = new ArrayList<>();
        int count = 0;
        for (final String page : pagesOfUsers())
        {
            for (final MatchResult found : COMMAND.matcher(text(page)).results().toList())
            {
                final String command = KUBECTL.matcher(found.group(1)).replaceFirst("");
                final String test = COMMANDS.entrySet().stream().filter(entry -> command.startsWith(entry.getKey()))
                    .map(Map.Entry::getValue).findFirst().orElse(null);
                final List<String> missing = test == null ? List.of(command) : missing(command, read(test));
                missing.forEach(word -> untested.add(page + ": " + found.group() + " " + test + " lacks " + word));
                count++;
            }
        }

        final int commandCount = count;
        assertTrue(commandCount > 40, () -> "commands=" + commandCount);
        assertEquals("", String.join("\n", untested));
    }

    /** The words of a command that a test must have: not those that stand for others, nor values. */
    private static List<String> missing(final String command, final String test)
    {
        final List<String> words = Stream.of(command.split(" ", -1)).skip(1).toList();
        return words.stream().filter(word -> word.matches("--?[a-zA-Z][\\w-]*") || word.equals(words.get(0)) ||
            (word.matches("[a-z][a-z-]+") && List.of("device", "example", "help").contains(words.get(0))))
            .filter(word -> !Pattern.compile("[\" ]" + Pattern.quote(word) + "[\" ]").matcher(test).find()).toList();
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
