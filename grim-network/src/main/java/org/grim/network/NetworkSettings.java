// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.grim.key.ClusterKey;
import org.grim.transport.Settings;

/**
 * The settings below {@code grim.network}.
 *
 * @param bind          address and port of the agent.
 * @param hosts         where other agents are looked for; empty for none.
 * @param dns           name whose addresses are those of all hosts; empty for none.
 * @param directory     shared by all hosts, where agents leave their addresses; empty for none.
 * @param xml           file of a JGroups stack; empty for none.
 * @param key           that all hosts share; null for none.
 * @param joinTimeoutNs longest wait of a node for its number.
 * @param successionNs  how long a host may be without an agent before it counts as gone.
 * @param silenceNs     how long a host may be silent before it counts as gone.
 */
record NetworkSettings(
    InetSocketAddress bind, List<InetSocketAddress> hosts, String dns, String directory, String xml,
    ClusterKey key, long joinTimeoutNs, long successionNs, long silenceNs)
{
    static final int PORT_DEFAULT = 7900;

    private static final String DISCOVERY = "network.discovery.";
    /** Keys and values with which there is no other host. */
    static final Map<String, Object> NO_HOSTS = Map.of("grim." + DISCOVERY + "hosts", List.of(),
        "grim." + DISCOVERY + "dns", "", "grim." + DISCOVERY + "directory", "", "grim." + DISCOVERY + "xml", "",
        "grim.launcher", "none");
    private static final int HOST_COUNT_MAX = 1000;
    private static final int TEXT_LENGTH_MAX = 1024;
    private static final int PORT_MAX = 65_535;
    private static final Pattern ADDRESS = Pattern.compile("(\\[([0-9a-fA-F:.%]+)]|([^\\[\\]:]+))(:([0-9]{1,5}))?");
    private static final String ADDRESS_LIMIT =
        "a host name or address, with brackets if it has colons, and a port of 1 to " +
        PORT_MAX + " behind a colon";

    /**
     * Reads the settings.
     *
     * @return null if there is no way to other hosts.
     * @throws IllegalArgumentException   naming key, value and limit.
     * @throws org.grim.GrimException     if the key's file is no secret of this user.
     */
    static NetworkSettings of(final Settings settings)
    {
        final List<String> hosts = settings.texts(DISCOVERY + "hosts", HOST_COUNT_MAX, TEXT_LENGTH_MAX);
        final String dns = settings.text(DISCOVERY + "dns", 0, TEXT_LENGTH_MAX);
        final String directory = settings.text(DISCOVERY + "directory", 0, TEXT_LENGTH_MAX);
        final String xml = settings.text(DISCOVERY + "xml", 0, TEXT_LENGTH_MAX);
        final long count = (hosts.isEmpty() ? 0 : 1) +
            List.of(dns, directory, xml).stream().filter(text -> !text.isEmpty()).count();
        if (count > 1)
        {
            throw new IllegalArgumentException("grim.network.discovery names " + count +
                " ways to find other hosts, and one is needed: hosts=" + hosts + " dns=" + dns + " directory=" +
                directory + " xml=" + xml);
        }
        final InetSocketAddress bind =
            address(settings, "network.bind", settings.text("network.bind", 1, TEXT_LENGTH_MAX));
        if (bind.getAddress().isAnyLocalAddress())
        {
            throw settings.refusal("network.bind", "one address of this host, at which the others reach it", null);
        }
        final NetworkSettings read = new NetworkSettings(bind,
            hosts.stream().map(host -> address(settings, DISCOVERY + "hosts", host)).toList(), dns, directory, xml,
            ClusterKey.read(settings.text("network.key-file", 0, TEXT_LENGTH_MAX),
                settings.text("network.accepted-key-file", 0, TEXT_LENGTH_MAX)),
            settings.nanos("network.join-timeout", TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.SECONDS.toNanos(60)),
            settings.nanos("network.succession-timeout", 0, TimeUnit.MINUTES.toNanos(1)),
            settings.nanos("network.silence-timeout", TimeUnit.MILLISECONDS.toNanos(500),
                TimeUnit.MINUTES.toNanos(10)));
        return count == 0 ? null : read;
    }

    private static InetSocketAddress address(final Settings settings, final String key, final String text)
    {
        final Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches())
        {
            throw settings.refusal(key, ADDRESS_LIMIT, null);
        }
        final int port = matcher.group(5) == null ? PORT_DEFAULT : Integer.parseInt(matcher.group(5));
        if (port < 1 || port > PORT_MAX)
        {
            throw settings.refusal(key, ADDRESS_LIMIT, null);
        }
        final String host = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
        try
        {
            return new InetSocketAddress(InetAddress.getByName(host), port);
        }
        catch (final UnknownHostException ex)
        {
            throw settings.refusal(key, "a host that can be resolved (" + host + ")", ex);
        }
    }
}
