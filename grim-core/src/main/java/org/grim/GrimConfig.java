// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.agrona.ErrorHandler;

/** Configuration of a node. The page {@code docs/configuration.md} lists every key. Immutable; any thread. */
public final class GrimConfig
{
    /** Smallest weight of a logical channel. */
    public static final int CHANNEL_WEIGHT_MIN = 1;
    /** Largest weight of a logical channel. */
    public static final int CHANNEL_WEIGHT_MAX = 1000;

    private final Map<String, Object> settings;
    private final ErrorHandler errorHandler;
    private final long firstPosition;
    private final String nodeName;
    private final Path clusterDirectory;
    private final List<String> transports;

    /** Settings that were checked. */
    GrimConfig(
        final Map<String, Object> settings, final ErrorHandler errorHandler, final long firstPosition,
        final String nodeName, final Path clusterDirectory, final List<String> transports)
    {
        this.settings = settings;
        this.errorHandler = errorHandler;
        this.firstPosition = firstPosition;
        this.nodeName = nodeName;
        this.clusterDirectory = clusterDirectory;
        this.transports = transports;
    }

    /**
     * Reads system properties, the file that the environment variable {@code GRIM_CONFIG} names, and the defaults.
     *
     * @return the configuration.
     * @throws IllegalArgumentException if a key is unknown or a value out of its range.
     * @throws GrimException            if the file cannot be read.
     */
    public static GrimConfig load()
    {
        return builder().build();
    }

    /**
     * Begins a configuration in code; what is set there wins over everything that {@link #load()} reads.
     *
     * @return a builder.
     * @throws GrimException if a library is missing.
     */
    public static Builder builder()
    {
        try
        {
            return new Builder();
        }
        catch (final NoClassDefFoundError ex)           // Grim.enable names a library that is too old.
        {
            throw new GrimException(GrimException.Reason.UNAVAILABLE,
                "GRIM needs agrona, which is not on the class path: " + ex.getMessage(), ex);
        }
    }

    /**
     * Begins a configuration that starts from this one.
     *
     * @return a builder.
     */
    public Builder toBuilder()
    {
        final Builder builder = new Builder();
        builder.values.putAll(settings);
        builder.errorHandler = errorHandler;
        builder.firstPosition = firstPosition;
        return builder;
    }

    /**
     * Every key that GRIM knows and its value, checked.
     *
     * @return strings, numbers, booleans and lists of these, by path such as {@code grim.queue.slot-count}.
     */
    public Map<String, Object> settings()
    {
        return settings;
    }

    /** {@return where errors go that no caller sees: the application's, or one that does nothing} */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /** {@return name of the node; 1 to 60 bytes of UTF-8} */
    public String nodeName()
    {
        return nodeName;
    }

    /** {@return where the cluster's files are made: the cluster's own directory} */
    public Path clusterDirectory()
    {
        return clusterDirectory;
    }

    /** {@return names of the transports to open; in order; empty for all} */
    public List<String> transports()
    {
        return transports;
    }

    /** Where queue positions start: near a wrap in tests. */
    long firstPosition()
    {
        return firstPosition;
    }

    /** Collects settings in code. Thread: any, one after the other. */
    public static final class Builder
    {
        private final Map<String, Object> values = new HashMap<>();
        private ErrorHandler errorHandler = ex ->
        {
            // The node logs each cause in any case.
        };
        private long firstPosition;

        private Builder()
        {
        }

        /**
         * Sets any key that GRIM knows.
         *
         * @param path  such as {@code grim.queue.slot-count}.
         * @param value a string, number, boolean or list of these, in the form that the file would have.
         * @return this.
         * @throws IllegalArgumentException if the value is of another type.
         */
        public Builder set(final String path, final Object value)
        {
            Objects.requireNonNull(path, "path");
            if (!isPlain(value) && !(value instanceof final List<?> list && list.stream().allMatch(Builder::isPlain)))
            {
                throw new IllegalArgumentException(path + ": a value of type " +
                    value.getClass().getName() + " is no string, number, boolean or list of these");
            }
            synchronized (values)
            {
                values.put(path, value);
            }
            return this;
        }

        /**
         * Returns whether a value is plain. Null and maps are left to the reader of the key, which knows its limits.
         */
        private static boolean isPlain(final Object value)
        {
            return value == null || value instanceof Map || value instanceof String ||
                value instanceof Number || value instanceof Boolean;
        }

        /**
         * Sets the node's name.
         *
         * @param name unique among live nodes.
         * @return this.
         */
        public Builder nodeName(final String name)
        {
            return set("grim.node.name", name);
        }

        /**
         * Sets the cluster's name.
         *
         * @param name the same for all nodes of the cluster.
         * @return this.
         */
        public Builder clusterName(final String name)
        {
            return set("grim.cluster.name", name);
        }

        /**
         * Sets the directory below which clusters have theirs.
         *
         * @param directory on a tmpfs, for speed.
         * @return this.
         */
        public Builder directory(final Path directory)
        {
            return set("grim.cluster.directory", Objects.requireNonNull(directory, "directory").toString());
        }

        /**
         * Sets the transports to open.
         *
         * @param names in order.
         * @return this.
         */
        public Builder transports(final String... names)
        {
            return set("grim.transports", List.of(Objects.requireNonNull(names, "names")));
        }

        /**
         * Sets where errors go that no caller sees: those of handlers and listeners, and of the threads that GRIM
         * starts. Each of them is passed on. They are logged and counted without it, too: each cause once, with the
         * names of the handler and of the message's sender.
         *
         * @param handler run on the thread of the error, the polling one for handlers, or one that GRIM started; must
         *                not block. An exception of its own is logged and ends nothing.
         * @return this.
         */
        public Builder errorHandler(final ErrorHandler handler)
        {
            errorHandler = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /**
         * Checks everything.
         *
         * @return the configuration.
         * @throws IllegalArgumentException if a key is unknown or a value out of its range.
         * @throws GrimException            if the file that {@code GRIM_CONFIG} names cannot be read.
         */
        public GrimConfig build()
        {
            return Grim.configure(this);
        }

        Map<String, Object> values()
        {
            synchronized (values)
            {
                return new HashMap<>(values);
            }
        }

        ErrorHandler errorHandler()
        {
            return errorHandler;
        }

        long firstPosition()
        {
            return firstPosition;
        }

        /** For tests: where queue positions start. */
        Builder firstPositionForTest(final long position)
        {
            firstPosition = position;
            return this;
        }
    }
}
