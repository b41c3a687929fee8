// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.wire;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class WireDescriptorTest
{
    @Test
    void shouldKeepTheLayoutOfTheWireFile()
    {
        assertEquals(64, WireFile.CALLS_OFFSET);
        assertEquals(128, WireFile.ASLEEP_OFFSET);
        assertEquals(192, WireFile.CALLERS_OFFSET);
        assertEquals(64, WireFile.CALLER_WORD_COUNT);
        assertEquals(704, WireFile.LENGTH);
    }

    @Test
    void shouldKeepTheLayoutOfARing()
    {
        assertEquals(64, RingDescriptor.WRITTEN_OFFSET);
        assertEquals(128, RingDescriptor.FRONT_OFFSET);
        assertEquals(132, RingDescriptor.STOPPED_OFFSET);
        assertEquals(192, RingDescriptor.DATA_OFFSET);
        assertEquals(0, RingDescriptor.PACKET_LENGTH_OFFSET);
        assertEquals(4, RingDescriptor.CUT_OFFSET);
        assertEquals(8, RingDescriptor.PACKET_OFFSET);
        assertEquals(-1, RingDescriptor.SKIP);
        assertEquals(16, RingDescriptor.recordLength(1));
        assertEquals(16, RingDescriptor.recordLength(8));
        assertEquals(24, RingDescriptor.recordLength(9));
        assertEquals(-8, RingDescriptor.firstPosition(-3));
    }

    @Test
    void shouldTakeRingsOfFourPacketsOrMore()
    {
        assertTrue(RingDescriptor.isRingLength(64, 8));
        assertFalse(RingDescriptor.isRingLength(64, 9));
        assertFalse(RingDescriptor.isRingLength(96, 8));
        assertTrue(RingDescriptor.isRingLength(1 << 30, 8));
        assertFalse(RingDescriptor.isRingLength(1L << 31, 8));
        assertTrue(RingDescriptor.isRingLength(SharedWire.RING_LENGTH_DEFAULT, SharedWire.PACKET_LENGTH_MAX));
        assertEquals(WireFault.count() - 1, WireFault.BAD_CUT.code());
    }
}
