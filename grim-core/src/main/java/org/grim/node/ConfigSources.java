// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.io.File;
import java.lang.reflect.RecordComponent;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.text.SafeText;
import org.grim.transport.Key;
import org.grim.transport.Keys;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigObject;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigResolveOptions;
import com.typesafe.config.ConfigUtil;
import com.typesafe.config.ConfigValue;
import com.typesafe.config.ConfigValueFactory;
import com.typesafe.config.ConfigValueType;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/** Where settings come from, and which keys there are. Any thread; no state. */
final class ConfigSources
{
    static final String ROOT = "grim";

    /** Modules beside the core that have keys, and are no transports; with the group of their keys. */
    private static final Map<String, String> MODULES =
        Map.of("groups", "group", "mpi", "mpi", "network", "network", "sockets", "sockets");
    private static final String CORE = "core";
    private static final String FILE_VARIABLE = "GRIM_CONFIG";
    private static final int MESSAGE_LENGTH_MAX = 400;
    private static final Pattern ELEMENT = Pattern.compile("[0-9]{1,4}");
    /** For a source of which others hide a part that is wrong. */
    private static final ConfigResolveOptions UNRESOLVED_ALLOWED =
        ConfigResolveOptions.defaults().setAllowUnresolved(true);

    private ConfigSources()
    {
    }

    /**
     * Settings in code, then system properties, then the file that the environment names, then the defaults; checked
     * for keys that no module documents.
     *
     * @throws IllegalArgumentException naming keys that are unknown, and values that are none.
     * @throws GrimException            if that file cannot be read.
     */
    static Config merged(final Map<String, Object> values)
    {
        final Config reference = reference();
        final ConfigObject groups = reference.getObject(ROOT);
        Config config = ConfigFactory.empty();
        for (final Map.Entry<String, Object> entry : values.entrySet())
        {
            config = with(config, entry.getKey(), entry.getValue());
            requireGroups(ROOT, config.root().get(ROOT), groups);
        }
        ConfigFactory.invalidateCaches();       // System properties may have changed since the last configuration.
        final Config properties = ConfigFactory.systemProperties().withOnlyPath(ROOT);
        final Config file = file();
        config = resolve(config.withFallback(properties).withFallback(file).withFallback(reference));
        requireGroups(ROOT, properties.root().get(ROOT), groups);
        requireGroups(ROOT, file.resolveWith(config, UNRESOLVED_ALLOWED).root().get(ROOT), groups);
        config = withLists(config, reference);
        refuseUnknownKeys(config, reference);
        return config;
    }

    private static Config with(final Config config, final String path, final Object value)
    {
        try
        {
            return config.withValue(path, ConfigValueFactory.fromAnyRef(value, "code"));
        }
        catch (final ConfigException ex)
        {
            throw new IllegalArgumentException("configuration key=" + SafeText.shorten(path) + " or its value=" +
                SafeText.shorten(value) + " is not of the form that a file would have", ex);
        }
    }

    /** Refuses a value of one source in the place of a group: it would hide what later sources have for the group. */
    private static void requireGroups(final String path, final ConfigValue value, final ConfigObject groups)
    {
        if (value instanceof final ConfigObject found)
        {
            groups.forEach((key, known) ->
            {
                if (known instanceof final ConfigObject inner)
                {
                    requireGroups(path + "." + key, found.get(key), inner);
                }
            });
        }
        else if (value != null)
        {
            throw new IllegalArgumentException(
                path + "=" + SafeText.shorten(value.unwrapped()) + " is not a group of keys");
        }
    }

    private static Config resolve(final Config config)
    {
        try
        {
            return config.resolve();
        }
        catch (final ConfigException ex)
        {
            throw new IllegalArgumentException(
                "configuration is wrong: " + SafeText.shorten(ex.getMessage(), MESSAGE_LENGTH_MAX), ex);
        }
    }

    /** A list may come element by element, as system properties {@code grim.transports.0}. */
    private static Config withLists(final Config config, final Config reference)
    {
        Config result = config;
        for (final Map.Entry<String, ConfigValue> entry : reference.entrySet())
        {
            final String path = entry.getKey();
            if (entry.getValue().valueType() == ConfigValueType.LIST && config.hasPath(path) &&
                config.getValue(path) instanceof final ConfigObject elements &&
                elements.keySet().stream().allMatch(key -> ELEMENT.matcher(key).matches()) && !elements.isEmpty())
            {
                result = result.withValue(path, config.getList(path));
            }
        }
        return result;
    }

    /** Keys below a known one are not unknown: who reads that one refuses them as its value. */
    private static void refuseUnknownKeys(final Config config, final Config reference)
    {
        final TreeSet<String> unknown = new TreeSet<>();
        config.entrySet().stream().map(Map.Entry::getKey).filter(path -> !isBelowKey(reference, path))
            .forEach(unknown::add);
        if (!unknown.isEmpty())
        {
            throw new IllegalArgumentException("configuration keys=" + SafeText.shorten(unknown) +
                " are unknown; " + advice(unknown.first(), reference));
        }
    }

    private static String advice(final String unknown, final Config reference)
    {
        return MODULES.entrySet().stream().filter(module -> isOfAbsent(module.getValue(), unknown, reference)).findAny()
            .map(module -> "the module grim-" + module.getKey() + " has such keys, and is not on the class path")
            .orElseGet(() -> "nearest known key=" + nearest(unknown, reference));
    }

    private static boolean isOfAbsent(final String group, final String unknown, final Config reference)
    {
        final String path = ConfigUtil.joinPath(ROOT, group);
        return unknown.startsWith(path + ".") && !reference.hasPath(path);
    }

    private static String nearest(final String unknown, final Config reference)
    {
        final String shown = unknown.substring(0, Math.min(unknown.length(), MESSAGE_LENGTH_MAX));
        return reference.entrySet().stream().map(Map.Entry::getKey)
            .min(Comparator.<String>comparingInt(key -> distance(shown, key)).thenComparing(key -> key)).orElseThrow();
    }

    /** Levenshtein's distance: characters to insert, remove or replace. */
    private static int distance(final String from, final String to)
    {
        int[] row = IntStream.rangeClosed(0, to.length()).toArray();
        for (int i = 1; i <= from.length(); i++)
        {
            final int[] next = new int[row.length];
            next[0] = i;
            for (int j = 1; j < row.length; j++)
            {
                final int replaced = row[j - 1] + (from.charAt(i - 1) == to.charAt(j - 1) ? 0 : 1);
                next[j] = Math.min(replaced, Math.min(row[j], next[j - 1]) + 1);
            }
            row = next;
        }
        return row[to.length()];
    }

    private static boolean isGroup(final Config reference, final String path)
    {
        return reference.hasPath(path) && reference.getValue(path).valueType() == ConfigValueType.OBJECT;
    }

    private static boolean isBelowKey(final Config reference, final String path)
    {
        final List<String> elements = ConfigUtil.splitPath(path);
        for (int i = 1; i <= elements.size(); i++)
        {
            final String above = ConfigUtil.joinPath(elements.subList(0, i));
            if (reference.hasPath(above) && !isGroup(reference, above))
            {
                return true;
            }
        }
        return false;
    }

    /** The keys and defaults of all modules, and of transports by others, each in a file of its own name. */
    private static Config reference()
    {
        final Set<String> transports = TransportChoice.known().keySet();
        final StringBuilder lines = new StringBuilder();
        for (final RecordComponent component : Stream.of(Set.of(CORE), MODULES.values(), transports)
            .flatMap(Collection::stream).map(Keys::declared).flatMap(List::stream).toList())
        {
            final Key key = component.getAnnotation(Key.class);
            lines.append(ROOT).append('.').append(key.value()).append('=').append(component.getType() == String.class ?
                ConfigUtil.quoteString(key.initial()) : key.initial()).append('\n');
        }
        Config reference = ConfigFactory.parseString(lines.toString());
        for (final String transport : transports)
        {
            reference = reference.withFallback(ConfigFactory.parseResources(
                ConfigSources.class.getClassLoader(), "META-INF/grim/" + transport + ".conf"));
        }
        return reference;
    }

    private static Config file()
    {
        final String name = System.getenv(FILE_VARIABLE);
        if (name == null || name.isEmpty())
        {
            return ConfigFactory.empty();
        }
        try
        {
            return ConfigFactory.parseFile(new File(name),
                ConfigParseOptions.defaults().setAllowMissing(false)).withOnlyPath(ROOT);
        }
        catch (final ConfigException ex)
        {
            throw new GrimException(SYSTEM_REFUSED,
                "configuration file " + name + " (" + FILE_VARIABLE + ") cannot be read: " +
                ex.getMessage(), ex);
        }
    }
}
