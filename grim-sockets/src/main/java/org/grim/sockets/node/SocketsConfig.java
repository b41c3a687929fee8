// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.grim.GrimConfig;
import org.grim.transport.Settings;

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
    private static final int PATTERN_LENGTH_MAX = 100;
    private static final String NETWORK_BIND = "network.bind";
    private static final String NETWORK_DISCOVERY = "network.discovery.";
    private static final int NETWORK_TEXT_LENGTH_MAX = 1024;
    private static final Pattern AGENT_PORT = Pattern.compile(":([0-9]{1,5})$");
    private static final int AGENT_PORT_DEFAULT = 7900;
    private static final int PORT_MAX = 65_535;
    private static final int BUFFER_LENGTH_MIN = 4096;
    private static final int BUFFER_LENGTH_MAX = 64 << 20;

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
        final long spinNs = settings.nanos("sockets.spin", 0, TimeUnit.SECONDS.toNanos(1));
        return new SocketsConfig(
            patterns(settings, "sockets.only", List.of()),
            patterns(settings, "sockets.never", agentAddresses(settings)),
            settings.powerOfTwoBytes("sockets.buffer-length", BUFFER_LENGTH_MIN, BUFFER_LENGTH_MAX),
            Runtime.getRuntime().availableProcessors() > 1 ? spinNs : 0,
            settings.nanos("sockets.connect-timeout", TimeUnit.MILLISECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(1)));
    }

    private static AddressPatterns patterns(final Settings settings, final String key, final List<String> more)
    {
        final List<String> all = new ArrayList<>(settings.texts(key, PATTERN_COUNT_MAX, PATTERN_LENGTH_MAX));
        all.addAll(more);
        return AddressPatterns.parse("grim." + key, all);
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
}
