// SPDX-License-Identifier: Apache-2.0
package org.grim.network;

import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.grim.GrimConfig;
import org.grim.transport.Settings;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;

/** Addresses in the settings; all are figures, so nothing is looked up. */
final class NetworkSettingsTest
{
    private final Map<String, Object> values = new HashMap<>(Map.ofEntries(
        Map.entry("grim.network.bind", "127.0.1.1:7900"), Map.entry("grim.network.announce", ""),
        Map.entry("grim.network.discovery.hosts", List.of("10.0.0.2")), Map.entry("grim.network.discovery.dns", ""),
        Map.entry("grim.network.discovery.directory", ""), Map.entry("grim.network.discovery.xml", ""),
        Map.entry("grim.network.key-file", ""), Map.entry("grim.network.accepted-key-file", ""),
        Map.entry("grim.network.join-timeout", "15s"), Map.entry("grim.network.succession-timeout", "3s"),
        Map.entry("grim.network.silence-timeout", "10s")));

    @Test
    void shouldSayThatOthersDoNotReachALoopbackAddress()
    {
        assertEquals("listens at 127.0.1.1 (grim.network.bind=127.0.1.1), which only this machine reaches, though " +
            "grim.network.discovery names 10.0.0.2: set grim.network.bind to an address of this machine in the " +
            "hosts' network (some systems have the machine's own name as 127.0.1.1 in /etc/hosts)",
            read().whyUnreachable());
    }

    @Test
    void shouldSayNothingWhenOthersReachTheAddressOrAllAreOnThisMachine()
    {
        values.put("grim.network.announce", "10.0.0.1");
        assertNull(read().whyUnreachable());
        values.put("grim.network.announce", "");
        values.put("grim.network.discovery.hosts", List.of("127.0.0.1", "127.0.0.2:7902"));
        assertNull(read().whyUnreachable());
        values.put("grim.network.discovery.hosts", List.of("10.0.0.2"));
        values.put("grim.network.bind", "10.0.0.1");
        assertNull(read().whyUnreachable());
    }

    @Test
    void shouldSayThatJoinsEndBeforeWhatTheyWaitFor()
    {
        assertNull(read().whyJoinsFail());
        values.put("grim.network.join-timeout", "8s");
        assertEquals("gives a node 8000 ms for joining (grim.network.join-timeout), but what it waits for may take " +
            "13000 ms: until a host that lost power counts as gone, and its nodes with it " +
            "(grim.network.silence-timeout=10000 ms and grim.network.succession-timeout=3000 ms)",
            read().whyJoinsFail());
        values.put("grim.network.silence-timeout", "5s");
        assertNull(read().whyJoinsFail());
    }

    @Test
    void shouldNotContradictItselfByDefault()
    {
        final NetworkSettings defaults = NetworkSettings.of(new Settings(GrimConfig.builder()
            .set("grim.network.discovery.hosts", List.of("127.0.0.1")).build().settings()));

        assertNull(defaults.whyJoinsFail());
    }

    @Test
    void shouldAnnounceThePortOfBindUnlessToldOtherwise()
    {
        values.put("grim.network.bind", "10.0.0.1:7910");
        assertNull(read().announced());
        values.put("grim.network.announce", "203.0.113.7");
        assertEquals(7910, read().announced().getPort());
        values.put("grim.network.announce", "203.0.113.7:8000");
        assertEquals(8000, read().announced().getPort());
        assertEquals("203.0.113.7", read().lookedUp().announced().getAddress().getHostAddress());
    }

    @Test
    void shouldTakeThePortOfBindForHostsWithoutOne()
    {
        values.put("grim.network.bind", "127.0.0.1:7910");
        values.put("grim.network.discovery.hosts", List.of("10.0.0.2", "[::2]", "10.0.0.3:7920"));

        assertEquals(List.of(7910, 7910, 7920), read().hosts().stream().map(InetSocketAddress::getPort).toList());
    }

    @Test
    void shouldLookNamesOfHostsUpOnlyWhenTheyAreNeeded()
    {
        values.put("grim.network.discovery.hosts", List.of("no such host", "10.0.0.2:7901"));

        assertEquals(List.of("no such host", "10.0.0.2"),
            read().hosts().stream().map(host -> host.getHostString()).toList());
        assertFalse(read().hosts().stream().anyMatch(host -> !host.isUnresolved()));
    }

    private NetworkSettings read()
    {
        return NetworkSettings.of(new Settings(values));
    }
}
