// SPDX-License-Identifier: Apache-2.0
package org.grim.myrinet.memory;

import org.grim.GrimException;
import org.grim.board.DmaRegionHeader;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class DmaLayoutTest
{
    @Test
    void shouldPinEveryOffset()
    {
        final DmaLayout layout = new DmaLayout(1 << 20, 3, 8192, 2, 16384);

        assertEquals(64, DmaLayout.REQUEST_OFFSET);
        assertEquals(128, DmaLayout.INTERRUPT_OFFSET);
        assertEquals(192, layout.pointerOffset(0));
        assertEquals(320, layout.pointerOffset(2));
        assertEquals(384, layout.arrivalOffset(0));
        assertEquals(384 + 2 * (8192 + 64), layout.arrivalOffset(2));
        assertEquals(28672, layout.bounceOffset(0, 0));
        assertEquals(28672 + 16384, layout.bounceOffset(0, 1));
        assertEquals(28672 + 5 * 16384, layout.bounceOffset(2, 1));
        assertEquals(126976, layout.registeredOffset());
        assertEquals((1 << 20) - 126976, layout.registeredLength());
        assertEquals(0x4752_494D_444D_415FL, DmaRegionHeader.MAGIC);
    }

    @Test
    void shouldTakeARegionThatJustSufficesAndRefuseOneByteLess()
    {
        final DmaLayout layout = new DmaLayout(126976, 3, 8192, 2, 16384);
        final GrimException refusal =
            assertThrows(GrimException.class, () -> new DmaLayout(126975, 3, 8192, 2, 16384));

        assertEquals(0, layout.registeredLength());
        assertTrue(refusal.getMessage().startsWith(
            "DMA region of 126975 bytes is too small: 192 bytes of fixed words, " +
            "3 channels with a pointer word of 64, an arrival queue of 8192 and 2 bounce buffers of " +
            "16384 bytes each, " +
            "rounded to pages of 4096, need 126976;"), refusal.getMessage());
    }

    @Test
    void shouldGiveWholePagesOnlyToRegisteredMemory()
    {
        assertEquals(0, new DmaLayout(126976 + 4095, 3, 8192, 2, 16384).registeredLength());
        assertEquals(4096, new DmaLayout(126976 + 4097, 3, 8192, 2, 16384).registeredLength());
    }

    @Test
    void shouldRefuseSizesWhoseSumOverflows()
    {
        assertThrows(GrimException.class, () -> new DmaLayout(1 << 20, 256, 1 << 30, 0, 0));
        assertThrows(GrimException.class, () -> new DmaLayout(1 << 20, 256, 64, 1 << 20, 1 << 30));
    }

    @Test
    void shouldRefuseWhatDoesNotExist()
    {
        final DmaLayout layout = new DmaLayout(1 << 20, 3, 8192, 2, 16384);

        assertThrows(IllegalArgumentException.class, () -> layout.pointerOffset(3));
        assertThrows(IllegalArgumentException.class, () -> layout.arrivalOffset(-1));
        assertThrows(IllegalArgumentException.class, () -> layout.bounceOffset(0, 2));
        assertThrows(IllegalArgumentException.class, () -> new DmaLayout(1 << 20, 0, 64, 0, 0));
        assertThrows(IllegalArgumentException.class, () -> new DmaLayout(1 << 20, 1, 65, 0, 0));
    }
}
