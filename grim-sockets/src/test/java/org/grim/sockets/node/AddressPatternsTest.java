// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import java.net.InetSocketAddress;
import java.util.List;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class AddressPatternsTest
{
    @ParameterizedTest
    @CsvSource({
        "*:*, 10.1.2.3, 80, true", "*:80, 10.1.2.3, 80, true", "*:81, 10.1.2.3, 80, false",
        "10.1.2.3:*, 10.1.2.3, 80, true", "10.1.2.4:*, 10.1.2.3, 80, false",
        "10.0.0.0/8:80, 10.255.2.3, 80, true", "10.0.0.0/8:80, 11.0.0.0, 80, false",
        "10.1.2.2/31:*, 10.1.2.3, 1, true", "10.1.2.2/31:*, 10.1.2.4, 1, false", "0.0.0.0/0:*, 9.9.9.9, 1, true",
        "[fd00::]/8:*, fd12::1, 1, true", "[fd00::]/8:*, fe80::1, 1, false", "[::1]:7, ::1, 7, true",
        "127.0.0.1:7, ::1, 7, false"})
    void matches(final String pattern, final String host, final int port, final boolean isMatch)
    {
        final AddressPatterns patterns = AddressPatterns.parse("key", List.of("1.2.3.4:5", pattern));
        assertEquals(isMatch, patterns.matches(new InetSocketAddress(host, port)));
        assertTrue(patterns.matches(new InetSocketAddress("1.2.3.4", 5)));
        assertFalse(AddressPatterns.parse("key", List.of()).matches(new InetSocketAddress(host, port)));
    }

    @ParameterizedTest
    @ValueSource(strings = {
        "", "*", "host:80", "10.0.0.0/33:*", "10.0.0.0/8", "*/8:*", "1.2.3.4:65536", "[::1]", "[::1]/129:1", "1.2.3.4:",
        "::1:80", "999.1.1.1:1"})
    void refusesWhatIsNone(final String text)
    {
        final String message = assertThrows(IllegalArgumentException.class,
            () -> AddressPatterns.parse("grim.sockets.only", List.of(text))).getMessage();
        assertTrue(message.startsWith("grim.sockets.only=" + text + " is not HOST:PORT"), message);
    }
}
