// SPDX-License-Identifier: Apache-2.0
package org.grim.tools;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.RecordComponent;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;
import org.junit.jupiter.api.Test;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** The page and a list have what the records of keys declare. {@code -Dpages.rewrite=true} writes the page again. */
final class ConfigurationPageTest
{
    private static final String PAGE = "docs/configuration.md";
    private static final List<String> MODULES =
        List.of("core", "group", "network", "sockets", "mpi", "aeron", "myrinet");
    private static final String HEAD = """
        # Configuration

        All keys, generated from their declarations in the code.
        [Operations](operations.md#where-settings-come-from) says
        where settings come from. An unknown key, and a value outside its limits, is an error that names key, value and
        limit.

        | key | values | default | meaning |
        | --- | --- | --- | --- |
        """;
    /** Is a value of no key. */
    private static final String BAD = "a\u0000b";
    private static final Pattern NUMBER = Pattern.compile("[0-9]+");
    private static final List<Map.Entry<String, Long>> LENGTHS =
        List.of(Map.entry(" TiB", 1L << 40), Map.entry(" GiB", 1L << 30), Map.entry(" MiB", 1L << 20),
            Map.entry(" KiB", 1L << 10), Map.entry("", 1L));
    private static final List<Map.Entry<String, Long>> TIMES =
        List.of(Map.entry(" min", 60_000_000_000L), Map.entry(" s", 1_000_000_000L), Map.entry(" ms", 1_000_000L),
            Map.entry(" ns", 1L));

    /** Names, defaults and limits of keys are promises to users: this list changes only on purpose. */
    @Test
    void shouldHaveTheKeysOfTheList() throws IOException
    {
        final Map<String, Object> defaults = GrimConfig.load().settings();

        final String keys = declared().map(component -> path(component) + " = " +
            shown(defaults.get(path(component))) + ": " + limit(component)).sorted()
            .collect(Collectors.joining("\n", "", "\n"));

        try (InputStream list = ConfigurationPageTest.class.getResourceAsStream("configuration-keys.txt"))
        {
            assertEquals(new String(list.readAllBytes(), UTF_8), keys);
        }
    }

    @Test
    void shouldDeclareEachKeyOnce()
    {
        final List<String> declared =
            declared().map(ConfigurationPageTest::path).sorted().toList();

        assertEquals(GrimConfig.load().settings().keySet().stream().sorted().toList(), declared);
    }

    @Test
    void shouldListTheKeysOnThePage() throws IOException
    {
        final Path page = page();
        final Map<String, Object> defaults = GrimConfig.load().settings();
        final String text = declared()
            .sorted(Comparator.comparing(component -> path(component).split("\\.", -1)[1]))
            .map(component -> "| `" + path(component) + "` | " + readable(limit(component)) + " | `" +
                shown(defaults.get(path(component))) + "` | " + component.getAnnotation(Key.class).text() + " |\n")
            .collect(Collectors.joining("", HEAD, ""));

        if (Boolean.getBoolean("pages.rewrite"))
        {
            Files.writeString(page, text);
        }

        assertEquals(text, Files.readString(page), PAGE + " is old: mvn test -Dpages.rewrite=true writes it again");
    }

    private static Stream<RecordComponent> declared()
    {
        return MODULES.stream().map(Keys::declared).flatMap(List::stream);
    }

    private static String path(final RecordComponent component)
    {
        return "grim." + component.getAnnotation(Key.class).value();
    }

    private static String shown(final Object value)
    {
        return value instanceof String ? '"' + value.toString() + '"' : value.toString();
    }

    /** Returns the limit that the refusal of a bad value names. */
    private static String limit(final RecordComponent component)
    {
        final Map<String, Object> settings = new HashMap<>(GrimConfig.load().settings());
        settings.put(path(component), BAD);
        final Class<? extends Record> type = component.getDeclaringRecord().asSubclass(Record.class);
        final String refusal = assertThrows(IllegalArgumentException.class,
            () -> Keys.read(new Settings(settings), type), () -> path(component)).getMessage();
        return refusal.substring(refusal.indexOf(" is not ") + " is not ".length());
    }

    private static String readable(final String limit)
    {
        final boolean isTime = limit.endsWith(" ns");
        if (!isTime && !(limit.endsWith(" bytes") && !limit.contains("text")))
        {
            return limit.replace(" of UTF-8 without control characters", "").replace(" of UTF-8", "");
        }
        final String units = NUMBER.matcher(limit).replaceAll(number ->
            unit(Long.parseLong(number.group()), isTime ? TIMES : LENGTHS));
        return (isTime ? units.substring(0, units.length() - " ns".length()) : units).replace("iB bytes", "iB");
    }

    private static String unit(final long value, final List<Map.Entry<String, Long>> units)
    {
        return value == 0 ? "0" : units.stream().filter(unit -> value % unit.getValue() == 0).findFirst()
            .map(unit -> value / unit.getValue() + unit.getKey()).orElseThrow();
    }

    private static Path page()
    {
        Path directory = Path.of("").toAbsolutePath();
        while (!Files.exists(directory.resolve("docs/operations.md")))
        {
            directory = directory.getParent();
        }
        return directory.resolve(PAGE);
    }
}
