// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.delivery;

import org.grim.ni.delivery.ReceiveWindow.Judgement;
import org.grim.ni.guard.Guard;
import org.grim.ni.guard.Guards;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ReceiveWindowTest
{
    private static final int WINDOW = SequenceSpace.WINDOW_MAX;

    private final SequenceSpace space = new SequenceSpace(8, WINDOW, Guards.ALL);
    private final ReceiveWindow window = new ReceiveWindow(space, Guards.ALL);

    @Test
    void shouldExpectZeroFirst()
    {
        assertEquals(0, window.expected());
        assertEquals(Judgement.EXPECTED, window.judge(0));
    }

    @Test
    void shouldExpectTheSameUntilItIsAccepted()
    {
        window.judge(0);
        window.judge(1);

        assertEquals(Judgement.EXPECTED, window.judge(0));
        window.accept(0);
        assertEquals(Judgement.EXPECTED, window.judge(1));
    }

    @Test
    void shouldTellLaterFromEarlierAtEveryPlaceOfTheSequence()
    {
        for (int ordinal = 0; ordinal < 600; ordinal++)
        {
            assertEquals(space.sequence(ordinal), window.expected());
            assertEquals(Judgement.LATER, window.judge(space.sequence(ordinal + 1)));
            assertEquals(Judgement.LATER, window.judge(space.sequence(ordinal + WINDOW - 1)));
            assertEquals(Judgement.EARLIER, window.judge(space.sequence(ordinal + 255)));
            assertEquals(Judgement.EARLIER, window.judge(space.sequence(ordinal + 256 - WINDOW)));
            window.accept(space.sequence(ordinal));
        }
    }

    @Test
    void shouldExpectAnythingWithoutItsChecks()
    {
        assertEquals(Judgement.EXPECTED, new ReceiveWindow(space, Guards.without(Guard.ORDER_CHECK)).judge(1));
        assertEquals(Judgement.EARLIER, new ReceiveWindow(space, Guards.without(Guard.ORDER_CHECK)).judge(255));
        assertEquals(Judgement.EXPECTED, new ReceiveWindow(space, Guards.without(Guard.DUPLICATE_CHECK)).judge(255));
        assertEquals(Judgement.LATER, new ReceiveWindow(space, Guards.without(Guard.DUPLICATE_CHECK)).judge(1));
    }
}
