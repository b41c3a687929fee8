// SPDX-License-Identifier: Apache-2.0
package org.grim.collective;

import org.grim.GrimConfig;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

/** Other bad values: see ConfigurationKeysTest of the Myrinet transport, which has all keys. */
final class GroupSettingsTest
{
    @ParameterizedTest
    @ValueSource(ints = {1, 3_000, 65_536, 196_608})
    void shouldRefuseAnOutboxLengthWhereTheConfigurationIsMade(final int length)
    {
        final GrimConfig.Builder config = GrimConfig.builder().set("grim.group.outbox-length", length);

        assertEquals("grim.group.outbox-length=" + length + " is not 0 or a power of two from 131072 to 67108864 bytes",
            assertThrows(IllegalArgumentException.class, config::build).getMessage());
    }
}
