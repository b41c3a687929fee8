// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.RecordComponent;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reader of records of configuration keys. Each component is a {@link Key}, or a record of keys.
 * <p>Thread: any; no state.
 */
public final class Keys
{
    /**
     * Directory of files {@code NAME.txt}, one of each module, with its records below GRIM's package, a line each. The
     * names differ, so that a merged jar keeps all. No package has this name: modules do not hide the files.
     */
    private static final String DIRECTORY = "grim-keys/";
    private static final String PACKAGE =
        Keys.class.getName().substring(0, Keys.class.getName().length() - "transport.Keys".length());

    private Keys()
    {
    }

    /**
     * Returns the components that declare keys of a module of GRIM, in the order of its file.
     *
     * @param module name of the module's group of keys or transport; {@code core} for the core itself.
     * @return components with a {@link Key}; none if the module is not on the class path.
     */
    public static List<RecordComponent> declared(final String module)
    {
        return records(DIRECTORY + module + ".txt").stream().flatMap(Keys::components)
            .filter(component -> component.isAnnotationPresent(Key.class)).toList();
    }

    private static List<String> records(final String file)
    {
        try (InputStream input = Keys.class.getClassLoader().getResourceAsStream(file))
        {
            return input == null ? List.of() : new String(input.readAllBytes(), UTF_8).lines().toList();
        }
        catch (final IOException ex)
        {
            throw new UncheckedIOException(file + " cannot be read: " + ex.getMessage(), ex);
        }
    }

    private static Stream<RecordComponent> components(final String record)
    {
        try
        {
            return Stream.of(Class.forName(PACKAGE + record, false, Keys.class.getClassLoader()).getRecordComponents());
        }
        catch (final ClassNotFoundException ex)
        {
            throw new IllegalStateException(PACKAGE + record + " is named by a file below " + DIRECTORY +
                ", and is not on the class path", ex);
        }
    }

    /**
     * Reads the keys of a record.
     *
     * @param settings to read.
     * @param type     of the record; its package is open to this module.
     * @param <T>      of the record.
     * @return a new record.
     * @throws IllegalArgumentException naming key, value and limit of the first value that is refused.
     */
    public static <T extends Record> T read(final Settings settings, final Class<T> type)
    {
        final RecordComponent[] components = type.getRecordComponents();
        final Map<String, Object> read = new HashMap<>();
        final Object[] values = new Object[components.length];
        for (int i = 0; i < values.length; i++)
        {
            final Key key = components[i].getAnnotation(Key.class);
            if (key == null)
            {
                values[i] = read(settings, components[i].getType().asSubclass(Record.class));
            }
            else
            {
                values[i] = value(settings, key, components[i].getType(), read);
                read.put(key.value(), values[i]);
            }
        }
        return made(type, Stream.of(components).map(RecordComponent::getType).toArray(Class<?>[]::new), values);
    }

    private static <T> T made(final Class<T> type, final Class<?>[] types, final Object[] values)
    {
        try
        {
            final Constructor<T> constructor = type.getDeclaredConstructor(types);
            constructor.setAccessible(true);
            return constructor.newInstance(values);
        }
        catch (final InvocationTargetException ex)
        {
            if (ex.getCause() instanceof final RuntimeException refusal)
            {
                throw refusal;
            }
            throw new IllegalStateException(type + " cannot be made", ex.getCause());
        }
        catch (final ReflectiveOperationException ex)
        {
            throw new IllegalStateException(type + " cannot be made", ex);
        }
    }

    private static Object value(
        final Settings settings, final Key key, final Class<?> type, final Map<String, Object> read)
    {
        final String path = key.value();
        final long min = number(read, key.minKey(), key.min());
        final long max = number(read, key.maxKey(), key.max()) - number(read, key.maxLessKey(), 0);
        final boolean isOfWords = key.words().length > 0;
        if (type == boolean.class)
        {
            return settings.truth(path);
        }
        if (type == int[].class)
        {
            return settings.integers(path, key.countMax(), (int)min, (int)max);
        }
        if (type == List.class)
        {
            return isOfWords ? settings.words(path, key.countMax(), key.words()[0], key.words()) :
                settings.texts(path, key.countMax(), (int)max);
        }
        if (type == String.class)
        {
            return isOfWords ? settings.word(path, key.words()) : key.form().isEmpty() ?
                settings.text(path, (int)min, (int)max) :
                settings.matching(path, Pattern.compile(key.form()), key.formText());
        }
        final long number =
            isOfWords ? Long.parseLong(settings.word(path, key.words())) : number(settings, key, min, max);
        if (type == int.class)
        {
            return (int)number;
        }
        return number;
    }

    private static long number(final Map<String, Object> read, final String key, final long absent)
    {
        return key.isEmpty() ? absent : ((Number)read.get(key)).longValue();
    }

    private static long number(final Settings settings, final Key key, final long min, final long max)
    {
        final String path = key.value();
        return switch (key.unit())
        {
            case COUNT -> key.isPowerOfTwo() ? settings.powerOfTwo(path, (int)min, (int)max) :
                settings.integer(path, (int)min, (int)max);
            case NANOSECONDS -> settings.nanos(path, min, max);
            case BYTES -> key.isPowerOfTwo() ? settings.powerOfTwoBytes(path, (int)min, (int)max) :
                key.multipleOf() > 1 ? settings.multipleBytes(path, (int)min, (int)max, key.multipleOf()) :
                settings.bytes(path, min, max);
        };
    }
}
