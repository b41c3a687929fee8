// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;

import static org.grim.transport.Key.KIB;
import static org.grim.transport.Key.MIB;
import static org.grim.transport.Key.MINUTE;
import static org.grim.transport.Key.MS;
import static org.grim.transport.Key.SECOND;
import static org.grim.transport.Key.Unit.BYTES;
import static org.grim.transport.Key.Unit.NANOSECONDS;

/**
 * The keys below {@code grim.sockets}.
 *
 * @param only             addresses that must not be TCP.
 * @param never            addresses that are TCP; those of agents, too.
 * @param bufferLength     bytes that a connection holds for its reader.
 * @param spinNs           how long a waiting thread looks before it sleeps.
 * @param connectTimeoutNs how long connecting waits for an answer.
 */
public record SocketsConfig(
    AddressPatterns only, AddressPatterns never, int bufferLength, long spinNs, long connectTimeoutNs)
{
    private static final int PATTERN_COUNT_MAX = 1000;
    static final int PATTERN_LENGTH_MAX = 100;
    private static final String NETWORK_BIND = "network.bind";
    private static final String NETWORK_DISCOVERY = "network.discovery.";
    private static final int NETWORK_TEXT_LENGTH_MAX = 1024;
    private static final Pattern AGENT_PORT = Pattern.compile(":([0-9]{1,5})$");
    private static final int AGENT_PORT_DEFAULT = 7900;
    private static final int PORT_MAX = 65_535;

    /**
     * Reads the keys.
     *
     * @param config with all keys.
     * @return the settings.
     * @throws IllegalArgumentException naming key, value and limit if a value is out of its range.
     */
    public static SocketsConfig of(final GrimConfig config)
    {
        final Settings settings = new Settings(config.settings());
        final SocketsKeys keys = Keys.read(settings, SocketsKeys.class);
        return new SocketsConfig(AddressPatterns.parse("grim.sockets.only", keys.only),
            AddressPatterns.parse("grim.sockets.never",
                Stream.concat(keys.never.stream(), agentAddresses(settings).stream()).toList()),
            keys.bufferLength, Runtime.getRuntime().availableProcessors() > 1 ? keys.spinNs : 0,
            keys.connectTimeoutNs);
    }

    /**
     * Returns the addresses of the host's agent, which may run in this process and has channels, too: two ports of each
     * host. Failure detection between agents must not depend on connections over GRIM.
     */
    private static List<String> agentAddresses(final Settings settings)
    {
        if (!settings.has(NETWORK_BIND))
        {
            return List.of();                   // There is no agent on the class path.
        }
        final List<String> hosts =
            settings.texts(NETWORK_DISCOVERY + "hosts", PATTERN_COUNT_MAX, NETWORK_TEXT_LENGTH_MAX);
        final boolean hasAgent = !hosts.isEmpty() || Stream.of("dns", "directory", "xml").anyMatch(key ->
            !settings.text(NETWORK_DISCOVERY + key, 0, NETWORK_TEXT_LENGTH_MAX).isEmpty());
        final int port = agentPort(settings.text(NETWORK_BIND, 1, NETWORK_TEXT_LENGTH_MAX), AGENT_PORT_DEFAULT);
        return !hasAgent ? List.of() :
            Stream.concat(Stream.of(port), hosts.stream().map(host -> agentPort(host, port)))
                .distinct().flatMap(SocketsConfig::bothPorts).toList();
    }

    private static Stream<String> bothPorts(final int port)
    {
        return Stream.of("*:" + port, "*:" + Math.min(port + 1, PORT_MAX));
    }

    private static int agentPort(final String address, final int portDefault)
    {
        final Matcher matcher = AGENT_PORT.matcher(address);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : portDefault;
    }

    private record SocketsKeys(
        @Key(value = "sockets.only", initial = "[]", countMax = PATTERN_COUNT_MAX, max = PATTERN_LENGTH_MAX,
            text = "Addresses whose connections go over GRIM or fail: `HOST:PORT`, where HOST is an address, a " +
            "network such as `10.0.0.0/8`, `[fd00::]/8`, or `*`, and PORT is a number or `*`. Binding and connecting " +
            "there [wait for the process to join](sockets.md#when-it-joins), at most for the time-out of the " +
            "connect, or for a minute; all of them fail if this or another setting is wrong (also where a file that " +
            "`GRIM_CONFIG` names includes others, or is a pipe). As system properties one by one: " +
            "`-Dgrim.sockets.only.0=10.0.0.1:*`.")
        List<String> only,
        @Key(value = "sockets.never", initial = "[]", countMax = PATTERN_COUNT_MAX, max = PATTERN_LENGTH_MAX,
            text = "Addresses whose connections are TCP, such as `10.0.0.0/8:*`, `[::1]:80`, `*:5432`. They precede " +
            "those of `only`.")
        List<String> never,
        @Key(value = "sockets.buffer-length", initial = "512KiB", unit = BYTES, min = 4 * KIB, max = 64 * MIB,
            isPowerOfTwo = true,
            text = "Bytes that a connection holds for a reader that does not read; its sender may be ahead by so " +
            "many. Memory is taken as bytes wait, and kept.")
        int bufferLength,
        @Key(value = "sockets.spin", initial = "100us", unit = NANOSECONDS, max = SECOND,
            text = "Maximum time that a waiting thread looks for messages before it sleeps. It does so as long as " +
            "that finds some, and tries again from time to time. 0, or one processor: it sleeps at once.")
        long spinNs,
        @Key(value = "sockets.connect-timeout", initial = "1s", unit = NANOSECONDS, min = MS, max = MINUTE,
            text = "Maximum wait for the answer of a process that listens, before the connection becomes TCP.")
        long connectTimeoutNs)
    {
    }
}
