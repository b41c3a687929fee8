// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.security.SecureRandom;

import org.agrona.BitUtil;
import org.grim.transport.Key;
import org.grim.transport.Keys;
import org.grim.transport.Settings;
import org.grim.transport.TransportKeys;

import io.aeron.ChannelUriStringBuilder;

import static org.grim.transport.Key.GIB;
import static org.grim.transport.Key.KIB;
import static org.grim.transport.Key.MINUTE;
import static org.grim.transport.Key.SECOND;
import static org.grim.transport.Key.Unit.BYTES;
import static org.grim.transport.Key.Unit.NANOSECONDS;

/**
 * The configuration of the transport, read and checked.
 * <p>Thread: any; immutable. Other components are as their keys say.
 *
 * @param host             address to receive at, as it stands in a URI.
 * @param port             to receive at; 0 for a free one.
 * @param announcedHost    address that others send to, as it stands in a URI; null for {@code host}.
 * @param announcedPort    that others send to; 0 for the one received at.
 * @param windowLength     bytes.
 * @param channelCount     logical channels of this node.
 */
record AeronConfig(
    String directory, String host, int port, String announcedHost, int announcedPort, int termLength, int mtuLength,
    int windowLength, boolean isDedicated, long silenceTimeoutNs, long connectTimeoutNs, long idleTimeoutNs,
    long lingerNs, int channelCount)
{
    private static final SecureRandom SESSIONS = new SecureRandom();
    private static final int TEXT_LENGTH_MAX = 1024;
    private static final int PORT_MAX = 65_535;
    private static final int TERM_LENGTH_MIN = 64 * KIB;
    private static final int WINDOW_LENGTH_DEFAULT = 128 * KIB;
    private static final String BIND = "aeron.bind";
    private static final String NETWORK_BIND = "network.bind";
    private static final String ANNOUNCE = "aeron.announce";
    private static final String NETWORK_ANNOUNCE = "network.announce";
    private static final String BIND_LIMIT =
        "an address of this machine, with brackets if it has colons, and a port of 0 to 65535 behind a colon";
    private static final String ANNOUNCE_LIMIT =
        "an address at which others reach this host, with brackets if it has colons, and a port behind a colon";

    /**
     * Reads and checks.
     *
     * @param settings of the node.
     * @return the values.
     * @throws IllegalArgumentException naming key, value and limit.
     */
    static AeronConfig of(final Settings settings)
    {
        final AeronKeys keys = Keys.read(settings, AeronKeys.class);
        final boolean isOfNetwork = keys.bind.isEmpty() && settings.has(NETWORK_BIND);
        final String key = isOfNetwork ? NETWORK_BIND : BIND;
        final URI bind = address(settings, key, isOfNetwork ? settings.text(NETWORK_BIND, 1, TEXT_LENGTH_MAX) :
            keys.bind.isEmpty() ? "127.0.0.1:0" : keys.bind);
        final boolean isAnnouncedByNetwork = keys.announce.isEmpty() && settings.has(NETWORK_ANNOUNCE);
        final String announceKey = isAnnouncedByNetwork ? NETWORK_ANNOUNCE : ANNOUNCE;
        final String announce = settings.text(announceKey, 0, TEXT_LENGTH_MAX);
        final URI announced = announce.isEmpty() ? null : address(settings, announceKey, announce);
        final int windowLength = Math.min(keys.windowLength, keys.termLength / 2);
        if (keys.mtuLength > windowLength)
        {
            throw settings.refusal("aeron.mtu", "a length up to that of grim.aeron.window-length, and up to half of " +
                "grim.aeron.term-length: " + windowLength + " bytes", null);
        }
        return new AeronConfig(keys.directory, numeric(settings, key, bind), isOfNetwork ? 0 : bind.getPort(),
            announced == null ? null : numeric(settings, announceKey, announced),
            announced == null || isAnnouncedByNetwork ? 0 : Math.max(0, announced.getPort()), keys.termLength,
            keys.mtuLength, windowLength, keys.threading.equals("dedicated"), keys.silenceTimeoutNs,
            keys.connectTimeoutNs, keys.idleTimeoutNs, keys.lingerNs,
            Keys.read(settings, TransportKeys.class).channelCount());
    }

    /** Describes the address for the host's operator; null if only this host can reach it. */
    String exposure()
    {
        try
        {
            return InetAddress.getByName(host).isLoopbackAddress() ? null : "receives at " + host +
                " from every host that can reach it, and what nodes send to each other is neither sealed nor signed: " +
                "it is with grim.network.key-file";
        }
        catch (final UnknownHostException ex)
        {
            throw new AssertionError("host=" + host + " is no address in figures", ex);
        }
    }

    /** URI of what this node receives, at a port. */
    String subscriptionChannel(final String endpoint)
    {
        return subscription(channel(endpoint)).build();
    }

    /** Returns the channel of the first subscription at a free port, which others find by its tag. */
    String freePortChannel(final long tag)
    {
        return subscription(channel(host + ":0").tags(tag, null)).build();
    }

    /** Returns the channel of the other subscriptions at that port. */
    String tagChannel(final long tag)
    {
        return subscription(new ChannelUriStringBuilder().media("udp").tags(tag, null)).build();
    }

    /** URI of a publication that reports to a peer. */
    String reportChannel(final String endpoint)
    {
        return publication(endpoint).termLength(TERM_LENGTH_MIN).build();
    }

    /** URI of a hop's publication to a peer. */
    String hopChannel(final String endpoint, final long startPosition, final int initialTermId)
    {
        return publication(endpoint).initialPosition(startPosition, initialTermId, termLength).build();
    }

    /** {@return where this node receives, as configured; null for a free port} */
    String endpoint()
    {
        return port == 0 ? null : host + ':' + port;
    }

    /** Returns the address for senders, of an endpoint at which this node receives. */
    String announced(final String endpoint)
    {
        return announcedHost == null ? endpoint : announcedHost +
            (announcedPort == 0 ? endpoint.substring(endpoint.lastIndexOf(':')) : ":" + announcedPort);
    }

    /** Its session is one that nobody foresees: Aeron numbers them, and strangers could use up those to come. */
    private ChannelUriStringBuilder publication(final String endpoint)
    {
        return channel(endpoint).mtu(mtuLength).sparse(true).sessionId(SESSIONS.nextInt());
    }

    private ChannelUriStringBuilder subscription(final ChannelUriStringBuilder uri)
    {
        return uri.receiverWindowLength(windowLength).rejoin(false);
    }

    private ChannelUriStringBuilder channel(final String endpoint)
    {
        final ChannelUriStringBuilder uri = new ChannelUriStringBuilder().media("udp").endpoint(endpoint);
        if (windowLength > WINDOW_LENGTH_DEFAULT)
        {
            final int bufferLength = BitUtil.findNextPositivePowerOfTwo(windowLength);
            uri.socketRcvbufLength(bufferLength).socketSndbufLength(bufferLength);
        }
        return uri;
    }

    private static String limit(final String key)
    {
        return key.equals(BIND) || key.equals(NETWORK_BIND) ? BIND_LIMIT : ANNOUNCE_LIMIT;
    }

    private static URI address(final Settings settings, final String key, final String text)
    {
        try
        {
            final URI uri = new URI("udp://" + text).parseServerAuthority();
            if (uri.getHost() != null && uri.getPort() <= PORT_MAX && uri.getPath().isEmpty() &&
                (uri.getPort() >= 0 || !key.equals(BIND)))
            {
                return uri;
            }
            throw settings.refusal(key, limit(key), null);
        }
        catch (final URISyntaxException ex)
        {
            throw settings.refusal(key, limit(key), ex);
        }
    }

    /** The address that others send to: a wildcard is none. */
    private static String numeric(final Settings settings, final String key, final URI bind)
    {
        try
        {
            final InetAddress address = InetAddress.getByName(bind.getHost());
            if (address.isAnyLocalAddress())
            {
                throw settings.refusal(key, "one address that others reach, which a wildcard is not", null);
            }
            final String text = address.getHostAddress();
            return text.indexOf(':') >= 0 ? '[' + text + ']' : text;
        }
        catch (final UnknownHostException ex)
        {
            throw settings.refusal(key, "a host that can be resolved (" + bind.getHost() + ")", ex);
        }
    }

    private record AeronKeys(
        @Key(value = "aeron.directory", max = TEXT_LENGTH_MAX,
            text = "Directory of a media driver that already runs on this host, for this user. Empty: one of the " +
            "host's nodes runs a driver for all, in the cluster's directory; when its process ends, another node " +
            "starts the next one.")
        String directory,
        @Key(value = BIND, max = TEXT_LENGTH_MAX,
            text = "Address and UDP port where this host's nodes receive; port 0: a free one for each node. No " +
            "wildcard: other hosts send there. Empty: the address of `grim.network.bind` where there is that key, " +
            "otherwise loopback, and a free port. Messages are sealed only with `grim.network.key-file`.")
        String bind,
        @Key(value = ANNOUNCE, max = TEXT_LENGTH_MAX,
            text = "Address, and port unless that of `bind`, that other nodes send to, if it differs from `bind`: " +
            "behind address translation, or with published ports of a container, which need a port in `bind`. Empty: " +
            "the address of `grim.network.announce` where that is set, otherwise `bind`.")
        String announce,
        @Key(value = "aeron.term-length", initial = "1MiB", unit = BYTES, min = TERM_LENGTH_MIN, max = GIB,
            isPowerOfTwo = true,
            text = "Bytes of one of the three terms of each hop's log. Memory is taken on use. A message takes at " +
            "most an eighth, longer ones go in parts. A sender has at most half a term under way.")
        int termLength,
        @Key(value = "aeron.mtu", initial = "1408", unit = BYTES, min = 256, max = 65_504, multipleOf = 32,
            text = "Bytes of a UDP datagram, without its headers; 8192 suits jumbo frames.")
        int mtuLength,
        @Key(value = "aeron.window-length", initial = "128KiB", unit = BYTES, min = 4 * KIB, max = GIB,
            text = "Bytes that may be under way to a receiver: bandwidth times round-trip time. At most half a term " +
            "counts. Above 128 KiB the kernel has to allow such socket buffers (`net.core.rmem_max`, `wmem_max`).")
        int windowLength,
        @Key(value = "aeron.threading", initial = "shared", words = {"shared", "dedicated"},
            text = "Threads of the driver that a node runs: `shared` for one, `dedicated` for three. They back off " +
            "when idle.")
        String threading,
        @Key(value = "aeron.silence-timeout", initial = "10s", unit = NANOSECONDS, min = SECOND, max = 10 * MINUTE,
            text = "Time that a peer's driver, or a client of the host's driver, may be silent before its hops are " +
            "lost.")
        long silenceTimeoutNs,
        @Key(value = "aeron.connect-timeout", initial = "100ms", unit = NANOSECONDS, max = 10 * SECOND,
            text = "Time that making a hop waits for the peer's answer; later messages are back-pressured until it " +
            "comes.")
        long connectTimeoutNs,
        @Key(value = "aeron.idle-timeout", initial = "60s", unit = NANOSECONDS, max = 1440 * MINUTE,
            text = "Time without a message after which a hop returns its log on both hosts; the next message makes " +
            "another one, and waits for that. Not with remote memory. 0: never.")
        long idleTimeoutNs,
        @Key(value = "aeron.linger", initial = "1s", unit = NANOSECONDS, max = MINUTE,
            text = "Time that a leaving node waits until its peers have consumed its messages.")
        long lingerNs)
    {
    }
}
