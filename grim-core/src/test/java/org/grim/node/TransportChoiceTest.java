// SPDX-License-Identifier: Apache-2.0
package org.grim.node;

import java.util.List;
import java.util.Map;

import org.grim.GrimException;
import org.grim.transport.TransportProvider;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class TransportChoiceTest
{
    @Test
    void shouldRefuseANodeWithoutAnyTransport()
    {
        final Map<String, TransportProvider> none = Map.of();

        final GrimException refusal =
            assertThrows(GrimException.class, () -> TransportChoice.of(List.of(), none));

        assertEquals(GrimException.Reason.UNAVAILABLE, refusal.reason());
        assertTrue(refusal.getMessage().contains("there is no transport to open: known=[]"), refusal.getMessage());
    }

    @Test
    void shouldSayHowATransportBecomesKnown()
    {
        final GrimException refusal = assertThrows(
            GrimException.class, () -> TransportChoice.of(List.of("no-such"), TransportChoice.known()));

        assertTrue(refusal.getMessage().startsWith("transport=no-such is unknown: known=["), refusal.getMessage());
        assertTrue(refusal.getMessage().contains("META-INF/services/org.grim.transport.TransportProvider"),
            refusal.getMessage());
    }
}
