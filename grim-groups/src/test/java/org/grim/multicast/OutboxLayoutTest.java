// SPDX-License-Identifier: Apache-2.0
package org.grim.multicast;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class OutboxLayoutTest
{
    @Test
    void shouldPinWhereEverythingLies()
    {
        assertEquals(64, OutboxLayout.CALL_OFFSET);
        assertEquals(68, OutboxLayout.ASLEEP_OFFSET);
        assertEquals(1152, OutboxLayout.HEADS_OFFSET);
        assertEquals(17_536, OutboxLayout.RECORDS_OFFSET);
        assertEquals(0, OutboxLayout.STAMP_OFFSET);
        assertEquals(4, OutboxLayout.LENGTH_OFFSET);
        assertEquals(8, OutboxLayout.EPOCH_OFFSET);
        assertEquals(12, OutboxLayout.SOURCE_OFFSET);
        assertEquals(16, OutboxLayout.ARGUMENTS_OFFSET);
        assertEquals(24, OutboxLayout.ARGUMENTS_TWO_OFFSET);
        assertEquals(32, OutboxLayout.PAYLOAD_OFFSET);
    }

    @Test
    void shouldHaveWordsOfItsOwnForEachOffer()
    {
        assertEquals(-5, OutboxLayout.offered(1));
        assertEquals(-6, OutboxLayout.mapped(1));
        assertEquals(-7, OutboxLayout.detached(1));
        assertEquals(-8, OutboxLayout.offered(2));
    }

    @Test
    void shouldStampEachLineOfEachLapDifferently()
    {
        assertEquals(1, OutboxLayout.stamp(0));
        assertEquals(2, OutboxLayout.stamp(64));
        assertNotEquals(OutboxLayout.stamp(128), OutboxLayout.stamp(128 + (1 << 12)));
        assertEquals(0, OutboxLayout.stamp((1L << 38) - 64));
        assertEquals(1, OutboxLayout.stamp(1L << 38));
    }

    @Test
    void shouldKeepOriginAndHandlerInOneWord()
    {
        final int source = OutboxLayout.source(4095, 65_535);

        assertEquals(4095, OutboxLayout.origin(source));
        assertEquals(65_535, OutboxLayout.handler(source));

        final int marked = OutboxLayout.source(MulticastOutbox.sender(4095, true, false), 65_535);
        assertEquals(4095, OutboxLayout.origin(marked));
        assertTrue(OutboxLayout.isMarked(marked, OutboxLayout.PASSED_ON));
        assertFalse(OutboxLayout.isMarked(marked, OutboxLayout.OUTSIDE));
    }
}
