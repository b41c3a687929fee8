// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import org.agrona.ErrorHandler;
import org.grim.memory.MemorySettings;
import org.grim.queue.InboxGeometry;
import org.grim.text.SafeText;
import org.grim.text.Settings;
import org.slf4j.LoggerFactory;

import com.typesafe.config.Config;

/**
 * How a node is set up. {@code reference.conf} in the jar documents every key. Immutable; any thread.
 */
public final class GrimConfig
{
    /** Smallest weight of a logical channel. */
    public static final int CHANNEL_WEIGHT_MIN = 1;
    /** Largest weight of a logical channel. */
    public static final int CHANNEL_WEIGHT_MAX = 1000;

    private static final String ROOT = ConfigSources.ROOT;

    private static final int TEXT_LENGTH_MAX = 60;
    private static final int PATH_LENGTH_MAX = 4095;
    private static final int TRANSPORT_COUNT_MAX = 16;
    private static final Pattern CLUSTER_NAME = Pattern.compile("(?!\\.)[A-Za-z0-9._-]{1,64}");
    private static final String CLUSTER_NAME_LIMIT =
        "1 to 64 letters, digits, '.', '_' or '-', not beginning with '.'";

    private final Config config;
    private final Settings settings;
    private final ErrorHandler errorHandler;
    private final long firstPosition;

    private GrimConfig(final Config config, final ErrorHandler errorHandler, final long firstPosition)
    {
        this.config = config;
        settings = new Settings(raw());
        this.errorHandler = errorHandler;
        this.firstPosition = firstPosition;
        check();
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
     */
    public static Builder builder()
    {
        return new Builder();
    }

    /**
     * Begins a configuration that starts from this one.
     *
     * @return a builder.
     */
    public Builder toBuilder()
    {
        final Builder builder = new Builder();
        config.getConfig(ROOT).entrySet().forEach(entry ->
            builder.values.put(ROOT + "." + entry.getKey(), entry.getValue().unwrapped()));
        builder.errorHandler = errorHandler;
        builder.firstPosition = firstPosition;
        return builder;
    }

    /**
     * Everything below {@code grim}.
     *
     * @return resolved and checked.
     */
    public Config raw()
    {
        return config.getConfig(ROOT);
    }

    /**
     * Where errors of handlers go.
     *
     * @return the application's, or one that logs.
     */
    public ErrorHandler errorHandler()
    {
        return errorHandler;
    }

    /**
     * Name of the node.
     *
     * @return 1 to 60 bytes of UTF-8.
     */
    public String nodeName()
    {
        final String name = settings.text("node.name", 0, TEXT_LENGTH_MAX);
        return name.isEmpty() ? "node-" + ProcessHandle.current().pid() : name;
    }

    /**
     * Where the cluster's files are made.
     *
     * @return the cluster's own directory.
     */
    public Path clusterDirectory()
    {
        final String directory = settings.text("cluster.directory", 0, PATH_LENGTH_MAX);
        final String base = directory.isEmpty() ? "/dev/shm/grim-" + System.getProperty("user.name") : directory;
        return Path.of(base, settings.matching("cluster.name", CLUSTER_NAME, CLUSTER_NAME_LIMIT));
    }

    /**
     * Names of the transports to open.
     *
     * @return in order; empty for all.
     */
    public List<String> transports()
    {
        return settings.texts("transports", TRANSPORT_COUNT_MAX, TEXT_LENGTH_MAX);
    }

    /** Label of the host: nodes with the same one share its memory. */
    String hostLabel()
    {
        return settings.text("node.host", 1, TEXT_LENGTH_MAX);
    }

    /** Bytes of NI memory for the application. */
    int niReservedLength()
    {
        return (int)settings.bytes("ni.reserved-length", 0, 1 << 26);
    }

    int nodeCountMax()
    {
        return settings.integer("cluster.nodes-max", 1, EndpointId.NODE_MAX + 1);
    }

    List<DeviceKind> devices()
    {
        return settings.words("node.devices", EndpointId.DEVICE_MAX + 1, DeviceKind.HOST_CPU.label(),
            DeviceKind.labels()).stream().map(DeviceKind::ofLabel).toList();
    }

    int channelCount()
    {
        return settings.integer("channels.count", 1, EndpointId.CHANNEL_MAX + 1);
    }

    int hostChannelCount()
    {
        return settings.integer("channels.host", 1, channelCount());
    }

    int[] channelWeights()
    {
        return settings.integers(
            "channels.weights", EndpointId.CHANNEL_MAX + 1, CHANNEL_WEIGHT_MIN, CHANNEL_WEIGHT_MAX);
    }

    long overflowCeiling()
    {
        return settings.bytes("overflow.ceiling", 0, 1L << 40);
    }

    MessageLimits messageLimits()
    {
        return MessageLimits.of(settings);
    }

    int drainLimit()
    {
        return settings.integer("poll.drain-limit", 1, 1 << 16);
    }

    long livenessIntervalNs()
    {
        return settings.nanos("liveness.interval", TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(1));
    }

    long resolveTimeoutNs()
    {
        return settings.nanos("handlers.resolve-timeout", 0, TimeUnit.HOURS.toNanos(1));
    }

    boolean hasCountersFile()
    {
        return settings.truth("counters.file");
    }

    /** Where queue positions start: near a wrap in tests. */
    long firstPosition()
    {
        return firstPosition;
    }

    /** Reads every key of this module once: bad ones are refused here, not where they are used. */
    private void check()
    {
        nodeCountMax();
        hostChannelCount();
        channelWeights();
        overflowCeiling();
        messageLimits();
        drainLimit();
        livenessIntervalNs();
        resolveTimeoutNs();
        hasCountersFile();
        InboxGeometry.of(raw());
        MemorySettings.of(raw());
        clusterDirectory();
        transports();
        niReservedLength();
        hostLabel();
        nodeName();
        devices();
    }

    /** Collects settings in code. Thread: one. */
    public static final class Builder
    {
        private final Map<String, Object> values = new HashMap<>();
        private ErrorHandler errorHandler =
            ex -> LoggerFactory.getLogger(GrimConfig.class).error("an active message handler failed", ex);
        private long firstPosition;

        private Builder()
        {
        }

        /**
         * Sets any key of {@code reference.conf}.
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
                throw new IllegalArgumentException(SafeText.shorten(path) + ": a value of type " +
                    value.getClass().getName() + " is no string, number, boolean or list of these");
            }
            values.put(path, value);
            return this;
        }

        /** Null and maps are left to whoever reads the key, and knows its limits. */
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
         * Sets the directory below which clusters have theirs.
         *
         * @param directory on a tmpfs, for speed.
         * @return this.
         */
        public Builder directory(final Path directory)
        {
            return set("grim.cluster.directory", directory.toString());
        }

        /**
         * Sets the transports to open.
         *
         * @param names in order.
         * @return this.
         */
        public Builder transports(final String... names)
        {
            return set("grim.transports", List.of(names));
        }

        /**
         * Keeps part of the network interface's memory for the application; see {@link Grim#niMemory()}.
         *
         * @param length bytes, rounded up to a multiple of 64; 0 for none.
         * @return this.
         */
        public Builder reserveNiMemory(final int length)
        {
            return set("grim.ni.reserved-length", length);
        }

        /**
         * Sets where errors of handlers go.
         *
         * @param handler run on the thread that polls; must not block.
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
            return new GrimConfig(ConfigSources.merged(values), errorHandler, firstPosition);
        }

        /** For tests: where queue positions start. */
        Builder firstPositionForTest(final long position)
        {
            firstPosition = position;
            return this;
        }
    }
}
