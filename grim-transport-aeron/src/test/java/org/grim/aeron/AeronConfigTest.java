// SPDX-License-Identifier: Apache-2.0
package org.grim.aeron;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.grim.transport.Settings;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class AeronConfigTest
{
    private final Map<String, Object> settings = new HashMap<>(Map.ofEntries(
        Map.entry("grim.aeron.directory", ""), Map.entry("grim.aeron.bind", ""),
        Map.entry("grim.aeron.announce", ""),
        Map.entry("grim.aeron.term-length", "1MiB"), Map.entry("grim.aeron.mtu", 1408),
        Map.entry("grim.aeron.window-length", "128KiB"), Map.entry("grim.aeron.threading", "shared"),
        Map.entry("grim.aeron.silence-timeout", "10s"), Map.entry("grim.aeron.connect-timeout", "100ms"),
        Map.entry("grim.aeron.idle-timeout", "60s"), Map.entry("grim.aeron.linger", "1s"),
        Map.entry("grim.channels.count", 2), Map.entry("grim.channels.host", 1),
        Map.entry("grim.channels.weights", List.of(1)), Map.entry("grim.ni.reserved-length", 0)));

    @Test
    void shouldReceiveOnLoopbackUnlessToldOtherwise()
    {
        assertEquals("127.0.0.1", read().host());
        assertNull(read().endpoint());
    }

    @Test
    void shouldReceiveWhereTheHostsAgentDoesAtAFreePort()
    {
        settings.put("grim.network.bind", "10.0.0.1:7900");

        assertEquals("10.0.0.1", read().host());
        assertNull(read().endpoint());
    }

    @Test
    void shouldWarnOfAnAddressThatOthersReach()
    {
        assertNull(read().exposure());
        settings.put("grim.aeron.bind", "[::1]:7902");
        assertNull(read().exposure());
        settings.put("grim.aeron.bind", "10.0.0.2:7902");
        assertTrue(read().exposure().startsWith("receives at 10.0.0.2 "), read().exposure());
        assertTrue(read().exposure().endsWith("neither sealed nor signed: it is with grim.network.key-file"));
    }

    @Test
    void shouldReceiveAtTheAddressAndPortThatItIsGiven()
    {
        settings.put("grim.network.bind", "10.0.0.1:7900");
        settings.put("grim.aeron.bind", "10.0.0.2:7902");
        assertEquals("10.0.0.2:7902", read().endpoint());
        settings.put("grim.aeron.bind", "[::1]:7902");
        assertTrue(read().endpoint().startsWith("[0:0:0:0:0:0:0:1"), read().endpoint());
    }

    @Test
    void shouldAnnounceWhatItReceivesAtUnlessToldOtherwise()
    {
        assertEquals("127.0.0.1:40123", read().announced("127.0.0.1:40123"));
        settings.put("grim.network.announce", "203.0.113.7:8000");
        assertEquals("203.0.113.7:40123", read().announced("127.0.0.1:40123"));
        settings.put("grim.aeron.announce", "203.0.113.8");
        assertEquals("203.0.113.8:40123", read().announced("[0:0:0:0:0:0:0:1]:40123"));
        settings.put("grim.aeron.announce", "203.0.113.8:9000");
        assertEquals("203.0.113.8:9000", read().announced("127.0.0.1:40123"));
        assertTrue(refusal("grim.aeron.announce", "a b").startsWith("grim.aeron.announce=a b is not an address at " +
            "which others reach this host"));
    }

    @Test
    void shouldTakeNoMoreThanHalfATermForTheWindow()
    {
        settings.put("grim.aeron.term-length", "64KiB");

        assertEquals(32 << 10, read().windowLength());
    }

    @Test
    void shouldNameKeyValueAndLimitOfWhatItRefuses()
    {
        for (final String bind : new String[]{"10.0.0.1", "10.0.0.1:70000", "10.0.0.1:7902/x", ":7902", "a b:1"})
        {
            assertTrue(refusal("grim.aeron.bind", bind).startsWith("grim.aeron.bind=" + bind + " is not an address"),
                bind);
        }
        assertTrue(refusal("grim.aeron.bind", "0.0.0.0:7902").contains("a wildcard is not"));
        settings.put("grim.aeron.bind", "");
        assertTrue(refusal("grim.aeron.mtu", 1400).contains("a multiple of 32 from 256 to 65504"));
        settings.put("grim.aeron.window-length", "4KiB");
        assertTrue(refusal("grim.aeron.mtu", 8192).contains("grim.aeron.mtu=8192 is not a length up to"));
        settings.put("grim.aeron.mtu", 1408);
        assertTrue(refusal("grim.aeron.term-length", 65_535).contains("a power of two from 65536 to 1073741824"));
        settings.put("grim.aeron.term-length", 65_536);
        assertTrue(refusal("grim.aeron.silence-timeout", "1ms").contains("grim.aeron.silence-timeout="));
    }

    private String refusal(final String key, final Object value)
    {
        settings.put(key, value);
        return assertThrows(IllegalArgumentException.class, this::read).getMessage();
    }

    private AeronConfig read()
    {
        return AeronConfig.of(new Settings(settings));
    }
}
