// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.pair;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.List;
import java.util.function.UnaryOperator;

import org.agrona.CloseHelper;
import org.grim.network.namespaces.NetworkNamespaces;

/**
 * Two hosts on this machine: network namespaces with a cable each, or two addresses of the loopback device.
 * <p>Thread: one. Owns: the namespaces, with all processes on them.
 */
public final class HostPair implements AutoCloseable
{
    /** Hosts of a pair. */
    public static final int HOST_COUNT = 2;

    private static final int PORT = 7_900;
    private static final int PORT_TRIES = 100;

    private final NetworkNamespaces namespaces;
    private final String refusal;
    private final String[] addresses = new String[HOST_COUNT];

    /**
     * Makes the hosts, without a process on them.
     *
     * @param isLoopback not to try namespaces.
     */
    public HostPair(final boolean isLoopback)
    {
        refusal = isLoopback ? "not asked for" : NetworkNamespaces.refusal();
        namespaces = refusal.isEmpty() ? new NetworkNamespaces(HOST_COUNT) : null;
        for (int host = 0; host < HOST_COUNT; host++)
        {
            addresses[host] = namespaces == null ? freeAddress("127.0.0." + (1 + host)) :
                namespaces.address(host) + ":" + PORT;
        }
    }

    /** Says in a line what the hosts are, and why. */
    public void describe(final PrintWriter output)
    {
        output.println(namespaces == null ? "hosts: two loopback addresses (network namespaces: " + refusal + ")" :
            "hosts: two network namespaces with a cable each");
    }

    /**
     * Where the agent of a host listens.
     *
     * @param host from 0.
     * @return address and port, of which the next one is free, too.
     */
    public String address(final int host)
    {
        return addresses[host];
    }

    /** {@return the same of both, comma between} */
    public String addresses()
    {
        return String.join(",", addresses);
    }

    /**
     * Moves commands to a host.
     *
     * @param host from 0.
     * @return makes of a command line the one to run.
     */
    public UnaryOperator<List<String>> place(final int host)
    {
        return namespaces == null ? UnaryOperator.identity() : command -> namespaces.on(host, command);
    }

    @Override
    public void close()
    {
        CloseHelper.close(namespaces);
    }

    /** A port that is free now, and the next one, which the agent needs, too. */
    private static String freeAddress(final String address)
    {
        for (int i = 0; i < PORT_TRIES; i++)
        {
            try (ServerSocket first = new ServerSocket(0, 1, InetAddress.getByName(address));
                ServerSocket second = new ServerSocket(
                    Math.min(first.getLocalPort() + 1, 65_535), 1, InetAddress.getByName(address)))
            {
                return address + ":" + Math.min(first.getLocalPort(), second.getLocalPort());
            }
            catch (final IOException ex)
            {
                if (i == PORT_TRIES - 1)
                {
                    throw new UncheckedIOException("no two free ports side by side at " + address, ex);
                }
            }
        }
        throw new AssertionError(PORT_TRIES);
    }
}
