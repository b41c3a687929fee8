// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.crypto.ClusterKey;
import org.grim.text.SafeText;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;
import static org.grim.transport.Key.MINUTE;
import static org.grim.transport.Key.MS;
import static org.grim.transport.Key.SECOND;
import static org.grim.transport.Key.Unit.NANOSECONDS;

/**
 * The settings below {@code grim.network}. Other components are as their keys say.
 *
 * @param bind          address and port of the agent.
 * @param announced     address and port that the others are given; null for those of {@code bind}.
 * @param hosts         where other agents are looked for, not resolved; empty for none.
 * @param key           that all hosts share; null for none.
 */
record NetworkSettings(
    InetSocketAddress bind, InetSocketAddress announced, List<InetSocketAddress> hosts, String dns, String directory,
    String xml, ClusterKey key, long joinTimeoutNs, long successionNs, long silenceNs)
{
    static final int PORT_DEFAULT = 7900;

    private static final String DISCOVERY = "network.discovery.";
    /** Keys and values with which there is no other host. */
    static final Map<String, Object> NO_HOSTS = Map.of("grim." + DISCOVERY + "hosts", List.of(),
        "grim." + DISCOVERY + "dns", "", "grim." + DISCOVERY + "directory", "", "grim." + DISCOVERY + "xml", "",
        "grim.launcher", "none");
    static final int TEXT_LENGTH_MAX = 1024;
    private static final int PORT_MAX = 65_535;
    private static final Pattern ADDRESS = Pattern.compile("(\\[([0-9a-fA-F:.%]+)]|([^\\[\\]:]+))(:([0-9]{1,5}))?");
    private static final String ADDRESS_LIMIT =
        "a host name or address, with brackets if it has colons, and a port of 1 to " +
        PORT_MAX + " behind a colon";

    /**
     * Reads the settings.
     *
     * @return null if no connection to other hosts is configured.
     * @throws IllegalArgumentException   naming key, value and limit.
     * @throws org.grim.GrimException     if the key's file is no secret of this user.
     */
    static NetworkSettings of(final Settings settings)
    {
        final NetworkKeys keys = Keys.read(settings, NetworkKeys.class);
        final long count = (keys.hosts.isEmpty() ? 0 : 1) +
            Stream.of(keys.dns, keys.directory, keys.xml).filter(text -> !text.isEmpty()).count();
        if (count > 1)
        {
            throw new IllegalArgumentException("grim.network.discovery names " + count +
                " kinds of discovery, and one is needed: hosts=" + keys.hosts + " dns=" + keys.dns + " directory=" +
                keys.directory + " xml=" + keys.xml);
        }
        final InetSocketAddress bind = resolved(settings, "network.bind",
            address(settings, "network.bind", keys.bind, PORT_DEFAULT));
        if (bind.getAddress().isAnyLocalAddress())
        {
            throw settings.refusal("network.bind", "one address of this host, at which the others reach it", null);
        }
        final NetworkSettings read = new NetworkSettings(bind, keys.announce.isEmpty() ? null : resolved(
            settings, "network.announce", address(settings, "network.announce", keys.announce, bind.getPort())),
            keys.hosts.stream().map(host -> address(settings, DISCOVERY + "hosts", host, bind.getPort())).toList(),
            keys.dns, keys.directory, keys.xml, ClusterKey.read(keys.keyFile, keys.acceptedKeyFile),
            keys.joinTimeoutNs, keys.successionNs, keys.silenceNs);
        return count == 0 ? null : read;
    }

    /** {@return the same with the addresses that this host's names have now} */
    NetworkSettings lookedUp()
    {
        return new NetworkSettings(lookedUp(bind), announced == null ? null : lookedUp(announced), hosts, dns,
            directory, xml, key, joinTimeoutNs, successionNs, silenceNs);
    }

    /**
     * Checks that this machine has the address of {@code bind}. Whether the port is free is not known by that.
     *
     * @throws GrimException if it has not.
     */
    void requireOwnAddress()
    {
        try (ServerSocket probe = new ServerSocket(0, 1, bind.getAddress()))
        {
            assert probe.isBound();
        }
        catch (final IOException ex)
        {
            throw new GrimException(SYSTEM_REFUSED, "grim.network.bind=" + bind.getHostString() + " is address=" +
                bind.getAddress().getHostAddress() + ", at which this machine cannot listen: " + ex.getMessage(), ex);
        }
    }

    /** {@return why other hosts do not reach this one, for the log; null if no reason is known} */
    String whyUnreachable()
    {
        if (!bind.getAddress().isLoopbackAddress() || announced != null || !xml.isEmpty())
        {
            return null;
        }
        final Stream<String> names = dns.isEmpty() ? hosts.stream().map(InetSocketAddress::getHostString) :
            Stream.of(dns);
        return names.filter(NetworkSettings::isElsewhere).findFirst().map(name -> "listens at " +
            bind.getAddress().getHostAddress() + " (grim.network.bind=" + bind.getHostString() + "), which only this " +
            "machine reaches, though grim.network.discovery names " + SafeText.shorten(name) + ": set " +
            "grim.network.bind to an address of this machine in the hosts' network (some systems have the machine's " +
            "own name as 127.0.1.1 in /etc/hosts)").orElse(null);
    }

    /** {@return why hosts that come back fail to join before they may, for the log; null if they do not} */
    String whyJoinsFail()
    {
        final long neededNs = silenceNs + successionNs;
        return !xml.isEmpty() || joinTimeoutNs >= neededNs ? null : "gives a node " + ms(joinTimeoutNs) +
            " for joining (grim.network.join-timeout), but what it waits for may take " + ms(neededNs) +
            ": until a host that lost power counts as gone, and its nodes with it (grim.network.silence-timeout=" +
            ms(silenceNs) + " and grim.network.succession-timeout=" + ms(successionNs) + ")";
    }

    private static String ms(final long durationNs)
    {
        return TimeUnit.NANOSECONDS.toMillis(durationNs) + " ms";
    }

    private static boolean isElsewhere(final String name)
    {
        try
        {
            return Stream.of(InetAddress.getAllByName(name)).anyMatch(address -> !address.isLoopbackAddress());
        }
        catch (final UnknownHostException ex)
        {
            return false;                       // Discovery says so.
        }
    }

    /** One that cannot be looked up at the moment stays as it was. */
    private static InetSocketAddress lookedUp(final InetSocketAddress address)
    {
        final InetSocketAddress now = new InetSocketAddress(address.getHostString(), address.getPort());
        return now.isUnresolved() ? address : now;
    }

    /** A name or address and a port; names are looked up when they are needed. */
    private static InetSocketAddress address(
        final Settings settings, final String key, final String text, final int portDefault)
    {
        final Matcher matcher = ADDRESS.matcher(text);
        if (!matcher.matches())
        {
            throw settings.refusal(key, ADDRESS_LIMIT, null);
        }
        final int port = matcher.group(5) == null ? portDefault : Integer.parseInt(matcher.group(5));
        if (port < 1 || port > PORT_MAX)
        {
            throw settings.refusal(key, ADDRESS_LIMIT, null);
        }
        final String host = matcher.group(2) == null ? matcher.group(3) : matcher.group(2);
        return InetSocketAddress.createUnresolved(host, port);
    }

    private static InetSocketAddress resolved(
        final Settings settings, final String key, final InetSocketAddress address)
    {
        try
        {
            return new InetSocketAddress(InetAddress.getByName(address.getHostString()), address.getPort());
        }
        catch (final UnknownHostException ex)
        {
            throw settings.refusal(key, "a host that can be resolved (" + address.getHostString() + ")", ex);
        }
    }

    private record NetworkKeys(
        @Key(value = "network.bind", initial = "127.0.0.1:7900", min = 1, max = TEXT_LENGTH_MAX,
            text = "Address and port of the host's agent. Without a key file, choose a network that no other program " +
            "uses.")
        String bind,
        @Key(value = "network.announce", max = TEXT_LENGTH_MAX,
            text = "Address, and port unless that of `bind`, at which other hosts reach this one, if it differs from " +
            "`bind`: behind address translation, or with published ports of a container. The transport `aeron` uses " +
            "the address, too. Empty: `bind`.")
        String announce,
        @Key(value = "network.key-file", max = TEXT_LENGTH_MAX,
            text = "File of 32 to 4096 secret bytes that all hosts share, mode 0600: messages of agents are sealed " +
            "with AES-256-GCM, and hosts with another key or none are refused ([key](clusters.md#key)). Empty: no " +
            "key.")
        String keyFile,
        @Key(value = "network.accepted-key-file", max = TEXT_LENGTH_MAX,
            text = "File of a second key, which is accepted and not used, so that hosts change their key one after " +
            "another. Empty: none.")
        String acceptedKeyFile,
        @Key(value = "network.discovery.hosts", initial = "[]", countMax = 1000, max = TEXT_LENGTH_MAX,
            text = "Addresses of hosts, with their ports unless that of `bind`: enough of them that one is up. May " +
            "name this host. Names are looked up repeatedly; one without an address is skipped meanwhile. Set " +
            "exactly one of the four keys of `discovery`; without one the cluster has one host.")
        List<String> hosts,
        @Key(value = "network.discovery.dns", max = TEXT_LENGTH_MAX,
            text = "Name whose addresses are those of all hosts, as a headless service has; their agents have the " +
            "same port.")
        String dns,
        @Key(value = "network.discovery.directory", max = TEXT_LENGTH_MAX,
            text = "Directory that all hosts share, where agents leave their addresses.")
        String directory,
        @Key(value = "network.discovery.xml", max = TEXT_LENGTH_MAX,
            text = "File with a stack of JGroups, which also sets the address and port to bind to.")
        String xml,
        @Key(value = "network.join-timeout", initial = "15s", unit = NANOSECONDS, min = 100 * MS, max = 60 * SECOND,
            text = "Maximum wait of a node for its number. A host that comes back after a loss of power, or a name " +
            "of another host's node, waits until its predecessor counts as gone: up to both times below.")
        long joinTimeoutNs,
        @Key(value = "network.succession-timeout", initial = "3s", unit = NANOSECONDS, max = MINUTE,
            text = "Time that a host may be without an agent, while another node takes over, before its nodes count " +
            "as gone.")
        long successionNs,
        @Key(value = "network.silence-timeout", initial = "10s", unit = NANOSECONDS, min = 500 * MS, max = 10 * MINUTE,
            text = "Time that a host may be silent before it counts as gone: a cable, a switch, a stopped machine. " +
            "An agent whose connection is closed is noticed at once.")
        long silenceNs)
    {
    }
}
