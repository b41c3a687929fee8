// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import org.agrona.ErrorHandler;
import org.grim.EndpointId;
import org.grim.GrimConfig;
import org.grim.NodeInfo;
import org.grim.buffer.OwnFiles;
import org.grim.endpoint.MessageLimits;
import org.grim.memory.MemorySettings;
import org.grim.queue.InboxGeometry;
import org.grim.transport.Settings;

/** The settings of a node, as its parts read them. Immutable; any thread. */
public final class NodeConfig
{
    private static final int TEXT_LENGTH_MAX = 60;
    private static final int PATH_LENGTH_MAX = 4095;
    /** The JDK's name of a user of whom the system knows the number only. */
    private static final String NO_USER_NAME = "?";
    private static final int TRANSPORT_COUNT_MAX = 16;
    private static final Pattern CLUSTER_NAME = Pattern.compile("(?!\\.)[A-Za-z0-9._-]{1,64}");
    private static final String CLUSTER_NAME_LIMIT =
        "1 to 64 letters, digits, '.', '_' or '-', not beginning with '.'";

    private static final String[] DEVICE_LABELS = Stream.of(NodeInfo.Device.values())
        .filter(kind -> kind != NodeInfo.Device.NONE).map(NodeInfo.Device::label).toArray(String[]::new);

    private final Map<String, Object> values;
    private final Settings settings;
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

    /** The same with other values of some keys, by path. */
    NodeConfig with(final Map<String, Object> others)
    {
        final Map<String, Object> changed = new HashMap<>(values);
        changed.putAll(others);
        return new NodeConfig(changed, errorHandler, firstPosition);
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
        final String name = settings.text("node.name", 0, TEXT_LENGTH_MAX);
        return name.isEmpty() ? "node-" + ProcessHandle.current().pid() : name;
    }

    /** {@return where the cluster's files are made} */
    public Path clusterDirectory()
    {
        final String directory = settings.text("cluster.directory", 0, PATH_LENGTH_MAX);
        final String base = directory.isEmpty() ? "/dev/shm/grim-" + userLabel() : directory;
        try
        {
            return Path.of(base, clusterName());
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

    /** {@return name of the cluster} */
    String clusterName()
    {
        return settings.matching("cluster.name", CLUSTER_NAME, CLUSTER_NAME_LIMIT);
    }

    /** {@return names of the transports to open, in order; empty for all} */
    public List<String> transports()
    {
        return settings.texts("transports", TRANSPORT_COUNT_MAX, TEXT_LENGTH_MAX);
    }

    /** Label of the host: nodes with the same one share its memory. */
    String hostLabel()
    {
        return settings.text("node.host", 1, TEXT_LENGTH_MAX);
    }

    int nodeCountMax()
    {
        return settings.integer("cluster.nodes-max", 1, EndpointId.NODE_MAX + 1);
    }

    /** Returns the configured number of nodes of the cluster; 0 if that is not known. */
    int clusterSize()
    {
        return settings.integer("cluster.size", 0, nodeCountMax());
    }

    List<NodeInfo.Device> devices()
    {
        return settings.words("node.devices", EndpointId.DEVICE_MAX + 1, NodeInfo.Device.HOST_CPU.label(),
            DEVICE_LABELS).stream().map(NodeInfo.Device::ofLabel).toList();
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
            "channels.weights", EndpointId.CHANNEL_MAX + 1, GrimConfig.CHANNEL_WEIGHT_MIN,
            GrimConfig.CHANNEL_WEIGHT_MAX);
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

    /** Longest time that a warm-up takes; 0 for none. */
    long warmUpNs()
    {
        return settings.nanos("warm-up", 0, TimeUnit.MINUTES.toNanos(1));
    }

    /** {@return where queue positions start: near a wrap in tests} */
    public long firstPosition()
    {
        return firstPosition;
    }

    /** Reads every key of this module once: bad ones are refused here, not where they are used. */
    private void check()
    {
        clusterSize();
        hostChannelCount();
        channelWeights();
        overflowCeiling();
        messageLimits();
        drainLimit();
        livenessIntervalNs();
        resolveTimeoutNs();
        Extensions.known().forEach(provider -> provider.check(settings));
        hasCountersFile();
        warmUpNs();
        InboxGeometry.of(settings);
        MemorySettings.of(settings);
        clusterDirectory();
        transports();
        settings.bytes("ni.reserved-length", 0, 1 << 26);
        hostLabel();
        nodeName();
        devices();
    }
}
