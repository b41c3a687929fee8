// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;

import org.grim.LocalCluster;
import org.grim.TransportCluster;
import org.grim.faults.Effect;
import org.grim.faults.LinkFaults;
import org.grim.faults.UdpProxy;
import org.grim.transport.Membership;
import org.grim.transport.Transport;
import org.grim.transport.TransportContext;
import org.grim.transport.TransportProvider;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The transport aeron behind a network that can be bad: what a node publishes as its address is that of a proxy, with
 * faults in both directions that differ for each node and are always the same for a seed. Tests that use it are
 * extended by {@link Networks}.
 */
public final class ProxiedAeronProvider implements TransportProvider
{
    static final String NAME = "proxied-aeron";

    private static final int SEED = 18;
    private static final Queue<UdpProxy> PROXIES = new ConcurrentLinkedQueue<>();
    private static final Map<Integer, UdpProxy> PROXY_BY_NODE = new ConcurrentHashMap<>();
    private static final Map<Integer, String> ADDRESS_BY_NODE = new ConcurrentHashMap<>();
    private static final Map<Effect, Long> SEEN = new EnumMap<>(Effect.class);
    private static volatile LinkFaults faults = LinkFaults.NONE;

    /** Ends the networks after each test. After all of a class they must have been as bad as they were to be. */
    static final class Networks implements AfterEachCallback, AfterAllCallback
    {
        @Override
        public void afterEach(final ExtensionContext context)
        {
            for (UdpProxy proxy = PROXIES.poll(); proxy != null; proxy = PROXIES.poll())
            {
                for (final Effect effect : Effect.values())
                {
                    SEEN.merge(effect, proxy.forth(effect) + proxy.back(effect), Long::sum);
                }
                proxy.close();
            }
        }

        @Override
        public void afterAll(final ExtensionContext context)
        {
            final Map<Effect, Long> seen = new EnumMap<>(SEEN);
            final boolean isBad = !faults.equals(LinkFaults.NONE);
            faults = LinkFaults.NONE;
            SEEN.clear();
            assertTrue(!isBad || List.of(Effect.LOST, Effect.DUPLICATED, Effect.REORDERED).stream()
                .allMatch(effect -> seen.getOrDefault(effect, 0L) > 0), () -> "effects=" + seen);
        }
    }

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
        final Membership membership = wrapped(Membership.class, context.membership(), (proxy, method, arguments) ->
        {
            if (method.getName().equals("publishAddress"))
            {
                arguments[1] = proxied(context.membership().self(), (String)arguments[1]);
            }
            else if (method.getName().equals("hasTransport"))
            {
                arguments[1] = NAME;
            }
            return method.invoke(context.membership(), arguments);
        });
        return AeronTransport.open(wrapped(TransportContext.class, context, (proxy, method, arguments) ->
            method.getName().equals("membership") ? membership : method.invoke(context, arguments)));
    }

    /** Two nodes of this JVM, all of whose datagrams pass a bad network. */
    static TransportCluster cluster(
        final Map<String, Object> settings, final Path directory, final long firstPosition, final double share)
    {
        return LocalCluster.ofTwo(behindABadNetwork(settings, directory, share), firstPosition);
    }

    /** The same, as nodes of different hosts. */
    static TransportCluster clusterOfTwoHosts(
        final Map<String, Object> settings, final Path directory, final long firstPosition, final double share)
    {
        return LocalCluster.ofTwoHosts(behindABadNetwork(settings, directory, share), firstPosition);
    }

    private static Map<String, Object> behindABadNetwork(
        final Map<String, Object> settings, final Path directory, final double share)
    {
        faults = new LinkFaults(share, share, share, 0, 0, 0);
        final Map<String, Object> complete = AeronSettings.with(settings, directory);
        complete.put("grim.transports", List.of(NAME));
        return complete;
    }

    /** The latest proxy in front of a node. */
    static UdpProxy proxyOf(final int node)
    {
        return PROXY_BY_NODE.get(node);
    }

    /** Addresses that a node published. */
    static String addressOf(final int node)
    {
        return ADDRESS_BY_NODE.get(node);
    }

    private static String proxied(final int node, final String address)
    {
        final String endpoint = HopSeals.endpoint(address);
        final int colon = endpoint.lastIndexOf(':');
        final UdpProxy proxy = new UdpProxy(new InetSocketAddress(
            endpoint.substring(0, colon), Integer.parseInt(endpoint.substring(colon + 1))), SEED + PROXIES.size());
        proxy.faults(faults, faults);
        PROXIES.add(proxy);
        PROXY_BY_NODE.put(node, proxy);
        final String proxied = proxy.address().getAddress().getHostAddress() + ":" + proxy.address().getPort() +
            address.substring(endpoint.length());
        ADDRESS_BY_NODE.put(node, proxied);
        return proxied;
    }

    private static <T> T wrapped(final Class<T> type, final T original, final InvocationHandler handler)
    {
        final Class<?>[] types = {type};
        return type.cast(Proxy.newProxyInstance(type.getClassLoader(), types, (proxy, method, arguments) ->
        {
            try
            {
                return handler.invoke(original, method, arguments);
            }
            catch (final InvocationTargetException ex)
            {
                throw ex.getCause();
            }
        }));
    }
}
