// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.ServerSocket;
import java.net.SocketException;
import java.net.UnknownHostException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import org.grim.GrimException;
import org.grim.text.SafeText;
import org.grim.transport.Settings;

/**
 * Obstacles between this host's agent and the other hosts, as they are before it starts.
 * <p>Thread: any; no state.
 */
public final class NetworkCheck
{
    private static final String BIND_CURE =
        "set grim.network.bind to an address of this machine that the other hosts reach: it has ";

    private NetworkCheck()
    {
    }

    /**
     * Looks up names, and listens at the agent's address for a moment.
     *
     * @param settings  of a node.
     * @param isRunning whether an agent of the cluster runs on this host: then the port is its own.
     * @return cures by what was found; empty for a cluster of one host.
     */
    public static Map<String, String> obstacles(final Settings settings, final boolean isRunning)
    {
        final Map<String, String> found = new LinkedHashMap<>();
        final NetworkSettings network;
        try
        {
            network = NetworkSettings.of(settings);
        }
        catch (final IllegalArgumentException | GrimException ex)
        {
            found.put(ex.getMessage(), "correct the key; docs/configuration.md says what it takes");
            return found;
        }
        if (network != null)
        {
            names(network).filter(name -> !isKnown(name)).forEach(name -> found.put(
                "grim.network.discovery names " + SafeText.shorten(name) + ", which has addresses=0 here, expected " +
                "at least 1", "correct the name, or add it to DNS or /etc/hosts; agents skip it meanwhile"));
            put(found, network.whyUnreachable(), BIND_CURE + addresses());
            put(found, network.whyJoinsFail(), "raise grim.network.join-timeout, or lower the other two");
            listen(network, isRunning, found);
        }
        return found;
    }

    private static Stream<String> names(final NetworkSettings network)
    {
        return network.dns().isEmpty() ? network.hosts().stream().map(InetSocketAddress::getHostString).distinct() :
            Stream.of(network.dns());
    }

    private static boolean isKnown(final String name)
    {
        try
        {
            return InetAddress.getAllByName(name).length > 0;
        }
        catch (final UnknownHostException ex)
        {
            return false;
        }
    }

    private static void put(final Map<String, String> found, final String why, final String cure)
    {
        if (why != null)
        {
            found.put("the agent " + why, cure);
        }
    }

    private static void listen(
        final NetworkSettings network, final boolean isRunning, final Map<String, String> found)
    {
        try
        {
            network.requireOwnAddress();
        }
        catch (final GrimException ex)
        {
            found.put(ex.getMessage(), BIND_CURE + addresses());
            return;
        }
        final InetSocketAddress bind = network.bind();
        if (!isRunning && network.xml().isEmpty() && !isFree(bind))
        {
            found.put("grim.network.bind=" + bind.getHostString() + ":" + bind.getPort() + " is taken: another " +
                "process listens at port=" + bind.getPort(), "end that process (ss -ltnp shows it), or set another " +
                "port in grim.network.bind and in the other hosts' grim.network.discovery");
        }
    }

    private static boolean isFree(final InetSocketAddress address)
    {
        try (ServerSocket probe = new ServerSocket(address.getPort(), 1, address.getAddress()))
        {
            return probe.isBound();
        }
        catch (final IOException ex)
        {
            return false;
        }
    }

    /** Of the interfaces that are up. */
    private static List<String> addresses()
    {
        try
        {
            return NetworkInterface.networkInterfaces().filter(NetworkCheck::isUp)
                .flatMap(NetworkInterface::inetAddresses).filter(address -> !address.isLoopbackAddress())
                .map(InetAddress::getHostAddress).toList();
        }
        catch (final SocketException ex)
        {
            return List.of();                           // A machine without any interface.
        }
    }

    private static boolean isUp(final NetworkInterface each)
    {
        try
        {
            return each.isUp();
        }
        catch (final SocketException ex)
        {
            return false;                               // It was removed meanwhile.
        }
    }
}
