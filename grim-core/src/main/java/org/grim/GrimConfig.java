// SPDX-License-Identifier: Apache-2.0
package org.grim;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

import org.agrona.ErrorHandler;
import org.grim.board.ChannelWeight;
import org.grim.memory.MemorySettings;
import org.grim.queue.InboxGeometry;
import org.slf4j.LoggerFactory;

import com.typesafe.config.Config;
import com.typesafe.config.ConfigException;

/**
 * How a node is set up. {@code reference.conf} in the jar documents every key. Immutable; any thread.
 */
public final class GrimConfig
{
    private static final String ROOT = ConfigSources.ROOT;

    private final Config config;
    private final ErrorHandler errorHandler;
    private final long firstPosition;

    private GrimConfig(final Config config, final ErrorHandler errorHandler, final long firstPosition)
    {
        this.config = config;
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
        final String name = config.getString("grim.node.name");
        return name.isEmpty() ? "node-" + ProcessHandle.current().pid() : name;
    }

    /**
     * Where the cluster's files are made.
     *
     * @return the cluster's own directory.
     */
    public Path clusterDirectory()
    {
        final String directory = config.getString("grim.cluster.directory");
        final String base = directory.isEmpty() ? "/dev/shm/grim-" + System.getProperty("user.name") : directory;
        return Path.of(base, config.getString("grim.cluster.name"));
    }

    /**
     * Names of the transports to open.
     *
     * @return in order; empty for all.
     */
    public List<String> transports()
    {
        return config.getStringList("grim.transports");
    }

    /** Label of the host: nodes with the same one share its memory. */
    String hostLabel()
    {
        return config.getString("grim.node.host");
    }

    /** Bytes of NI memory for the application. */
    int niReservedLength()
    {
        return (int)bytesInRange("grim.ni.reserved-length", 0, 1 << 26);
    }

    int nodeCountMax()
    {
        return intInRange("grim.cluster.nodes-max", 1, EndpointId.NODE_MAX + 1);
    }

    List<DeviceKind> devices()
    {
        return config.getStringList("grim.node.devices").stream().map(DeviceKind::ofLabel).toList();
    }

    int channelCount()
    {
        return intInRange("grim.channels.count", 1, EndpointId.CHANNEL_MAX + 1);
    }

    int hostChannelCount()
    {
        return intInRange("grim.channels.host", 1, channelCount());
    }

    int[] channelWeights()
    {
        return config.getIntList("grim.channels.weights").stream().mapToInt(Integer::intValue).toArray();
    }

    long overflowCeiling()
    {
        return bytesInRange("grim.overflow.ceiling", 0, 1L << 40);
    }

    MessageLimits messageLimits()
    {
        return MessageLimits.of(raw());
    }

    int drainLimit()
    {
        return intInRange("grim.poll.drain-limit", 1, 1 << 16);
    }

    long livenessIntervalNs()
    {
        return nsInRange("grim.liveness.interval", TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(1));
    }

    long resolveTimeoutNs()
    {
        return nsInRange("grim.handlers.resolve-timeout", 0, TimeUnit.HOURS.toNanos(1));
    }

    boolean hasCountersFile()
    {
        return config.getBoolean("grim.counters.file");
    }

    /** Where queue positions start: near a wrap in tests. */
    long firstPosition()
    {
        return firstPosition;
    }

    private void check()
    {
        ConfigSources.refuseUnknownKeys(config);
        try
        {
            nodeCountMax();
            hostChannelCount();
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
            final int hostLength = hostLabel().getBytes(StandardCharsets.UTF_8).length;
            require(hostLength >= 1 && hostLength <= 60, "grim.node.host length=" + hostLength +
                " bytes is outside 1 to 60");
            final List<DeviceKind> devices = devices();
            require(!devices.isEmpty() && devices.get(0) == DeviceKind.HOST_CPU, "grim.node.devices=" + devices +
                " does not begin with host-cpu");
            require(devices.size() <= EndpointId.DEVICE_MAX + 1, "grim.node.devices: count=" + devices.size() +
                " exceeds max=" + (EndpointId.DEVICE_MAX + 1));
            final int nameLength = nodeName().getBytes(StandardCharsets.UTF_8).length;
            require(nameLength <= 60, "grim.node.name length=" + nameLength + " bytes exceeds max=60");
            final String cluster = config.getString("grim.cluster.name");
            require(cluster.matches("[A-Za-z0-9._-]{1,64}") && !cluster.startsWith("."),
                "grim.cluster.name=" + cluster +
                " is not 1 to 64 letters, digits, '.', '_' or '-', not beginning with '.'");
            for (final int weight : channelWeights())
            {
                require(weight >= ChannelWeight.MIN && weight <= ChannelWeight.MAX, "grim.channels.weights: weight=" +
                    weight + " is outside " + ChannelWeight.MIN + " to " + ChannelWeight.MAX);
            }
        }
        catch (final ConfigException ex)
        {
            throw new IllegalArgumentException("configuration is wrong: " + ex.getMessage(), ex);
        }
    }

    private int intInRange(final String path, final int min, final int max)
    {
        final int value = config.getInt(path);
        require(value >= min && value <= max, path + "=" + value + " is outside " + min + " to " + max);
        return value;
    }

    private long bytesInRange(final String path, final long min, final long max)
    {
        final long value = config.getBytes(path);
        require(value >= min && value <= max, path + "=" + value + " bytes is outside " + min + " to " + max);
        return value;
    }

    private long nsInRange(final String path, final long min, final long max)
    {
        final long value = config.getDuration(path).toNanos();
        require(value >= min && value <= max, path + "=" + value + " ns is outside " + min + " to " + max);
        return value;
    }

    private static void require(final boolean isGood, final String otherwise)
    {
        if (!isGood)
        {
            throw new IllegalArgumentException(otherwise);
        }
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
         */
        public Builder set(final String path, final Object value)
        {
            values.put(path, value);
            return this;
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
            errorHandler = handler;
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
