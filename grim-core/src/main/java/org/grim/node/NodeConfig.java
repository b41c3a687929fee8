// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

import org.agrona.ErrorHandler;
import org.grim.buffer.OwnFiles;
import org.grim.queue.InboxGeometry;
import org.grim.transport.Keys;
import org.grim.transport.Settings;

/** The settings of a node, as its parts read them. Immutable; any thread. */
public final class NodeConfig
{
    /** The JDK's name of a user of whom the system knows the number only. */
    private static final String NO_USER_NAME = "?";

    private final Map<String, Object> values;
    private final Settings settings;
    private final NodeKeys keys;
    private final ErrorHandler errorHandler;
    private final long firstPosition;

    /**
     * Reads settings that were checked before.
     *
     * @param settings      every key and its value, by path.
     * @param errorHandler  of the application.
     * @param firstPosition where queue positions start.
     */
    public NodeConfig(final Map<String, Object> settings, final ErrorHandler errorHandler, final long firstPosition)
    {
        values = settings;
        this.settings = new Settings(settings);
        keys = Keys.read(this.settings, NodeKeys.class);
        this.errorHandler = errorHandler;
        this.firstPosition = firstPosition;
    }

    /**
     * Settings in code, then system properties, then the file that the environment names, then the defaults.
     *
     * @param values        in code, by path.
     * @param errorHandler  of the application.
     * @param firstPosition where queue positions start.
     * @return the settings, every key of this module checked.
     * @throws IllegalArgumentException if a key is unknown or a value out of its range.
     * @throws org.grim.GrimException   if the file cannot be read.
     */
    public static NodeConfig of(
        final Map<String, Object> values, final ErrorHandler errorHandler, final long firstPosition)
    {
        final NodeConfig config = NetworkChoice.launched(new NodeConfig(ConfigSources.merged(values)
            .withOnlyPath(ConfigSources.ROOT).entrySet().stream()
            .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, entry -> entry.getValue().unwrapped())),
            errorHandler, firstPosition));
        config.check();
        return config;
    }

    /** Returns this configuration with other values of some keys, by path. */
    NodeConfig with(final Map<String, Object> others)
    {
        final Map<String, Object> changed = new HashMap<>(values);
        changed.putAll(others);
        return new NodeConfig(changed, errorHandler, firstPosition);
    }

    /** {@return the keys of every node} */
    NodeKeys keys()
    {
        return keys;
    }

    /** {@return what reads them: the same object each time} */
    public Settings reader()
    {
        return settings;
    }

    /** {@return every key and its value, by path} */
    public Map<String, Object> settings()
    {
        return values;
    }

    /** {@return where errors of handlers go} */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /** {@return name of the node: 1 to 60 bytes of UTF-8} */
    public String nodeName()
    {
        return keys.name().isEmpty() ? "node-" + ProcessHandle.current().pid() : keys.name();
    }

    /** {@return where the cluster's files are made} */
    public Path clusterDirectory()
    {
        final String base = keys.directory().isEmpty() ? "/dev/shm/grim-" + userLabel() : keys.directory();
        try
        {
            return Path.of(base, keys.cluster());
        }
        catch (final InvalidPathException ex)
        {
            throw new IllegalArgumentException("grim.cluster.directory=" + base + " cannot be a path of this JVM, " +
                "which writes paths in " + System.getProperty("sun.jnu.encoding") + " (" + ex.getReason() +
                "): set LC_ALL=C.UTF-8 or another UTF-8 locale, or choose a directory of ASCII letters", ex);
        }
    }

    /** Returns the user's name, or the number if the system has no name for it, as in many containers. */
    private static String userLabel()
    {
        final String name = System.getProperty("user.name", "");
        return name.isEmpty() || NO_USER_NAME.equals(name) ? OwnFiles.userNumber() : name;
    }

    /** {@return names of the transports to open, in order; empty for all} */
    public List<String> transports()
    {
        return keys.transports();
    }

    /** {@return where queue positions start: near a wrap in tests} */
    public long firstPosition()
    {
        return firstPosition;
    }

    /** Refuses here what would fail where it is used: {@link NodeKeys} were read. */
    private void check()
    {
        Extensions.known().forEach(provider -> provider.check(settings));
        InboxGeometry.of(settings);
        clusterDirectory();
    }
}
