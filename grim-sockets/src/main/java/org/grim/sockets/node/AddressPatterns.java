// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.agrona.Strings;

/**
 * Which socket addresses a setting means: each pattern is {@code HOST:PORT}, where HOST is an address, a network with
 * the length of its prefix, or {@code *}, and PORT is a number or {@code *}.
 * <p>Thread: any; immutable.
 */
public final class AddressPatterns
{
    private static final Pattern FORM =
        Pattern.compile("(?:(\\*)|\\[([0-9a-fA-F:.]+)]|([0-9.]+))(?:/([0-9]{1,3}))?:(\\*|[0-9]{1,5})");
    private static final String LIMIT =
        "HOST:PORT with an address, [IPv6 address], network such as 10.0.0.0/8 or *, and a port from 0 to 65535 or *";
    private static final int ANY_PORT = -1;
    private static final int PORT_MAX = 65535;

    private final List<Network> networks;

    private AddressPatterns(final List<Network> networks)
    {
        this.networks = networks;
    }

    /**
     * Reads patterns.
     *
     * @param key   of the setting, for errors.
     * @param texts of the patterns.
     * @return the patterns.
     * @throws IllegalArgumentException naming key, value and form if one is none.
     */
    static AddressPatterns parse(final String key, final List<String> texts)
    {
        return new AddressPatterns(texts.stream().map(text -> network(key, text)).toList());
    }

    /** Returns whether one of the patterns means an address. */
    public boolean matches(final InetSocketAddress address)
    {
        for (final Network network : networks)
        {
            if (network.contains(address))
            {
                return true;
            }
        }
        return false;
    }

    private static Network network(final String key, final String text)
    {
        final Matcher matcher = FORM.matcher(text);
        if (!matcher.matches())
        {
            throw refusal(key, text, null);
        }
        final int port = "*".equals(matcher.group(5)) ? ANY_PORT : Integer.parseInt(matcher.group(5));
        final boolean hasPrefix = !Strings.isEmpty(matcher.group(4));
        if (port > PORT_MAX || (matcher.group(1) != null && hasPrefix))
        {
            throw refusal(key, text, null);
        }
        if (matcher.group(1) != null)
        {
            return new Network(null, 0, port);
        }
        try
        {
            // Only digits, dots and colons: no name is looked up.
            final InetAddress prefix =
                InetAddress.getByName(matcher.group(2) != null ? matcher.group(2) : matcher.group(3));
            final int bitCountMax = prefix.getAddress().length * Byte.SIZE;
            final int bitCount = hasPrefix ? Integer.parseInt(matcher.group(4)) : bitCountMax;
            if (bitCount > bitCountMax)
            {
                throw refusal(key, text, null);
            }
            return new Network(prefix, bitCount, port);
        }
        catch (final UnknownHostException ex)
        {
            throw refusal(key, text, ex);
        }
    }

    private static IllegalArgumentException refusal(final String key, final String text, final Exception cause)
    {
        return new IllegalArgumentException(key + "=" + text + " is not " + LIMIT, cause);
    }

    /** Addresses with a common prefix; all if there is none. */
    private record Network(InetAddress prefix, int bitCount, int port)
    {
        boolean contains(final InetSocketAddress address)
        {
            return (port == ANY_PORT || port == address.getPort()) && containsHost(address.getAddress());
        }

        private boolean containsHost(final InetAddress host)
        {
            if (prefix == null)
            {
                return true;
            }
            final byte[] common = prefix.getAddress();
            final byte[] bytes = host == null ? new byte[0] : host.getAddress();
            if (bytes.length != common.length)
            {
                return false;
            }
            for (int i = 0; i < bitCount; i++)
            {
                final int mask = 0x80 >> (i % Byte.SIZE);
                if (((bytes[i / Byte.SIZE] ^ common[i / Byte.SIZE]) & mask) != 0)
                {
                    return false;
                }
            }
            return true;
        }
    }
}
