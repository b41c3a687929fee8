// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/** The page of the architecture names, step by step, the methods that a message passes: they exist. */
final class StepsOfAMessageTest
{
    private static final Pattern METHOD = Pattern.compile("`([A-Z]\\w+)\\.([a-z]\\w*)`");
    private static final int STEP_COUNT_MIN = 10;

    @ParameterizedTest
    @ValueSource(strings = {"## A send, in the order in which it runs", "## A receive, in the order in which it runs"})
    void shouldNameMethodsThatExist(final String title) throws IOException
    {
        final String section = section(title);
        final Map<String, String> classes = classes();
        final List<String> missing = METHOD.matcher(section).results()
            .filter(name -> !exists(classes, name)).map(MatchResult::group).toList();

        assertEquals(List.of(), missing);
    }

    @ParameterizedTest
    @ValueSource(strings = {"## A send, in the order in which it runs", "## A receive, in the order in which it runs"})
    void shouldNumberItsStepsAndNameAMethodInEach(final String title) throws IOException
    {
        final List<String> steps = section(title).lines().filter(line -> line.matches("\\d+\\. .*")).toList();

        assertTrue(steps.size() >= STEP_COUNT_MIN, () -> "steps=" + steps.size());
        assertEquals(IntStream.rangeClosed(1, steps.size()).boxed().toList(),
            steps.stream().map(step -> Integer.valueOf(step.substring(0, step.indexOf('.')))).toList());
        assertEquals(List.of(), steps.stream().filter(step -> !METHOD.matcher(step).find()).toList());
    }

    @Test
    void shouldNoticeAMethodThatIsMissing() throws IOException
    {
        final Map<String, String> classes = classes();

        assertTrue(exists(classes, METHOD.matcher("`MessageLoop.poll`").results().findFirst().orElseThrow()));
        assertFalse(exists(classes, METHOD.matcher("`MessageLoop.pollTwice`").results().findFirst().orElseThrow()));
        assertFalse(exists(classes, METHOD.matcher("`NoSuchClass.poll`").results().findFirst().orElseThrow()));
    }

    private static boolean exists(final Map<String, String> classes, final MatchResult name)
    {
        final List<String> methods = new ArrayList<>();
        try
        {
            Class<?> type = classes.containsKey(name.group(1)) ?
                Class.forName(classes.get(name.group(1)), false, StepsOfAMessageTest.class.getClassLoader()) : null;
            while (type != null)
            {
                Arrays.stream(type.getDeclaredMethods()).forEach(method -> methods.add(method.getName()));
                type = type.getSuperclass();
            }
        }
        catch (final ClassNotFoundException ex)
        {
            throw new IllegalStateException(ex);
        }
        return methods.contains(name.group(2));
    }

    private static String section(final String title) throws IOException
    {
        final String page = Files.readString(project().resolve("docs/developers/architecture.md"));
        final int start = page.indexOf(title + "\n");
        assertTrue(start >= 0, title);
        return page.substring(start, page.indexOf("\n## ", start + 1));
    }

    /** Names of core's classes by their simple names. */
    private static Map<String, String> classes() throws IOException
    {
        final Path sources = project().resolve("grim-core/src/main/java");
        try (Stream<Path> files = Files.walk(sources))
        {
            return files.map(file -> sources.relativize(file).toString()).filter(name -> name.endsWith(".java"))
                .filter(name -> !name.endsWith("-info.java"))
                .map(name -> name.substring(0, name.length() - ".java".length()).replace('/', '.'))
                .collect(Collectors.toMap(name -> name.substring(name.lastIndexOf('.') + 1), name -> name,
                    (one, other) -> one));
        }
    }

    private static Path project()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/developers/architecture.md")))
        {
            directory = directory.getParent();
        }
        return directory;
    }
}
