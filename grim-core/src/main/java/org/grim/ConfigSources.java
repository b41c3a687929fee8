// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.io.File;
import java.util.Map;
import java.util.TreeSet;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;
import com.typesafe.config.ConfigFactory;
import com.typesafe.config.ConfigParseOptions;
import com.typesafe.config.ConfigValueFactory;

/** Where settings come from, and which keys there are. Any thread; no state. */
final class ConfigSources
{
    static final String ROOT = "grim";

    private static final String FILE_VARIABLE = "GRIM_CONFIG";

    private ConfigSources()
    {
    }

    /**
     * Settings in code, then system properties, then the file that the environment names, then the defaults.
     *
     * @throws GrimException if that file cannot be read.
     */
    static Config merged(final Map<String, Object> values)
    {
        Config config = ConfigFactory.empty();
        for (final Map.Entry<String, Object> entry : values.entrySet())
        {
            config = config.withValue(entry.getKey(), ConfigValueFactory.fromAnyRef(entry.getValue(), "code"));
        }
        ConfigFactory.invalidateCaches();       // System properties may have changed since the last configuration.
        return config
            .withFallback(ConfigFactory.systemProperties().withOnlyPath(ROOT))
            .withFallback(file())
            .withFallback(reference())
            .resolve();
    }

    /**
     * Refuses keys that no module documents.
     *
     * @throws IllegalArgumentException naming them.
     */
    static void refuseUnknownKeys(final Config config)
    {
        final Config reference = reference();
        final TreeSet<String> unknown = new TreeSet<>();
        if (config.hasPath(ROOT))
        {
            config.getConfig(ROOT).entrySet().forEach(entry ->
            {
                final String path = ROOT + "." + entry.getKey();
                if (!reference.hasPathOrNull(path))
                {
                    unknown.add(path);
                }
            });
        }
        if (!unknown.isEmpty())
        {
            throw new IllegalArgumentException(
                "configuration keys=" + unknown + " are unknown; see reference.conf for those that are");
        }
    }

    /** The reference files of all modules; not the library's own default, which mixes in system properties. */
    private static Config reference()
    {
        return ConfigFactory.parseResources(ConfigSources.class.getClassLoader(), "reference.conf");
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
            throw new GrimException("configuration file " + name + " (" + FILE_VARIABLE + ") cannot be read: " +
                ex.getMessage(), ex);
        }
    }
}
