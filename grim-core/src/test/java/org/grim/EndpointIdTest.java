// SPDX-License-Identifier: Apache-2.0
package org.grim;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

final class EndpointIdTest
{
    @Test
    void shouldPackNodeDeviceAndChannel()
    {
        final EndpointId id = EndpointId.of(0xABC, 0xD, 0xEF);

        assertEquals(0xABCD, id.address());
        assertEquals(0xABCDEF, id.key());
        assertEquals(id, EndpointId.ofKey(0xABCDEF));
        assertEquals(id.hashCode(), EndpointId.ofKey(0xABCDEF).hashCode());
        assertEquals(EndpointId.of(0xABC, 0xD, 1), id.onChannel(1));
        assertNotEquals(id, id.onChannel(1));
        assertEquals("endpoint(node=2748 device=13 channel=239)", id.toString());
    }

    @Test
    void shouldAcceptTheLimitsAndRefuseWhatLiesBeyond()
    {
        assertEquals(0, EndpointId.of(0, 0, 0).key());
        assertEquals(0xFFFFFF, EndpointId.of(4095, 15, 255).key());
        refuse("node=4096 is outside 0 to 4095", 4096, 0, 0);
        refuse("node=-1 is outside 0 to 4095", -1, 0, 0);
        refuse("device=16 is outside 0 to 15", 0, 16, 0);
        refuse("device=-1 is outside 0 to 15", 0, -1, 0);
        refuse("channel=256 is outside 0 to 255", 0, 0, 256);
        refuse("channel=-1 is outside 0 to 255", 0, 0, -1);
    }

    private static void refuse(final String text, final int node, final int device, final int channel)
    {
        assertEquals(text, assertThrows(IllegalArgumentException.class,
            () -> EndpointId.of(node, device, channel)).getMessage());
    }
}
