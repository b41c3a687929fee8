// SPDX-License-Identifier: Apache-2.0
package org.grim.transport;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;

import org.grim.text.SafeText;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;

import static java.nio.charset.StandardCharsets.UTF_8;

/**
 * Reads configuration keys: the one mechanism by which a value of a wrong type, outside its range, or that cannot be
 * shown, is refused with an {@link IllegalArgumentException} {@code KEY=VALUE is not LIMIT}.
 * <p>Thread: any; immutable.
 */
public final class Settings
{
    private static final String ROOT = "grim";

    private final Config config;

    /**
     * Begins to read.
     *
     * @param settings strings, numbers, booleans and lists of these, by path such as {@code grim.queue.slot-count}.
     */
    public Settings(final Map<String, Object> settings)
    {
        config = ConfigFactory.parseMap(settings).getConfig(ROOT);
    }

    /**
     * Returns whether there is a value.
     *
     * @param key below {@code grim}.
     * @return false if nothing is set, nor is there a default.
     * @throws IllegalArgumentException if the key is no path of words.
     */
    public boolean has(final String key)
    {
        try
        {
            return config.hasPath(key);
        }
        catch (final ConfigException.BadPath ex)
        {
            throw new IllegalArgumentException("key=" + SafeText.shorten(key) + " is no path of words", ex);
        }
    }

    /**
     * A whole number.
     *
     * @param key below {@code grim}.
     * @param min least value.
     * @param max greatest value.
     * @return the value.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    public int integer(final String key, final int min, final int max)
    {
        return (int)inRange(key, "a whole number from " + min + " to " + max, min, max,
            path -> whole(config.getNumber(path)));
    }

    /** Returns a whole number that is a power of two. */
    int powerOfTwo(final String key, final int min, final int max)
    {
        return (int)inRange(key, "a power of two from " + min + " to " + max, min, max,
            path -> onlyPowerOfTwo(whole(config.getNumber(path))));
    }

    /**
     * A length, with or without a unit such as {@code KiB}.
     *
     * @param key below {@code grim}.
     * @param min fewest bytes.
     * @param max most bytes.
     * @return bytes.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    public long bytes(final String key, final long min, final long max)
    {
        return inRange(key, "a length from " + min + " to " + max + " bytes", min, max, this::byteCount);
    }

    /** Returns a length that is a power of two. */
    int powerOfTwoBytes(final String key, final int min, final int max)
    {
        return (int)inRange(key, "a power of two from " + min + " to " + max + " bytes", min, max,
            path -> onlyPowerOfTwo(byteCount(path)));
    }

    /** Returns a length in whole units. */
    int multipleBytes(final String key, final int min, final int max, final int unit)
    {
        return (int)inRange(key, "a multiple of " + unit + " from " + min + " to " + max + " bytes", min, max, path ->
        {
            final long value = byteCount(path);
            require(value % unit == 0);
            return value;
        });
    }

    /** Returns a time in ns; a number without a unit is milliseconds. */
    long nanos(final String key, final long minNs, final long maxNs)
    {
        return inRange(key, "a time from " + minNs + " to " + maxNs + " ns", minNs, maxNs, path ->
        {
            requireWholeIfNumber(path);
            return config.getDuration(path).toNanos();
        });
    }

    /**
     * Yes or no.
     *
     * @param key below {@code grim}.
     * @return the value.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    public boolean truth(final String key)
    {
        return read(key, "true or false", config::getBoolean);
    }

    /**
     * A text without anything that cannot be printed.
     *
     * @param key below {@code grim}.
     * @param min fewest bytes of UTF-8.
     * @param max most bytes of UTF-8.
     * @return the value.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    public String text(final String key, final int min, final int max)
    {
        return read(key, "a text of " + min + " to " + max + " bytes of UTF-8 without control characters",
            path -> printable(config.getString(path), min, max));
    }

    /** Returns a text that a form matches; the limit is the form in words. */
    String matching(final String key, final Pattern form, final String limit)
    {
        return read(key, limit, path ->
        {
            final String text = config.getString(path);
            require(form.matcher(text).matches());
            return text;
        });
    }

    /** Returns one of several words in lower case, for a value in any case. */
    String word(final String key, final String... words)
    {
        return read(key, "one of " + String.join(", ", words),
            path -> oneOf(config.getString(path).toLowerCase(Locale.ROOT), List.of(words)));
    }

    /**
     * A list of texts without anything that cannot be printed.
     *
     * @param key       below {@code grim}.
     * @param countMax  most texts.
     * @param lengthMax most bytes of UTF-8 of one.
     * @return the values, none of them empty, none of them twice.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    public List<String> texts(final String key, final int countMax, final int lengthMax)
    {
        final String limit =
            "a list of up to " + countMax + " texts of 1 to " + lengthMax + " bytes of UTF-8, none of them twice";
        return read(key, limit, path ->
        {
            final List<String> texts = atMost(config.getStringList(path), countMax);
            texts.forEach(text -> printable(text, 1, lengthMax));
            require(texts.stream().distinct().count() == texts.size());
            return texts;
        });
    }

    /** Returns a list of words, of which the first is given. */
    List<String> words(final String key, final int countMax, final String first, final String... words)
    {
        final String limit =
            "a list of 1 to " + countMax + " of " + String.join(", ", words) + ", beginning with " + first;
        return read(key, limit, path ->
        {
            final List<String> values = atMost(config.getStringList(path), countMax);
            values.forEach(value -> oneOf(value, List.of(words)));
            require(!values.isEmpty() && values.get(0).equals(first));
            return values;
        });
    }

    /** Returns a list of whole numbers. */
    int[] integers(final String key, final int countMax, final int min, final int max)
    {
        return read(key, "a list of up to " + countMax + " whole numbers from " + min + " to " + max, path ->
        {
            final List<Long> values = new ArrayList<>();
            atMost(config.getNumberList(path), countMax).forEach(number -> values.add(whole(number)));
            require(values.stream().allMatch(value -> value >= min && value <= max));
            return values.stream().mapToInt(Long::intValue).toArray();
        });
    }

    /**
     * The refusal of a value.
     *
     * @param key   below {@code grim}.
     * @param limit that it does not keep.
     * @param cause who noticed it.
     * @return to be thrown.
     */
    public IllegalArgumentException refusal(final String key, final String limit, final Exception cause)
    {
        final Object value = has(key) ? config.getValue(key).unwrapped() : null;
        return new IllegalArgumentException(
            ROOT + "." + key + "=" + SafeText.shorten(value) + " is not " + limit, cause);
    }

    private long inRange(
        final String key, final String limit, final long min, final long max, final Function<String, Long> reader)
    {
        return read(key, limit, path ->
        {
            final long value = reader.apply(path);
            require(value >= min && value <= max);
            return value;
        });
    }

    private <T> T read(final String key, final String limit, final Function<String, T> reader)
    {
        try
        {
            return reader.apply(key);
        }
        catch (final ConfigException | ArithmeticException ex)
        {
            throw refusal(key, limit, ex);
        }
    }

    private long byteCount(final String path)
    {
        requireWholeIfNumber(path);
        return config.getBytes(path);
    }

    /** The library makes 0 of NaN, and 3 of 3.5, in text as in numbers. */
    private void requireWholeIfNumber(final String path)
    {
        final Number number;
        try
        {
            number = config.getNumber(path);
        }
        catch (final ConfigException.WrongType hasUnit)
        {
            return;
        }
        whole(number);
    }

    private static long whole(final Number number)
    {
        final double value = number.doubleValue();
        require(value == Math.rint(value));
        return number.longValue();
    }

    private static long onlyPowerOfTwo(final long value)
    {
        require(Long.bitCount(value) == 1);
        return value;
    }

    private static String printable(final String text, final int min, final int max)
    {
        final int length = text.getBytes(UTF_8).length;
        require(length >= min && length <= max && SafeText.isPrintable(text));
        return text;
    }

    private static String oneOf(final String value, final List<String> words)
    {
        require(words.contains(value));
        return value;
    }

    private static <T> List<T> atMost(final List<T> values, final int countMax)
    {
        require(values.size() <= countMax);
        return values;
    }

    /**
     * Throws if a value is not within its limits; {@link #read}, which knows key, value and limit, catches the
     * exception.
     */
    private static void require(final boolean isWithin)
    {
        if (!isWithin)
        {
            throw new ArithmeticException("outside its limit");
        }
    }
}
