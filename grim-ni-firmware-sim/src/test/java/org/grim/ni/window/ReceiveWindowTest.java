// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.window;

import org.grim.ni.window.ReceiveWindow.Judgement;
import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;

final class ReceiveWindowTest
{
    private static final int WINDOW = SequenceSpace.WINDOW_MAX;
    private static final int LOSSY_WINDOW = SequenceSpace.lossyWindowMax(8);

    private final SequenceSpace space = new SequenceSpace(8, WINDOW);
    private final ReceiveWindow window = new ReceiveWindow(space);
    private final SequenceSpace lossySpace = new SequenceSpace(8, LOSSY_WINDOW);
    private final ReceiveWindow lossy = new ReceiveWindow(lossySpace);

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
    void shouldExpectTheMessageBehindADenialAWindowFurtherOn()
    {
        lossy.accept(0);
        lossy.deny(1);

        assertEquals(1 + LOSSY_WINDOW, lossy.expected());
        assertEquals(Judgement.EXPECTED, lossy.judge(1 + LOSSY_WINDOW));
        assertEquals(Judgement.LATER, lossy.judge(2 + LOSSY_WINDOW));
        assertEquals(Judgement.LATER, lossy.judge(2 * LOSSY_WINDOW));
    }

    @Test
    void shouldTellEveryCopyBehindADenialAtEveryPlaceOfTheSequence()
    {
        for (int denied = 0; denied < 600; denied++)
        {
            lossy.deny(lossySpace.sequence(denied));

            assertEquals(lossySpace.sequence(denied + LOSSY_WINDOW), lossy.expected());
            assertEquals(Judgement.DENIED, lossy.judge(lossySpace.sequence(denied)));
            for (int i = 1; i < LOSSY_WINDOW; i++)
            {
                assertEquals(Judgement.LATER, lossy.judge(lossySpace.sequence(denied + i)));
                assertEquals(Judgement.EARLIER, lossy.judge(lossySpace.sequence(denied - i)));
                assertEquals(Judgement.LATER, lossy.judge(lossySpace.sequence(denied + LOSSY_WINDOW + i)));
            }
            lossy.accept(lossySpace.sequence(denied));
        }
    }

    @Test
    void shouldTellTheLaterFromTheDeniedInTheWidestWindow()
    {
        window.deny(200);

        assertEquals(200 + WINDOW & 0xff, window.expected());
        assertEquals(Judgement.DENIED, window.judge(200));
        for (int i = 1; i < WINDOW; i++)
        {
            assertEquals(Judgement.LATER, window.judge(200 + i & 0xff));
            assertEquals(Judgement.LATER, window.judge(200 + WINDOW + i & 0xff));
        }
    }

    @Test
    void shouldForgetADenialWhenTheNextMessageIsAccepted()
    {
        lossy.deny(0);
        lossy.accept(LOSSY_WINDOW);

        assertEquals(LOSSY_WINDOW + 1, lossy.expected());
        assertEquals(Judgement.EARLIER, lossy.judge(LOSSY_WINDOW));
    }

    @Test
    void shouldKeepTheLatestOfTwoDenialsInARow()
    {
        lossy.deny(0);
        lossy.deny(LOSSY_WINDOW);

        assertEquals(2 * LOSSY_WINDOW, lossy.expected());
        assertEquals(Judgement.DENIED, lossy.judge(LOSSY_WINDOW));
        assertEquals(Judgement.LATER, lossy.judge(LOSSY_WINDOW + 1));
    }

    @Test
    void shouldTellACopyOfTheDeniedWhenOneMessageIsInFlight()
    {
        final ReceiveWindow single = new ReceiveWindow(new SequenceSpace(8, 1));
        single.deny(0);

        assertEquals(1, single.expected());
        assertEquals(Judgement.DENIED, single.judge(0));
        single.accept(1);
        assertEquals(Judgement.EARLIER, single.judge(0));
        assertEquals(Judgement.EARLIER, single.judge(1));
    }
}
