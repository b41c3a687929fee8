// SPDX-License-Identifier: Apache-2.0
package org.grim.sockets.node;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class RemoteHostsTest
{
    @ParameterizedTest
    @CsvSource(delimiter = '|', value = {
        "aeron=10.0.0.2:4000|10.0.0.2|true", "aeron=10.0.0.2:4000#abcdef|10.0.0.2|true",
        "other=10.0.0.3:1,aeron=10.0.0.2:4000|10.0.0.2|true", "aeron=10.0.0.22:4000|10.0.0.2|false",
        "aeron=[fe80:0:0:0:0:0:0:1]:7|fe80:0:0:0:0:0:0:1|true", "''|10.0.0.2|false", "aeron=nonsense|nonsense|false"})
    void nodeIsAtTheAddressesOfItsTransports(final String addresses, final String target, final boolean isThere)
    {
        assertEquals(isThere, RemoteHosts.isAt(addresses, target));
    }
}
