// SPDX-License-Identifier: Apache-2.0
package org.grim.large;

import org.junit.jupiter.api.Test;

import static org.grim.large.FragmentDescriptor.VERDICT_GRANTED;
import static org.grim.large.FragmentDescriptor.VERDICT_REFUSED;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class FragmenterTest
{
    private final Fragmenter fragmenter = new Fragmenter();

    @Test
    void shouldAskThenSendAllBytesInParts()
    {
        fragmenter.begin(7, 10);
        assertEquals(Fragmenter.State.ASKING, fragmenter.state());
        fragmenter.asked();
        assertEquals(Fragmenter.State.WAITING, fragmenter.state());
        assertTrue(fragmenter.onVerdict(7, VERDICT_GRANTED));

        final StringBuilder parts = new StringBuilder();
        while (!fragmenter.isComplete())
        {
            final int length = fragmenter.nextLength(10 - fragmenter.position(), 4);
            parts.append(fragmenter.position()).append('+').append(length).append(' ');
            fragmenter.sent(length);
        }
        fragmenter.end();

        assertEquals("0+4 4+4 8+2 ", parts.toString());
        assertEquals(Fragmenter.State.IDLE, fragmenter.state());
    }

    @Test
    void shouldCountBytesOfAMessageLongerThanAnIntHolds()
    {
        final long length = (3L << Integer.SIZE) + 5;
        fragmenter.begin(7, length);
        fragmenter.asked();
        fragmenter.onVerdict(7, VERDICT_GRANTED);

        while (length - fragmenter.position() > Integer.MAX_VALUE)
        {
            final int part = fragmenter.nextLength(length - fragmenter.position(), Integer.MAX_VALUE);
            assertEquals(Integer.MAX_VALUE, part);
            fragmenter.sent(part);
        }
        fragmenter.sent(fragmenter.nextLength(Long.MAX_VALUE, Integer.MAX_VALUE));

        assertTrue(fragmenter.isComplete());
        assertEquals(length, fragmenter.position());
    }

    @Test
    void shouldTakeNoAnswerToWhatWasNotAsked()
    {
        assertFalse(fragmenter.onVerdict(0, VERDICT_GRANTED));
        fragmenter.begin(7, 10);
        assertFalse(fragmenter.onVerdict(7, VERDICT_GRANTED));
        fragmenter.asked();
        assertFalse(fragmenter.onVerdict(8, VERDICT_GRANTED));
        assertFalse(fragmenter.onVerdict(7, 3));
        assertTrue(fragmenter.onVerdict(7, VERDICT_REFUSED));
        assertFalse(fragmenter.onVerdict(7, VERDICT_GRANTED));

        assertEquals(Fragmenter.State.REFUSED, fragmenter.state());
    }

    @Test
    void shouldTakeARefusalAfterTheFirstParts()
    {
        fragmenter.begin(7, 10);
        fragmenter.asked();
        fragmenter.onVerdict(7, VERDICT_GRANTED);
        fragmenter.sent(3);

        assertTrue(fragmenter.onVerdict(7, VERDICT_GRANTED));
        assertEquals(3, fragmenter.position());
        assertFalse(fragmenter.onVerdict(8, VERDICT_REFUSED));
        assertTrue(fragmenter.onVerdict(7, VERDICT_REFUSED));
        assertEquals(Fragmenter.State.REFUSED, fragmenter.state());
    }

    @Test
    void shouldTakeARefusalThatIsRepeatedWithoutHarm()
    {
        fragmenter.begin(7, 10);
        fragmenter.asked();
        assertTrue(fragmenter.onVerdict(7, VERDICT_REFUSED));
        assertTrue(fragmenter.onVerdict(7, VERDICT_REFUSED));
        fragmenter.end();

        assertTrue(fragmenter.onVerdict(7, VERDICT_REFUSED));
        assertFalse(fragmenter.onVerdict(7, VERDICT_GRANTED));
        assertEquals(Fragmenter.State.IDLE, fragmenter.state());
        fragmenter.begin(8, 10);
        assertFalse(fragmenter.onVerdict(7, VERDICT_REFUSED));
        assertEquals(Fragmenter.State.ASKING, fragmenter.state());
    }

    @Test
    void shouldTellTheReceiverOfAnEndOnlyIfItWasAsked()
    {
        fragmenter.begin(7, 10);
        fragmenter.abort();
        assertEquals(Fragmenter.State.IDLE, fragmenter.state());

        fragmenter.begin(8, 10);
        fragmenter.asked();
        fragmenter.abort();
        assertEquals(Fragmenter.State.ABORTING, fragmenter.state());
        assertFalse(fragmenter.onVerdict(8, VERDICT_GRANTED));
        fragmenter.end();

        fragmenter.begin(9, 10);
        fragmenter.asked();
        fragmenter.onVerdict(9, VERDICT_GRANTED);
        fragmenter.sent(3);
        fragmenter.abort();
        assertEquals(Fragmenter.State.ABORTING, fragmenter.state());
    }

    @Test
    void shouldRefuseStepsThatAreNotItsOwn()
    {
        assertThrows(IllegalStateException.class, fragmenter::asked);
        assertThrows(IllegalStateException.class, () -> fragmenter.sent(1));
        fragmenter.begin(7, 10);
        assertThrows(IllegalStateException.class, () -> fragmenter.begin(8, 10));
        fragmenter.asked();
        fragmenter.onVerdict(7, VERDICT_GRANTED);
        assertThrows(IllegalStateException.class, () -> fragmenter.sent(11));
    }
}
