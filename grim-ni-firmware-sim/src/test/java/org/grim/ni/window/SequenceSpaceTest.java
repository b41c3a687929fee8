// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.window;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SequenceSpaceTest
{
    private final SequenceSpace space = new SequenceSpace(8, SequenceSpace.WINDOW_MAX);

    @Test
    void shouldNumberMessagesModuloTheRange()
    {
        assertEquals(0, space.sequence(0));
        assertEquals(255, space.sequence(255));
        assertEquals(0, space.sequence(256));
        assertEquals(1, space.sequence((1L << 40) + 1));
    }

    @Test
    void shouldMeasureDistancesAcrossTheWrap()
    {
        assertEquals(0, space.distance(7, 7));
        assertEquals(2, space.distance(254, 0));
        assertEquals(255, space.distance(0, 255));
    }

    @Test
    void shouldLetZeroFollowTheLastSequence()
    {
        assertEquals(0, space.following(255));
        assertEquals(1, space.following(0));
    }

    @Test
    void shouldHaveTheWindowOfTheWireFormat()
    {
        assertEquals(127, space.window());
    }

    @Test
    void shouldTakeTheWidestWindowAndNoWider()
    {
        for (int bits = 1; bits <= SequenceSpace.BITS_MAX; bits++)
        {
            final int sequenceBits = bits;
            final int windowMax = 1 << (bits - 1);

            assertEquals(windowMax, new SequenceSpace(bits, windowMax).window());
            assertThrows(IllegalArgumentException.class,
                () -> new SequenceSpace(sequenceBits, windowMax + 1));
        }
    }

    @Test
    void shouldSayWhatIsWrongWithItsLimits()
    {
        final IllegalArgumentException window =
            assertThrows(IllegalArgumentException.class, () -> new SequenceSpace(2, 3));
        final IllegalArgumentException bits =
            assertThrows(IllegalArgumentException.class, () -> new SequenceSpace(9, 1));

        assertTrue(window.getMessage().startsWith("window=3 is outside 1 to 2"), window.getMessage());
        assertEquals("sequence bits=9 is outside 1 to 8", bits.getMessage());
        assertThrows(IllegalArgumentException.class, () -> new SequenceSpace(8, 0));
    }
}
