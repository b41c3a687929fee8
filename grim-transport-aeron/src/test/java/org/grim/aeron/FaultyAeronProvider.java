// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Queue;
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

import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The transport aeron behind a bad network: what a node publishes as its address is that of a proxy that loses, repeats
 * and reorders datagrams in both directions, differently for each node and always the same for a seed.
 */
public final class FaultyAeronProvider implements TransportProvider
{
    private static final String NAME = "faulty-aeron";
    private static final int SEED = 18;
    private static final Queue<UdpProxy> PROXIES = new ConcurrentLinkedQueue<>();
    private static volatile LinkFaults faults = LinkFaults.NONE;

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
                arguments[1] = proxied((String)arguments[1]);
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
        faults = new LinkFaults(share, share, share, 0, 0, 0);
        final Map<String, Object> complete = AeronSettings.with(settings, directory);
        complete.put("grim.transports", List.of(NAME));
        return LocalCluster.ofTwo(complete, firstPosition);
    }

    /** Ends the networks of a test; all of their effects must have been seen in a class's tests. */
    static void close(final Map<Effect, Long> seen)
    {
        for (UdpProxy proxy = PROXIES.poll(); proxy != null; proxy = PROXIES.poll())
        {
            for (final Effect effect : Effect.values())
            {
                seen.merge(effect, proxy.forth(effect) + proxy.back(effect), Long::sum);
            }
            proxy.close();
        }
    }

    /** Checks that the network was as bad as it was to be. */
    static void requireFaults(final Map<Effect, Long> seen)
    {
        assertTrue(seen.getOrDefault(Effect.LOST, 0L) > 0 && seen.getOrDefault(Effect.DUPLICATED, 0L) > 0 &&
            seen.getOrDefault(Effect.REORDERED, 0L) > 0, () -> "effects=" + seen);
    }

    private static String proxied(final String address)
    {
        final int colon = address.lastIndexOf(':');
        final UdpProxy proxy = new UdpProxy(new InetSocketAddress(
            address.substring(0, colon), Integer.parseInt(address.substring(colon + 1))), SEED + PROXIES.size());
        PROXIES.add(proxy);
        proxy.faults(faults, faults);
        return proxy.address().getAddress().getHostAddress() + ":" + proxy.address().getPort();
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
