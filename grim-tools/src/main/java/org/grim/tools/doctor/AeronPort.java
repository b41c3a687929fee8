// SPDX-License-Identifier: Apache-2.0
package org.grim.tools.doctor;

import java.net.DatagramSocket;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

import org.grim.transport.Settings;

/**
 * The UDP port at which this host's nodes receive, where {@code grim.aeron.bind} names one.
 * <p>Thread: any; no state.
 */
final class AeronPort
{
    private static final String BIND = "aeron.bind";
    private static final String ANNOUNCE = "aeron.announce";
    private static final int TEXT_LENGTH_MAX = 1024;

    private AeronPort()
    {
    }

    /**
     * Binds a socket to the port for a moment.
     *
     * @param settings of a node.
     * @param own      ports to which others send that live nodes of the cluster have on this host.
     * @return a finding if another socket has the port, or the address is none.
     */
    static List<Finding> findings(final Settings settings, final Set<Integer> own)
    {
        final List<Finding> findings = new ArrayList<>();
        final String text = text(settings, BIND);
        try
        {
            final URI bind = address(text);
            final int announced = address(text(settings, ANNOUNCE)).getPort();
            final int port = bind.getPort();
            if (port > 0 && !own.contains(announced > 0 ? announced : port) && !isFree(bind.getHost(), port))
            {
                findings.add(new Finding("grim.aeron.bind=" + text + " is taken: another socket has UDP port=" + port +
                    ", or no interface has the address",
                    "end that process (ss -lunp shows it), or set another port; with port=0 each node takes a free " +
                    "one"));
            }
        }
        catch (final URISyntaxException ex)
        {
            findings.add(new Finding("grim.aeron.bind or announce is no address with a port: " + ex.getMessage(),
                "correct the key; docs/configuration.md says what it takes"));
        }
        return findings;
    }

    private static String text(final Settings settings, final String key)
    {
        return settings.has(key) ? settings.text(key, 0, TEXT_LENGTH_MAX) : "";
    }

    /** An address without a port where the text is empty. */
    private static URI address(final String text) throws URISyntaxException
    {
        return new URI("udp://" + (text.isEmpty() ? "localhost" : text)).parseServerAuthority();
    }

    private static boolean isFree(final String host, final int port)
    {
        try (DatagramSocket probe = new DatagramSocket(new InetSocketAddress(host, port)))
        {
            return probe.isBound();
        }
        catch (final SocketException ex)
        {
            return false;
        }
    }
}
