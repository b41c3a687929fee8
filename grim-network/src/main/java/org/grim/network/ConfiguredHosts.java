// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import org.grim.text.SafeText;
import org.jgroups.Address;
import org.jgroups.PhysicalAddress;
import org.jgroups.conf.ClassConfigurator;
import org.jgroups.protocols.TCPPING;
import org.jgroups.stack.IpAddress;
import org.jgroups.util.Responses;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Discovery of the agents at {@code grim.network.discovery.hosts}: looks the names up each time, for as long as the JDK
 * does not know them from before. A name without an address is skipped, and logged once.
 * <p>Thread: those of JGroups, and the agent's looks; several at once.
 */
final class ConfiguredHosts extends TCPPING
{
    private static final Logger LOGGER = LoggerFactory.getLogger(ConfiguredHosts.class);

    private final List<InetSocketAddress> hosts;
    private final Resolver resolver;
    private final Set<String> missing = new HashSet<>();

    /** Finds the address of a name. */
    @FunctionalInterface
    interface Resolver
    {
        InetAddress resolve(String name) throws UnknownHostException;
    }

    /** Begins with names and ports; those that are resolved already are looked up again, too. */
    ConfiguredHosts(final List<InetSocketAddress> hosts, final Resolver resolver)
    {
        this.hosts = hosts;
        this.resolver = resolver;
        setId(ClassConfigurator.getProtocolId(TCPPING.class));
        initial_hosts_set_programmatically = true;
        setPortRange(0);
    }

    @Override
    public void findMembers(final List<Address> members, final boolean isInitial, final Responses responses)
    {
        initial_hosts = addresses();
        super.findMembers(members, isInitial, responses);
    }

    /** {@return the addresses that the hosts have now, without those that have none} */
    List<PhysicalAddress> addresses()
    {
        final List<PhysicalAddress> addresses = new ArrayList<>();
        for (final InetSocketAddress host : hosts)
        {
            final String name = host.getHostString();
            try
            {
                addresses.add(new IpAddress(resolver.resolve(name), host.getPort()));
                onFound(name);
            }
            catch (final UnknownHostException ex)
            {
                onMissing(name, ex);
            }
        }
        return addresses;
    }

    private void onFound(final String name)
    {
        synchronized (missing)
        {
            if (missing.remove(name))
            {
                LOGGER.info("host name={} of grim.network.discovery.hosts has an address now", SafeText.shorten(name));
            }
        }
    }

    private void onMissing(final String name, final UnknownHostException failure)
    {
        synchronized (missing)
        {
            if (missing.add(name))
            {
                LOGGER.warn("host name={} of grim.network.discovery.hosts has no address ({}): it is skipped, and " +
                    "looked up again later", SafeText.shorten(name), SafeText.shorten(failure.getMessage()));
            }
        }
    }
}
