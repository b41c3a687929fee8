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
import org.grim.transport.Settings;

import static org.grim.GrimException.Reason.SYSTEM_REFUSED;

/**
 * The settings below {@code grim.network}.
 *
 * @param bind          address and port of the agent.
 * @param announced     address and port that the others are given; null for those of {@code bind}.
 * @param hosts         where other agents are looked for, not resolved; empty for none.
 * @param dns           name whose addresses are those of all hosts; empty for none.
 * @param directory     shared by all hosts, where agents leave their addresses; empty for none.
 * @param xml           file of a JGroups stack; empty for none.
 * @param key           that all hosts share; null for none.
 * @param joinTimeoutNs longest wait of a node for its number.
 * @param successionNs  how long a host may be without an agent before it counts as gone.
 * @param silenceNs     how long a host may be silent before it counts as gone.
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
     * @return null if no connection to other hosts is configured.
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
                " kinds of discovery, and one is needed: hosts=" + hosts + " dns=" + dns + " directory=" +
                directory + " xml=" + xml);
        }
        final InetSocketAddress bind = resolved(settings, "network.bind",
            address(settings, "network.bind", settings.text("network.bind", 1, TEXT_LENGTH_MAX), PORT_DEFAULT));
        if (bind.getAddress().isAnyLocalAddress())
        {
            throw settings.refusal("network.bind", "one address of this host, at which the others reach it", null);
        }
        final String announce = settings.text("network.announce", 0, TEXT_LENGTH_MAX);
        final NetworkSettings read = new NetworkSettings(bind, announce.isEmpty() ? null :
            resolved(settings, "network.announce", address(settings, "network.announce", announce, bind.getPort())),
            hosts.stream().map(host -> address(settings, DISCOVERY + "hosts", host, bind.getPort())).toList(), dns,
            directory, xml,
            ClusterKey.read(settings.text("network.key-file", 0, TEXT_LENGTH_MAX),
                settings.text("network.accepted-key-file", 0, TEXT_LENGTH_MAX)),
            settings.nanos("network.join-timeout", TimeUnit.MILLISECONDS.toNanos(100), TimeUnit.SECONDS.toNanos(60)),
            settings.nanos("network.succession-timeout", 0, TimeUnit.MINUTES.toNanos(1)),
            settings.nanos("network.silence-timeout", TimeUnit.MILLISECONDS.toNanos(500),
                TimeUnit.MINUTES.toNanos(10)));
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
}
