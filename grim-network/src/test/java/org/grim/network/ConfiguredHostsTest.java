// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.jgroups.PhysicalAddress;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

/** Names whose addresses come, change and go. */
final class ConfiguredHostsTest
{
    private final Map<String, String> names = new HashMap<>(Map.of("left", "10.0.0.1"));
    private final ConfiguredHosts hosts = new ConfiguredHosts(List.of(
        InetSocketAddress.createUnresolved("left", 7900), InetSocketAddress.createUnresolved("right", 7902)),
        this::resolve);

    @Test
    void shouldSkipANameWithoutAnAddressUntilItHasOne()
    {
        assertEquals(List.of("10.0.0.1:7900"), addresses());

        names.put("right", "10.0.0.2");
        assertEquals(List.of("10.0.0.1:7900", "10.0.0.2:7902"), addresses());

        names.remove("left");
        assertEquals(List.of("10.0.0.2:7902"), addresses());
    }

    @Test
    void shouldFollowANameWhoseAddressChanges()
    {
        assertEquals(List.of("10.0.0.1:7900"), addresses());

        names.put("left", "10.0.0.3");

        assertEquals(List.of("10.0.0.3:7900"), addresses());
    }

    private List<String> addresses()
    {
        return hosts.addresses().stream().map(PhysicalAddress::printIpAddress).toList();
    }

    private InetAddress resolve(final String name) throws UnknownHostException
    {
        if (!names.containsKey(name))
        {
            throw new UnknownHostException(name);
        }
        return InetAddress.getByName(names.get(name));
    }
}
