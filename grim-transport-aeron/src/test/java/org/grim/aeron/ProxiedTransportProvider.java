// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

import org.grim.faults.UdpProxy;
import org.grim.transport.HostRegions;
import org.grim.transport.Membership;
import org.grim.transport.Settings;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;

/** The transport over Aeron, whose nodes are reached through a proxy each: so a test can have a bad network. */
public final class ProxiedTransportProvider implements TransportProvider
{
    static final String NAME = "proxied-aeron";

    private static final long SEED = 11;
    private static final Map<Integer, UdpProxy> PROXIES = new ConcurrentHashMap<>();
    private static final Map<Integer, String> ADDRESSES = new ConcurrentHashMap<>();

    @Override
    public String name()
    {
        return NAME;
    }

    @Override
    public boolean needsClusterDirectory()
    {
        return true;
    }

    @Override
    public boolean isDefault()
    {
        return false;
    }

    @Override
    public Transport open(final TransportContext context)
    {
        return AeronTransport.open(new ProxiedContext(context, proxied(context.membership())));
    }

    /** The proxy in front of a node. */
    static UdpProxy proxyOf(final int node)
    {
        return PROXIES.get(node);
    }

    /** What a node published. */
    static String addressOf(final int node)
    {
        return ADDRESSES.get(node);
    }

    /** Ends all. */
    static void close()
    {
        PROXIES.values().forEach(UdpProxy::close);
        PROXIES.clear();
    }

    private static Membership proxied(final Membership membership)
    {
        return (Membership)Proxy.newProxyInstance(Membership.class.getClassLoader(), new Class<?>[]{Membership.class},
            (proxy, method, arguments) ->
            {
                if (method.getName().equals("publishAddress"))
                {
                    arguments[1] = proxyFor(membership.self(), (String)arguments[1]);
                }
                try
                {
                    return method.invoke(membership, arguments);
                }
                catch (final InvocationTargetException ex)
                {
                    throw ex.getCause();
                }
            });
    }

    private static String proxyFor(final int node, final String address)
    {
        final int port = URI.create("udp://" + HopSeals.endpoint(address)).getPort();
        final UdpProxy proxy = new UdpProxy(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), SEED + node);
        final UdpProxy old = PROXIES.put(node, proxy);
        if (old != null)
        {
            old.close();
        }
        final String proxied =
            "127.0.0.1:" + proxy.address().getPort() + address.substring(HopSeals.endpoint(address).length());
        ADDRESSES.put(node, proxied);
        return proxied;
    }

    /** A context with another membership. */
    private record ProxiedContext(TransportContext context, Membership membership) implements TransportContext
    {
        @Override
        public Settings settings()
        {
            return context.settings();
        }

        @Override
        public Path nodeFile(final int node, final int incarnation, final String kind)
        {
            return context.nodeFile(node, incarnation, kind);
        }

        @Override
        public void ring(final int node, final int incarnation, final int bell)
        {
            context.ring(node, incarnation, bell);
        }

        @Override
        public long firstPosition()
        {
            return context.firstPosition();
        }

        @Override
        public HostRegions memory()
        {
            return context.memory();
        }
    }
}
