// SPDX-License-Identifier: Apache-2.0
package org.grim.ni.window;

import org.junit.jupiter.api.Test;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

final class SendWindowTest
{
    private static final int LOSSY_WINDOW = SequenceSpace.lossyWindowMax(8);

    private final SendWindow window = new SendWindow(new SequenceSpace(8, SequenceSpace.WINDOW_MAX));
    private final SendWindow lossy = new SendWindow(new SequenceSpace(8, LOSSY_WINDOW));

    @Test
    void shouldSendNothingWhenThereIsNothing()
    {
        assertFalse(window.canSend());
        assertEquals(0, window.pendingCount());
    }

    @Test
    void shouldSendNoMoreThanTheWindow()
    {
        append(SequenceSpace.WINDOW_MAX + 1);

        assertEquals(SequenceSpace.WINDOW_MAX, sendAll());
        assertEquals(SequenceSpace.WINDOW_MAX, window.inFlightCount());
        assertEquals(SequenceSpace.WINDOW_MAX + 1, window.pendingCount());
    }

    @Test
    void shouldGoOnWhenTheOldestIsAcknowledged()
    {
        append(SequenceSpace.WINDOW_MAX + 1);
        sendAll();

        assertEquals(1, window.acknowledge(0));

        assertTrue(window.canSend());
        assertEquals(SequenceSpace.WINDOW_MAX, window.nextSequence());
    }

    @Test
    void shouldSettleAllBeforeAnAcknowledgedMessage()
    {
        append(5);
        sendAll();

        assertEquals(4, window.acknowledge(3));

        assertEquals(1, window.inFlightCount());
        assertEquals(1, window.pendingCount());
    }

    @Test
    void shouldCountEveryMessageOnceAcrossTheWrap()
    {
        for (int ordinal = 0; ordinal < 1000; ordinal++)
        {
            append(1);
            assertEquals(ordinal & 0xff, window.nextSequence());
            assertFalse(window.isNextRepeated());
            window.sent();

            assertEquals(1, window.acknowledge(ordinal & 0xff));
            assertEquals(0, window.pendingCount());
        }
    }

    @Test
    void shouldSettleACumulativeAcknowledgementAcrossTheWrap()
    {
        settle(window, 250);
        append(10);
        sendAll();

        assertEquals(10, window.acknowledge(3));
        assertEquals(0, window.pendingCount());
    }

    @Test
    void shouldIgnoreAnAcknowledgementOfWhatIsSettled()
    {
        append(3);
        sendAll();
        window.acknowledge(1);

        assertEquals(0, window.acknowledge(0));
        assertEquals(0, window.acknowledge(1));

        assertEquals(1, window.pendingCount());
    }

    @Test
    void shouldIgnoreAnAcknowledgementOfWhatWasNeverSent()
    {
        append(3);
        window.sent();

        assertEquals(0, window.acknowledge(1));
        assertEquals(3, window.pendingCount());
    }

    @Test
    void shouldProbeWithTheRefusedMessageAlone()
    {
        append(5);
        sendAll();

        assertEquals(2, window.refuse(2));

        assertTrue(window.isProbing());
        assertEquals(2, window.nextSequence());
        assertTrue(window.isNextRepeated());
        assertEquals(1, sendAll());
    }

    @Test
    void shouldSendTheRestWhenTheProbeIsAccepted()
    {
        append(5);
        sendAll();
        window.refuse(2);
        sendAll();

        assertEquals(1, window.acknowledge(2));

        assertFalse(window.isProbing());
        assertEquals(3, window.nextSequence());
        assertEquals(2, sendAll());
    }

    @Test
    void shouldNotRollBackTwiceForARepeatedRefusal()
    {
        append(5);
        sendAll();
        window.refuse(2);

        assertEquals(SendWindow.STALE, window.refuse(2));
        assertEquals(SendWindow.STALE, window.refuse(4));

        assertEquals(3, window.pendingCount());
        assertEquals(1, sendAll());
        assertEquals(1, window.inFlightCount());
    }

    @Test
    void shouldIgnoreARefusalOfWhatIsSettled()
    {
        append(3);
        sendAll();
        window.acknowledge(1);

        assertEquals(SendWindow.STALE, window.refuse(1));
        assertFalse(window.isProbing());
        assertEquals(1, window.inFlightCount());
    }

    @Test
    void shouldTakeAnAcknowledgementThatComesAfterTheTimeOut()
    {
        append(3);
        sendAll();
        window.timeOut();
        assertEquals(0, window.inFlightCount());
        assertEquals(3, window.unacknowledgedCount());

        assertEquals(3, window.acknowledge(2));

        assertFalse(window.canSend());
        assertFalse(window.isProbing());
        assertEquals(0, window.pendingCount());
    }

    @Test
    void shouldSkipWhatWasAcknowledgedBetweenTimeOutAndRetry()
    {
        append(4);
        sendAll();
        window.timeOut();

        assertEquals(2, window.acknowledge(1));

        assertEquals(2, window.nextSequence());
        assertTrue(window.isNextRepeated());
        assertEquals(2, sendAll());
        append(1);
        assertFalse(window.isNextRepeated());
    }

    @Test
    void shouldSettleAllBeforeADeniedMessageAndSendTheRestAgainAWindowFurtherOn()
    {
        append(lossy, 5);
        sendAll(lossy);

        assertEquals(3, lossy.deny(2));

        assertEquals(2, lossy.pendingCount());
        assertEquals(0, lossy.inFlightCount());
        assertEquals(0, lossy.unacknowledgedCount());
        assertEquals(2 + LOSSY_WINDOW, lossy.nextSequence());
        assertFalse(lossy.isNextRepeated());
        assertFalse(lossy.isProbing());
        assertEquals(2, sendAll(lossy));
        assertEquals(2, lossy.acknowledge(3 + LOSSY_WINDOW));
    }

    @Test
    void shouldLeaveAWindowOutBehindEveryDenialAcrossTheWrap()
    {
        int sequence = 0;
        for (int ordinal = 0; ordinal < 1000; ordinal++)
        {
            append(lossy, 1);
            assertEquals(sequence, lossy.nextSequence());
            lossy.sent();

            assertEquals(1, lossy.deny(sequence));
            assertEquals(0, lossy.pendingCount());
            sequence = sequence + LOSSY_WINDOW & 0xff;
        }
    }

    @Test
    void shouldSettleADenialAcrossTheWrap()
    {
        settle(lossy, 250);
        append(lossy, 12);
        sendAll(lossy);

        assertEquals(10, lossy.deny(3));

        assertEquals(2, lossy.pendingCount());
        assertEquals(3 + LOSSY_WINDOW, lossy.nextSequence());
    }

    @Test
    void shouldIgnoreADenialOfWhatIsSettledOrWasNeverSent()
    {
        append(lossy, 4);
        lossy.sent();
        lossy.sent();
        lossy.acknowledge(0);

        assertEquals(0, lossy.deny(0));
        assertEquals(0, lossy.deny(2));

        assertEquals(3, lossy.pendingCount());
        assertEquals(1, lossy.inFlightCount());
        assertEquals(2, lossy.nextSequence());
    }

    @Test
    void shouldIgnoreEveryAnswerUnderAnOldSequenceBehindADenial()
    {
        append(lossy, LOSSY_WINDOW * 3);
        sendAll(lossy);
        lossy.acknowledge(LOSSY_WINDOW - 1);
        sendAll(lossy);
        lossy.deny(LOSSY_WINDOW);
        sendAll(lossy);
        final int pendingCount = lossy.pendingCount();

        for (int sequence = 1; sequence < 2 * LOSSY_WINDOW; sequence++)
        {
            assertEquals(0, lossy.acknowledge(sequence));
            assertEquals(0, lossy.deny(sequence));
            assertEquals(SendWindow.STALE, lossy.refuse(sequence));
        }

        assertEquals(pendingCount, lossy.pendingCount());
        assertEquals(LOSSY_WINDOW, lossy.inFlightCount());
    }

    @Test
    void shouldTakeADenialThatComesAfterTheTimeOutAndEndTheProbe()
    {
        append(lossy, 3);
        sendAll(lossy);
        lossy.timeOut();

        assertEquals(2, lossy.deny(1));

        assertFalse(lossy.isProbing());
        assertEquals(1, lossy.pendingCount());
        assertEquals(1 + LOSSY_WINDOW, lossy.nextSequence());
    }

    @Test
    void shouldLeaveNothingOutBehindADenialWhenOneMessageIsInFlight()
    {
        final SendWindow single = new SendWindow(new SequenceSpace(8, 1));
        single.append();
        single.append();
        single.sent();

        assertEquals(1, single.deny(0));
        assertEquals(0, single.deny(0));

        assertEquals(1, single.nextSequence());
        assertEquals(1, single.pendingCount());
    }

    private void append(final int count)
    {
        append(window, count);
    }

    private int sendAll()
    {
        return sendAll(window);
    }

    private static void append(final SendWindow to, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            to.append();
        }
    }

    private static int sendAll(final SendWindow of)
    {
        int count = 0;
        while (of.canSend())
        {
            of.sent();
            count++;
        }
        return count;
    }

    private static void settle(final SendWindow of, final int count)
    {
        for (int i = 0; i < count; i++)
        {
            of.append();
            final int sequence = of.nextSequence();
            of.sent();
            of.acknowledge(sequence);
        }
    }
}
