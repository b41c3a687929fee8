// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.net.InetAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.util.concurrent.TimeUnit;

import org.agrona.BitUtil;
import org.grim.transport.Settings;

import io.aeron.ChannelUriStringBuilder;

/**
 * The configuration of the transport, read and checked; {@code META-INF/grim/aeron.conf} says what each key means.
 * <p>Thread: any; immutable.
 *
 * @param directory        of a driver that runs already; empty for one of the host's nodes.
 * @param host             address to receive at, as it stands in a URI.
 * @param port             to receive at; 0 for a free one.
 * @param announcedHost    address that others send to, as it stands in a URI; null for {@code host}.
 * @param announcedPort    that others send to; 0 for the one received at.
 * @param termLength       bytes.
 * @param mtuLength        bytes.
 * @param windowLength     bytes.
 * @param isDedicated      whether an embedded driver has three threads.
 * @param silenceTimeoutNs after which a silent peer's hops are lost.
 * @param connectTimeoutNs that making a hop waits.
 * @param idleTimeoutNs    after which a hop through which nothing passed gives back its log; 0: it does not.
 * @param lingerNs         that a leaving node waits.
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
    private static final int TERM_LENGTH_MIN = 64 << 10;
    private static final int LENGTH_MAX = 1 << 30;
    private static final int MTU_LENGTH_MIN = 256;
    private static final int MTU_LENGTH_MAX = 65_504;
    private static final int FRAME_ALIGNMENT = 32;
    private static final int WINDOW_LENGTH_MIN = 4 << 10;
    private static final int WINDOW_LENGTH_DEFAULT = 128 << 10;
    private static final int CHANNEL_COUNT_MAX = 256;
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
        final String own = settings.text(BIND, 0, TEXT_LENGTH_MAX);
        final boolean isOfNetwork = own.isEmpty() && settings.has(NETWORK_BIND);
        final String key = isOfNetwork ? NETWORK_BIND : BIND;
        final URI bind = address(settings, key,
            isOfNetwork ? settings.text(NETWORK_BIND, 1, TEXT_LENGTH_MAX) : own.isEmpty() ? "127.0.0.1:0" : own);
        final String ownAnnounce = settings.text(ANNOUNCE, 0, TEXT_LENGTH_MAX);
        final boolean isAnnouncedByNetwork = ownAnnounce.isEmpty() && settings.has(NETWORK_ANNOUNCE);
        final String announceKey = isAnnouncedByNetwork ? NETWORK_ANNOUNCE : ANNOUNCE;
        final String announce = settings.text(announceKey, 0, TEXT_LENGTH_MAX);
        final URI announced = announce.isEmpty() ? null : address(settings, announceKey, announce);
        final int termLength = settings.powerOfTwoBytes("aeron.term-length", TERM_LENGTH_MIN, LENGTH_MAX);
        final int windowLength =
            Math.min((int)settings.bytes("aeron.window-length", WINDOW_LENGTH_MIN, LENGTH_MAX), termLength / 2);
        final int mtuLength = settings.multipleBytes("aeron.mtu", MTU_LENGTH_MIN, MTU_LENGTH_MAX, FRAME_ALIGNMENT);
        if (mtuLength > windowLength)
        {
            throw settings.refusal("aeron.mtu", "a length up to that of grim.aeron.window-length, and up to half of " +
                "grim.aeron.term-length: " + windowLength + " bytes", null);
        }
        return new AeronConfig(settings.text("aeron.directory", 0, TEXT_LENGTH_MAX), numeric(settings, key, bind),
            isOfNetwork ? 0 : bind.getPort(),
            announced == null ? null : numeric(settings, announceKey, announced),
            announced == null || isAnnouncedByNetwork ? 0 : Math.max(0, announced.getPort()),
            termLength, mtuLength, windowLength,
            "dedicated".equals(settings.word("aeron.threading", "shared", "dedicated")),
            settings.nanos("aeron.silence-timeout", TimeUnit.SECONDS.toNanos(1), TimeUnit.MINUTES.toNanos(10)),
            settings.nanos("aeron.connect-timeout", 0, TimeUnit.SECONDS.toNanos(10)),
            settings.nanos("aeron.idle-timeout", 0, TimeUnit.DAYS.toNanos(1)),
            settings.nanos("aeron.linger", 0, TimeUnit.MINUTES.toNanos(1)),
            settings.integer("channels.count", 1, CHANNEL_COUNT_MAX));
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

    /** The same for the first subscription at a free port, which others find by its tag. */
    String freePortChannel(final long tag)
    {
        return subscription(channel(host + ":0").tags(tag, null)).build();
    }

    /** The same for the others. */
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
}
