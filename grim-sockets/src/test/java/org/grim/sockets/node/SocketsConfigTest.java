// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.net.InetSocketAddress;
import java.util.List;
import java.util.Map;

import org.grim.GrimConfig;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class SocketsConfigTest
{
    @Test
    void shouldLeaveTheChannelsOfAgentsToTcp()
    {
        final SocketsConfig config = of(Map.of("grim.sockets.never", List.of("*:80"),
            "grim.network.bind", "127.0.0.1:8100",
            "grim.network.discovery.hosts", List.of("127.0.0.1:8100", "127.0.0.1:8200", "localhost", "[::1]")));

        assertEquals(List.of(80, 8100, 8101, 8200, 8201), tcpPorts(config));
    }

    @Test
    void shouldForbidNothingWhereThereIsNoAgent()
    {
        assertEquals(List.of(), tcpPorts(of(Map.of("grim.network.bind", "127.0.0.1:8100"))));
    }

    @Test
    void shouldKnowTheAgentsOfHostsThatANameHas()
    {
        assertEquals(List.of(7900, 7901), tcpPorts(of(Map.of("grim.network.discovery.dns", "hosts.example"))));
    }

    private static SocketsConfig of(final Map<String, Object> settings)
    {
        final GrimConfig.Builder builder = GrimConfig.builder().nodeName("sockets");
        settings.forEach(builder::set);
        return SocketsConfig.of(builder.build());
    }

    private static List<Integer> tcpPorts(final SocketsConfig config)
    {
        return List.of(79, 80, 7899, 7900, 7901, 7902, 8100, 8101, 8102, 8200, 8201).stream()
            .filter(port -> config.never().matches(new InetSocketAddress("10.0.0.1", port))).toList();
    }
}
